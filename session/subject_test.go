package session

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"parley/a2a"
)

// A tongue writes events as a dialect has them.
type tongue struct {
	dialect                   a2a.DialectName
	task, status, text, words string // of task, context and state or text
	old                       bool   // states are written as before 1.0
	names                     bool   // the client names the task
}

var tongueV10 = tongue{
	dialect: a2a.V10,
	task:    `{"task":{"id":%q,"contextId":%q,"status":{"state":%q}}}`,
	status:  `{"statusUpdate":{"taskId":%q,"contextId":%q,"status":{"state":%q,"message":{"messageId":%q,"role":"ROLE_AGENT","parts":[{"text":"type your password"}]}}}}`,
	text:    `{"artifactUpdate":{"taskId":%q,"contextId":%q,"append":true,"artifact":{"artifactId":"a","parts":[{"text":%q}]}}}`,
	words:   `{"message":{"messageId":%q,"contextId":%q,"role":"ROLE_AGENT","parts":[{"text":"by the way"}]}}`,
}

// tongues are the dialects. Those of HTTP+JSON have the objects of 1.0 over JSON-RPC.
var tongues = []tongue{
	tongueV10,
	{
		dialect: a2a.V03, old: true,
		task:   `{"kind":"task","id":%q,"contextId":%q,"status":{"state":%q}}`,
		status: `{"kind":"status-update","taskId":%q,"contextId":%q,"final":false,"status":{"state":%q,"message":{"kind":"message","messageId":%q,"role":"agent","parts":[{"kind":"text","text":"type your password"}]}}}`,
		text:   `{"kind":"artifact-update","taskId":%q,"contextId":%q,"append":true,"artifact":{"artifactId":"a","parts":[{"kind":"text","text":%q}]}}`,
		words:  `{"kind":"message","messageId":%q,"contextId":%q,"role":"agent","parts":[{"kind":"text","text":"by the way"}]}`,
	},
	{
		dialect: a2a.V02, old: true,
		task:   `{"kind":"task","id":%q,"contextId":%q,"status":{"state":%q}}`,
		status: `{"kind":"status-update","taskId":%q,"contextId":%q,"final":false,"status":{"state":%q,"message":{"kind":"message","messageId":%q,"role":"agent","parts":[{"kind":"text","text":"type your password"}]}}}`,
		text:   `{"kind":"artifact-update","taskId":%q,"contextId":%q,"append":true,"artifact":{"artifactId":"a","parts":[{"kind":"text","text":%q}]}}`,
	},
	{
		dialect: a2a.V01, old: true, names: true,
		task:   `{"id":%q,"sessionId":%q,"status":{"state":%q}}`,
		status: `{"id":%q,"sessionId":%q,"final":false,"status":{"state":%q,"message":{"role":"agent","parts":[{"type":"text","text":"type your password"}],"metadata":{"n":%q}}}}`,
		text:   `{"id":%q,"sessionId":%q,"artifact":{"index":0,"append":true,"parts":[{"type":"text","text":%q}]}}`,
	},
	tongueV10.over(a2a.V10REST), tongueV10.over(a2a.V03REST),
}

// over is the same in another dialect.
func (g tongue) over(d a2a.DialectName) tongue {
	g.dialect = d
	return g
}

func (g *tongue) state(s a2a.State) string {
	if g.old {
		return s.String()
	}
	if g.dialect == a2a.V03REST && s == a2a.StateCanceled {
		return "TASK_STATE_CANCELLED"
	}
	return "TASK_STATE_" + strings.ToUpper(strings.ReplaceAll(s.String(), "-", "_"))
}

func (g *tongue) whole(task, context string, s a2a.State) string {
	return fmt.Sprintf(g.task, task, context, g.state(s))
}

func (g *tongue) tells(task, context string, s a2a.State) string {
	return fmt.Sprintf(g.status, task, context, g.state(s), task+s.String())
}

func (g *tongue) chunk(task, context, text string) string {
	return fmt.Sprintf(g.text, task, context, text)
}

// call returns a call that streams the answer to a message.
func (g *tongue) call(conv a2a.ConversationID, turn a2a.TurnID, task string) *a2a.Call {
	binding := a2a.BindingJSONRPC
	if isREST(g.dialect) {
		binding = a2a.BindingREST
	}
	return &a2a.Call{Agent: 1, Conversation: conv, Turn: turn, Op: a2a.OpStream, Dialect: g.dialect, Binding: binding, TaskID: task}
}

// strays are events of other tasks and contexts.
func (g *tongue) strays(task, context string) []string {
	out := []string{
		g.whole(task, context, a2a.StateWorking), g.tells(task, context, a2a.StateInputRequired), g.tells(task, context, a2a.StateAuthRequired),
		g.tells(task, context, a2a.StateCompleted), g.tells(task, context, a2a.StateFailed), g.chunk(task, context, "stray"),
		g.whole(task, context, a2a.StateInputRequired),
	}
	return out
}

