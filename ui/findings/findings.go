// Package findings is the pane of the findings of a session, by rule: how many there are, what
// the rule checks, where a specification says so, and the remedy.
//
// A [Pane] reads [log.Findings] and the log that they belong to. One key shows the record of
// the selected rule and, pressed again, the next record; another key mutes the rule. The cost
// of a frame depends on the number of rules, not on the number of records or findings.
package findings

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/log"
	"parley/ui/action"
	"parley/ui/field"
	"parley/ui/list"
	"parley/ui/sheet"
	"parley/ui/styles"
)

// About is what is known about a rule apart from its findings. Unknown members are empty.
type About struct {
	Checks  string // what the rule checks, one line
	Section string // of the specification, with its version
	Fix     string // the remedy, one line
}

// An Intent is what the user asked for: [Show], [List], [Copy], [CopyAs]
// or [Close].
type Intent interface{ intent() }

// The intents of the pane.
type (
	// Show shows a record with a finding of Rule: occurrence Nth (from 1) of Of.
	Show struct {
		Record  a2a.RecordID
		Rule    string
		Nth, Of int
	}
	// List filters the wire for all records with findings of Rule.
	List struct{ Rule string }
	// Copy copies text to the clipboard. What names the text.
	Copy struct{ Text, What string }
	// CopyAs opens the menu of what can be copied of the record's exchange.
	CopyAs struct{ Record a2a.RecordID }
	// Close closes the pane.
	Close struct{}
)

func (Show) intent()   {}
func (List) intent()   {}
func (Copy) intent()   {}
func (CopyAs) intent() {}
func (Close) intent()  {}

// A Pane lists the rules that have findings. It is not safe for use by several goroutines.
type Pane struct {
	sheet.Base
	*action.Table[Intent]
	log    *log.Log
	about  func(rule string) About
	name   func(a2a.AgentID) string
	tag    func(a2a.AgentID) string
	input  field.Field
	typing bool // the user types a filter

	rules   []*log.RuleCount
	version uint64
	filter  string // filter by which rules was narrowed, in lower case
	walks   map[string]walk
}

// A walk is the user's position in the records of a rule.
type walk struct {
	at   int
	been bool // record at was shown, so the next one is due
}

// New returns an empty pane. about describes a rule, and name and tag
// return an agent's name and its tag.
func New(st *styles.Styles, about func(rule string) About, name, tag func(a2a.AgentID) string) *Pane {
	p := &Pane{about: about, name: name, tag: tag, input: field.New(st, field.Options{Prompt: "/ "}), walks: map[string]walk{}}
	p.Table = p.actions()
	p.Base = sheet.New(st, &p.input)
	p.SetLog(log.New())
	return p
}

// SetLog sets the log whose findings are shown.
func (p *Pane) SetLog(log *log.Log) {
	p.log, p.rules, p.List = log, nil, list.Cursor{}
	clear(p.walks)
	p.update()
}

// Typing reports whether the user types a filter, so that letters are text.
func (p *Pane) Typing() bool { return p.typing }

// Title returns the title of the frame.
func (p *Pane) Title() string { return "findings" }

// Note counts the findings that are not muted, for the right end of the frame's top edge.
func (p *Pane) Note() string {
	found := p.log.Findings()
	var words []string
	for _, s := range []a2a.Severity{a2a.Error, a2a.Warning, a2a.Info} {
		if n := found.Count(s); n > 0 {
			words = append(words, units.Plural(n, noun(s)))
		}
	}
	return p.Join(words...)
}

// noun returns the name of a finding of a severity.
func noun(s a2a.Severity) string {
	if s == a2a.Info {
		return "remark"
	}
	return s.String()
}

