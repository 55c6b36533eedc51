package lint

import (
	"slices"
	"strings"
	"testing"

	"parley/a2a"
)

// made makes Parley the author of the id of the task, as it is in 0.1.
func made(c a2a.Call) a2a.Call {
	c.TaskID, c.MadeID = "t", true
	return c
}

// A speech is a dialect over a binding.
type speech struct {
	dialect a2a.DialectName
	binding a2a.Binding
}

// speeches are those of the specification.
var speeches = []speech{
	{a2a.V01, a2a.BindingJSONRPC}, {a2a.V02, a2a.BindingJSONRPC}, {a2a.V03, a2a.BindingJSONRPC}, {a2a.V10, a2a.BindingJSONRPC},
	{a2a.V03REST, a2a.BindingREST}, {a2a.V10REST, a2a.BindingREST}, {a2a.V03REST, a2a.BindingGRPC}, {a2a.V10REST, a2a.BindingGRPC},
}

// call is a call in the dialect over the binding; the bodies of HTTP+JSON stand for the renderings of
// gRPC.
func (s speech) call(op a2a.Op) a2a.Call {
	c := on(s.dialect, op)
	if c.Binding = s.binding; s.binding == a2a.BindingGRPC {
		c.Dialect = map[a2a.DialectName]a2a.DialectName{a2a.V03REST: a2a.V03GRPC, a2a.V10REST: a2a.V10GRPC}[s.dialect]
	}
	return c
}

// continuation is what a task sends whose beginning the session does not have: chunks of artifacts
// that exist already, and the end, whose result was sent before.
func continuation(d a2a.DialectName) []string {
	said := `"status":` + aStatus(d, "completed", `"message":`+message(d, "agent"))
	var frames []string
	for _, id := range []string{"a", "b", "c", "d"} {
		frames = append(frames, chunk(d, `"append":true`, `"artifactId":"`+id+`"`, `"index":`+string(id[0]-'a'+'0')))
	}
	return append(frames, update(d, "completed", said))
}

// laterGot is a get of the whole task afterwards.
func laterGot(d a2a.DialectName) []step {
	return checked(d, aTask(d, "completed", `"artifacts":[{"artifactId":"z","index":9,"parts":[`+part(d)+`]},{"artifactId":"a","index":0,"parts":[`+part(d)+`,`+part(d)+`]}]`))
}

// needBeginning are the rules that must have seen a task from its beginning.
var needBeginning = []string{"TASK-004", "TASK-008", "STRM-006", "CTX-001", a2a.ComparisonRule, "ART-003", "ART-005"}

// claims returns those of these rules that have something against the task.
func claims(s *script) (rules []string) {
	for _, rule := range needBeginning {
		if slices.ContainsFunc(s.of(rule), func(f a2a.Finding) bool { return !f.Unchecked }) {
			rules = append(rules, rule)
		}
	}
	return rules
}

