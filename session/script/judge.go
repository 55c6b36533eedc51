package script

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"parley/a2a"
	"parley/internal/units"
	"parley/internal/visible"
	"parley/session/log"
	"parley/session/model"
	"parley/session/problem"
)

// A View is what a condition is judged over: a session and what of it is under discussion.
type View struct {
	State *model.State
	Agent a2a.AgentID // opened last, 0 if none is
	Turn  a2a.TurnID  // of the newest message, 0 before the first one
	// Over says that nothing more comes in the turn: its work is over (log.SignalTurnOver), or its
	// task waits for the user and has been silent for a moment.
	Over bool
	// Times are how long the answers took that are complete. A [Play] fills them in.
	Times []time.Duration
}

// An Outcome is what became of a condition.
type Outcome struct {
	Holds bool
	// Settled says that a condition that does not hold will not hold later either.
	Settled bool
	// Came is what came instead, as a clause: "the task is working".
	Came string
}

// turn returns the turn under discussion, nil until it is known.
func (v View) turn() *model.Turn {
	if v.State == nil || v.Turn == 0 {
		return nil
	}
	return v.State.Turn(v.Turn)
}

// Task returns the task that the newest message is about, nil if there is none.
func (v View) Task() *model.Task {
	t := v.turn()
	if t == nil {
		return nil
	}
	for _, b := range slices.Backward(t.Blocks) {
		if b.Task != nil {
			return b.Task
		}
	}
	return nil
}

// Waits reports whether the task of the newest message waits for an answer.
func (v View) Waits() bool {
	t := v.Task()
	return t != nil && t.Waits()
}

// problem returns the problem with which the turn ended, nil if it ended without one.
func (v View) problem() *problem.Problem {
	t := v.turn()
	if t == nil {
		return nil
	}
	var last *problem.Problem
	for _, b := range t.Blocks {
		for i := range b.Entries {
			switch e := &b.Entries[i]; e.Kind {
			case model.EntryProblem:
				if !isOurs(e.Problem) && (!e.Problem.Interrupts() || v.Over) {
					last = e.Problem
				}
			case model.EntryState, model.EntryMessage, model.EntryArtifact:
				last = nil
			}
		}
	}
	if task := v.Task(); last != nil && task != nil && task.Over() && !task.Forgotten && !task.Lost {
		return nil // it came to its end in another way
	}
	return last
}

// newestProblem returns the newest problem of the agent in the turn, also one after which the answer
// went on; nil if there is none.
func (v View) newestProblem() *problem.Problem {
	t := v.turn()
	if t == nil {
		return nil
	}
	for _, b := range slices.Backward(t.Blocks) {
		for i := range slices.Backward(b.Entries) {
			if e := &b.Entries[i]; e.Kind == model.EntryProblem && !isOurs(e.Problem) {
				return e.Problem
			}
		}
	}
	return nil
}

// isOurs reports whether a problem is not the agent's: the user or Parley ended the stream, or a
// recording stops there.
func isOurs(pr *problem.Problem) bool {
	switch pr.Class {
	case a2a.ClassSevered, a2a.ClassUnrecorded, a2a.ClassGivenUp, a2a.ClassFollowed, problem.ClassUnfinished, problem.ClassStopped, problem.ClassFallback:
		return true
	}
	return false
}

// Came says in a clause how the newest message stands.
func (v View) Came() string {
	t, task := v.turn(), v.Task()
	switch pr := v.problem(); {
	case v.Turn == 0:
		return "nothing was sent yet"
	case t == nil:
		return "no answer has come"
	case pr != nil:
		return "an error came: “" + clean(pr.Sentence) + "”"
	case task != nil:
		return "the task is " + visible.Line(clip(task.StateWord()))
	case len(t.Blocks) > 0 && v.Over:
		return "the agent answered with a message, which has no state"
	case v.Over:
		return "the answer is empty"
	}
	return "no answer has come"
}

// clean makes a received sentence part of another one.
func clean(s string) string {
	const most = 200
	s = visible.Line(s)
	if runes := []rune(s); len(runes) > most {
		s = string(runes[:most-1]) + "…"
	}
	return strings.TrimSuffix(s, ".")
}