// update updates the list if the findings or the filter changed. Muted rules come last. The
// selected rule stays selected.
func (p *Pane) update() {
	found := p.log.Findings()
	text := strings.ToLower(strings.TrimSpace(p.input.Value()))
	if p.rules != nil && found.Version() == p.version && text == p.filter {
		return
	}
	selected := ""
	if p.List.At < len(p.rules) {
		selected = p.rules[p.List.At].Rule
	}
	p.version, p.filter = found.Version(), text
	p.rules = make([]*log.RuleCount, 0, len(p.rules))
	for _, muted := range []bool{false, true} {
		for _, c := range found.Rules() {
			if c.Muted == muted && p.has(c, text) {
				p.rules = append(p.rules, c)
			}
		}
	}
	p.List.At = max(0, p.index(selected))
}

// has reports whether the description of a rule contains text, which is in lower case.
func (p *Pane) has(c *log.RuleCount, text string) bool {
	if text == "" {
		return true
	}
	about := p.about(c.Rule)
	for _, s := range []string{c.Rule, noun(c.Worst()), c.First.Message, about.Checks, about.Section, p.agents(c)} {
		if strings.Contains(strings.ToLower(s), text) {
			return true
		}
	}
	return false
}

// index returns the position of a rule in the list, -1 if it is not listed.
func (p *Pane) index(rule string) int {
	return slices.IndexFunc(p.rules, func(c *log.RuleCount) bool { return c.Rule == rule })
}

// selected returns the selected rule, nil if there is none.
func (p *Pane) selected() *log.RuleCount {
	p.update()
	if p.List.At < len(p.rules) {
		return p.rules[p.List.At]
	}
	return nil
}

// count returns the number of listed rules.
func (p *Pane) count() int {
	p.update()
	return len(p.rules)
}

// rule returns the id of the selected rule, empty if there is none.
func (p *Pane) rule() string {
	if c := p.selected(); c != nil {
		return c.Rule
	}
	return ""
}

// Select selects a rule by its id if it has findings.
func (p *Pane) Select(rule string) {
	p.input.Reset()
	p.update()
	if i := p.index(rule); i >= 0 {
		p.List.At = i
	}
}

// show returns the intent that shows the described record of the selected rule, or the next one
// if that was shown.
func (p *Pane) show() Intent {
	c := p.selected()
	if c == nil {
		return nil
	}
	n, at := len(c.Records), p.walks[c.Rule]
	if at.been {
		at.at = (at.at + 1) % n
	}
	at.been = true
	p.walks[c.Rule] = at
	return Show{Record: c.Records[at.at], Rule: c.Rule, Nth: at.at + 1, Of: n}
}

// record returns the record of the selected rule that the pane describes.
func (p *Pane) record() a2a.RecordID {
	c := p.selected()
	return c.Records[min(p.walks[c.Rule].at, len(c.Records)-1)]
}

// walk moves by n records of the selected rule.
func (p *Pane) walk(n int) {
	if c := p.selected(); c != nil {
		all := len(c.Records)
		p.walks[c.Rule] = walk{at: (p.walks[c.Rule].at + n + all) % all}
	}
}

// mute mutes or unmutes the selected rule.
func (p *Pane) mute() {
	if c := p.selected(); c != nil {
		p.log.Findings().Mute(c.Rule, !c.Muted)
		p.update()
	}
}

// Mouse handles a click or a turn of the wheel at row y. A click selects a rule; a click on the
// selected rule shows its record.
func (p *Pane) Mouse(msg tea.MouseMsg, _, y int) Intent {
	p.update()
	if p.List.Mouse(msg, y, len(p.rules), p.listHeight()) == list.HitSelected {
		return p.show()
	}
	return nil
}

// Paste inserts the pasted text into the filter while the user types one.
func (p *Pane) Paste(msg tea.PasteMsg) {
	if p.typing {
		p.input.Paste(msg.Content)
		p.update()
	}
}

// Cursor returns the terminal's cursor relative to the pane while the user types a filter, else
// nil.
func (p *Pane) Cursor() *tea.Cursor {
	if !p.typing {
		return nil
	}
	return p.input.Cursor(0, p.H-1, p.W, p.H)
}
