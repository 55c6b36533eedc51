package request

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/internal/units"
	"parley/ui/canvas"
	"parley/ui/keys"
	"parley/ui/styles"
)

// A picker lists the requests that one can begin with.
type picker struct {
	open    bool
	at, top int
}

// A choice is one of them.
type choice struct {
	group, name, note string
	with              past
}

// choices are the methods of the agent's dialect, then what was sent before, the newest
// first.
func (p *Pane) choices() []choice {
	out := make([]choice, 0, len(p.presets)+len(p.past))
	for _, preset := range p.presets {
		d := Draft{Agent: p.draft.Agent, Conversation: p.draft.Conversation, To: p.draft.To, Request: preset.Request}
		out = append(out, choice{group: "method", name: preset.Name, note: string(preset.Op), with: past{d, "", true}})
	}
	for i := len(p.past) - 1; i >= 0; i-- {
		old := p.past[i]
		out = append(out, choice{
			group: "before", name: summary(old.text), note: units.Bytes(int64(len(old.text))), with: old,
		})
	}
	return out
}

// summary names a request by its first line and its JSON-RPC method.
func summary(text string) string {
	line, rest, _ := strings.Cut(text, "\n")
	if _, after, found := strings.Cut(rest[:min(len(rest), farthest)], `"method"`); found {
		if parts := strings.SplitN(after, `"`, 3); len(parts) == 3 && strings.Trim(parts[0], ": ") == "" {
			return parts[1] + " " + line
		}
	}
	return line
}

// pickKeys are the keys while the list is open.
type pickKeys struct{ up, down, choose, leave key.Binding }

func (*picker) keys() pickKeys {
	return pickKeys{
		up:     keys.Bind("k", "previous", "k", "up", "shift+tab"),
		down:   keys.Bind("j", "next", "j", "down", "tab"),
		choose: keys.Bind("enter", "begin with it"),
		leave:  keys.Bind("esc", "back", "esc", "ctrl+o", "ctrl+c"),
	}
}

func (l *picker) help(choices int) []key.Binding {
	k := l.keys()
	k.choose.SetEnabled(choices > 0)
	k.up.SetEnabled(l.at > 0)
	k.down.SetEnabled(l.at < choices-1)
	return []key.Binding{k.choose, k.up, k.down, k.leave}
}

func (p *Pane) pickKey(msg tea.KeyPressMsg) Intent {
	k, all := p.pick.keys(), p.choices()
	switch {
	case key.Matches(msg, k.leave):
		p.pick.open = false
		if !p.open {
			return Close{}
		}
	case key.Matches(msg, k.up):
		p.pick.at = max(0, p.pick.at-1)
	case key.Matches(msg, k.down):
		p.pick.at = max(0, min(p.pick.at+1, len(all)-1))
	case key.Matches(msg, k.choose):
		p.picked(all)
	}
	return nil
}

// picked begins with the request that is selected.
func (p *Pane) picked(all []choice) {
	if p.pick.at >= len(all) {
		return
	}
	c := all[p.pick.at]
	p.Open(c.with.draft)
	if c.with.text != "" {
		p.begin(c.with)
	}
}

// pickMouse selects with a click, and begins with a second one.
func (p *Pane) pickMouse(msg tea.MouseMsg, y int) Intent {
	all := p.choices()
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		step := 1
		if msg.Button == tea.MouseWheelUp {
			step = -1
		}
		p.pick.at = max(0, min(p.pick.at+step, len(all)-1))
	case tea.MouseClickMsg:
		i := p.pick.top + y
		if msg.Button != tea.MouseLeft || y < 0 || i >= len(all) {
			return nil
		}
		if i == p.pick.at {
			p.picked(all)
			return nil
		}
		p.pick.at = i
	}
	return nil
}

// pickLines draws the list.
func (p *Pane) pickLines() []string {
	all, l := p.choices(), &p.pick
	l.top = max(0, min(l.top, len(all)-p.h))
	switch {
	case l.at < l.top:
		l.top = l.at
	case l.at >= l.top+p.h:
		l.top = l.at - p.h + 1
	}
	out := make([]string, 0, p.h)
	for i := l.top; i < len(all) && len(out) < p.h; i++ {
		c, mark := all[i], p.st.G[styles.Ellipsis]
		const group = 8
		note := canvas.SanitizeLine(c.note)
		room := max(0, p.w-group-canvas.Width(note)-1)
		name := canvas.Fit(canvas.Ellipsize(canvas.SanitizeLine(c.name), room, mark), room)
		row := canvas.Fit(p.st.Faint.S(canvas.Fit(c.group, group))+p.st.Text.S(name)+" "+p.st.Faint.S(note), p.w)
		if i == l.at {
			row = canvas.Select(row, p.st)
		}
		out = append(out, row)
	}
	if len(all) == 0 && p.h > 0 {
		out = append(out, canvas.Fit(p.st.Faint.S("there is nothing to begin with: no agent is open"), p.w))
	}
	return append(out, canvas.Blank(p.w, p.h-len(out))...)
}
