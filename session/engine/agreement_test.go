package engine

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"parley/a2a"
	"parley/session/tracker"
)

// A strand is an exchange in progress, as the engine and the tracker follow it.
type strand struct {
	fw      *follower
	x       a2a.ExchangeID
	streams bool
}

// TestTheEngineAgreesWithTheTracker mixes up to four answers of an agent in any order, with events about each other's
// tasks, and compares the states of the tasks that the engine acts on with those that the user sees. There is no
// subscription among them: only the tracker knows which events of a resumed stream came before.
func TestTheEngineAgreesWithTheTracker(t *testing.T) {
	t.Parallel()
	for seed := range uint64(2000) {
		number := rand.New(rand.NewPCG(seed, 2)).IntN
		e := newEngine(options{Base: Base{Now: time.Now}})
		a := &remote{id: 1, tasks: map[string]*knownTask{}}
		e.agents[1] = a
		judge, last, script := tracker.New(), a2a.RecordID(0), ""
		put := func(kind a2a.RecordKind, x a2a.ExchangeID, call *a2a.Call, events ...a2a.Event) {
			last++
			judge.Judge(&a2a.Record{ID: last, Exchange: x, Kind: kind, Call: call}, &a2a.Update{Events: events})
		}
		var open []*strand
		begin := func() {
			op := []a2a.Op{a2a.OpStream, a2a.OpSend, a2a.OpGet}[number(3)]
			call := &a2a.Call{Agent: 1, Conversation: a2a.ConversationID(1 + number(2)), Turn: a2a.TurnID(last + 1), Op: op, TaskID: []string{"", "t", "u"}[number(3)]}
			if op == a2a.OpGet && call.TaskID == "" {
				call.TaskID = "t"
			}
			s := &strand{fw: e.follow(a, call), x: a2a.ExchangeID(last + 1), streams: op == a2a.OpStream}
			if s.streams {
				e.openStream(a, s.fw, func() {})
			}
			put(a2a.KindRequest, s.x, call)
			open = append(open, s)
			script += fmt.Sprintf("#%d %s of task %q in conversation %d\n", last, op, call.TaskID, call.Conversation)
		}
		for range 40 {
			if len(open) == 0 || len(open) < 4 && number(4) == 0 {
				begin()
				continue
			}
			i := number(len(open))
			s := open[i]
			if s.streams && number(6) > 0 {
				ev := randomEvent(number)
				put(a2a.KindEvent, s.x, s.fw.call, ev)
				s.fw.observe(a2a.Update{Events: []a2a.Event{ev}})
				script += fmt.Sprintf("#%d in #%d: %s\n", last, s.x, eventWords(&ev))
			} else {
				if !s.streams {
					ev := randomEvent(number)
					put(a2a.KindBody, s.x, s.fw.call, ev)
					s.fw.observe(a2a.Update{Events: []a2a.Event{ev}})
					script += fmt.Sprintf("#%d answers #%d: %s\n", last, s.x, eventWords(&ev))
				}
				put(a2a.KindEnd, s.x, s.fw.call)
				s.fw.finish()
				if s.streams {
					e.closeStream(a, s.fw)
				}
				script += fmt.Sprintf("#%d ends #%d\n", last, s.x)
				open = append(open[:i], open[i+1:]...)
			}
			for id, k := range a.tasks {
				want := a2a.StateUnknown
				if st := judge.Known(1).Status(id); st != nil {
					want = st.State
				}
				if want != k.State {
					t.Fatalf("seed %d: task %s: the engine says %v, the tracker %v, after\n%s", seed, id, k.State, want, script)
				}
			}
		}
		e.Close()
	}
}

// randomEvent returns an event about one of four tasks, or about none.
func randomEvent(number func(int) int) a2a.Event {
	id, state := []string{"", "t", "u", "v"}[number(4)], []a2a.State{a2a.StateWorking, a2a.StateInputRequired, a2a.StateCompleted, a2a.StateFailed}[number(4)]
	st := &a2a.Status{State: state, Word: state.String()}
	if second := number(3); second > 0 {
		st.Time = time.Unix(int64(second), 0)
		st.TimestampText = st.Time.Format(time.RFC3339)
	}
	ev := a2a.Event{TaskID: id, ContextID: "c"}
	switch kind := number(4); {
	case id == "" || kind == 0:
		ev.Kind, ev.Message = a2a.EventMessage, &a2a.Message{ID: fmt.Sprint(number(1 << 30)), Parts: []a2a.Part{a2a.TextPart("m")}}
	case kind == 1:
		ev.Kind, ev.Append, ev.Artifact = a2a.EventArtifact, true, &a2a.Artifact{Key: "a", Parts: []a2a.Part{a2a.TextPart("x")}}
	case kind == 2:
		ev.Kind, ev.Task = a2a.EventTask, &a2a.Task{ID: id, Status: *st}
	default:
		ev.Kind, ev.Status = a2a.EventStatus, st
	}
	return ev
}

func eventWords(ev *a2a.Event) string {
	words := fmt.Sprintf("%s about %q", ev.Kind, ev.TaskID)
	if ev.Status != nil {
		words += fmt.Sprintf(" %s %s", ev.Status.Word, ev.Status.TimestampText)
	}
	if ev.Task != nil {
		words += fmt.Sprintf(" %s %s", ev.Task.Status.Word, ev.Task.Status.TimestampText)
	}
	return words
}
