package wire

import (
	"errors"
	"strings"
	"time"

	"parley/a2a"
	"parley/session/filter"
	"parley/session/log"
	"parley/ui/canvas"
	"parley/ui/field"
	"parley/ui/styles"
)

// A filterLine is the line that says which records are listed. What is written there
// takes effect as it is written; while it cannot be read, what could be read last
// stays in effect.
type filterLine struct {
	input field.Field
	keys  FilterKeys
	open  bool
	wrong *filter.Error // of what is written
	held  string        // the last word, as long as it may become another one

	set    *filter.Filter // in effect; nil lists everything
	sieve  sieve
	facts  facts
	past   past
	offers offers
	name   func(a2a.AgentID) string // of an agent; may be nil

	// before is the record that was selected when the line was opened. wanted is the one
	// that the user selected, landed the one that is selected because the filter hides
	// it.
	before, wanted, landed a2a.RecordID
}

// maxWritten is how many letters the line takes: more than a filter may have, so that
// what is too long is said to be, and not much more, because it is drawn.
const maxWritten = 5000

const filterPrompt = "/ "

func newFilter(st *styles.Styles) filterLine {
	in := field.New(st, field.Options{Prompt: filterPrompt, Limit: maxWritten})
	return filterLine{input: in, keys: defaultFilterKeys(), facts: newFacts(), offers: offers{pick: -1}}
}

// reset forgets a log.
func (f *filterLine) reset() {
	f.sieve.abandon()
	f.set, f.wrong, f.held, f.facts = nil, nil, "", newFacts()
	f.offers = offers{pick: -1}
	f.before, f.wanted, f.landed = 0, 0, 0
	f.input.Reset()
}

// on reports whether the filter takes a line: it is being typed or it is set.
func (f *filterLine) on() bool { return f.open || f.set != nil }

// SetNames tells the names of agents, for the filter to ask for.
func (p *Pane) SetNames(name func(a2a.AgentID) string) { p.filter.name = name }

// Filter lists the records that text lets through, all if it is empty, as if the user
// had written it. A text that is wrong is left open for the user to mend.
func (p *Pane) Filter(text string) {
	p.sync()
	p.openFilter()
	p.setFilter(canvas.Typed(text))
	if p.filter.wrong == nil {
		p.closeFilter(text != "")
	}
	p.arrange()
}

// Term returns the filter that asks a field for a value, which may be any text.
func Term(field, value string) string { return field + ":" + filter.Quote(value) }

// OpenFilter begins to write a filter.
func (p *Pane) OpenFilter() {
	p.sync()
	p.openFilter()
	p.arrange()
}

// Filtered reports whether a filter is in effect.
func (p *Pane) Filtered() bool { return p.filter.set != nil }

// setFilter writes text into the line.
func (p *Pane) setFilter(text string) {
	p.filter.input.SetValue(text)
	p.refilter(len(p.filter.input.Value()))
}

// refilter takes over the first n bytes of what is written.
func (p *Pane) refilter(n int) {
	f := &p.filter
	text := f.input.Value()
	f.wrong, f.held = nil, text[n:]
	set, err := filter.Parse(text[:n])
	switch {
	case err == nil:
		p.apply(set)
	case n == len(text):
		errors.As(err, &f.wrong)
	}
}

// apply lists what a filter lets through, if it is another one.
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
}

// list lists what a filter lets through: at once as much as takes no time, the newest
// first, and the rest as [Pane.Jobs] brings it.
func (p *Pane) list(set *filter.Filter) {
	f := &p.filter
	if p.rows.sel != f.landed {
		f.wanted = p.rows.sel
	}
	f.sieve.abandon()
	f.set = set
	if set == nil {
		p.rows.refilter(nil, false)
	} else {
		f.sieve.env = p.env()
		p.rows.refilter(p.begin(), true)
	}
	p.land()
	p.split = 0
	p.arrange()
}

// land selects the row next to the record that the user selected, until they select
// another one: rows that come later may be nearer.
func (p *Pane) land() {
	f := &p.filter
	if i, _ := p.rows.index(f.wanted); !p.rows.follow && f.wanted != 0 {
		p.rows.choose(i)
	}
	f.landed = p.rows.sel
}

// saw takes note of a record that came, and reports whether it is listed. When it tells
// what its exchange is about, those before it are looked at again.
func (f *filterLine) saw(it *log.Item, log *log.Log) bool {
	news := f.facts.add(it)
	if f.set == nil {
		return true
	}
	if news && f.set.Uses()&filter.UsesTasks != 0 {
		for _, id := range log.Exchange(it.Record.Exchange) {
			if id < it.Record.ID {
				f.sieve.late = append(f.sieve.late, id)
			}
		}
	}
	return f.sieve.live(f.set, it)
}

// facts are what filters and completion want to know of records beside what stands in
// them.
type facts struct {
	seen   *filter.Seen
	agents map[a2a.AgentID]bool
	gaps   []time.Duration // by record, from 1: since its exchange's record before
	last   map[a2a.ExchangeID]time.Time
	about  map[a2a.ExchangeID]filter.About
}

func newFacts() facts {
	return facts{seen: &filter.Seen{}, agents: map[a2a.AgentID]bool{}, last: map[a2a.ExchangeID]time.Time{}, about: map[a2a.ExchangeID]filter.About{}}
}

// add takes note of the next record, and reports whether it is the first to tell what its
// exchange is about.
func (k *facts) add(it *log.Item) (news bool) {
	r := &it.Record
	gap := time.Duration(0)
	if x := r.Exchange; x != 0 {
		if before, ok := k.last[x]; ok {
			gap = r.Time.Sub(before)
		}
		k.last[x] = r.Time
		if _, known := k.about[x]; !known && len(it.Update.Events) > 0 {
			if a := filter.AboutOf(it); a != (filter.About{}) {
				k.about[x], news = a, true
			}
		}
		if r.Kind == a2a.KindEnd {
			delete(k.last, x)
		}
	}
	k.gaps = append(k.gaps, gap)
	if r.Call != nil {
		k.agents[r.Call.Agent] = true
	}
	k.seen.Add(it)
	return news
}
