package script

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"parley/a2a"
	"parley/internal/spelling"
	"parley/internal/units"
	"parley/internal/visible"
)

// Kind is what a [Condition] is about.
type Kind uint8

// The kinds of condition.
const (
	Complete Kind = iota // the answer is complete: nothing more comes, or the task waits for the user
	States               // the states of the task
	Text                 // the text of the answer
	Failure              // an error of the agent, or of the connection
	Value                // a value in the task or in the newest record
	Findings             // what the rules report
	Times                // how long the answers took
)

// A Condition is what Wait waits for and Expect expects.
type Condition struct {
	Kind    Kind
	States  []a2a.State  // one after the other
	Pattern *Pattern     // of Text; of Failure and Value if it is not nil
	Not     bool         // of Text: the pattern must not match
	Record  bool         // of Value: in the newest record, not in the task
	Pointer []string     // of Value: the members to follow
	JSON    []byte       // of Value, nil if any value will do
	None    bool         // of Findings: none at all
	Above   a2a.Severity // of Findings: none graver than this
	Percent int          // of Times: 95 for p95
	Below   time.Duration
}

// A Pattern is a regular expression or a literal text.
type Pattern struct {
	Source  string
	Flags   string // of a regular expression: i, s, m
	Literal bool
	expr    *regexp.Regexp
}

// Match reports whether a text contains the pattern.
func (p *Pattern) Match(text string) bool {
	if p.Literal {
		return strings.Contains(text, p.Source)
	}
	return p.expr.MatchString(text)
}

// String returns the pattern as it stands in a script.
func (p *Pattern) String() string {
	if p.Literal {
		return quote(p.Source)
	}
	return "/" + strings.ReplaceAll(p.Source, "/", `\/`) + "/" + p.Flags
}

// condition reads what Wait or Expect is about, and the time allowed.
func (c *cursor) condition(s *Step) (err *Error) {
	cond := &s.Condition
	switch word := c.peek(); {
	case word == "":
		if s.Verb == Expect {
			return c.fail(c.pos, "Expect takes %s.", expectable)
		}
	case s.Verb == Wait && strings.EqualFold(word, "within"):
	case word[0] == '/' || isQuote(word[0]):
		cond.Kind = Text
		cond.Pattern, err = c.either()
	default:
		err = c.named(s.Verb, cond)
	}
	if err != nil || c.end() || s.Verb == Expect {
		return err
	}
	word, at := c.word()
	if !strings.EqualFold(word, "within") {
		return c.fail(at, "After what it waits for, Wait takes within and a duration, such as within 30s.")
	}
	s.Duration, err = c.duration("within")
	return err
}

const (
	awaitable  = `/a regular expression/, "a text", a state such as completed or working > completed, error, or nothing for the end of the answer`
	expectable = `/a regular expression/, "a text", not and one of these, a state such as completed or submitted > working, task or record with a JSON pointer, error, no finding, or p95 below a duration`
)

// named reads a condition that begins with a word.
func (c *cursor) named(v Verb, cond *Condition) (err *Error) {
	before := c.pos
	word, at := c.word()
	switch word := strings.ToLower(word); {
	case word == "error":
		cond.Kind = Failure
		if !c.end() && (c.text[c.pos] == '/' || c.quoted()) {
			cond.Pattern, err = c.either()
		}
		return err
	case v == Expect && word == "not":
		cond.Kind, cond.Not = Text, true
		if c.end() || c.text[c.pos] != '/' && !c.quoted() {
			return c.fail(c.pos, `After not stands /a regular expression/ or "a text".`)
		}
		cond.Pattern, err = c.either()
		return err
	case v == Expect && (word == "task" || word == "record"):
		cond.Kind, cond.Record = Value, word == "record"
		return c.member(word, cond)
	case v == Expect && word == "no":
		cond.Kind = Findings
		return c.findings(cond)
	case v == Expect && len(word) > 1 && word[0] == 'p' && strings.Trim(word[1:], "0123456789") == "":
		cond.Kind = Times
		return c.times(at, word, cond)
	}
	if _, err := time.ParseDuration(word); err == nil && v == Wait {
		return c.fail(at, "Wait waits for something: to wait for a time, write Pause %s.", visible.Line(clip(word)))
	}
	c.pos = before
	cond.Kind = States
	return c.states(v, cond)
}

