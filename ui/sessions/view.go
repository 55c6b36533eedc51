package sessions

import (
	"cmp"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/internal/units"
	"parley/session/catalog"
	"parley/ui/canvas"
	"parley/ui/keys"
	"parley/ui/sheet"
	"parley/ui/styles"
)

// Title returns the title of the frame.
func (p *Pane) Title() string { return "sessions" }

// Note returns how many sessions there are, for the right end of the frame's top edge.
func (p *Pane) Note() string {
	if !p.loaded {
		return ""
	}
	n := units.Plural(len(p.all), "session") + ", " + units.Bytes(p.size)
	if shown := len(p.rows()); shown != len(p.all) {
		n = units.Count(shown) + " of " + n
	}
	return n
}

const (
	headRows = 2 // what is listed, and a rule
	footRows = 9 // the selected session, including the rule
)

// parts returns the heights of head, list and foot.
func (p *Pane) parts() sheet.Parts {
	foot := footRows
	if p.H < 2*footRows+headRows { // the list needs the room more
		foot -= 2
	}
	at := p.SplitFor(len(p.rows()), headRows, foot, 3)
	if p.editing != nothing && at.Head == 0 && p.H > 0 {
		at.Head, at.List = 1, max(0, at.List-1)
	}
	return at
}

// Cursor returns the terminal's cursor relative to the pane while the user types, else nil.
func (p *Pane) Cursor() *tea.Cursor {
	if p.editing == nothing {
		return p.FilterCursor()
	}
	return p.input.Cursor(0, 0, p.W, p.H)
}

// Lines renders the pane as exactly as many rows as its height, each exactly as wide as the
// pane.
func (p *Pane) Lines() []string {
	rows := p.rows()
	p.List.Move(0, len(rows))
	at := p.parts()
	return p.Stack(at, []string{p.head()}, p.Rows(len(rows), at.List, p.row, p.empty), p.foot())
}

// head says what is listed, or is the input.
func (p *Pane) head() string {
	st := p.St
	switch {
	case p.editing != nothing:
		return canvas.Fit(p.input.View(), p.W)
	case p.question.remove != "":
		return st.Failed.S(p.Cut("Delete this session for ever? " + keys.Name(p.Of(deleteSession)) + " deletes it, any other key keeps it."))
	case p.question.leave != "":
		return st.Waiting.S(p.Cut(keys.Name(p.Of(goOn)) + " again ends this session and goes on with the selected one" + p.left + "."))
	case p.search.text != "":
		words := "Sessions that contain “" + canvas.SanitizeLine(p.search.text) + "”"
		if p.search.running {
			words += ", searching …"
		}
		return st.Accent.S(p.Cut(p.Join(words, keys.Name(p.Of(listAgain))+" lists all again")))
	case !p.loaded:
		return st.Accent.S(p.Cut("Listing the recorded sessions …"))
	case p.todo > 0:
		return st.Accent.S(p.Cut("Reading " + units.Plural(p.todo, "new session") + " …"))
	default:
		return st.Dim.S(p.Cut("Recorded in " + canvas.SanitizeLine(units.Path(p.dir, p.home))))
	}
}

// empty says why no session is listed.
func (p *Pane) empty() string {
	switch {
	case !p.loaded:
		return ""
	case len(p.all) == 0:
		return "Each run of Parley is recorded and appears here after its first message: " + keys.Name(p.Of(openSession)) + " then shows it, " + keys.Name(p.Of(goOn)) + " goes on with it."
	case p.search.running:
		return "Nothing was found yet."
	case p.search.text != "" && p.filter.Words() == "":
		return "No session contains this text."
	default:
		return "No session here is called like this."
	}
}

// The widths of the columns, and the least width of the pane that shows them.
const (
	dateWidth     = 12
	sizeWidth     = 8
	findingsWidth = 8
	findingsFrom  = 70
	durationWidth = 12
	durationFrom  = 100
	recordsWidth  = 9
	recordsFrom   = 110
	agentsWidth   = 20
	agentsFrom    = 90
	tasksWidth    = 24
	tasksFrom     = 140
	maxText       = 300 // bytes of a text that are read
)

