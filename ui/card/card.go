// Package card shows an agent's card: its content in a readable form, or its raw JSON, and the
// agent's profile with the evidence.
//
// A [Pane] builds its lines once per card, width and style. Only examples of skills can be
// chosen: one key writes them into the text field.
package card

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/signature"
	"parley/internal/units"
	"parley/session/model"
	"parley/ui/canvas"
	"parley/ui/keys"
	"parley/ui/styles"
)

// An Intent is what the user asked for: [UseExample], [Copy], [Retry],
// [Extended], [Public], [DownloadKeys], [Extensions] or [Close].
type Intent interface{ intent() }

// The intents of the pane.
type (
	// UseExample begins a new conversation with an example of a skill, which is not sent yet.
	UseExample struct {
		Agent   a2a.AgentID
		Example a2a.Example
	}
	// Copy puts text on the clipboard.
	Copy struct{ Text string }
	// Retry gets the card again.
	Retry struct{ Agent a2a.AgentID }
	// Extended requests the card that the agent shows to authenticated callers.
	Extended struct{ Agent a2a.AgentID }
	// Public restores the public card.
	Public struct{ Agent a2a.AgentID }
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
func (Copy) intent()         {}
func (Retry) intent()        {}
func (Extended) intent()     {}
func (Public) intent()       {}
func (DownloadKeys) intent() {}
func (Extensions) intent()   {}
func (Close) intent()        {}

// Pane shows one card.
type Pane struct {
	st     *styles.Styles
	keys   KeyMap
	agent  *model.Agent
	inputs inputs
	lines  []line
	// examples are the indexes into lines of those that can be used.
	examples []int
	at       int // index into examples, -1 for none
	top      int
	w, h     int
	raw      bool
	diff     bool // the difference to the extended card is shown

	judged  *a2a.Card // whose signatures have results
	results []signature.Result
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
	attempts    int
	changes     int
	chosen      *string // the first one; the list is replaced, never changed
	missing     int
	answer      a2a.RecordID // the newest that said which extensions it uses
	way         a2a.Way
	evidence    int
	warnings    int
	problem     string
	w           int
	raw         bool
	diff        bool
	judged      *a2a.Card
	result      *signature.Result // the first one; the list is replaced, never changed
	approval    string
	hasExtended bool   // there is an extended card
	why         string // there is none
	st          *styles.Styles
}

// A line is one row; one with an example can be chosen.
type line struct {
	text    string
	example *a2a.Example
}

// New returns an empty pane.
func New(st *styles.Styles) *Pane { return &Pane{st: st, keys: DefaultKeyMap(), at: -1} }

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

// Key handles a key press.
func (p *Pane) Key(msg tea.KeyPressMsg) Intent {
	k := p.enabled()
	switch {
	case key.Matches(msg, k.Close):
		return Close{}
	case key.Matches(msg, k.Use):
		return p.use(p.at)
	case key.Matches(msg, k.Number):
		return p.use(int(msg.String()[0] - '1')) // the code is another one on a keypad
	case key.Matches(msg, k.Next):
		p.choose(p.at + 1)
	case key.Matches(msg, k.Prev):
		p.choose(p.at - 1)
	case key.Matches(msg, k.Raw):
		p.raw, p.diff, p.top = !p.raw, false, 0
	case key.Matches(msg, k.Difference):
		p.raw, p.diff, p.top = false, !p.diff, 0
	case key.Matches(msg, k.Copy):
		return Copy{Text: string(p.agent.Card.Raw)}
	case key.Matches(msg, k.Retry):
		return Retry{Agent: p.agent.ID}
	case key.Matches(msg, k.Trust):
		return DownloadKeys{Agent: p.agent.ID, Results: p.signatures()}
	case key.Matches(msg, k.Extensions):
		return Extensions{}
	case key.Matches(msg, k.Extended):
		return p.otherCard()
	default:
		if n, ok := k.Distance(msg, p.h-1); ok {
			p.scroll(n)
		}
	}
	return nil
}

func (p *Pane) scroll(n int) { p.top = max(0, min(p.top+n, len(p.lines)-p.h)) }

// choose moves to an example and scrolls to it.
func (p *Pane) choose(i int) {
	n := len(p.examples)
	p.at = (i + n) % n
	row := p.examples[p.at]
	if row < p.top || row >= p.top+p.h {
		p.top = max(0, min(row-p.h/2, len(p.lines)-p.h))
	}
}

func (p *Pane) use(i int) Intent {
	if i < 0 || i >= len(p.examples) {
		return nil
	}
	return UseExample{Agent: p.agent.ID, Example: *p.lines[p.examples[i]].example}
}

// Mouse handles a click or a turn of the wheel at column x, row y. A click
// chooses an example, a second one uses it.
func (p *Pane) Mouse(msg tea.MouseMsg, _, y int) Intent {
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		p.scroll(3 * keys.Wheel(msg))
	case tea.MouseClickMsg:
		for i, row := range p.examples {
			if row != p.top+y {
				continue
			}
			if i == p.at {
				return p.use(i)
			}
			p.at = i
		}
	}
	return nil
}

// Lines draws the pane.
func (p *Pane) Lines() []string {
	p.build()
	p.scroll(0)
	out := make([]string, 0, p.h)
	for i := p.top; i < len(p.lines) && len(out) < p.h; i++ {
		chosen := p.at >= 0 && p.at < len(p.examples) && p.examples[p.at] == i
		out = append(out, canvas.Entry(p.st, p.lines[i].text, p.w, chosen))
	}
	return append(out, canvas.Blank(p.w, p.h-len(out))...)
}

// build makes the lines again when their inputs have changed.
func (p *Pane) build() {
	now := inputs{approval: p.approval, agent: p.agent, w: p.w, raw: p.raw, diff: p.differs(), st: p.st}
	if p.agent != nil {
		now.card, now.phase = p.agent.Card, p.agent.Phase
		now.hasExtended, now.why = p.agent.Extended.Stands, p.agent.Extended.Why
		now.attempts, now.changes = len(p.agent.Attempts), len(p.agent.CardChanges)
		now.missing, now.answer = len(p.agent.Extensions.Missing), p.agent.Extensions.Record
		if chosen := p.agent.Extensions.Chosen; len(chosen) > 0 {
			now.chosen = &chosen[0]
		}
		if now.judged = p.judged; len(p.results) > 0 {
			now.result = &p.results[0]
		}
		prof := &p.agent.Profile
		now.way = a2a.Way{Dialect: prof.Dialect, Binding: prof.Binding, Endpoint: prof.Endpoint, Tenant: prof.Tenant}
		now.evidence, now.warnings, now.problem = len(prof.Evidence), len(prof.Warnings), p.agent.Problem
	}
	if now == p.inputs {
		return
	}
	p.inputs = now
	const measure = 112 // longer lines are hard to read
	b := builder{st: p.st, keys: &p.keys, w: min(p.w, measure), results: p.signatures(), approval: p.approval, needsUser: p.needsUser}
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
	p.lines, p.examples = b.lines, b.examples
	if p.at >= len(p.examples) {
		p.at = -1
	}
}
