// Package card shows an agent's card: its content in a readable form, or its raw JSON, and the
// agent's profile with the evidence.
//
// A [Pane] builds its lines once per card, width and style. Entries can be chosen: examples of
// skills, which one key writes into the text field, and what Parley knows about the agent, from
// which the same key goes to the record that proves it.
package card

import (
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/a2a/lint"
	"parley/internal/signature"
	"parley/internal/units"
	"parley/session/model"
	"parley/ui/action"
	"parley/ui/canvas"
	"parley/ui/styles"
)

// An Intent is what the user asked for: [UseExample], [Show], [Copy],
// [Retry], [OtherCard], [DownloadKeys], [Extensions] or [Close].
type Intent interface{ intent() }

// The intents of the pane.
type (
	// UseExample begins a new conversation with an example of a skill, which is not sent yet.
	UseExample struct {
		Agent   a2a.AgentID
		Example a2a.Example
	}
	// Show shows the record that proves something, or says why there is none.
	Show struct {
		Record a2a.RecordID // 0 if there is none
		Why    string
	}
	// Copy puts text on the clipboard.
	Copy struct{ Text string }
	// Retry gets the card again.
	Retry struct{ Agent a2a.AgentID }
	// OtherCard requests the card that the agent shows to authenticated callers, or restores the
	// public one if that is in use.
	OtherCard struct{ Agent a2a.AgentID }
	// DownloadKeys gets the keys that the signatures of the card name.
	DownloadKeys struct {
		Agent   a2a.AgentID
		Results []signature.Result
	}
	// Extensions shows the extensions, to choose among them.
	Extensions struct{}
	// Close closes the card.
	Close struct{}
)

func (UseExample) intent()   {}
func (Show) intent()         {}
func (Copy) intent()         {}
func (Retry) intent()        {}
func (OtherCard) intent()    {}
func (DownloadKeys) intent() {}
func (Extensions) intent()   {}
func (Close) intent()        {}

// Pane shows one card.
type Pane struct {
	*action.Table[Intent]
	st     *styles.Styles
	agent  *model.Agent
	inputs inputs
	lines  []string
	right  []string // the right halves of the lines, empty where a line has the whole width
	half   int      // columns of a half, 0 if there is one column
	// entries are what can be chosen: first the examples, which are examples many.
	entries  []entry
	examples int
	at       int // index into entries, -1 for none
	top      int
	aims     bool // the chosen entry comes to the top in the next frame, whose size may be another one
	w, h     int
	raw      bool
	diff     bool // the difference to the extended card is shown

	judged  *a2a.Card // whose signatures have results
	results []signature.Result
	verdict *lint.Verdict // on the card of the agent, nil as long as unknown
	// approval says how the card differs from the approved one, and needsUser that it has to be
	// approved.
	approval  string
	needsUser bool
}

// inputs are the inputs of the lines.
type inputs struct {
	agent       *model.Agent
	card        *a2a.Card
	phase       model.Phase
	attempts    *a2a.Lookup // the first one; the list is replaced, never changed
	changes     int
	chosen      *string // the first one; the list is replaced, never changed
	missing     int
	answer      a2a.RecordID // the newest that said which extensions it uses
	way         a2a.Way
	evidence    *a2a.Evidence // the first one; the list is replaced, never changed
	warnings    int
	problem     string
	w           int
	raw         bool
	diff        bool
	judged      *a2a.Card
	result      *signature.Result // the first one; the list is replaced, never changed
	verdict     *lint.Verdict
	approval    string
	hasExtended bool   // there is an extended card
	why         string // there is none
	st          *styles.Styles
}

// New returns an empty pane.
func New(st *styles.Styles) *Pane {
	p := &Pane{st: st, at: -1}
	p.Table = p.actions()
	return p
}

// SetStyles changes the styles.
func (p *Pane) SetStyles(st *styles.Styles) { p.st = st }

// Cursor is nil: nothing is typed here.
func (p *Pane) Cursor() *tea.Cursor { return nil }

// SetSize gives the pane w columns and h rows.
func (p *Pane) SetSize(w, h int) { p.w, p.h = max(0, w), max(0, h) }

// SetAgent shows the card of an agent. Nothing is built until it is drawn.
func (p *Pane) SetAgent(a *model.Agent) {
	if p.agent != a {
		p.at, p.top = -1, 0
	}
	p.agent = a
}