// either reads a regular expression or a literal text.
func (c *cursor) either() (*Pattern, *Error) {
	if c.end(); c.text[c.pos] == '/' {
		return c.pattern()
	}
	at := c.pos
	text, err := c.quote()
	if err == nil && text == "" {
		err = c.fail(at, "The text is empty: every answer contains it.")
	}
	return &Pattern{Source: text, Literal: true}, err
}

// stateNames are the states that a task can be in.
func stateNames() (names []string) {
	for s := a2a.StateSubmitted; s < a2a.StateOther; s++ {
		names = append(names, s.String())
	}
	return append(names, a2a.StateUnknown.String())
}

// states reads states with > between them.
func (c *cursor) states(v Verb, cond *Condition) *Error {
	for {
		c.space()
		at := c.pos
		for c.pos < len(c.text) && !strings.ContainsRune(" \t>", rune(c.text[c.pos])) {
			c.pos++
		}
		word := c.text[at:c.pos]
		state := a2a.ParseState(word)
		named := state != a2a.StateUnknown || strings.EqualFold(word, state.String())
		if word == "" || state == a2a.StateOther || !named || word[0] >= '0' && word[0] <= '9' {
			return c.unknownState(v, word, at, len(cond.States) > 0)
		}
		cond.States = append(cond.States, state)
		if c.end() || c.text[c.pos] != '>' {
			return nil
		}
		c.pos++
	}
}

func (c *cursor) unknownState(v Verb, word string, at int, later bool) *Error {
	names := stateNames()
	takes := awaitable
	if v == Expect {
		takes = expectable
	}
	near, similar := spelling.Nearest(word, append([]string{"error", "task", "record", "within"}, names...))
	switch {
	case word == "":
		return c.fail(at, "Here stands a state: %s.", join(names))
	case similar:
		return c.fail(at, "There is no state %q. Did you mean %s?", visible.Line(clip(word)), near)
	case later:
		return c.fail(at, "There is no state %q: the states are %s.", visible.Line(clip(word)), join(names))
	}
	return c.fail(at, "%s does not take %q: it takes %s.", v, visible.Line(clip(word)), takes)
}

// member reads a JSON pointer and the value that it must lead to.
func (c *cursor) member(of string, cond *Condition) (err *Error) {
	word, at := c.word()
	if word == "" || word[0] != '/' {
		return c.fail(at, "After %s stands a JSON pointer such as /status/state.", of)
	}
	for i, token := range strings.Split(word[1:], "/") {
		if rest := strings.NewReplacer("~0", "", "~1", "").Replace(token); strings.Contains(rest, "~") || i == 100 {
			return c.fail(at, "This is no JSON pointer: after ~ stands 0 for ~ or 1 for /, and it has at most 100 members.")
		}
		cond.Pointer = append(cond.Pointer, strings.NewReplacer("~1", "/", "~0", "~").Replace(token))
	}
	if c.end() {
		return nil
	}
	if word, at := c.word(); word != "=" {
		return c.fail(at, `After the JSON pointer stands = and a value, such as = "TASK_STATE_COMPLETED", = 3 or = /regular expression/.`)
	}
	if c.end() {
		return c.fail(c.pos, `After = stands a value: JSON, such as "text", 3, true or null, or /a regular expression/.`)
	}
	if c.text[c.pos] == '/' {
		cond.Pattern, err = c.pattern()
		return err
	}
	d := json.NewDecoder(strings.NewReader(c.text[c.pos:]))
	var raw json.RawMessage
	if d.Decode(&raw) != nil {
		return c.fail(c.pos, `The value is no JSON: write "text" in double quotes, a number, true, false or null, or /a regular expression/.`)
	}
	c.pos += int(d.InputOffset())
	cond.JSON = slices.Clone(raw)
	return nil
}

