package wire

import (
	"errors"
	"strings"

	"parley/a2a"
	"parley/session/filter"
	"parley/session/log"
	"parley/ui/canvas"
	"parley/ui/field"
	"parley/ui/styles"
)

// A filterLine is the text field of the filter. Each edit takes effect at once; while the text
// has a syntax error, the last valid filter stays in effect.
type filterLine struct {
	input    field.Field
	open     bool
	wrong    *filter.Error // the syntax error of the text
	lastWord string        // the last word, while a candidate could complete it

	set        *filter.Filter // the filter in effect; nil lists all records
	progress   filterProgress
	facts      recordFacts
	history    lineHistory
	candidates candidateList
	name       func(a2a.AgentID) string // returns an agent's name; may be nil

	// before is the record that was selected when the line was opened. wanted is the record
	// that the user selected; landed is the one that is selected in its place because the
	// filter hides it.
	before, chosen, nearest a2a.RecordID
}

// maxFilterLength is the limit of the line in characters: longer than the longest valid filter, so
// that the parser can report an overlong one, and short enough to draw.
const maxFilterLength = 5000

const filterPrompt = "/ "

func newFilter(st *styles.Styles) filterLine {
	in := field.New(st, field.Options{Prompt: filterPrompt, Limit: maxFilterLength})
	return filterLine{input: in, facts: newFacts(), candidates: candidateList{pick: -1}}
}

// reset forgets the log.
func (f *filterLine) reset() {
	f.progress.cancel()
	f.set, f.wrong, f.lastWord, f.facts = nil, nil, "", newFacts()
	f.candidates = candidateList{pick: -1}
	f.before, f.chosen, f.nearest = 0, 0, 0
	f.input.Reset()
}

// on reports whether the filter takes a row: it is open or in effect.
func (f *filterLine) on() bool { return f.open || f.set != nil }

// SetNames sets the functions that return an agent's name and its tag.
func (p *Pane) SetNames(name, tag func(a2a.AgentID) string) { p.filter.name, p.rows.tag = name, tag }

// Filter sets the filter as if the user had typed text, and the scope to the whole session; empty
// text lists all records. If text has a syntax error, the line stays open.
func (p *Pane) Filter(text string) {
	p.sync()
	if text != "" && p.Scope() != OfAll {
		p.filterSession()
	}
	p.openFilter()
	p.setFilter(canvas.SanitizeTyped(text))
	if p.filter.wrong == nil {
		p.closeFilter(text != "")
	}
	p.arrange()
}

// Term returns the filter that compares a field with any value.
func Term(field, value string) string { return field + ":" + filter.Quote(value) }

// OpenFilter opens the filter line.
func (p *Pane) OpenFilter() {
	p.sync()
	p.openFilter()
	p.arrange()
}

// Filtered reports whether a filter is in effect.
func (p *Pane) Filtered() bool { return p.filter.set != nil }

// setFilter replaces the text of the line.
func (p *Pane) setFilter(text string) {
	p.filter.input.SetValue(text)
	p.refilter(len(p.filter.input.Value()))
}

// refilter parses the first n bytes of the line and applies the result.
func (p *Pane) refilter(n int) {
	f := &p.filter
	text := f.input.Value()
	f.wrong, f.lastWord = nil, text[n:]
	set, err := filter.Parse(text[:n])
	switch {
	case err == nil:
		p.apply(set)
	case n == len(text):
		errors.As(err, &f.wrong)
	}
}

// apply puts a filter into effect, unless the same one is in effect already.
func (p *Pane) apply(set *filter.Filter) {
	f := &p.filter
	text := strings.TrimSpace(set.String())
	switch {
	case text == "" && f.set == nil, f.set != nil && text == strings.TrimSpace(f.set.String()):
		return
	case text == "":
		set = nil
	}
	p.list(set)
	if before := p.rows.scope.before; set == nil && before != nil {
		p.SetScope(*before)
	}
}

// list lists the records that pass a filter: a first batch of the newest at once, the rest
// through [Pane.Jobs].
func (p *Pane) list(set *filter.Filter) {
	f := &p.filter
	if p.rows.sel != f.nearest {
		f.chosen = p.rows.sel
	}
	f.progress.cancel()
	f.set = set
	if set == nil {
		p.rows.refilter(nil, false)
	} else {
		f.progress.env = p.env()
		p.rows.refilter(p.matchNewest(), true)
	}
	p.selectNearest()
	p.split.at = 0
	p.arrange()
}

// selectNearest selects the row nearest to the record that the user selected. It repeats this for
// later matches, which may be nearer, until the user selects another row.
func (p *Pane) selectNearest() {
	f := &p.filter
	if i, _ := p.rows.index(f.chosen); !p.rows.follow && f.chosen != 0 {
		p.rows.choose(i)
	}
	f.nearest = p.rows.sel
}

// addRecord adds a new record and reports whether it is listed. If the record is the first to name
// the task of its exchange, the earlier records of the exchange are queued to be matched again.
func (f *filterLine) addRecord(it *log.Item, log *log.Log) bool {
	news := f.facts.add(it, log.Stream(it.Record.Exchange))
	if f.set == nil {
		return true
	}
	if news && f.set.Uses()&filter.UsesTasks != 0 {
		for _, id := range log.Exchange(it.Record.Exchange) {
			if id < it.Record.ID {
				f.progress.deferred = append(f.progress.deferred, id)
			}
		}
	}
	return f.progress.matchNew(f.set, it)
}

// recordFacts are what filters and completion need beyond the record itself.
type recordFacts struct {
	values *filter.Values
	agents map[a2a.AgentID]bool
	gaps   filter.Gaps
	about  map[a2a.ExchangeID]filter.About
	longer uint64 // grows with each gap that is the longest of its stream
}

func newFacts() recordFacts {
	return recordFacts{values: &filter.Values{}, agents: map[a2a.AgentID]bool{}, gaps: filter.NewGaps(), about: map[a2a.ExchangeID]filter.About{}}
}

// add adds the next record, of a stream or nil, and reports whether the record is the first to name the task of
// its exchange.
func (k *recordFacts) add(it *log.Item, s *log.Stream) (news bool) {
	r := &it.Record
	if k.gaps.Add(r, s); s != nil && s.Gaps.After == r.ID {
		k.longer++
	}
	if x := r.Exchange; x != 0 {
		if _, known := k.about[x]; !known && len(it.Update.Events) > 0 {
			if a := filter.AboutOf(it); a != (filter.About{}) {
				k.about[x], news = a, true
			}
		}
	}
	if r.Call != nil {
		k.agents[r.Call.Agent] = true
	}
	k.values.Add(it)
	return news
}
