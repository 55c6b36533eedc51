package script

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"parley/a2a"
	"parley/internal/units"
	"parley/internal/visible"
	"parley/session/log"
	"parley/session/model"
)

// A Result is what became of a condition.
type Result struct {
	Holds bool
	// Settled says that a condition that does not hold will not hold later either.
	Settled bool
	// Came is what came instead, as a clause: "the task is working".
	Came string
}

// Judge judges a condition. Reached is how Wait does: a state counts that the task was in since
// the message was sent. Expect judges how it stands.
func (cond *Condition) Judge(v View, reached bool) Result {
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
	return Result{Holds: v.Over, Came: v.Came()}
}

// judgeStates compares the states of the task.
func (cond *Condition) judgeStates(v View, reached bool) Result {
	task, t := v.Task(), v.turn()
	out := Result{Settled: v.Over, Came: v.Came()}
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
func (cond *Condition) judgeText(v View) Result {
	out := Result{Settled: v.Over}
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
func (cond *Condition) judgeFailure(v View) Result {
	out := Result{Settled: v.Over, Came: v.Came()}
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
func (cond *Condition) judgeValue(v View) Result {
	out := Result{Settled: v.Over}
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

// judgeFindings looks at what the rules report of the whole session.
func (cond *Condition) judgeFindings(v View) Result {
	out := Result{Holds: true}
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
func (cond *Condition) judgeTimes(v View) Result {
	if len(v.Times) == 0 {
		return Result{Came: "there is no complete answer yet"}
	}
	got := Quantile(v.Times, cond.Percent)
	return Result{Holds: got < cond.Below, Came: "it is " + units.Duration(got)}
}
