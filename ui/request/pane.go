// Package request is the pane in which a user writes an HTTP request and sends it to an
// agent. The request is a changed copy of a captured one, one made from a method of the
// agent's dialect, or any other, valid or not.
//
// The request is one text in the form of HTTP: method and URL, headers, a blank line, the body.
// A [Pane] checks it as it is typed, as JSON and with the rules for requests, and shows the
// place of each problem. Only what HTTP cannot carry prevents sending.
//
// The text has masks in place of secrets; the values are filled in when the request is sent.
package request

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/model"
	"parley/ui/action"
	"parley/ui/editor"
	"parley/ui/styles"
)

// A Check returns the findings in a request to an agent.
type Check func(agent a2a.AgentID, r *a2a.RawRequest) []a2a.Finding

// A Draft is a request that the user edits, with its target.
type Draft struct {
	Agent        a2a.AgentID
	Conversation a2a.ConversationID
	To           string // the agent's name
	Request      a2a.RawRequest
	Secrets      []Secret
	Missing      []string // names of secrets whose values are lost

	ids     a2a.RequestIDs // ids of the captured request
	keepIDs bool           // the user keeps those ids
}

// An Intent is what the pane asks the root model to do: [Send], [Refused], [Edit] or [Close].
type Intent interface{ intent() }

// The intents of the pane.
type (
	// Send asks to send a request, with its secrets filled in. The text stays until another
	// draft is opened.
	Send struct {
		Agent        a2a.AgentID
		Conversation a2a.ConversationID
		Request      a2a.RawRequest
	}
	// Refused says why the request cannot be sent.
	Refused struct{ Why string }
	// Edit asks to open the text in the user's editor and to pass the saved text to
	// [Pane.Edited].
	Edit struct{ Text string }
	// Close asks to close the pane. The draft stays.
	Close struct{}
)

func (Send) intent()    {}
func (Refused) intent() {}
func (Edit) intent()    {}
func (Close) intent()   {}

// A Pane edits one request. It is not safe for use by several goroutines.
type Pane struct {
	*action.Table[Intent]
	st    *styles.Styles
	check Check
	newID func() string // nil keeps the ids of a copied request

	draft         Draft
	open          bool // there is a draft
	edit          editor.Editor
	savedVersion  uint64 // version of the text in the history, or as opened
	exactVersion  uint64 // version of the text that equals the draft's request, 0 for none
	parsed        parsed
	parsedVersion uint64 // version of the text that was parsed
	behind        bool   // the text is too large to check at every key
	past          []revision
	at            int // current index in past; len(past) is the draft
	presets       []model.Preset
	pick          picker
	w, h          int
}

// A revision is a request that was sent or replaced.
type revision struct {
	draft Draft
	text  string
	exact bool // the text equals the draft's request
	sent  bool
}

// New returns a pane without a draft.
func New(st *styles.Styles, check Check) *Pane {
	p := &Pane{st: st, check: check, edit: editor.New(), pick: newPicker(st)}
	p.Table = p.actions()
	return p
}

// SetStyles changes the styles.
func (p *Pane) SetStyles(st *styles.Styles) {
	p.st = st
	p.pick.input.SetStyles(st)
}

// SetSize gives the pane w columns and h rows.
func (p *Pane) SetSize(w, h int) { p.w, p.h = max(0, w), max(0, h) }

// SetPresets sets the templates.
func (p *Pane) SetPresets(list []model.Preset) { p.presets = list }

// SetNewID sets the function that returns a new id.
func (p *Pane) SetNewID(newID func() string) { p.newID = newID }

// Unsent reports whether there is edited text for an agent that was not sent.
func (p *Pane) Unsent(agent a2a.AgentID) bool {
	return p.open && p.draft.Agent == agent && p.edit.Version != p.savedVersion
}

// Open shows a draft; a copy of a captured request gets new ids. An edited draft that was not
// sent goes to the history.
func (p *Pane) Open(d Draft) {
	if p.open && p.edit.Version != p.savedVersion {
		p.storeRevision()
	}
	d.ids = d.Request.IDs()
	if d.Request.From != 0 {
		d.Request = p.withFreshIDs(d.Request)
	}
	p.begin(revision{draft: d, text: format(&d.Request), exact: true})
	p.at = len(p.past)
}

// OpenTemplates opens the list of templates for the target of d; d's request is ignored.
func (p *Pane) OpenTemplates(d Draft) {
	if p.open && p.edit.Version != p.savedVersion {
		p.storeRevision()
	}
	p.draft, p.open = d, false
	p.Choose()
}

// begin shows a draft with the cursor at its body.
func (p *Pane) begin(with revision) {
	p.draft, p.open = with.draft, true
	p.edit.Set(with.text)
	p.savedVersion, p.exactVersion = p.edit.Version, 0
	if with.exact {
		p.exactVersion = p.edit.Version
	}
	p.pick.open = false
	p.read()
	if with.sent && !p.draft.keepIDs {
		p.putIDs(p.withFreshIDs)
		p.savedVersion = p.edit.Version // the user has not edited it
	}
	p.edit.GoTo(bodyRow(p.edit.Lines), 0)
}

