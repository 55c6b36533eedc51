package request

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/internal/units"
	"parley/ui/action"
	"parley/ui/canvas"
	"parley/ui/field"
	"parley/ui/list"
	"parley/ui/styles"
)

// A picker is the list of templates, filtered by the words that are typed.
type picker struct {
	open   bool
	input  field.Field
	cursor list.Cursor
}

func newPicker(st *styles.Styles) picker {
	return picker{input: field.New(st, field.Options{Glyph: true, Hint: "a method, or words of an earlier request"})}
}

// begin opens the list without a filter.
func (l *picker) begin() {
	l.open, l.cursor = true, list.Cursor{}
	l.input.Reset()
	l.input.Focus()
}

// pickRows returns the number of visible rows.
func (p *Pane) pickRows() int { return max(1, p.h-pickHead) }

// pickHead is the height of the input with the rule below it.
const pickHead = 2

// A choice is an entry of the list.
type choice struct {
	group, name, note string
	with              revision
}

// filteredChoices returns the choices that contain every typed word.
func (p *Pane) filteredChoices() []choice {
	words := strings.Fields(strings.ToLower(p.pick.input.Value()))
	return slices.DeleteFunc(p.choices(), func(c choice) bool {
		text := strings.ToLower(c.name + " " + c.note)
		return slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
	})
}

// choices returns the methods of the agent's dialect, then the history, newest first.
func (p *Pane) choices() []choice {
	out := make([]choice, 0, len(p.presets)+len(p.past))
	for _, preset := range p.presets {
		d := Draft{Agent: p.draft.Agent, Conversation: p.draft.Conversation, To: p.draft.To, Request: preset.Request}
		out = append(out, choice{group: "method", name: preset.Name, note: string(preset.Op), with: revision{draft: d, exact: true}})
	}
	for i := len(p.past) - 1; i >= 0; i-- {
		old := p.past[i]
		out = append(out, choice{
			group: "before", name: summary(old.text), note: units.Bytes(int64(len(old.text))), with: old,
		})
	}
	return out
}

// farthest is how many bytes of a request are searched for its method.
const farthest = 4096

// summary returns a request's JSON-RPC method and first line.
func summary(text string) string {
	line, rest, _ := strings.Cut(text, "\n")
	if _, after, found := strings.Cut(rest[:min(len(rest), farthest)], `"method"`); found {
		if parts := strings.SplitN(after, `"`, 3); len(parts) == 3 && strings.Trim(parts[0], ": ") == "" {
			return parts[1] + " " + line
		}
	}
	return line
}

// pickActions returns the table of the list.
func (p *Pane) pickActions() *action.Table[Intent] {
	move := func(by int) func() Intent {
		return do(func() { p.pick.cursor.Move(by, len(p.filteredChoices())) })
	}
	return action.New(nil,
		action.Action[Intent]{
			Row: action.Row{Keys: []string{"enter"}, Does: "use as template", Foot: 1, Fixed: true, Now: func() action.State { return action.State{Idle: len(p.filteredChoices()) == 0} }},
			Run: do(func() { p.openChoice(p.filteredChoices()) }),
		},
		action.Action[Intent]{
			Row: action.Row{Keys: []string{"up", "ctrl+k", "shift+tab"}, Does: "previous", Foot: 2, Fixed: true, Now: func() action.State { return action.State{Idle: p.pick.cursor.At == 0} }},
			Run: move(-1),
		},
		action.Action[Intent]{
			Row: action.Row{Keys: []string{"down", "ctrl+j", "tab"}, Does: "next", Foot: 3, Fixed: true, Now: func() action.State {
				return action.State{Idle: p.pick.cursor.At >= len(p.filteredChoices())-1}
			}},
			Run: move(1),
		},
		action.Action[Intent]{Row: action.Row{Keys: []string{"esc", "ctrl+t", "ctrl+c"}, Does: "back", Foot: 4, Fixed: true}, Run: p.leavePick},
	)
}

// leavePick closes the list, and the pane if there is no request.
func (p *Pane) leavePick() Intent {
	p.pick.open = false
	if !p.open {
		return Close{}
	}
	return nil
}

// pickKey handles the other keys while the list is open: they edit the filter.
func (p *Pane) pickKey(msg tea.KeyPressMsg) Intent {
	p.narrow(p.pick.input.Key(msg))
	return nil
}

// narrow selects the first choice after the filter changed.
func (p *Pane) narrow(changed bool) {
	if changed {
		p.pick.cursor = list.Cursor{}
	}
}

// openChoice opens the selected choice.
func (p *Pane) openChoice(all []choice) {
	if p.pick.cursor.At >= len(all) {
		return
	}
	c := all[p.pick.cursor.At]
	p.Open(c.with.draft)
	if c.with.text != "" {
		p.begin(c.with)
	}
}

// pickMouse selects on a click and opens the choice on a second one.
func (p *Pane) pickMouse(msg tea.MouseMsg, y int) Intent {
	all := p.filteredChoices()
	if p.pick.cursor.Mouse(msg, y-pickHead, len(all), p.pickRows()) == list.HitSelected {
		p.openChoice(all)
	}
	return nil
}

// pickLines draws the list.
func (p *Pane) pickLines() []string {
	all, l := p.filteredChoices(), &p.pick
	l.input.SetWidth(p.w)
	rows := l.cursor.Rows(p.st, p.w, len(all), p.pickRows(), func(i int) string { return p.choiceRow(all[i]) })
	out := append([]string{l.input.View(), canvas.Rule(p.st, p.w)}, rows...)
	if len(all) == 0 {
		out = append(out, p.st.Faint.S("no match"))
	}
	return canvas.Block(out, p.w, p.h)
}

func (p *Pane) choiceRow(c choice) string {
	const group = 8
	mark, note := p.st.G[styles.Ellipsis], canvas.SanitizeLine(c.note)
	room := max(0, p.w-group-canvas.Width(note)-1)
	name := canvas.Fit(canvas.Ellipsize(canvas.SanitizeLine(c.name), room, mark), room)
	return p.st.Faint.S(canvas.Fit(c.group, group)) + p.st.Text.S(name) + " " + p.st.Faint.S(note)
}
