package request

import (
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/units"
	"parley/ui/canvas"
	"parley/ui/editor"
	"parley/ui/keys"
	"parley/ui/looks"
	"parley/ui/styles"
)

// mostProblems is the number of rows for problems.
const mostProblems = 6

// Title returns the title of the frame.
func (p *Pane) Title() string {
	title := "request"
	if p.pick.open {
		title = "choose template of a request"
	}
	if p.draft.To == "" {
		return title
	}
	return title + " to " + canvas.SanitizeLine(p.draft.To)
}

// Note returns the note of the frame: the line of the cursor.
func (p *Pane) Note() string {
	if p.pick.open || !p.open {
		return ""
	}
	return "line " + strconv.Itoa(p.edit.Row+1) + " of " + units.Count(len(p.edit.Lines))
}

// parts returns the heights of the head and the text; the problems below a rule get the rest.
func (p *Pane) parts() (head, body int) {
	if p.h < 3 {
		return 0, p.h
	}
	below := len(p.remarks())
	if below > 0 {
		below = min(below+1, p.h/3)
	}
	return 1, p.h - 1 - below
}

// Cursor returns the terminal's cursor relative to the pane, nil if there is no text field.
func (p *Pane) Cursor() *tea.Cursor {
	if p.w == 0 || p.h == 0 || !p.pick.open && !p.open {
		return nil
	}
	if p.pick.open {
		return p.pick.input.Cursor(0, 0, p.w, p.h)
	}
	head, body := p.parts()
	return p.edit.Cursor(head, p.w, body)
}

// Lines returns the rows of the pane: exactly its height, each exactly its width.
func (p *Pane) Lines() []string {
	if p.pick.open {
		return p.pickLines()
	}
	p.read()
	var out []string
	head, body := p.parts()
	if head > 0 {
		out = append(out, p.headLine())
	}
	out = append(out, p.edit.Rows(p.st, p.w, body, p.sign, p.painter)...)
	out = append(canvas.Block(out, p.w, head+body), canvas.Rule(p.st, p.w))
	for _, line := range p.remarks() {
		out = append(out, canvas.Ellipsize(line, p.w, p.st.G[styles.Ellipsis]))
	}
	return canvas.Block(out, p.w, p.h)
}

// headLine describes what the send key does.
func (p *Pane) headLine() string {
	sep := " " + p.st.G[styles.Separator] + " "
	if !p.open {
		return p.st.Faint.S("the request is empty: " + keys.Name(p.Of(chooseTemplate)) + " chooses a method of the agent")
	}
	if why := p.parsed.blocked(); why != "" {
		return p.st.Failed.S(p.st.G[styles.Failed] + " cannot send: " + canvas.SanitizeLine(why))
	}
	words := p.st.User.S(p.st.G[styles.Send] + " " + canvas.SanitizeLine(p.draft.To))
	exact, size := p.exactVersion == p.edit.Version, len(p.parsed.request.Body)
	if exact {
		size = len(p.draft.Request.Body)
	}
	about := sep + "body " + units.Bytes(int64(size))
	if p.behind && !exact {
		about = sep + "large: it is checked on request, by " + keys.Name(p.Of(toNextProblem))
	}
	if from := p.origin(!exact); from != "" {
		about += sep + from
	}
	return words + p.st.Faint.S(about)
}

// sign returns the mark of a line and the colour of its number, by its gravest problem.
func (p *Pane) sign(row int) (mark string, number styles.Paint) {
	worst := -1
	for _, at := range p.parsed.problems {
		if at.line == row {
			worst = max(worst, int(at.severity))
		}
	}
	if worst < 0 {
		return " ", p.st.Faint
	}
	return looks.Severity(p.st, a2a.Severity(worst))
}

// remarks draws the rows below the text: the problems, then the meaning of the masks.
func (p *Pane) remarks() []string {
	if !p.open {
		return nil
	}
	var out []string
	all := p.parsed.problems
	for i, at := range all {
		if len(out) == mostProblems-1 && len(all) > mostProblems {
			out = append(out, p.st.Faint.S("and "+units.Plural(len(all)-i, "more remark")))
			break
		}
		out = append(out, p.remark(&at))
	}
	for _, s := range p.draft.Secrets {
		out = append(out, p.st.Faint.S(s.Mask+" replaces the value of "+canvas.SanitizeLine(s.Name)+"; Parley fills it in when it sends the request"))
	}
	if len(p.draft.Secrets)+len(p.draft.Missing) == 0 && p.masked() {
		out = append(out, p.st.Faint.S(a2a.Mask+" replaces the credential of this agent; Parley fills it in when it sends the request"))
	}
	for _, name := range p.draft.Missing {
		words := "The value of " + canvas.SanitizeLine(name) + " is no longer known: "
		if strings.HasPrefix(name, "header ") {
			words += "Parley fills in the credential of this agent, if there is one."
		} else {
			words += "write it in place of " + a2a.Mask + "."
		}
		out = append(out, p.st.Waiting.S("W ")+p.st.Text.S(words))
	}
	return out
}

// masked reports whether a header or the URL contains a mask.
func (p *Pane) masked() bool {
	for _, values := range p.parsed.request.Header {
		if slices.ContainsFunc(values, func(v string) bool { return strings.Contains(v, a2a.Mask) }) {
			return true
		}
	}
	return strings.Contains(p.parsed.request.URL, a2a.Mask)
}

func (p *Pane) remark(at *problem) string {
	where := ""
	if at.line >= 0 {
		where = strconv.Itoa(at.line+1) + ":" + strconv.Itoa(at.col+1) + " "
	}
	words := canvas.SanitizeLine(at.message)
	if at.line == p.edit.Row && at.fix != "" {
		words += " " + p.st.G[styles.Separator] + " " + canvas.SanitizeLine(at.fix)
	}
	rule := ""
	if at.rule != "" {
		rule = p.st.Dim.S(canvas.SanitizeLine(at.rule) + " ")
	}
	letter, paint := looks.Severity(p.st, at.severity)
	return paint.S(letter+" "+where) + rule + p.st.Text.S(words)
}

// painter returns the colour of each byte of a line, which must be requested in order. It colours
// the method, header names and the tokens of JSON.
func (p *Pane) painter(row int) func(at int) styles.Paint {
	line := p.edit.Lines[row]
	head := func(end int, paint styles.Paint) func(at int) styles.Paint {
		return func(at int) styles.Paint {
			if at < end {
				return paint
			}
			return p.st.Text
		}
	}
	switch {
	case row == 0:
		return head(strings.IndexByte(line, ' '), p.st.Bold)
	case row < p.parsed.bodyRow:
		return head(strings.IndexByte(line, ':')+1, p.st.Dim)
	default:
		return editor.JSON(p.st, line)
	}
}