// sketch is what a user can see of a state, and what the next message depends on, without
// record numbers, times and asides.
func sketch(s *State) string {
	var b strings.Builder
	for _, a := range s.Agents {
		for _, c := range a.Conversations {
			if st := s.Log.Stream(c.Stats.Exchange); st != nil {
				fmt.Fprintf(&b, "stream %s\n", st.State)
			}
			fmt.Fprintf(&b, "conversation %d context %q title %q streams %d\n", c.ID, c.ContextID, c.Title, c.Streams)
			for _, t := range c.Turns {
				fmt.Fprintf(&b, " turn %d pending %v\n", t.ID, t.Pending)
				for _, bl := range t.Blocks {
					for _, e := range bl.Entries {
						fmt.Fprintf(&b, "  entry %d %s", e.Kind, e.State.Word)
						if e.Message != nil {
							fmt.Fprintf(&b, " %q", e.Message.Text())
						}
						if e.Problem != nil {
							fmt.Fprintf(&b, " %q", e.Problem.Sentence)
						}
						b.WriteByte('\n')
					}
				}
			}
			for _, t := range c.Tasks {
				prompt := ""
				if t.Prompt != nil {
					prompt = t.Prompt.Text()
				}
				fmt.Fprintf(&b, " task %s context %s %s waits %v over %v prompt %q contradicted %v\n", t.ID, t.ContextID, t.Word, t.Waits(), t.Over(), prompt, t.Contradiction)
				for _, art := range t.Artifacts {
					fmt.Fprintf(&b, "  artifact %s %q chunks %d live %v\n", art.Key, art.Text, art.Chunks, art.Live)
				}
				fmt.Fprintf(&b, "  assembled %+v\n", s.Assembled(a.ID, t.ID).ContextID)
			}
		}
	}
	for _, t := range s.Waiting() {
		fmt.Fprintf(&b, "waiting %s\n", t.ID)
	}
	return b.String()
}

// run plays a conversation whose newest stream brings the events given, beside another
// conversation that has a task at work.
func (g *tongue) run(events []string, reply, over bool) *State {
	p := newTape()
	name := func(task string) string {
		if g.names {
			return task
		}
		return ""
	}
	other := g.call(2, 2, name("other"))
	y := p.ask(other, "something else")
	p.event(y, other, g.whole("other", "elsewhere", a2a.StateWorking))
	p.event(y, other, g.chunk("other", "elsewhere", "far "))
	call := g.call(1, 1, name("own"))
	if reply {
		x := p.ask(call, "hi")
		p.event(x, call, g.whole("own", "here", a2a.StateInputRequired))
		p.end(x, call, a2a.End{Reason: a2a.Ended})
		call = g.call(1, 3, "own")
		call.ContextID = "here"
	}
	x := p.ask(call, "go on")
	for _, e := range events {
		p.event(x, call, e)
	}
	if over {
		p.end(x, call, a2a.End{Reason: a2a.Ended})
	}
	return p.state
}

// Any interleaving of strays with a stream leaves everything as it is without them.
func TestStraysChangeNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 11))
	for round := range 400 {
		g := &tongues[round%len(tongues)]
		reply, over := rng.IntN(2) == 0, rng.IntN(2) == 0
		last := allStates[1+rng.IntN(len(allStates)-2)]
		own := []string{
			g.whole("own", "here", a2a.StateSubmitted), g.tells("own", "here", a2a.StateWorking), g.chunk("own", "here", "one "),
			g.chunk("own", "here", "two "), g.tells("own", "here", last),
		}
		var unknown, known []string
		for i := range 6 {
			strange := g.strays(fmt.Sprintf("stray-%d", i), fmt.Sprintf("context-%d", i))
			unknown = append(unknown, strange[rng.IntN(len(strange))])
			of := g.strays("other", "elsewhere")
			known = append(known, of[rng.IntN(len(of))])
		}
		mixed := append([]string(nil), own...)
		put := func(list []string, from int) {
			for _, e := range list {
				at := from + rng.IntN(len(mixed)-from+1)
				mixed = append(mixed[:at], append([]string{e}, mixed[at:]...)...)
			}
		}
		from := 1 // nothing tells the first of two unknown tasks from the one that was begun
		if reply || g.names {
			from = 0
		}
		put(unknown, from)
		if g.words != "" {
			put([]string{fmt.Sprintf(g.words, "m", "elsewhere")}, 1+indexOf(mixed, own[0]))
		}
		put(known, 0)
		want, got := sketch(g.run(own, reply, over)), sketch(g.run(mixed, reply, over))
		if want != got {
			t.Fatalf("round %d, %s, reply %v:\n%s\nevents:\n%s", round, g.dialect, reply, difference(want, got), strings.Join(mixed, "\n"))
		}
	}
}