// Judge judges a condition. Reached is how Wait does: a state counts that the task was in since
// the message was sent. Expect judges how it stands.
func (cond *Condition) Judge(v View, reached bool) Outcome {
	switch cond.Kind {
	case States:
		return cond.judgeStates(v, reached)
	case Text:
		return cond.judgeText(v)
	case Failure:
		return cond.judgeFailure(v)
	case Value:
		return cond.judgeValue(v)
	case Findings:
		return cond.judgeFindings(v)
	case Times:
		return cond.judgeTimes(v)
	}
	return Outcome{Holds: v.Over, Came: v.Came()}
}

// judgeStates compares the states of the task.
func (cond *Condition) judgeStates(v View, reached bool) Outcome {
	task, t := v.Task(), v.turn()
	out := Outcome{Settled: v.Over, Came: v.Came()}
	if task == nil {
		return out
	}
	var path []a2a.State
	for _, tr := range task.Transitions {
		if !reached || tr.Record >= t.Record {
			path = append(path, tr.State)
		}
	}
	n := len(cond.States)
	if reached {
		for i := 0; i+n <= len(path) && !out.Holds; i++ {
			out.Holds = slices.Equal(path[i:i+n], cond.States)
		}
	} else {
		out.Holds = len(path) >= n && slices.Equal(path[len(path)-n:], cond.States)
	}
	out.Settled = out.Settled || task.Over()
	if n > 1 && len(path) > 0 && v.problem() == nil {
		shown := Condition{Kind: States, States: path[max(0, len(path)-8):]}
		out.Came = "the task went through " + shown.String()
	}
	return out
}

// judgeText looks for a pattern in the answer. It costs the length of the answer.
func (cond *Condition) judgeText(v View) Outcome {
	out := Outcome{Settled: v.Over}
	text := ""
	if t := v.turn(); t != nil {
		text = AnswerText(t)
	}
	if out.Holds = cond.Pattern.Match(text) != cond.Not; out.Holds {
		return out
	}
	if strings.TrimSpace(text) == "" || v.problem() != nil {
		out.Came = v.Came()
		return out
	}
	out.Came = "the answer is “" + clean(text) + "”"
	return out
}

// judgeFailure looks for an error.
func (cond *Condition) judgeFailure(v View) Outcome {
	out := Outcome{Settled: v.Over, Came: v.Came()}
	pr := v.newestProblem()
	if pr == nil {
		return out
	}
	text := pr.Sentence + "\n" + pr.Detail
	if pr.Err != nil {
		text += "\n" + strconv.FormatInt(pr.Err.Code, 10) + "\n" + pr.Err.Name + "\n" + pr.Err.Message
	}
	out.Holds = cond.Pattern == nil || cond.Pattern.Match(text)
	return out
}

// judgeValue looks up a value.
func (cond *Condition) judgeValue(v View) Outcome {
	out := Outcome{Settled: v.Over}
	var raw []byte
	if cond.Record {
		if raw = v.record(); raw == nil {
			out.Came = "no record of the answer is JSON"
			return out
		}
	} else if task := v.Task(); task != nil {
		raw = encodedTask(v.State, task)
	}
	if raw == nil {
		out.Came = v.Came()
		return out
	}
	got, found := lookUp(decodeJSON(raw), cond.Pointer)
	switch {
	case !found:
		out.Came = "there is no such value"
		return out
	case cond.Pattern != nil:
		out.Holds = cond.Pattern.Match(plainText(got))
	case cond.JSON != nil:
		out.Holds = equalJSON(got, decodeJSON(cond.JSON))
	default:
		out.Holds = true
	}
	shown, err := json.Marshal(got)
	if err != nil { // what was decoded can be encoded
		shown = nil
	}
	out.Came = "it is " + clean(string(shown))
	return out
}

// encodedTask returns a task in the shape of A2A 1.0, nil if it is not known.
func encodedTask(s *model.State, t *model.Task) []byte {
	whole := s.Assembled(t.Conversation.Agent.ID, t.ID)
	if whole == nil {
		return nil
	}
	return a2a.EncodeV1Task(whole)
}

// record returns the newest JSON that the agent sent in the turn, nil if there is none.
func (v View) record() []byte {
	t := v.turn()
	if t == nil {
		return nil
	}
	for id := a2a.RecordID(v.State.Log.Len()); id > t.Record; id-- {
		it := v.State.Log.At(id)
		if it == nil {
			continue
		}
		r := &it.Record
		if (r.Kind == a2a.KindBody || r.Kind == a2a.KindEvent) && r.Call != nil && r.Call.Turn == t.ID && !r.Call.Check && json.Valid(r.Payload()) {
			return r.Payload()
		}
	}
	return nil
}

