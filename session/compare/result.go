package compare

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"parley/a2a"
	"parley/internal/visible"
	"parley/session/card"
)

// An Aspect is a kind of difference.
type Aspect string

// The aspects, in the order in which they are listed.
const (
	States    Aspect = "states"
	Artifacts Aspect = "artifacts"
	Findings  Aspect = "findings"
	Card      Aspect = "card"
	Timings   Aspect = "timing"
	Answers   Aspect = "answers"
)

// Aspects returns all aspects.
func Aspects() []Aspect { return []Aspect{States, Artifacts, Findings, Card, Timings, Answers} }

// ParseAspects parses names of aspects with commas between them. The error is a sentence.
func ParseAspects(text string) ([]Aspect, error) {
	var out []Aspect
	for word := range strings.SplitSeq(text, ",") {
		a := Aspect(strings.ToLower(strings.TrimSpace(word)))
		if !slices.Contains(Aspects(), a) {
			return nil, fmt.Errorf("there is no aspect %q: choose among %s", visible.Line(word), names())
		}
		if !slices.Contains(out, a) {
			out = append(out, a)
		}
	}
	if len(out) == 0 {
		return nil, errors.New("no aspect is named")
	}
	return out, nil
}

// names lists the aspects.
func names() string {
	var words []string
	for _, a := range Aspects() {
		words = append(words, string(a))
	}
	return strings.Join(words, ", ")
}

// Options say what is compared.
type Options struct {
	// Only are the aspects that are compared, and that count. Nil compares all, and counts all
	// but timing and answers: a model's words and its speed differ in every run.
	Only   []Aspect
	Ignore Pointers
	// Report is called with the progress: how many of how many prompts are read, each of them
	// twice. Nil reports nothing.
	Report func(done, total int)
}

// has reports whether an aspect is compared, and counts whether it makes two sides different.
func (o *Options) has(a Aspect) bool { return o.Only == nil || slices.Contains(o.Only, a) }

func (o *Options) counts(a Aspect) bool {
	if o.Only == nil {
		return a != Timings && a != Answers
	}
	return slices.Contains(o.Only, a)
}

// A Result is what two sides have in common and what not.
type Result struct {
	First, Second SideResult
	Aspects       []AspectResult
	Prompts       []Prompt
	Findings      []Finding // of the rules that report on one side or on both
	Cards         []CardPair
	Rules         []string // what is no difference
	Notes         []string // what was compared in part
}

// A SideResult describes a side.
type SideResult struct {
	Name  string `json:"name"`
	About string `json:"about"`
}

// An AspectResult is how many differences there are of an aspect.
type AspectResult struct {
	Aspect Aspect
	Differ int
	Of     int
	Counts bool
}

// Differs reports whether the sides differ in an aspect that counts.
func (r *Result) Differs() bool {
	return slices.ContainsFunc(r.Aspects, func(a AspectResult) bool { return a.Counts && a.Differ > 0 })
}

// A Prompt is a prompt of both sides, or of one.
type Prompt struct {
	Number        int // from 1
	Text          string
	Other         string // of the second side if it differs
	First, Second *Answered
	Differences   []Difference
	More          int  // differences that are not listed
	Answer        Text // the lines are listed only while there is room
	Omitted       bool // they are not listed

	aspects []Aspect
}

// Differs reports whether the answers to the prompt differ in an aspect.
func (p *Prompt) Differs(a Aspect) bool { return slices.Contains(p.aspects, a) }

// An Answered is the answer of one side to a prompt.
type Answered struct {
	Turn   a2a.TurnID
	Record a2a.RecordID // of the request
	States []string
	Timing Timing
}

// A Difference is something that two answers to a prompt do not share.
type Difference struct {
	Aspect        Aspect
	At            string // a JSON pointer, for artifacts
	First, Second string // empty if that side does not have it
}

// A Finding is a rule of the linter with how often it reports on each side.
type Finding struct {
	Rule              string
	Severity          a2a.Severity
	Message           string
	First, Second     int
	FirstAt, SecondAt a2a.RecordID // the first record
}

// Differs reports whether the rule reports on one side only.
func (f *Finding) Differs() bool { return (f.First == 0) != (f.Second == 0) }

// A CardPair is two agents that were compared; one is empty if it has no counterpart.
type CardPair struct {
	First, Second string
	Changes       []card.Change
	Why           string // why the cards cannot be compared
}

// Differs reports whether the agents differ.
func (c *CardPair) Differs() bool { return c.First == "" || c.Second == "" || len(c.Changes) > 0 }

// rules returns what is no difference.
func rules(o *Options) []string {
	all := []string{
		"Ids of messages, tasks, contexts and artifacts, and all UUIDs, are equal to each other, and so are dates with times.",
		"The boundaries of chunks, the order of members in JSON and the spelling of numbers do not matter.",
		"Prompts are aligned by their texts without regard to case and spaces, then by their order.",
		fmt.Sprintf("Timing differs where one time is more than %d times the other and they are more than %d ms apart.", equalFactor, equalTime.Milliseconds()),
		"A finding differs where a rule reports on one side only, however often.",
		"Ports of loopback addresses in cards do not matter.",
	}
	for _, p := range o.Ignore {
		all = append(all, "The place "+pointerText(p)+" is ignored.")
	}
	return all
}
