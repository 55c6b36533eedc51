package compare

import (
	"cmp"
	"context"
	"fmt"
	"hash/maphash"
	"slices"
	"strings"
	"time"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/log"
	"parley/session/model"
)

const (
	maxListed    = 20_000  // lines of answers that a result lists
	maxDifferent = 50      // differences of one prompt that a result lists
	maxListing   = 8 << 20 // bytes of prompts that a result lists whole
)

// A comparison is a result under construction.
type comparison struct {
	Options
	sides   [2]*Side
	streams [2]map[a2a.TurnID][]*log.Stream
	result  *Result
	ctx     context.Context
	seed    maphash.Seed
	done    int // turns that were read

	lines     int // of answers that are listed
	listing   int // bytes of the prompts that are listed
	guessed   bool
	omitted   int
	cut       int
	shortened int
}

// Compare compares two sides. The error is that of ctx.
func Compare(ctx context.Context, first, second *Side, o Options) (*Result, error) {
	c := &comparison{ctx: ctx, seed: maphash.MakeSeed(), Options: o, sides: [2]*Side{first, second}, result: &Result{
		First: SideResult{first.Name, first.About()}, Second: SideResult{second.Name, second.About()}, Rules: rules(&o),
	}}
	c.streams[0] = streamsOf(first.State)
	if c.streams[1] = c.streams[0]; second.State != first.State {
		c.streams[1] = streamsOf(second.State)
	}
	for _, p := range pairAgents(first.agents, second.agents) {
		var turns [2][]*model.Turn
		var agents [2]*model.Agent
		if p.first >= 0 {
			turns[0], agents[0] = first.turns[p.first], first.agents[p.first]
		}
		if p.second >= 0 {
			turns[1], agents[1] = second.turns[p.second], second.agents[p.second]
		}
		c.prompts(turns[0], turns[1])
		if c.has(Card) {
			c.result.Cards = append(c.result.Cards, cards(agents[0], agents[1]))
		}
	}
	if c.has(Findings) {
		c.findings()
	}
	c.count()
	c.note()
	return c.result, ctx.Err()
}

// prompts compares the turns with two agents. Of all of them it holds only a number of the prompt;
// their texts are made again, pair by pair.
func (c *comparison) prompts(first, second []*model.Turn) {
	turns := [2][]*model.Turn{first, second}
	var keys [2][]uint64
	for n := range turns {
		keys[n] = make([]uint64, len(turns[n]))
		for i, t := range turns[n] {
			keys[n][i] = maphash.String(c.seed, normal(newAnswer(t, nil).prompt()))
			c.step(1)
		}
	}
	if c.canceled() {
		return
	}
	pairs, guessed := align(keys[0], keys[1])
	c.guessed = c.guessed || guessed
	for _, p := range pairs {
		if c.canceled() {
			return
		}
		c.prompt(turns, p, p.first >= 0 && p.second >= 0 && keys[0][p.first] != keys[1][p.second])
	}
}

// prompt compares the answers to a prompt; reworded says that the texts of the sides differ.
func (c *comparison) prompt(turns [2][]*model.Turn, p pair, reworded bool) {
	row := Prompt{Number: len(c.result.Prompts) + 1}
	a, b := &answer{}, &answer{}
	if p.first >= 0 {
		t := turns[0][p.first]
		a = newAnswer(t, c.sides[0].blocks(t))
		row.First, row.Text = c.answered(0, a), c.listed(a.prompt())
		c.step(1)
	}
	if p.second >= 0 {
		t := turns[1][p.second]
		b = newAnswer(t, c.sides[1].blocks(t))
		row.Second = c.answered(1, b)
		switch {
		case p.first < 0:
			row.Text = c.listed(b.prompt())
		case reworded:
			row.Other = c.listed(b.prompt())
		}
		c.step(1)
	}
	c.answers(&row, a, b)
	c.result.Prompts = append(c.result.Prompts, row)
}

// listed returns the text of a prompt for the result: its beginning if many are listed.
func (c *comparison) listed(text string) string {
	const beginning = 1 << 10
	text = strings.TrimSpace(text)
	if c.listing += len(text); c.listing > maxListing && len(text) > beginning {
		c.shortened++
		return strings.ToValidUTF8(text[:beginning], "") + "…"
	}
	return text
}

// step counts a turn that was read, of which each is read twice.
func (c *comparison) step(n int) {
	c.done += n
	if c.Report != nil {
		c.Report(c.done, 2*(c.sides[0].Prompts()+c.sides[1].Prompts()))
	}
}

