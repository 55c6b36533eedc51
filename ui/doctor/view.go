package doctor

import (
	"strings"

	"time"

	"parley/internal/connection"
	"parley/internal/doctor"
	"parley/internal/units"
	"parley/ui/canvas"
	"parley/ui/keys"
	"parley/ui/sheet"
	"parley/ui/styles"
)

// Title returns the title of the frame.
func (p *Pane) Title() string {
	if p.content.Machine {
		return "doctor " + p.St.G[styles.Separator] + " this machine"
	}
	return "doctor " + p.St.G[styles.Separator] + " " + p.Ellipsize(canvas.SanitizeLine(p.content.Name), 40)
}

// Note returns how far the examination is, for the right end of the frame's top edge.
func (p *Pane) Note() string {
	c := &p.content
	switch broken := c.Report.Broken(); {
	case c.Machine:
		return ""
	case c.Running:
		return "running"
	case c.Stopped:
		return "stopped"
	case broken != nil:
		return "broken at " + canvas.SanitizeLine(broken.Name)
	default:
		if n := c.Report.Warnings(); n > 0 {
			return units.Plural(n, "warning")
		}
		if _, well := c.Report.Result(); !well {
			return "credentials wanted"
		}
		return "all well"
	}
}

const (
	headRows   = 2 // including the rule below
	footRows   = 8 // including the rule above
	nameWidth  = 13
	labelWidth = 12
)

// parts returns the heights of head, list and foot.
func (p *Pane) parts() sheet.Parts { return p.SplitFor(len(p.rows()), headRows, footRows, 4) }

// Lines renders the pane as exactly as many rows as its height, each exactly as wide as the
// pane.
func (p *Pane) Lines() []string {
	rows := p.rows()
	p.List.Move(0, len(rows))
	at := p.parts()
	return p.Stack(at, []string{p.head()}, p.Rows(len(rows), at.List, func(i int) string { return p.row(rows[i]) }, p.empty), p.foot())
}

// head says how it stands.
func (p *Pane) head() string {
	st, c := p.St, &p.content
	broken := c.Report.Broken()
	switch of := canvas.SanitizeLine(c.Report.Of); {
	case c.Machine:
		return st.Dim.S(p.Cut("What a bug report needs: " + keys.Name(p.Of(copyReport)) + " copies it; it has no secrets"))
	case c.Running && c.Sends:
		return st.Accent.S(p.Cut("Following the way to " + of + ", to the answer to a message"))
	case c.Running:
		return st.Accent.S(p.Cut("Following the way to " + of))
	case c.Stopped:
		return st.Dim.S(p.Cut("Stopped: " + keys.Name(p.Of(again)) + " begins again"))
	case broken != nil:
		return st.Failed.S(p.Cut(st.G[styles.Failed] + " The way to " + of + " is broken here: " + canvas.SanitizeLine(broken.Name)))
	}
	found, well := c.Report.Result()
	if found = strings.ToUpper(found[:1]) + found[1:]; !well {
		return st.Waiting.S(p.Cut(found))
	}
	return st.OK.S(p.Cut(st.G[styles.Done] + " " + found))
}

// empty says why no row is listed.
func (p *Pane) empty() string {
	if p.content.Reading {
		return "Reading the settings …"
	}
	return "There is nothing to show."
}

// row renders one row: what became of a step, its name, what it found, and how long it took.
func (p *Pane) row(r row) string {
	st := p.St
	switch {
	case r.fact != nil:
		sign := "  "
		if r.fact.Hint != "" {
			sign = st.Waiting.S(st.G[styles.Ailing]) + " "
		}
		return sign + st.Faint.S(p.Cell(canvas.SanitizeLine(r.fact.Name), nameWidth)) + st.Text.S(p.Cell(canvas.SanitizeLine(r.fact.Value), max(0, p.W-nameWidth-2)))
	case r.step == nil:
		return "  " + st.Faint.S(p.Cell(r.name, max(0, p.W-2)))
	}
	glyph, paint, text := p.look(r.step.Status)
	took := doctor.Took(r.step)
	if r.step.Status == connection.Running {
		took = p.waits()
	}
	right := ""
	if took != "" {
		right = "  " + st.Faint.S(took)
	}
	room := max(0, p.W-2-nameWidth-canvas.Width(right))
	return paint.S(glyph) + " " + text.S(p.Cell(canvas.SanitizeLine(r.step.Name), nameWidth)) + text.S(p.Cell(canvas.SanitizeLine(r.step.Found), room)) + right
}

// look returns the sign of a status, its colour and that of the words.
func (p *Pane) look(s connection.Status) (glyph string, sign, words styles.Paint) {
	st := p.St
	switch s {
	case connection.OK:
		return st.G[styles.Done], st.OK, st.Text
	case connection.Warning:
		return st.G[styles.Ailing], st.Waiting, st.Text
	case connection.Failed:
		return st.G[styles.Failed], st.Failed, st.Failed
	case connection.Running:
		return st.G[styles.Online], st.Accent, st.Accent
	}
	return st.G[styles.Minus], st.Faint, st.Faint
}

// waits says for how long the step that runs has been waiting, if that is long.
func (p *Pane) waits() string {
	d := p.now.Sub(p.content.Began)
	if p.now.IsZero() || p.content.Began.IsZero() || d < time.Second {
		return ""
	}
	return units.Seconds(d)
}

// foot says what the selected row found and what to do.
func (p *Pane) foot() []string {
	var out []string
	add := func(label, value string, n int) { out = append(out, p.Detail(label, labelWidth, value, n)...) }
	switch r := p.selected(); {
	case r.fact != nil:
		add(canvas.SanitizeLine(r.fact.Name), r.fact.Value, 3)
		add("hint", r.fact.Hint, 3)
	case r.step == nil:
		add(r.name, meanings(r.name), 2)
	case r.step.Status == connection.Running:
		add(r.step.Name, meanings(r.step.Name), 2)
	default:
		found := r.step.Found
		if r.step.Name == "message" && r.step.Status == connection.Skipped {
			found += ": " + keys.Name(p.Of(send)) + " examines again and sends one"
		}
		add(canvas.SanitizeLine(r.step.Name), found, 3)
		add("what to do", r.step.Remedy, 3)
	}
	return out
}

// meanings says what a step checks.
func meanings(step string) string {
	switch step {
	case "address":
		return "Is the reference the URL of a server?"
	case "DNS":
		return "Which addresses does the name of the host have?"
	case "TCP":
		return "Does anything listen there?"
	case "proxy":
		return "Does the proxy lead to the server?"
	case "TLS":
		return "Is the connection encrypted, and the certificate that of the host?"
	case "card":
		return "Where is the agent card?"
	case "rules":
		return "Does the card obey the rules of A2A?"
	case "signature":
		return "Is the signature of the card that of a trusted key?"
	case "interface":
		return "Which interface of the card is used, and can it be reached?"
	case "version":
		return "Which version of A2A do both speak?"
	case "credentials":
		return "Are the credentials set that the card asks for?"
	case "requests":
		return "Does the agent answer requests that change nothing?"
	case "message":
		return "Does the agent answer a message?"
	}
	return ""
}
