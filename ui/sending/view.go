package sending

import (
	"cmp"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/ui/canvas"
	"parley/ui/styles"
)

const (
	labelWidth = 20
	footRows   = 4
)

// Title returns the title of the frame.
func (p *Pane) Title() string {
	if p.about.Agent == "" {
		return "send options"
	}
	return "send options for messages to " + canvas.SanitizeLine(p.about.Agent)
}

// Note is empty.
func (p *Pane) Note() string { return "" }

// Cursor returns the terminal's cursor relative to the pane while the user types a value, else
// nil.
func (p *Pane) Cursor() *tea.Cursor {
	if !p.typing || int(p.at()) >= p.H {
		return nil
	}
	return p.input.Cursor(labelWidth, int(p.at()), p.W, p.H)
}

// Lines renders the pane as exactly as many rows as its height, each exactly as wide as the
// pane.
func (p *Pane) Lines() []string {
	var out []string
	for f := range numSettings {
		out = append(out, canvas.Entry(p.St, p.row(f), p.W, f == p.at() && !p.typing))
	}
	out = append(out, canvas.Rule(p.St, p.W))
	out = append(out, canvas.Paragraph(p.describeWire(), p.W, p.St.Dim)...)
	if why := p.why(p.at()); why != "" {
		out = append(out, p.St.Waiting.S(p.Cut(p.St.G[styles.Flag]+" "+why+".")))
	}
	return canvas.Block(out, p.W, p.H)
}

// row renders a setting: its name and value.
func (p *Pane) row(f setting) string {
	label := p.St.Faint
	if f == p.at() {
		label = p.St.Accent
	}
	head := label.S(canvas.Fit(rows[f].label, labelWidth))
	if p.typing && f == p.at() {
		return head + p.Well(&p.input, p.W-labelWidth)
	}
	paint := p.St.Dim
	if p.isSet(f) {
		paint = p.St.Text
	}
	words := canvas.SanitizeLine(clip(p.describe(f)))
	if p.why(f) != "" && p.isSet(f) {
		paint, words = p.St.Waiting, p.St.G[styles.Flag]+" "+words
	}
	return head + paint.S(p.Ellipsize(words, max(0, p.W-labelWidth)))
}

// clip returns the beginning of a value, which may be of any length.
func clip(s string) string { return s[:min(len(s), 1000)] }

// describe describes the current value of a setting.
func (p *Pane) describe(f setting) string {
	if f == answer {
		return p.wayWords()
	}
	return cmp.Or(p.value(f), rows[f].none)
}

// wayWords describes the current answer mode.
func (p *Pane) wayWords() string {
	switch p.way() {
	case 1:
		if p.about.NoCard {
			return "streamed, although no card declares it"
		}
		return "streamed, whatever the card declares"
	case 2:
		return "in one piece when the task ends (blocking)"
	case 3:
		return "at once; then Parley polls (non-blocking)"
	}
	switch {
	case p.about.NoCard:
		return "at once; then Parley polls, because no card declares streaming"
	case p.about.Streams:
		return "as the card declares: streamed"
	}
	return "as the card declares: at once; then Parley polls"
}

// describeWire describes what the setting at the cursor becomes on the wire.
func (p *Pane) describeWire() string {
	d := p.about.Dialect
	if d == nil {
		return "The agent's dialect is not known yet."
	}
	sent := "Sent as " + p.member(p.at())
	switch at := p.at(); {
	case at == answer:
		return p.describeWay(d)
	case at == modes:
		if p.member(modes) != "" {
			sent += "."
		} else {
			sent = ""
		}
		if len(p.about.OutputModes) > 0 {
			sent += " The card says that the agent produces " + clip(strings.Join(p.about.OutputModes, ", ")) + "."
		}
		return strings.TrimSpace(canvas.SanitizeLine(sent))
	case p.member(at) == "":
		return ""
	case at == history:
		return sent + ": the task comes with at most so many messages, also when Parley polls it."
	case at == request:
		return sent + ", beside the message, with every message to this agent."
	case at == text:
		return sent + " part, only with this message."
	case at == names:
		return sent + ", only with this message: the extensions that it uses. /ext chooses what requests ask for."
	case at == tasks:
		return sent + " to this agent with these requests about a task: " + annotatedRequests(d) + "."
	default:
		return sent + ", only with this message."
	}
}

// annotatedRequests names the requests about tasks that have a member for metadata, empty if none has.
func annotatedRequests(d *a2a.Dialect) string {
	var words []string
	for _, o := range []struct {
		op   a2a.Op
		word string
	}{
		{a2a.OpGet, "get"}, {a2a.OpSubscribe, "subscribe"}, {a2a.OpCancel, "cancel"},
		{a2a.OpPushGet, "get webhook"}, {a2a.OpPushList, "list webhooks"}, {a2a.OpPushDelete, "delete webhook"},
	} {
		if d.Annotates(o.op) {
			words = append(words, o.word)
		}
	}
	return strings.Join(words, ", ")
}

func (p *Pane) describeWay(d *a2a.Dialect) string {
	send, stream, member := a2a.RPC(d.Method(a2a.OpSend)), a2a.RPC(d.Method(a2a.OpStream)), d.SendMember(a2a.MemberWait)
	way := p.way()
	if way == 1 || way == 0 && p.about.Streams {
		if stream == "" {
			return "A2A " + d.Name().Number() + " has no streams: " + send + " is used."
		}
		return "Sent by " + stream + "."
	}
	words := "Sent by " + send
	if member != "" {
		waits := way == 2
		if strings.HasSuffix(member, "returnImmediately") {
			waits = !waits
		}
		words += map[bool]string{true: " with " + member + ": true", false: " with " + member + ": false"}[waits]
	}
	if way != 2 {
		words += "; Parley then polls the task at growing intervals"
	}
	return words + "."
}
