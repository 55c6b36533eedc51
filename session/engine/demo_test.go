package engine

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/a2a/a2atest"
	"parley/a2a/a2atest/demo"
	"parley/session/log"
	"parley/session/model"
	"parley/session/sessiontest"
)

// TestTheDemoIsPlayedThrough sends every example of every skill to the demo's agents and checks
// that the recording replays to the same state.
func TestTheDemoIsPlayedThrough(t *testing.T) {
	t.Parallel()
	agents, stop, err := demo.Start(context.Background(), a2atest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	d := newDemoHarness(t, true)
	states := map[a2a.State]bool{}
	for _, a := range agents {
		id := d.openAgent(a.URL)
		for _, skill := range d.state.Agent(id).Card.Skills {
			for _, example := range skill.Examples {
				m := &a2a.Message{Parts: []a2a.Part{a2a.TextPart(example.Text)}}
				if example.Data != nil {
					m.Parts = []a2a.Part{a2a.DataPart(example.Data)}
				}
				d.play(id, m, example.Text)
			}
		}
		for _, c := range d.state.Agent(id).Conversations {
			for _, task := range c.Tasks {
				for _, tr := range task.Transitions {
					states[tr.State] = true
				}
			}
		}
	}
	for s := a2a.StateSubmitted; s < a2a.StateOther; s++ {
		if !states[s] {
			t.Errorf("got no task in state %v, want at least one", s)
		}
	}
	checkConformance(t, d.state)
	sessiontest.CheckPlaces(t, d.state)
	d.finish()
}

// checkConformance fails for every warning and error in the traffic with an agent that conforms.
func checkConformance(t *testing.T, s *model.State) {
	t.Helper()
	for i := a2a.RecordID(1); int(i) <= s.Log.Len(); i++ {
		it := s.Log.At(i)
		if c := it.Record.Call; c == nil || s.Agent(c.Agent).Name() == "Saboteur" {
			continue
		}
		for _, f := range it.Findings {
			if f.Severity > a2a.Info && f.Rule != slowRule {
				t.Errorf("%s: got finding %s (%s) at %q, want none: %s\n\t%.300s", s.Agent(it.Record.Call.Agent).Name(), f.Rule, f.Severity, f.Pointer, f.Message, it.Record.Payload())
			}
		}
	}
}

// slowRule is the only rule that measures real time: on a busy machine the demo's agents may
// break it. Its own tests have a clock of their own.
const slowRule = "STRM-012"

// cutRule is told without blame where a stream broke, because something on the way may have cut it.
const cutRule = "STRM-006"

// sabotage names the rules that find something in the answer to each prompt that makes the
// demo's fourth agent misbehave. Prompts that are missing cause no finding.
var sabotage = map[string]string{
	"Cut the stream in the middle of an event":  cutRule,
	"Cut the stream between two events":         cutRule,
	"Reset the connection":                      cutRule,
	"Restart yourself":                          cutRule,
	"Send a broken event and carry on":          "ENV-002",
	"Go on after the end":                       "ART-006 STRM-004 STRM-011 TASK-006",
	"Misspell a state":                          "STAT-001",
	"Say things that nobody defined":            "ENV-005 MIX-002 MSG-002 PART-013 STAT-001 STAT-004",
	"Change your id in the middle":              "STRM-007 STRM-009",
	"Glue two events together":                  "SSE-002",
	"Write on my terminal":                      "MSG-002 SEC-001 SEC-002 STAT-001",
	"Answer with a result and an error at once": "ENV-005",
	"Answer a stream call with plain JSON":      "STRM-008",
	"Use every line end there is":               "SSE-003 SSE-005 STRM-001",
}

func TestSabotageIsFound(t *testing.T) {
	t.Parallel()
	agents, stop, err := demo.Start(context.Background(), a2atest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	d := newDemoHarness(t, false)
	id := d.openAgent(agents[3].URL)
	var prompts []string
	for _, skill := range d.state.Agent(id).Card.Skills {
		for _, example := range skill.Examples {
			prompts = append(prompts, example.Text)
		}
	}
	gone := func(prompt string) int { // last, because its duration is unknown
		if strings.HasPrefix(prompt, "Restart") {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(prompts, func(a, b string) int { return gone(a) - gone(b) })
	for _, text := range prompts {
		before := d.state.Log.Len()
		d.play(id, &a2a.Message{Parts: []a2a.Part{a2a.TextPart(text)}}, text)
		if got := warnings(d.state.Log, before, cutRule); got != sabotage[text] {
			t.Errorf("%s: got findings of %q, want %q", text, got, sabotage[text])
		}
	}
	d.finish()
}

func TestATaskThatIsNotWhatWasStreamedIsFound(t *testing.T) {
	t.Parallel()
	agents, stop, err := demo.Start(context.Background(), a2atest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	d := newHarness(t, func(o *options) { o.CheckStreams = true })
	m := &a2a.Message{Parts: []a2a.Part{a2a.TextPart("Forget a line of what you wrote")}}
	d.Send(model.Target{Agent: d.openAgent(agents[3].URL)}, m, model.SendOptions{})
	d.until("the difference", func(log.Item) bool { return len(findingMessages(d.state.Log, "TASK-010")) > 0 })
	if got := findingMessages(d.state.Log, "TASK-010"); len(got) != 2 || !strings.Contains(got[0], "“first.md” has 44 bytes, 80 were streamed") || !strings.Contains(got[1], "no artifact “rest.md”") {
		t.Errorf("got findings %q, want two differences about first.md and rest.md", got)
	}
	d.finish()
}

// findingMessages returns the messages of a rule's findings.
func findingMessages(l *log.Log, rule string) (messages []string) {
	for i := 1; i <= l.Len(); i++ {
		for _, f := range l.At(a2a.RecordID(i)).Findings {
			if f.Rule == rule {
				messages = append(messages, f.Message)
			}
		}
	}
	return messages
}

// warnings names the rules with warnings or errors in the records after one, and of some rules those with infos.
func warnings(l *log.Log, after int, also ...string) string {
	var rules []string
	for i := after + 1; i <= l.Len(); i++ {
		it := l.At(a2a.RecordID(i))
		if c := it.Record.Call; after > 0 && c != nil && c.Op == a2a.OpCard {
			continue // it came when the agent was reachable again
		}
		for _, f := range it.Findings {
			if (f.Severity > a2a.Info || slices.Contains(also, f.Rule)) && f.Rule != slowRule && !slices.Contains(rules, f.Rule) {
				rules = append(rules, f.Rule)
			}
		}
	}
	slices.Sort(rules)
	return strings.Join(rules, " ")
}

// A demoHarness is a harness for the agents of the demo, which make no pauses. A stream of theirs
// is silent when the test says so.
type demoHarness struct {
	*harness
	silent chan time.Time // of the current prompt, closed when nothing more comes; guarded by mu
}

// shortest is a wait that only the silence of a stream has.
const shortest = time.Nanosecond

func newDemoHarness(t *testing.T, checkStreams bool) *demoHarness {
	t.Helper()
	d := &demoHarness{silent: make(chan time.Time)}
	d.harness = newHarness(t, func(o *options) {
		o.CheckStreams = checkStreams
		o.PollMin, o.PollMax = 20*time.Millisecond, 20*time.Millisecond
		o.Idle = shortest
		after := o.After
		o.After = func(wait time.Duration) <-chan time.Time {
			if wait > shortest {
				return after(wait)
			}
			d.mu.Lock()
			defer d.mu.Unlock()
			return d.silent
		}
	})
	return d
}

// endless are the prompts after which an agent of the demo works, or is silent, until it is
// stopped. Each has what is in the last event of its stream; nothing if the stream ends and the
// task is polled.
var endless = map[string]string{
	"Put me on the waiting list":               "", // unless there is a webhook
	"Watch fares to Tokyo until I say stop":    "Look number 60:",
	"Count the paper clips":                    "Box 60 counted.",
	"Cut the stream in the middle of an event": "",
	"Cut the stream between two events":        "",
	"Reset the connection":                     "",
	"Fall silent":                              "TASK_STATE_WORKING",
}

// play sends a prompt and waits until its turn is over. It stops an endless one when the stream is
// reported as silent after its last event, or when the task was polled twice.
func (d *demoHarness) play(agent a2a.AgentID, m *a2a.Message, prompt string) {
	d.t.Helper()
	silent := make(chan time.Time)
	d.mu.Lock()
	d.silent = silent
	d.mu.Unlock()
	turn := d.Send(model.Target{Agent: agent}, m, model.SendOptions{})
	last, stops := endless[prompt]
	said := last == ""
	d.until("the end of what follows "+prompt, func(it log.Item) bool {
		if r := it.Record; !said && r.Kind == a2a.KindEvent && r.Call.Turn == turn && strings.Contains(string(r.Payload()), last) {
			said = true
			close(silent)
		}
		s := it.Signal
		if s == nil || s.Turn != turn {
			return false
		}
		if stops && (s.Kind == log.SignalStall || s.Kind == log.SignalPoll && s.Attempt == 3) {
			d.Stop(turn)
		}
		return s.Kind == log.SignalTurnOver
	})
}