// findings reads how grave a finding may be.
func (c *cursor) findings(cond *Condition) *Error {
	word, at := c.word()
	if w := strings.ToLower(word); w != "finding" && w != "findings" {
		return c.fail(at, "After no stands finding, such as no finding above warning.")
	}
	if cond.None = c.end(); cond.None {
		return nil
	}
	if word, at := c.word(); !strings.EqualFold(word, "above") {
		return c.fail(at, "After no finding stands above and a severity: info or warning.")
	}
	word, at = c.word()
	for s := a2a.Info; s <= a2a.Warning; s++ {
		if strings.EqualFold(word, s.String()) {
			cond.Above = s
			return nil
		}
	}
	return c.fail(at, "After above stands info or warning%s.", butNot(word))
}

// times reads how long the answers may take.
func (c *cursor) times(at int, word string, cond *Condition) (err *Error) {
	if cond.Percent, _ = strconv.Atoi(word[1:]); cond.Percent < 1 || cond.Percent > 100 {
		return c.fail(at, "There is no %s: p50 is the time within which half of the answers came, p95 that of 95 in 100, up to p100.", visible.Line(clip(word)))
	}
	if below, at := c.word(); !strings.EqualFold(below, "below") {
		return c.fail(at, "After %s stands below and a duration, such as below 2s.", word)
	}
	cond.Below, err = c.duration("below")
	return err
}

// goesOn reports whether more of the answer may come when the condition holds, and the script does
// not wait for it.
func (cond *Condition) goesOn() bool {
	if cond.Kind != States {
		return cond.Kind == Failure
	}
	last := cond.States[len(cond.States)-1]
	return !last.Terminal() && !last.Interrupted()
}

// String returns the condition as it stands in a script.
func (cond *Condition) String() string {
	switch cond.Kind {
	case States:
		var words []string
		for _, s := range cond.States {
			words = append(words, s.String())
		}
		return strings.Join(words, " > ")
	case Text:
		if cond.Not {
			return "not " + cond.Pattern.String()
		}
		return cond.Pattern.String()
	case Failure:
		if cond.Pattern == nil {
			return "error"
		}
		return "error " + cond.Pattern.String()
	case Value:
		return cond.value()
	case Findings:
		if cond.None {
			return "no finding"
		}
		return "no finding above " + cond.Above.String()
	case Times:
		return fmt.Sprintf("p%d below %s", cond.Percent, durationText(cond.Below))
	}
	return ""
}

// value returns a condition about a value.
func (cond *Condition) value() string {
	text := "task "
	if cond.Record {
		text = "record "
	}
	for _, token := range cond.Pointer {
		text += "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(token)
	}
	switch {
	case cond.Pattern != nil:
		text += " = " + cond.Pattern.String()
	case cond.JSON != nil:
		text += " = " + string(cond.JSON)
	}
	return text
}

// Words returns the condition for a sentence: "expected the state completed".
func (cond *Condition) Words() string {
	switch {
	case cond.Kind == Complete:
		return "the end of the answer"
	case cond.Kind == States && len(cond.States) == 1:
		return "the state " + cond.String()
	case cond.Kind == States:
		return "the states " + cond.String()
	case cond.Kind == Text && cond.Not:
		return "an answer without " + visible.Line(clip(cond.Pattern.String()))
	case cond.Kind == Text:
		return "an answer with " + visible.Line(clip(cond.Pattern.String()))
	case cond.Kind == Failure && cond.Pattern == nil:
		return "an error"
	case cond.Kind == Failure:
		return "an error with " + visible.Line(clip(cond.Pattern.String()))
	case cond.Kind == Times:
		return fmt.Sprintf("p%d below %s", cond.Percent, units.Duration(cond.Below))
	}
	return visible.Line(cond.String())
}