// decodeJSON decodes JSON with its numbers as they are written.
func decodeJSON(raw []byte) (v any) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return nil
	}
	return v
}

// lookUp follows a JSON pointer.
func lookUp(v any, pointer []string) (any, bool) {
	for _, token := range pointer {
		switch within := v.(type) {
		case map[string]any:
			next, found := within[token]
			if !found {
				return nil, false
			}
			v = next
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(within) || strconv.Itoa(i) != token {
				return nil, false
			}
			v = within[i]
		default:
			return nil, false
		}
	}
	return v, true
}

// plainText returns a value as text: that of a string without quotes.
func plainText(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	raw, err := json.Marshal(v)
	if err != nil { // what was decoded can be encoded
		return ""
	}
	return string(raw)
}

// equalJSON compares decoded JSON. Numbers are equal if they mean the same: 1 and 1.0.
func equalJSON(a, b any) bool {
	switch a := a.(type) {
	case json.Number:
		b, ok := b.(json.Number)
		return ok && (a == b || equalNumbers(a, b))
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, equalJSON)
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for name, v := range a {
			if other, found := b[name]; !found || !equalJSON(v, other) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(a, b)
}

// equalNumbers compares numbers that are written in two ways. Those with more digits than a
// floating-point number has are equal only if they are written alike.
func equalNumbers(a, b json.Number) bool {
	const digits = 15
	x, errX := a.Float64()
	y, errY := b.Float64()
	return errX == nil && errY == nil && x == y && len(a) <= digits+8 && len(b) <= digits+8 && (x > -1e15 && x < 1e15)
}

// judgeFindings looks at what the rules report of the whole session.
func (cond *Condition) judgeFindings(v View) Outcome {
	out := Outcome{Holds: true}
	for _, rule := range v.State.Log.Findings().Rules() {
		if rule.Muted || !cond.None && rule.Worst() <= cond.Above {
			continue
		}
		out.Holds = false
		out.Came = fmt.Sprintf("rule %s has %s: “%s”", visible.Line(rule.Rule), aFinding(rule), clean(rule.First.Message))
		return out
	}
	return out
}

// aFinding says how grave the findings of a rule are.
func aFinding(rule *log.RuleCount) string {
	switch rule.Worst() {
	case a2a.Error:
		return "an error"
	case a2a.Warning:
		return "a warning"
	}
	return "a finding of severity info"
}

// judgeTimes compares the times of the answers.
func (cond *Condition) judgeTimes(v View) Outcome {
	if len(v.Times) == 0 {
		return Outcome{Came: "there is no complete answer yet"}
	}
	got := Quantile(v.Times, cond.Percent)
	return Outcome{Holds: got < cond.Below, Came: "it is " + units.Duration(got)}
}

// Quantile returns the time within which so many in 100 of the times are, 0 if there are none.
func Quantile(times []time.Duration, percent int) time.Duration {
	if len(times) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(times))
	return sorted[max(0, (len(sorted)*percent+99)/100-1)]
}

// AnswerText returns the text of all messages and artifacts of an answer, one after the other,
// and its data as JSON.
func AnswerText(t *model.Turn) string {
	var b strings.Builder
	add := func(text string) {
		if text != "" {
			b.WriteString(text)
			b.WriteByte('\n')
		}
	}
	part := func(p *a2a.Part) {
		if p.Kind == a2a.PartText {
			add(p.Text)
		} else {
			add(cmp.Or(p.Filename, string(p.Data)))
		}
	}
	for _, block := range t.Blocks {
		for i := range block.Entries {
			e := &block.Entries[i]
			switch {
			case e.Replaced:
			case e.Kind == model.EntryMessage && e.Message != nil:
				for i := range e.Message.Parts {
					part(&e.Message.Parts[i])
				}
			case e.Kind == model.EntryArtifact && e.Artifact != nil:
				add(string(e.Artifact.Text))
				for i := range e.Artifact.Parts {
					part(&e.Artifact.Parts[i].Part)
				}
			}
		}
	}
	return b.String()
}

// AnswerTime returns how long an answer took: from its request to its last entry.
func AnswerTime(t *model.Turn) time.Duration {
	last := t.Time
	for _, b := range t.Blocks {
		for i := range b.Entries {
			if at := b.Entries[i].Time; at.After(last) {
				last = at
			}
		}
	}
	return last.Sub(t.Time)
}
