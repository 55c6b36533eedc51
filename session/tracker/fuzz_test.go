package tracker

import (
	"testing"
	"time"

	"parley/a2a"
	"parley/session/log"
)

func sessionTime(stamp string) time.Time {
	at, err := time.Parse(time.RFC3339, stamp)
	if err != nil {
		panic(err)
	}
	return at
}

// A step is a record of a fuzzed session, made of two bytes.
type step struct {
	r *a2a.Record
	u *a2a.Update
}

// steps returns the records that bytes describe: two agents with the same ids of tasks, each with up to four
// exchanges at a time whose answers are mixed in any order, and deliveries.
func steps(script []byte) (all []step) {
	ids, ops := []string{"", "t", "u", "v"}, []a2a.Op{a2a.OpStream, a2a.OpSend, a2a.OpSubscribe, a2a.OpGet}
	states := []a2a.State{a2a.StateWorking, a2a.StateInputRequired, a2a.StateCompleted, a2a.StateFailed}
	open := map[a2a.AgentID][]*a2a.Record{}
	for i := 0; i+1 < len(script); i += 2 {
		a, b := script[i], script[i+1]
		agent := a2a.AgentID(1 + a&1)
		id, stamp := ids[b>>2&3], []string{"", "2026-01-01T00:00:01Z", "2026-01-01T00:00:02Z", ""}[b>>6]
		r, u := &a2a.Record{ID: a2a.RecordID(i/2 + 1)}, &a2a.Update{}
		begin := func(op a2a.Op) {
			r.Exchange = a2a.ExchangeID(r.ID)
			r.Call = &a2a.Call{Agent: agent, Conversation: a2a.ConversationID(2*(b&1) + a&1 + 1), Op: op, TaskID: id, Check: op == a2a.OpGet && b>>4&3 == 0, Delivery: &a2a.DeliveryFacts{}}
			if b>>1&1 == 1 {
				r.Call.Turn = a2a.TurnID(r.ID)
			}
		}
		ev := []a2a.Event{status(id, states[b&3], stamp), chunk(id, "ab"[:1+b>>4&1]), whole(id, status(id, states[b&3], stamp), "abab"[:b>>4&3]),
			{Kind: a2a.EventMessage, TaskID: id, ContextID: "c", Message: &a2a.Message{ID: id, Parts: []a2a.Part{a2a.TextPart("m")}}}}[a>>1&3]
		switch list := open[agent]; {
		case a>>3&7 == 0 || len(list) == 0:
			r.Kind = a2a.KindRequest
			begin(ops[a>>6])
			open[agent] = append(list[max(0, len(list)-3):], r)
		case a>>3&7 == 1:
			r.Kind, u.Events = a2a.KindDelivery, []a2a.Event{ev}
			begin(a2a.OpDelivery)
		default:
			x := list[int(a>>6)%len(list)]
			r.Exchange, r.Call = x.Exchange, x.Call
			switch r.Kind = a2a.KindEvent; a >> 3 & 7 {
			case 2:
				r.Kind = a2a.KindEnd
			case 3:
				r.Kind = a2a.KindBody
			}
			u.Events = []a2a.Event{ev}
		}
		all = append(all, step{r, u})
	}
	return all
}

// judged returns the verdicts on steps, each in one line.
func judged(steps []step) (lines []string) {
	t := New()
	for _, s := range steps {
		lines = append(lines, told(t.Judge(s.r, s.u)))
	}
	return lines
}

// FuzzJudge mixes the records of two agents. A verdict follows from what came before and is no other if a record
// is judged again; what one agent sends changes nothing of the other one; each event takes effect at most once.
func FuzzJudge(f *testing.F) {
	f.Add([]byte{0, 2, 16, 4, 16, 8, 33, 6, 18, 5})
	f.Add([]byte("two streams of one task, in any order, and a delivery"))
	f.Fuzz(func(t *testing.T, script []byte) {
		all := steps(script[:min(len(script), 4000)])
		lines, again := judged(all), judged(all[:len(all)/2])
		for i := range again {
			if again[i] != lines[i] {
				t.Fatalf("record %d: got %s in a part of the session, want %s as in the whole", i+1, again[i], lines[i])
			}
		}
		for agent := a2a.AgentID(1); agent <= 2; agent++ {
			var own []step
			var want []string
			for i, s := range all {
				if s.r.Call.Agent == agent {
					own, want = append(own, s), append(want, lines[i])
				}
			}
			for i, line := range judged(own) {
				if line != want[i] {
					t.Fatalf("record %d of agent %d: got %s alone, want %s as beside another agent", own[i].r.ID, agent, line, want[i])
				}
			}
		}
		took := map[*a2a.Event]bool{}
		judge := New()
		for _, s := range all {
			for _, r := range judge.Judge(s.r, s.u).Rulings {
				if r.Effect == log.EffectStray {
					continue
				}
				if took[r.Event] {
					t.Fatalf("an event of record %d takes effect twice", r.Record.ID)
				}
				took[r.Event] = true
			}
		}
	})
}
