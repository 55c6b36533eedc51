package request

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/internal/units"
	"parley/ui/canvas"
	"parley/ui/field"
	"parley/ui/keys"
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

// pickKeys are the keys of the list.
type pickKeys struct {
	list.Keys
	choose, leave key.Binding
}

func (*picker) keys() pickKeys {
	return pickKeys{
		Keys: list.Keys{
			Up:   keys.Bind("up", "previous", "up", "ctrl+k", "shift+tab"),
			Down: keys.Bind("down", "next", "down", "ctrl+j", "tab"),
		},
		choose: keys.Bind("enter", "use as template"),
		leave:  keys.Bind("esc", "back", "esc", "ctrl+t", "ctrl+c"),
	}
}

func (l *picker) help(choices int) []key.Binding {
	k := l.keys()
	k.choose.SetEnabled(choices > 0)
	k.Up.SetEnabled(l.cursor.At > 0)
	k.Down.SetEnabled(l.cursor.At < choices-1)
	return []key.Binding{k.choose, k.Up, k.Down, k.leave}
}

func (p *Pane) pickKey(msg tea.KeyPressMsg) Intent {
	k, all := p.pick.keys(), p.filteredChoices()
	switch {
	case key.Matches(msg, k.leave):
		p.pick.open = false
		if !p.open {
			return Close{}
		}
	case p.pick.cursor.Key(msg, &k.Keys, len(all), p.pickRows()):
	case key.Matches(msg, k.choose):
		p.openChoice(all)
	default:
		p.narrow(p.pick.input.Key(msg))
	}
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