// A task that began elsewhere or earlier is not judged by what the session did not see of it, in
// whatever way the session came to it.
func TestATaskThatBeganElsewhereIsNotJudged(t *testing.T) {
	for _, s := range speeches {
		d := s.dialect
		other := []string{`"taskId":"t"`}
		ways := map[string][]step{
			"in a recording that begins in the middle":   {frames(continuation(d)...), ended(a2a.Ended)},
			"of which a recording has only chunks":       {frames(chunk(d, `"append":true`)), ended(a2a.Cut)},
			"that is subscribed to":                      subscribed(continuation(d)...),
			"of which a subscriber gets only chunks":     subscribed(chunk(d, `"append":true`)),
			"that was got and is subscribed to":          slices.Concat(got(d, "", aTask(d, "working")), subscribed(continuation(d)...)),
			"that answers a message in an older context": {sends(d, `"contextId":"c"`), frames(continuation(d)...), ended(a2a.Ended)},
		}
		for name, ids := range map[string][]string{
			"with its task": other, "with its task and context": {`"taskId":"t"`, `"contextId":"c"`}, "in snake_case": {`"task_id":"t"`, `"context_id":"c"`},
		} {
			ways["that goes on by a message "+name] = []step{sends(d, ids...), frames(continuation(d)...), ended(a2a.Ended)}
			ways["that goes on without a stream by a message "+name] = []step{does(a2a.OpSend), sends(d, ids...), headed(200, isJSON), answered(task(d, "completed", `"artifacts":[]`, `"status":`+
				aStatus(d, "completed", `"message":`+message(d, "agent")))), ended(a2a.Ended)}
			ways["that ends by an answer to a message "+name] = []step{sends(d, ids...), frames(continuation(d)[4]), ended(a2a.Ended)}
			ways["that was got and goes on by a message "+name] = slices.Concat(got(d, "", aTask(d, "input-required")), []step{does(a2a.OpStream), sends(d, ids...), frames(continuation(d)...), ended(a2a.Ended)})
			ways["that goes on twice by a message "+name] = []step{sends(d, ids...), frames(task(d, "input-required")), ended(a2a.Ended), sends(d, ids...), frames(continuation(d)...), ended(a2a.Ended)}
		}
		for name, steps := range ways {
			for _, call := range []a2a.Call{s.call(a2a.OpStream), behind(s.call(a2a.OpStream))} {
				if found := claims(play(call, slices.Concat(steps, laterGot(d))...)); len(found) > 0 {
					t.Errorf("%s over %s: a task %s: got findings of %v, want none", call.Dialect, call.Binding, name, found)
				}
			}
		}
	}
}

// The same is judged in a task that began in the session.
func TestATaskThatBeganHereIsJudged(t *testing.T) {
	for _, s := range speeches {
		d, call := s.dialect, s.call(a2a.OpStream)
		want := []string{a2a.ComparisonRule, "ART-003", "ART-005"}
		if d == a2a.V01 { // its client makes the ids, and its artifacts have only numbers
			call, want = made(call), []string{a2a.ComparisonRule, "ART-003"}
		}
		for name, steps := range map[string][]step{
			"in one stream":               {sends(d), frames(continuation(d)...), ended(a2a.Ended)},
			"after a delivery":            {sends(d), deliver(d), frames(continuation(d)...), ended(a2a.Ended)},
			"in the context of another":   {sends(d), frames(task(d, "completed", `"id":"first"`)), ended(a2a.Ended), sends(d, `"contextId":"c"`), frames(continuation(d)...), ended(a2a.Ended)},
			"and goes on after an answer": {sends(d), frames(task(d, "input-required")), ended(a2a.Ended), sends(d, `"taskId":"t"`), frames(continuation(d)...), ended(a2a.Ended)},
		} {
			found := claims(play(call, slices.Concat(steps, laterGot(d))...))
			if !slices.Equal(found, want) {
				t.Errorf("%s over %s, %s: got findings of %v, want %v", call.Dialect, call.Binding, name, found, want)
			}
		}
	}
}

// deliver is a push notification about the task that comes before the answer to its message.
func deliver(d a2a.DialectName) step {
	return func(s *script) {
		call, exchange := s.call, s.id
		s.call.Op, s.call.TaskID, s.id = a2a.OpDelivery, "t", s.next+1
		body := strings.TrimSuffix(strings.TrimPrefix(task(d, "working"), `{"jsonrpc":"2.0","id":"1","result":`), "}")
		if !strings.HasPrefix(task(d, "working"), `{"jsonrpc"`) {
			body = task(d, "working")
		}
		r := a2a.Record{Kind: a2a.KindDelivery, Dir: a2a.In, Call: &s.call, Head: &a2a.Head{Method: "POST"}, Raw: []byte(body)}
		s.put(r, a2a.DecodeDelivery(&r))
		s.call, s.id = call, exchange
	}
}

// A request that is checked before it is sent is compared with no session.
func TestAnUnsentRequestIsNotComparedWithASession(t *testing.T) {
	for _, s := range speeches {
		if found := claims(play(s.call(a2a.OpStream), sends(s.dialect, `"taskId":"t"`, `"contextId":"c"`))); len(found) > 0 {
			t.Errorf("%s: got findings of %v, want none", s.dialect, found)
		}
	}
}
