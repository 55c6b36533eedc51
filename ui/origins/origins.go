// Package origins is the pane that asks the user to confirm the addresses that a recorded
// session contacts before it goes on. It shows each with its encryption, its agents, and
// where the credentials that go there come from.
//
// A [Pane] shows the rows that it is given and returns what the user asks for as an [Intent].
package origins

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/internal/units"
	"parley/ui/action"
	"parley/ui/canvas"
	"parley/ui/keys"
	"parley/ui/list"
	"parley/ui/sheet"
	"parley/ui/styles"
)

// An Intent is what the user asked for.
type Intent interface{ intent() }

// The intents of the pane.
type (
	// Confirm contacts the addresses.
	Confirm struct{}
	// Close contacts nobody.
	Close struct{}
)

func (Confirm) intent() {}
func (Close) intent()   {}

// A Row is one address.
type Row struct {
	Address string
	// Safety says how it is reached: "TLS", "no TLS" or "file".
	Safety string
	Plain  bool // it is reached without encryption
	Agents []string
	// Access says where the credentials come from that go there, empty for none.
	Access string
	// Why says in one sentence why the address is not contacted, empty if it is.
	Why string
}

// About is what the pane says above the rows.
type About struct {
	Name   string // of the recording
	Agents int    // that are contacted
	Tasks  int    // that are not over
}

// A Pane asks for the confirmation. It is not safe for use by several goroutines.
type Pane struct {
	sheet.Base
	*action.Table[Intent]
	about About
	rows  []Row
}

// New returns an empty pane.
func New(st *styles.Styles) *Pane {
	p := &Pane{Base: sheet.New(st)}
	p.Table = p.actions()
	return p
}

// Open shows rows.
func (p *Pane) Open(about About, rows []Row) {
	p.about, p.rows, p.List = about, rows, list.Cursor{}
}

// Title returns the title of the frame.
func (p *Pane) Title() string { return "go on with this session?" }

// Note returns the name of the recording, for the right end of the frame's top edge.
func (p *Pane) Note() string {
	const most = 40
	return p.Ellipsize(canvas.SanitizeLine(p.about.Name), min(most, max(0, p.W/2)))
}

// Cursor returns nil: nothing is typed here.
func (p *Pane) Cursor() *tea.Cursor { return nil }

// Mouse handles a click or a turn of the wheel at row y. A click only selects: contacting agents
// needs a key.
func (p *Pane) Mouse(msg tea.MouseMsg, _, y int) Intent {
	at := p.parts(p.head())
	p.List.Mouse(msg, y-at.Head, len(p.rows), at.List)
	return nil
}

// footRows is how many rows the details of the selected address get, including the rule.
const footRows = 6

// parts returns the heights of the parts; the head has a rule below it.
func (p *Pane) parts(head []string) sheet.Parts {
	return p.SplitFor(len(p.rows), len(head)+1, footRows, min(3, len(p.rows)))
}

// Lines renders the pane as exactly as many rows as its height, each exactly as wide as the pane.
func (p *Pane) Lines() []string {
	head := p.head()
	at := p.parts(head)
	return p.Stack(at, head, p.Rows(len(p.rows), at.List, p.row, func() string { return "This session has no agent to contact." }), p.foot())
}

// head says what happens after the confirmation.
func (p *Pane) head() []string {
	text := "Nobody has been contacted. " + keys.Name(p.Of(confirm)) + " contacts these addresses: Parley reads " + cards(p.about.Agents) + " again"
	if p.about.Tasks > 0 {
		text += " and follows " + units.Plural(p.about.Tasks, "open task")
	}
	if p.about.Agents == 0 {
		text = "Nobody has been contacted, and " + keys.Name(p.Of(confirm)) + " contacts nobody"
	}
	text += ". Credentials are those of today; the recording has none."
	return canvas.Paragraph(text, p.W, p.St.Text)
}

func cards(n int) string {
	if n == 1 {
		return "the card of 1 agent"
	}
	return "the cards of " + units.Plural(n, "agent")
}

// row renders address i: where, how, with which credentials, whose.
func (p *Pane) row(i int) string {
	r := &p.rows[i]
	const safetyWidth, gap = 6, 2
	room := max(0, p.W-2-safetyWidth-3*gap)
	where := min(max(room*2/5, 12), 48)
	whose := max(0, (room-where)*2/5)
	paint, safety := p.St.Text, p.St.Dim
	if r.Plain {
		safety = p.St.Waiting
	}
	access := p.access(r)
	if r.Why != "" {
		paint, safety, access = p.St.Faint, p.St.Faint, "not contacted"
	}
	return paint.S(p.Cell(canvas.SanitizeLine(r.Address), where)) + "  " + safety.S(p.Cell(r.Safety, safetyWidth)) + "  " +
		paint.S(p.Cell(p.names(r, 3), whose)) + "  " + p.St.Faint.S(p.Ellipsize(access, max(0, room-where-whose)))
}

// access says which credentials go to an address.
func (p *Pane) access(r *Row) string {
	if r.Access == "" {
		return "no credentials"
	}
	return canvas.SanitizeLine(r.Access)
}

// names joins the names of the agents, at most n of them.
func (p *Pane) names(r *Row, n int) string {
	const longest = 100
	var names []string
	for i, name := range r.Agents {
		if i == n {
			names = append(names, units.Count(len(r.Agents)-n)+" more")
			break
		}
		names = append(names, canvas.SanitizeLine(strings.ToValidUTF8(name[:min(len(name), longest)], "")))
	}
	return strings.Join(names, ", ")
}

// foot renders the selected address whole.
func (p *Pane) foot() []string {
	if p.List.At >= len(p.rows) {
		return nil
	}
	const label = 13
	r := &p.rows[p.List.At]
	out := p.Detail("address", label, r.Address, 2)
	out = append(out, p.Detail("agents", label, p.names(r, 20), 2)...)
	if r.Why != "" {
		return append(out, p.Detail("not contacted", label+1, r.Why, 3)...)
	}
	return append(out, p.Detail("credentials", label, p.access(r), 2)...)
}