// SetSignatures shows what is known about the signatures of a card.
func (p *Pane) SetSignatures(of *a2a.Card, results []signature.Result) {
	p.judged, p.results = of, results
}

// SetVerdict shows what the rules say about the card of the agent, nil as long as that is unknown.
func (p *Pane) SetVerdict(v *lint.Verdict) { p.verdict = v }

// SetApproval shows how the card differs from the approved one, empty if none was approved.
func (p *Pane) SetApproval(words string, needsUser bool) { p.approval, p.needsUser = words, needsUser }

// signatures returns the results for the card that is shown, nil if there are none yet.
func (p *Pane) signatures() []signature.Result {
	if p.agent == nil || p.agent.Card == nil || p.agent.Card != p.judged {
		return nil
	}
	return p.results
}

// Title is the title of the frame.
func (p *Pane) Title() string {
	if p.agent == nil {
		return "card"
	}
	return "card " + p.st.G[styles.Separator] + " " + canvas.SanitizeLine(p.agent.Name())
}

// Note is the text at the right of the frame's top edge.
func (p *Pane) Note() string {
	if p.agent == nil || p.agent.Card == nil {
		return ""
	}
	switch {
	case p.raw:
		return "raw JSON"
	case p.differs():
		return "difference"
	case p.agent.Extended.Stands:
		return "extended " + p.st.G[styles.Separator] + " " + units.Plural(len(p.agent.Card.Skills), "skill")
	}
	return units.Plural(len(p.agent.Card.Skills), "skill")
}

// Lines draws the pane.
func (p *Pane) Lines() []string {
	p.build()
	if p.aims && p.at >= 0 {
		p.top = p.entries[p.at].from - 1 // with the heading
	}
	p.aims = false
	p.scroll(0)
	out := make([]string, 0, p.h)
	for i := p.top; i < len(p.lines) && len(out) < p.h; i++ {
		out = append(out, p.line(i))
	}
	return append(out, canvas.Blank(p.w, p.h-len(out))...)
}

// Scrolls returns what part of the card is in the window.
func (p *Pane) Scrolls() canvas.Scrolls {
	return canvas.ScrollOf(canvas.Scroll{H: p.h, Top: p.top, Shown: min(p.h, len(p.lines)), All: len(p.lines)})
}

// build makes the lines again when their inputs have changed.
func (p *Pane) build() {
	now := inputs{verdict: p.verdict, approval: p.approval, agent: p.agent, w: p.w, raw: p.raw, diff: p.differs(), st: p.st}
	if p.agent != nil {
		now.card, now.phase = p.agent.Card, p.agent.Phase
		now.hasExtended, now.why = p.agent.Extended.Stands, p.agent.Extended.Why
		now.attempts, now.changes = first(p.agent.Attempts), len(p.agent.CardChanges)
		now.missing, now.answer = len(p.agent.Extensions.Missing), p.agent.Extensions.Record
		now.chosen = first(p.agent.Extensions.Chosen)
		now.judged, now.result = p.judged, first(p.results)
		prof := &p.agent.Profile
		now.way = a2a.Way{Dialect: prof.Dialect, Binding: prof.Binding, Endpoint: prof.Endpoint, Tenant: prof.Tenant}
		now.evidence, now.warnings, now.problem = first(prof.Evidence), len(prof.Warnings), p.agent.Problem
	}
	if now == p.inputs {
		return
	}
	p.inputs = now
	const measure = 112 // longer lines are hard to read
	b := builder{st: p.st, keys: p.Of, w: min(p.w, measure), half: half(p.w), results: p.signatures(), verdict: p.verdict, approval: p.approval, needsUser: p.needsUser}
	switch {
	case p.agent == nil:
		b.row(p.st.Faint.S("no agent"))
	case p.raw && p.agent.Card != nil:
		b.json(p.agent.Card.Raw)
	case p.differs():
		b.difference(p.agent.Extended.Public, p.agent.Card)
	default:
		b.agent(p.agent)
	}
	p.at = followed(p.entries, b.entries, p.at)
	p.lines, p.right, p.half, p.entries, p.examples = b.lines, b.right, b.half, b.entries, 0
	for p.examples < len(p.entries) && p.entries[p.examples].example != nil {
		p.examples++
	}
}

// first returns the address of the first element of a list, nil if it has none.
func first[T any](list []T) *T {
	if len(list) == 0 {
		return nil
	}
	return &list[0]
}