// row renders session i of the rows.
func (p *Pane) row(i int) string {
	s := &p.all[p.rows()[i]]
	st, sum := p.St, s.Summary
	if sum == nil {
		sum = &catalog.Summary{}
	}
	var right []string
	column := func(from, w int, paint styles.Paint, text string) {
		if p.W >= from {
			right = append(right, "  "+paint.S(p.Cell(clean(text), w-2)))
		}
	}
	column(agentsFrom, agentsWidth, st.Dim, agentNames(sum))
	column(tasksFrom, tasksWidth, st.Dim, sum.TaskWords())
	took, records := "", ""
	if sum.Records > 0 {
		took, records = units.Duration(sum.Duration()), units.Count(sum.Records)
	}
	column(durationFrom, durationWidth, st.Faint, canvas.FitRight(took, durationWidth-2))
	column(recordsFrom, recordsWidth, st.Faint, canvas.FitRight(records, recordsWidth-2))
	if p.W >= findingsFrom {
		right = append(right, "  "+p.findings(sum))
	}
	right = append(right, "  "+st.Faint.S(canvas.FitRight(units.Bytes(s.Size), sizeWidth)))
	end := strings.Join(right, "")
	room := max(0, p.W-canvas.Width(end)-dateWidth-5)
	title, paint := p.title(s)
	return p.sign(s) + " " + st.Faint.S(canvas.Fit(s.Began().Local().Format("02 Jan 15:04"), dateWidth)) + "  " + paint.S(p.Cell(title, room)) + end
}

