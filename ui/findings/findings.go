// Package findings lists what was found wrong in a session, by rule: how often,
// what must hold instead, where that is written, what to do about it.
//
// A [Pane] reads [log.Findings] and the log it belongs to. One key leads to
// the record that the selected rule fired in, and pressed again to the next one;
// another mutes the rule. What it costs to draw depends on the number of rules,
// not on that of records or findings.
package findings

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/log"
	"parley/ui/field"
	"parley/ui/list"
	"parley/ui/styles"
)

// About is what is known of a rule besides its findings. Unknown things are empty.
type About struct {
	Checks  string // what must hold, one line
	Section string // of the specification, with its version
	Fix     string // what to do, one line
}

// An Intent is what the user asked for: [Show], [List], [Copy], [CopyAs]
// or [Close].
type Intent interface{ intent() }

// The intents of the pane.
type (
	// Show asks for the record in which Rule fired, occurrence Nth (from 1) of Of.
	Show struct {
		Record  a2a.RecordID
		Rule    string
		Nth, Of int
	}
	// List asks for all records in which Rule fired.
	List struct{ Rule string }
	// Copy puts text on the clipboard. What names it.
	Copy struct{ Text, What string }
	// CopyAs asks what can be copied of the exchange that Record belongs to.
	CopyAs struct{ Record a2a.RecordID }
	// Close puts the list away.
	Close struct{}
)

func (Show) intent()   {}
func (List) intent()   {}
func (Copy) intent()   {}
func (CopyAs) intent() {}
func (Close) intent()  {}

// A Pane lists the rules that fired. It is not safe for use by several goroutines.
type Pane struct {
	st    *styles.Styles
	keys  KeyMap
	log   *log.Log
	about func(rule string) About
	input field.Field
	open  bool // the filter is being written

	rules    []*log.RuleCount
	version  uint64
	filtered string // what rules was narrowed by
	cursor   list.Cursor
	walks    map[string]walk
	w, h     int
}

// A walk is where the user is among the records of a rule.
type walk struct {
	at   int
	been bool // the record at was shown; the next is due
}

// New returns an empty pane. about tells of a rule.
func New(st *styles.Styles, about func(rule string) About) *Pane {
	p := &Pane{st: st, keys: DefaultKeyMap(), about: about, input: field.New(st, field.Options{Prompt: "/ "}), walks: map[string]walk{}}
	p.SetLog(log.New())
	return p
}

// SetStyles changes the styles.
func (p *Pane) SetStyles(st *styles.Styles) {
	p.st = st
	p.input.SetStyles(st)
}

// SetLog shows the findings of another log.
func (p *Pane) SetLog(log *log.Log) {
	p.log, p.rules, p.cursor = log, nil, list.Cursor{}
	clear(p.walks)
	p.read()
}

// SetSize gives the pane w columns and h rows.
func (p *Pane) SetSize(w, h int) {
	p.w, p.h = max(0, w), max(0, h)
	p.input.SetWidth(p.w)
}

// Typing reports whether the filter is being written, so that letters are text.
func (p *Pane) Typing() bool { return p.open }

// Title is the title of the frame.
func (p *Pane) Title() string { return "findings" }

// Note counts what is heard, for the frame's right edge.
func (p *Pane) Note() string {
	found := p.log.Findings()
	var words []string
	for s := a2a.Error; ; s-- {
		if n := found.Count(s); n > 0 {
			words = append(words, units.Plural(n, noun(s)))
		}
		if s == a2a.Info {
			break
		}
	}
	return strings.Join(words, " "+p.st.G[styles.Separator]+" ")
}

// noun is what a finding of a severity is called.
func noun(s a2a.Severity) string {
	if s == a2a.Info {
		return "remark"
	}
	return s.String()
}

// read takes over the rules that fired, if anything changed since. Those that are
// muted come last. The selection stays with its rule.
func (p *Pane) read() {
	found := p.log.Findings()
	text := strings.ToLower(strings.TrimSpace(p.input.Value()))
	if p.rules != nil && found.Version() == p.version && text == p.filtered {
		return
	}
	all := found.Rules()
	slices.SortStableFunc(all, func(a, b *log.RuleCount) int {
		switch {
		case a.Muted == b.Muted:
			return 0
		case a.Muted:
			return 1
		default:
			return -1
		}
	})
	selected := p.rule()
	p.version, p.filtered = found.Version(), text
	p.rules = make([]*log.RuleCount, 0, len(all))
	for _, c := range all {
		if p.has(c, text) {
			p.rules = append(p.rules, c)
		}
	}
	p.cursor.At = max(0, p.index(selected))
}

// has reports whether a rule's words have text in them, which is in lower case.
func (p *Pane) has(c *log.RuleCount, text string) bool {
	if text == "" {
		return true
	}
	about := p.about(c.Rule)
	for _, s := range []string{c.Rule, noun(c.Worst()), c.First.Message, about.Checks, about.Section} {
		if strings.Contains(strings.ToLower(s), text) {
			return true
		}
	}
	return false
}

// index is where a rule stands in the list, -1 for nowhere.
func (p *Pane) index(rule string) int {
	return slices.IndexFunc(p.rules, func(c *log.RuleCount) bool { return c.Rule == rule })
}

// selected returns the selected rule, nil if there is none.
func (p *Pane) selected() *log.RuleCount {
	if p.cursor.At < len(p.rules) {
		return p.rules[p.cursor.At]
	}
	return nil
}

// rule is the id of the selected rule, empty if there is none.
func (p *Pane) rule() string {
	if c := p.selected(); c != nil {
		return c.Rule
	}
	return ""
}

// Select selects a rule, by its id, if it fired.
func (p *Pane) Select(rule string) {
	p.input.Reset()
	p.read()
	if i := p.index(rule); i >= 0 {
		p.cursor.At = i
	}
}

// show asks for the record of the selected rule: the one that is described below the
// list, then the next.
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

// record is the record of the selected rule that is described.
func (p *Pane) record() a2a.RecordID {
	c := p.selected()
	return c.Records[min(p.walks[c.Rule].at, len(c.Records)-1)]
}

// walk describes another record of the selected rule.
func (p *Pane) walk(n int) {
	if c := p.selected(); c != nil {
		all := len(c.Records)
		p.walks[c.Rule] = walk{at: (p.walks[c.Rule].at + n + all) % all}
	}
}

// mute silences the selected rule, or lets it be heard again.
func (p *Pane) mute() {
	if c := p.selected(); c != nil {
		p.log.Findings().Mute(c.Rule, !c.Muted)
		p.read()
	}
}

// Mouse handles a click or a turn of the wheel at column x, row y. A click selects a
// rule, a second one shows its record.
func (p *Pane) Mouse(msg tea.MouseMsg, _, y int) Intent {
	p.read()
	if p.cursor.Mouse(msg, y, len(p.rules), p.listHeight()) == list.Again {
		return p.show()
	}
	return nil
}

// Paste types into the filter while it is written.
func (p *Pane) Paste(msg tea.PasteMsg) {
	if p.open {
		p.input.Paste(msg.Content)
		p.read()
	}
}

// Cursor returns the terminal's cursor relative to the pane while the filter is
// written, else nil.
func (p *Pane) Cursor() *tea.Cursor {
	if !p.open {
		return nil
	}
	return p.input.Cursor(0, p.h-1, p.w, p.h)
}