// canceled reports whether the comparison was canceled.
func (c *comparison) canceled() bool { return c.ctx.Err() != nil }

// answered describes the answer of a side.
func (c *comparison) answered(side int, a *answer) *Answered {
	return &Answered{Turn: a.turn.ID, Record: a.turn.Record, States: a.states(), Timing: timingOf(c.streams[side][a.turn.ID])}
}

// answers compares two answers to a prompt.
func (c *comparison) answers(row *Prompt, a, b *answer) {
	found := func(aspect Aspect, list ...Difference) {
		if len(list) == 0 {
			return
		}
		row.aspects = append(row.aspects, aspect)
		listed := min(len(list), maxDifferent)
		row.Differences, row.More = append(row.Differences, list[:listed]...), row.More+len(list)-listed
	}
	if x, y := path(row.First), path(row.Second); c.has(States) && x != y {
		found(States, Difference{Aspect: States, First: x, Second: y})
	}
	if c.has(Artifacts) {
		found(Artifacts, artifacts(a, b, c.Ignore)...)
	}
	if c.has(Timings) && row.First != nil && row.Second != nil && row.First.Timing.differs(&row.Second.Timing) {
		found(Timings, Difference{Aspect: Timings, First: row.First.Timing.words(), Second: row.Second.Timing.words()})
	}
	if !c.has(Answers) {
		return
	}
	row.Answer = texts(a, b, c.Ignore, c.has(States))
	if row.Answer.Cut {
		c.cut++
	}
	if row.Answer.Differ > 0 {
		row.aspects = append(row.aspects, Answers)
		row.Answer.Lines = excerpt(row.Answer.Lines)
		if c.lines += len(row.Answer.Lines); c.lines > maxListed {
			row.Answer.Lines, row.Omitted = nil, true
			c.omitted++
		}
		return
	}
	row.Answer.Lines = nil
}

// path returns the states of an answer as text, empty for none.
func path(a *Answered) string {
	if a == nil {
		return ""
	}
	const most = 60
	states := a.States
	if more := len(states) - most; more > 0 {
		states = append(slices.Clone(states[:most]), fmt.Sprintf("%d more", more))
	}
	return strings.Join(states, ", ")
}

// words describes a timing.
func (t *Timing) words() string {
	var out []string
	add := func(name string, d time.Duration) {
		if d >= 0 {
			out = append(out, name+" "+units.Duration(d))
		}
	}
	add("first byte", t.FirstByte)
	add("gap p50", t.Gap)
	add("gap max", t.LongGap)
	add("total", t.Total)
	return cmp.Or(strings.Join(out, ", "), "unknown")
}

// count counts the differences by aspect.
func (c *comparison) count() {
	r := c.result
	for _, aspect := range Aspects() {
		if !c.has(aspect) {
			continue
		}
		a := AspectResult{Aspect: aspect, Counts: c.counts(aspect)}
		switch aspect {
		case Findings:
			a.Of = len(r.Findings)
			for i := range r.Findings {
				if r.Findings[i].Differs() {
					a.Differ++
				}
			}
		case Card:
			a.Of = len(r.Cards)
			for i := range r.Cards {
				if r.Cards[i].Differs() {
					a.Differ++
				}
			}
		default:
			a.Of = len(r.Prompts)
			for i := range r.Prompts {
				if r.Prompts[i].Differs(aspect) {
					a.Differ++
				}
			}
		}
		r.Aspects = append(r.Aspects, a)
	}
}

// note says what was compared in part.
func (c *comparison) note() {
	say := func(sentence string) { c.result.Notes = append(c.result.Notes, sentence) }
	if len(c.result.Prompts) == 0 {
		say("Neither side has a prompt.")
	}
	if c.guessed {
		say(fmt.Sprintf("More than %d prompts in a row have no text of their own: these are aligned by their order alone.", maxHunk))
	}
	if c.cut > 0 {
		say(fmt.Sprintf("The answers to %s are large: the first %s of each are compared.", units.Plural(c.cut, "prompt"), units.Bytes(maxText)))
	}
	if c.shortened > 0 {
		say(fmt.Sprintf("Of %s only the beginning is listed, because the prompts have more than %s.", units.Plural(c.shortened, "prompt"), units.Bytes(maxListing)))
	}
	if c.omitted > 0 {
		say(fmt.Sprintf("The different lines of %s are not listed, because there are more than %s.", units.Plural(c.omitted, "answer"), units.Count(maxListed)))
	}
}