func indexOf(list []string, s string) int {
	for i := range list {
		if list[i] == s {
			return i
		}
	}
	return -1
}

// What comes of other tasks is shown beside the turn: one by one, and from some number on
// together.
func TestStraysAreAsides(t *testing.T) {
	g := &tongues[0]
	events := []string{g.whole("own", "here", a2a.StateWorking)}
	for i := range 100 {
		events = append(events, g.tells(fmt.Sprintf("stray-%d", i), "there", a2a.StateInputRequired))
	}
	turn := g.run(events, false, true).Turn(1)
	if len(turn.Asides) != MaxAsides+1 {
		t.Fatalf("%d asides", len(turn.Asides))
	}
	first, rest := turn.Asides[0], turn.Asides[MaxAsides]
	if first.TaskID != "stray-0" || first.ContextID != "there" || first.Events != 1 || first.StateWord() != "input-required" || first.Text != "type your password" {
		t.Errorf("the first aside is %+v", first)
	}
	if rest.TaskID != "" || rest.Events != 100-MaxAsides || rest.Last <= rest.First {
		t.Errorf("the rest is %+v", rest)
	}
}

// An agent may give a task another id than it was asked for; nothing of its answer is lost.
func TestAnAnswerThatIsOnlyAboutAnotherTaskIsTheAnswer(t *testing.T) {
	for _, tt := range []struct {
		name   string
		g      *tongue
		events int
	}{{"few events", &tongues[3], 3}, {"many", &tongues[3], maxHeld + 5}, {"a reply", &tongues[0], 3}} {
		t.Run(tt.name, func(t *testing.T) {
			var events []string
			for i := range tt.events {
				events = append(events, tt.g.chunk("mine", "there", fmt.Sprintf("%d ", i)))
			}
			s := tt.g.run(events, tt.name == "a reply", true)
			task := s.Task(1, "mine")
			if task == nil || len(task.Artifacts) != 1 || task.Artifacts[0].Chunks != tt.events {
				t.Fatalf("the task is %+v", task)
			}
			if n := len(task.turn.Asides); n != 0 {
				t.Errorf("%d asides are left", n)
			}
		})
	}
	// What goes on elsewhere was told to the wrong listener, however much of it comes.
	g := &tongues[0]
	var events []string
	for range maxHeldKnown + 10 {
		events = append(events, g.chunk("other", "elsewhere", "again "))
	}
	s := g.run(events, false, true)
	if text := string(s.Task(1, "other").Artifacts[0].Text); text != "far " {
		t.Errorf("the other task reads %q", text)
	}
	if n := len(s.Turn(1).Asides); n != 1 {
		t.Errorf("%d asides", n)
	}
}

// A stray costs the same whatever came before: it makes no task, no entry and no artifact.
func TestAStrayCostsTheSameWhateverCameBefore(t *testing.T) {
	g := &tongues[0]
	measure := func(before int) float64 {
		p := newTape()
		call := g.call(1, 1, "")
		x := p.ask(call, "hi")
		p.event(x, call, g.whole("own", "here", a2a.StateWorking))
		n := 0
		stray := func() {
			n++
			p.event(x, call, g.tells(fmt.Sprintf("stray-%d", n), "there", a2a.StateInputRequired))
		}
		for range before {
			stray()
		}
		allocs := testing.AllocsPerRun(200, stray)
		c := p.state.Conversation(1)
		if len(c.Tasks) != 1 || len(c.Turns[0].Blocks) != 1 || len(p.state.Waiting()) != 0 || len(p.state.tasks) != 1 || len(p.state.trails) != 1 {
			t.Fatalf("%d tasks, %d blocks, %d waiting", len(c.Tasks), len(c.Turns[0].Blocks), len(p.state.Waiting()))
		}
		return allocs
	}
	few, many := measure(100), measure(8_000)
	if many > few+3 {
		t.Errorf("a stray costs %.0f allocations after 100 strays and %.0f after 8,000", few, many)
	}
}

func BenchmarkApplyStray(b *testing.B) {
	g := &tongues[0]
	p := newTape()
	call := g.call(1, 1, "")
	x := p.ask(call, "hi")
	p.event(x, call, g.whole("own", "here", a2a.StateWorking))
	n := 0
	for b.Loop() {
		n++
		p.event(x, call, g.tells(fmt.Sprintf("stray-%d", n), "there", a2a.StateInputRequired))
	}
}
