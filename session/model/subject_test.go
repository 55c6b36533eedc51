package model_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"parley/a2a"
	"parley/session/model"
	"parley/session/sessiontest"
)

// sketch is the visible part of a state and the target of the next message, without record
// numbers, times and asides.
func sketch(s *model.State) string {
	var b strings.Builder
	for _, a := range s.Agents {
		for _, c := range a.Conversations {
			if st := s.Log.Stream(c.Stream); st != nil {
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

// Any interleaving of strays with a stream leaves the state as it is without them.
func TestStraysChangeNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 11))
	for round := range 400 {
		g := &sessiontest.EventWriters[round%len(sessiontest.EventWriters)]
		reply, over := rng.IntN(2) == 0, rng.IntN(2) == 0
		last := sessiontest.AllStates[1+rng.IntN(len(sessiontest.AllStates)-2)]
		own := []string{
			g.Whole("own", "here", a2a.StateSubmitted), g.Tells("own", "here", a2a.StateWorking), g.Chunk("own", "here", "one "),
			g.Chunk("own", "here", "two "), g.Tells("own", "here", last),
		}
		var unknown, known []string
		for i := range 6 {
			strange := g.Strays(fmt.Sprintf("stray-%d", i), fmt.Sprintf("context-%d", i))
			unknown = append(unknown, strange[rng.IntN(len(strange))])
			of := g.Strays("other", "elsewhere")
			known = append(known, of[rng.IntN(len(of))])
		}
		mixed := append([]string(nil), own...)
		put := func(list []string, from int) {
			for _, e := range list {
				at := from + rng.IntN(len(mixed)-from+1)
				mixed = append(mixed[:at], append([]string{e}, mixed[at:]...)...)
			}
		}
		from := 1 // the first of two unknown tasks cannot be told from the one that was begun
		if reply || g.Names {
			from = 0
		}
		put(unknown, from)
		if g.Words != "" {
			put([]string{fmt.Sprintf(g.Words, "m", "elsewhere")}, 1+indexOf(mixed, own[0]))
		}
		put(known, 0)
		want, got := sketch(g.Run(own, reply, over)), sketch(g.Run(mixed, reply, over))
		if want != got {
			t.Fatalf("round %d, %s, reply %v:\n%s\nevents:\n%s", round, g.Dialect, reply, sessiontest.Difference(want, got), strings.Join(mixed, "\n"))
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

// Answers about other tasks are shown beside the turn: one by one up to a limit, and together
// beyond it.
func TestStraysAreAsides(t *testing.T) {
	g := &sessiontest.EventWriters[0]
	events := []string{g.Whole("own", "here", a2a.StateWorking)}
	for i := range 100 {
		events = append(events, g.Tells(fmt.Sprintf("stray-%d", i), "there", a2a.StateInputRequired))
	}
	turn := g.Run(events, false, true).Turn(1)
	if len(turn.Asides) != model.MaxAsides+1 {
		t.Fatalf("got %d asides, want %d", len(turn.Asides), model.MaxAsides+1)
	}
	first, rest := turn.Asides[0], turn.Asides[model.MaxAsides]
	if first.TaskID != "stray-0" || first.ContextID != "there" || first.Events != 1 || first.StateWord() != "input-required" || first.Text != "type your password" {
		t.Errorf("got first aside %+v, want stray-0 with its question", first)
	}
	if rest.TaskID != "" || rest.Events != 100-model.MaxAsides || rest.Last <= rest.First {
		t.Errorf("got last aside %+v, want all further tasks in one", rest)
	}
}

// An agent may give a task another id than the requested one; nothing of its answer is lost.
func TestAnAnswerThatIsOnlyAboutAnotherTaskIsTheAnswer(t *testing.T) {
	for _, tt := range []struct {
		name   string
		g      *sessiontest.EventWriter
		events int
	}{{"few events", &sessiontest.EventWriters[3], 3}, {"many", &sessiontest.EventWriters[3], 21}, {"a reply", &sessiontest.EventWriters[0], 3}} {
		t.Run(tt.name, func(t *testing.T) {
			var events []string
			for i := range tt.events {
				events = append(events, tt.g.Chunk("mine", "there", fmt.Sprintf("%d ", i)))
			}
			s := tt.g.Run(events, tt.name == "a reply", true)
			task := s.Task(1, "mine")
			if task == nil || len(task.Artifacts) != 1 || task.Artifacts[0].Chunks != tt.events {
				t.Fatalf("got task %+v, want one artifact of %d chunks", task, tt.events)
			}
			if n := len(task.NewestTurn().Asides); n != 0 {
				t.Errorf("got %d asides, want 0", n)
			}
		})
	}
	// Events of a task of another conversation are strays, however many come.
	g := &sessiontest.EventWriters[0]
	var events []string
	for range 266 {
		events = append(events, g.Chunk("other", "elsewhere", "again "))
	}
	s := g.Run(events, false, true)
	if text := string(s.Task(1, "other").Artifacts[0].Text); text != "far " {
		t.Errorf("got text %q of the other task, want \"far \"", text)
	}
	if n := len(s.Turn(1).Asides); n != 1 {
		t.Errorf("got %d asides, want 1", n)
	}
}

// A stray costs the same whatever came before: it makes no task, no entry and no artifact.
func TestAStrayCostsTheSameWhateverCameBefore(t *testing.T) {
	g := &sessiontest.EventWriters[0]
	measure := func(before int) float64 {
		p := sessiontest.NewTape()
		call := g.Call(1, 1, "")
		x := p.Ask(call, "hi")
		p.Event(x, call, g.Whole("own", "here", a2a.StateWorking))
		n := 0
		stray := func() {
			n++
			p.Event(x, call, g.Tells(fmt.Sprintf("stray-%d", n), "there", a2a.StateInputRequired))
		}
		for range before {
			stray()
		}
		allocs := testing.AllocsPerRun(200, stray)
		c := p.State.Conversation(1)
		if tasks := p.State.KnownTasks(); len(c.Tasks) != 1 || len(c.Turns[0].Blocks) != 1 || len(p.State.Waiting()) != 0 || tasks != 1 {
			t.Fatalf("got %d tasks, %d blocks, %d waiting; want 1, 1, 0", len(c.Tasks), len(c.Turns[0].Blocks), len(p.State.Waiting()))
		}
		return allocs
	}
	few, many := measure(100), measure(8_000)
	if many > few+3 {
		t.Errorf("got %.0f allocations per stray after 100 strays, %.0f after 8,000; want the same", few, many)
	}
}

func BenchmarkApplyStray(b *testing.B) {
	g := &sessiontest.EventWriters[0]
	p := sessiontest.NewTape()
	call := g.Call(1, 1, "")
	x := p.Ask(call, "hi")
	p.Event(x, call, g.Whole("own", "here", a2a.StateWorking))
	n := 0
	for b.Loop() {
		n++
		p.Event(x, call, g.Tells(fmt.Sprintf("stray-%d", n), "there", a2a.StateInputRequired))
	}
}