// Choose opens the list of templates.
func (p *Pane) Choose() { p.pick.begin() }

// Edited takes over the text that the user's editor saved.
func (p *Pane) Edited(text string) {
	if text == p.edit.Text() {
		return
	}
	p.edit.Replace(text)
}

// storeRevision adds the text to the history, once.
func (p *Pane) storeRevision() {
	text := p.edit.Text()
	if n := len(p.past); n == 0 || p.past[n-1].text != text || p.past[n-1].draft.Agent != p.draft.Agent {
		p.past = append(p.past, revision{draft: p.draft, text: text, exact: p.exactVersion == p.edit.Version})
	}
	p.at, p.savedVersion = len(p.past), p.edit.Version
}

// recall shows another entry of the history and adds the edited text to it first.
func (p *Pane) recall(step int) {
	if p.edit.Version != p.savedVersion {
		p.storeRevision()
		p.at--
	}
	if at := p.at + step; at >= 0 && at < len(p.past) {
		p.at = at
		p.begin(p.past[at])
	}
}

// read parses and checks the text. A large text is checked only when it is sent or when the user
// asks for the next problem.
func (p *Pane) read() {
	if p.parsedVersion != p.edit.Version && p.edit.Large() {
		p.behind = true
		p.parsed = parsed{bodyRow: bodyRow(p.edit.Lines)}
		return
	}
	p.readAll()
}

// readAll parses and checks a text of any size.
func (p *Pane) readAll() {
	if p.parsedVersion == p.edit.Version {
		return
	}
	p.parsedVersion, p.behind = p.edit.Version, false
	p.parsed = parse(p.edit.Lines)
	var found []a2a.Finding
	if p.parsed.blocked() == "" && !p.parsed.broken {
		found = p.check(p.draft.Agent, &p.parsed.request)
	}
	p.parsed.addFindings(p.edit.Lines, found)
}

// send returns the intent to send the request.
func (p *Pane) send() Intent {
	p.readAll()
	if why := p.parsed.blocked(); why != "" {
		p.nextProblem()
		return Refused{Why: why}
	}
	r := p.parsed.request
	if p.exactVersion == p.edit.Version {
		r.Body = p.draft.Request.Body // as captured, not as formatted
	}
	r.Body = bytes.Clone(r.Body)
	r.Header = r.Header.Clone()
	r.From = p.draft.Request.From
	fill(&r, p.draft.Secrets)
	p.storeRevision()
	p.past[len(p.past)-1].sent = true
	return Send{Agent: p.draft.Agent, Conversation: p.draft.Conversation, Request: r}
}

// nextProblem moves the cursor to the next problem with a place.
func (p *Pane) nextProblem() {
	p.readAll()
	placed := slices.DeleteFunc(slices.Clone(p.parsed.problems), func(at problem) bool { return at.line < 0 })
	if len(placed) == 0 {
		return
	}
	slices.SortFunc(placed, func(a, b problem) int { return cmp.Or(a.line-b.line, a.col-b.col) })
	next := slices.IndexFunc(placed, func(at problem) bool {
		return at.line > p.edit.Row || at.line == p.edit.Row && at.col > p.edit.Col
	})
	at := placed[max(0, next)]
	p.edit.GoTo(at.line, at.col)
}

// formatBody formats a body on one line, or compacts a formatted one.
func (p *Pane) formatBody() {
	p.readAll()
	body := p.parsed.request.Body
	text := pretty(body)
	if bytes.Equal(text, body) {
		text = compact(body)
	}
	if bytes.Equal(text, body) {
		return
	}
	p.edit.Replace(joinBody(p.edit.Lines[:p.parsed.bodyRow:p.parsed.bodyRow], text))
	p.edit.GoTo(p.parsed.bodyRow, 0)
	p.read()
}

// joinBody joins the lines before the body and the body.
func joinBody(head []string, body []byte) string {
	return strings.Join(append(head, strings.Split(string(body), "\n")...), "\n")
}

// Paste inserts text at the cursor.
func (p *Pane) Paste(msg tea.PasteMsg) {
	switch {
	case p.pick.open:
		p.narrow(p.pick.input.Paste(msg.Content))
	case p.open:
		p.edit.Paste(msg.Content)
	}
}

// Mouse handles a mouse event at column x, row y. A click moves the cursor to the character, or to
// the place of the problem, that is there.
func (p *Pane) Mouse(msg tea.MouseMsg, x, y int) Intent {
	if p.pick.open {
		return p.pickMouse(msg, y)
	}
	head, body := p.parts()
	click, clicked := msg.(tea.MouseClickMsg)
	switch {
	case clicked && !p.open:
	case clicked && y >= head+body:
		if i := y - head - body - 1; click.Button == tea.MouseLeft && i >= 0 && i < len(p.parsed.problems) && p.parsed.problems[i].line >= 0 {
			p.edit.GoTo(p.parsed.problems[i].line, p.parsed.problems[i].col)
		}
	default:
		p.edit.Mouse(msg, x, y-head, p.w)
	}
	return nil
}