// agentNames lists the agents of a session in few characters: an address without its scheme.
func agentNames(s *catalog.Summary) string {
	var names []string
	for _, name := range s.Agents {
		name = strings.TrimPrefix(strings.TrimPrefix(name, "http://"), "https://")
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}

// title returns what a row says of a session, and how it is painted.
func (p *Pane) title(s *catalog.Session) (string, styles.Paint) {
	title := clean(s.Title())
	for _, tag := range s.Annotations.Tags {
		title += " #" + clean(tag)
	}
	switch {
	case s.Path == p.own:
		return cmp.Or(title, "this session"), p.St.Faint
	case title != "":
		return title, p.St.Text
	case s.Summary == nil:
		return "", p.St.Faint
	case s.Summary.Problem != "" && s.Summary.Records == 0:
		return clean(s.Summary.Problem), p.St.Failed
	default:
		return "nothing was asked", p.St.Faint
	}
}

// sign draws what matters most about a session.
func (p *Pane) sign(s *catalog.Session) string {
	st := p.St
	switch {
	case s.Annotations.Pinned:
		return st.Accent.S(st.G[styles.Marked])
	case s.Held:
		return st.OK.S(st.G[styles.Online])
	case s.Interrupted():
		return st.Waiting.S(st.G[styles.Cut])
	case s.Summary != nil && s.Summary.Problem != "":
		return st.Failed.S(st.G[styles.Flag])
	default:
		return " "
	}
}

// findings draws the numbers of errors and warnings.
func (p *Pane) findings(s *catalog.Summary) string {
	st, out, w := p.St, "", 0
	for _, c := range []struct {
		n      int
		letter string
		paint  styles.Paint
	}{{s.Errors, "E", st.Failed}, {s.Warnings, "W", st.Waiting}} {
		if c.n == 0 {
			continue
		}
		text := strconv.Itoa(min(c.n, 99)) + c.letter
		if w > 0 {
			out, w = out+" ", w+1
		}
		out, w = out+c.paint.S(text), w+len(text)
	}
	return out + strings.Repeat(" ", max(0, findingsWidth-1-w))
}

// clean sanitizes the beginning of a text from a file.
func clean(text string) string {
	return canvas.SanitizeLine(strings.ToValidUTF8(text[:min(len(text), maxText)], ""))
}

const labelWidth = 12

// foot describes the selected session.
func (p *Pane) foot() []string {
	s := p.selected()
	if s == nil {
		return nil
	}
	var out []string
	add := func(label, value string, n int) { out = append(out, p.Detail(label, labelWidth, value, n)...) }
	add("prompt", cmp.Or(promptOf(s), "nothing was asked"), 2)
	for _, h := range p.search.hits[s.Path] {
		out = append(out, p.hit(&h))
	}
	if story := p.story(s); story != "" {
		out = append(out, p.St.Dim.S(p.Cut(story)))
	}
	for _, problem := range p.problems(s) {
		out = append(out, p.St.Waiting.S(p.Cut(clean(problem))))
	}
	if s.Annotations.Note != "" {
		add("note", s.Annotations.Note, 2)
	}
	if sum := s.Summary; sum != nil {
		add("agents", strings.Join(sum.Agents, ", "), 1)
		add("tasks", sum.TaskWords(), 1)
		add("findings", sum.FindingWords(), 1)
	}
	add("recorded", p.recorded(s), 1)
	add("file", units.Path(s.Path, p.home), 1)
	return out
}

func promptOf(s *catalog.Session) string {
	if s.Summary == nil {
		return "…"
	}
	return s.Summary.Prompt
}

// recorded says when a session was recorded and how much it has.
func (p *Pane) recorded(s *catalog.Session) string {
	words := []string{units.Date(s.Began())}
	if ago := sheet.Ago(s.Began(), p.now); ago != "" {
		words[0] += ", " + ago + " ago"
	}
	if sum := s.Summary; sum != nil && sum.Records > 0 {
		words = append(words, units.Duration(sum.Duration()), units.Plural(sum.Records, "record"))
	}
	words = append(words, units.Bytes(s.Size))
	if s.Annotations.Pinned {
		words = append(words, "pinned")
	}
	if n := len(s.Annotations.Marks()); n > 0 {
		words = append(words, units.Plural(n, "mark"))
	}
	return p.Join(words...)
}

// story says which session this one continues, and where it goes on; empty if it stands alone.
func (p *Pane) story(s *catalog.Session) string {
	var words []string
	if s.Continues != "" {
		words = append(words, "It begins with all of "+clean(s.Continues)+".")
	}
	if s.ContinuedIn != "" {
		words = append(words, "It goes on in "+clean(s.ContinuedIn)+", which has all of it.")
	}
	return strings.Join(words, " ")
}

// hit draws a place in which the searched text was found.
func (p *Pane) hit(h *catalog.Hit) string {
	st := p.St
	label := st.Faint.S(canvas.Fit("record "+strconv.FormatUint(uint64(h.Record), 10), labelWidth))
	before, match, after := clean(h.Excerpt[:h.Match[0]]), clean(h.Excerpt[h.Match[0]:h.Match[1]]), clean(h.Excerpt[h.Match[1]:])
	room := max(0, p.W-labelWidth)
	if over := canvas.Width(before) + canvas.Width(match) - room*2/3; over > 0 { // the hit is in sight
		before = canvas.EllipsizeLeft(before, max(0, canvas.Width(before)-over), st.G[styles.Ellipsis])
	}
	return canvas.Fit(label+st.Dim.S(before)+st.Accent.S(match)+st.Dim.S(after), p.W)
}

// problems lists the sentences about what is wrong with a session.
func (p *Pane) problems(s *catalog.Session) (all []string) {
	if s.Held && s.Path != p.own {
		all = append(all, "A Parley records this session now, or goes on with it.")
	}
	if s.Interrupted() {
		all = append(all, "The session was interrupted: its recording ends in the middle of "+units.Plural(s.Summary.Interrupted, "exchange")+".")
	}
	if s.Summary != nil && s.Summary.Problem != "" {
		all = append(all, s.Summary.Problem)
	}
	if s.AnnotationProblem != "" {
		all = append(all, s.AnnotationProblem+".")
	}
	return all
}
