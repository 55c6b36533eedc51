package engine

import (
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
)

// checkVerdict fails unless a verdict has these words.
func checkVerdict(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("got verdict\n%q\nwant\n%q", got, want)
	}
}

func TestACutIsFollowedUpAndJudged(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		hub    *hub
		attach int
		kind   FaultKind
		after  func(h *hub) // after the first stream was closed
		want   string
		state  a2a.State
	}{
		{"re-attached by itself", &hub{snapshot: true}, 3, FaultCut, func(h *hub) { h.chunk(); h.status("COMPLETED"); h.end() },
			"Cut after 1 event. Resubscribing worked, beginning with the whole task. Its task is now working.", a2a.StateCompleted},
		{"re-attached on demand", &hub{}, 0, FaultResubscribe, func(h *hub) { h.chunk(); h.status("COMPLETED"); h.end() },
			"Cut after 1 event. Resubscribing worked, continuing without a snapshot. Its task is now working.", a2a.StateCompleted},
		{"refused", &hub{second: "refuse"}, 3, FaultCut, func(h *hub) { h.status("COMPLETED") },
			"Cut after 1 event. The agent refused to resubscribe: UnsupportedOperation. Parley polled the task instead. Its task is now completed.", a2a.StateCompleted},
		{"given up", &hub{gives: true}, 0, FaultCut, func(*hub) {},
			"Cut after 1 event. Parley polled the task instead. The task is now canceled: the agent gives up when nobody listens.", a2a.StateCanceled},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := newHub(t, tt.hub)
			gate := make(chan time.Time)
			d := newHarness(t, func(o *options) {
				after := o.After
				o.Resubscribe = tt.attach
				o.After = func(wait time.Duration) <-chan time.Time {
					if wait == time.Second { // before the first attempt
						return gate
					}
					return after(wait)
				}
			})
			_, turn, x := d.startStream(h)
			await(t, h.joined, "a stream of the agent")
			d.mustInjectFault(x, Fault{Kind: tt.kind})
			await(t, h.left, "the end of a stream")
			switch {
			case tt.hub.second == "refuse" || tt.hub.gives:
				tt.after(h)
				close(gate)
			case tt.kind == FaultCut:
				close(gate)
				await(t, h.joined, "a stream of the agent")
				tt.after(h)
			default:
				await(t, h.joined, "a stream of the agent") // at once
				tt.after(h)
			}
			checkVerdict(t, d.waitForVerdictAndTurnEnd(turn), tt.want)
			if task := d.state.Turn(turn).Blocks[0].Task; task.State != tt.state {
				t.Errorf("got task %s, want %s", task.State, tt.state)
			}
			note := d.newestNote(log.NoteVerdict)
			if a, ok := d.state.Anchor(note.Record.ID); !ok || a.Turn != turn {
				t.Errorf("got anchor %+v for the verdict, want one in the turn", a)
			}
			if n := note.Record.Note; n.Attrs[log.AttrExchange] != strconv.Itoa(int(x)) || n.Attrs[log.AttrFault] != tt.kind.String() ||
				!strings.HasPrefix(log.Describe(note), "verdict · Cut after") {
				t.Errorf("got note %+v with row %q, want the exchange, the fault and the row of a cut", n, log.Describe(note))
			}
			d.checkOwnCut(turn)
			if why := d.InjectFault(x, Fault{}); !strings.Contains(why, "open") {
				t.Errorf("got refusal %q for a closed stream, want one about an open stream", why)
			}
			d.finish()
		})
	}
}

// checkOwnCut fails unless a turn shows its cut as the user's own, in short sentences.
func (d *harness) checkOwnCut(turn a2a.TurnID) {
	d.t.Helper()
	said := ""
	for _, e := range d.state.Turn(turn).Blocks[0].Entries {
		if e.Problem != nil {
			said = e.Problem.Sentence
			break
		}
	}
	if !strings.HasPrefix(said, "You cut this stream after ") || len(said) > 78 {
		d.t.Errorf("got problem %q, want at most 78 characters that begin with \"You cut this stream after \"", said)
	}
	if log := d.log(); !strings.Contains(log, "end · cut by you") || strings.Contains(log, "cut off") {
		d.t.Errorf("want \"cut by you\" alone in the rows, got\n%s", log)
	}
	if p := d.state.Turn(turn).Conversation.Agent.Pulse; p.Health != model.Healthy {
		d.t.Errorf("got pulse %+v after the user's own cut, want well", p)
	}
}

func TestACutComesAfterSoManyEventsMore(t *testing.T) {
	t.Parallel()
	h := newHub(t, &hub{snapshot: true})
	d := newHarness(t, func(o *options) { o.Resubscribe = 1 })
	_, turn, x := d.startStream(h)
	await(t, h.joined, "a stream of the agent")
	d.InjectFault(x, Fault{Kind: FaultCut, After: 2})
	h.chunk()
	h.chunk()
	await(t, h.joined, "a stream of the agent") // the second stream
	checkVerdict(t, d.waitForVerdict(), "Cut after 3 events. Resubscribing worked, beginning with the whole task. Its task is now working.")
	h.mu.Lock()
	h.state = "COMPLETED"
	h.mu.Unlock()
	d.mustInjectFault(d.newestRecord(a2a.KindEvent).Exchange, Fault{Kind: FaultCut})
	checkVerdict(t, d.waitForVerdictAndTurnEnd(turn), "Cut after 1 event. Parley polled the task instead. Its task is now completed.")
	d.finish()
}

func TestAStreamThatEndsBeforeItsCut(t *testing.T) {
	t.Parallel()
	h := newHub(t, &hub{})
	d := newHarness(t, nil)
	_, turn, x := d.startStream(h)
	await(t, h.joined, "a stream of the agent")
	d.InjectFault(x, Fault{Kind: FaultCut, After: 9})
	h.status("COMPLETED")
	h.end()
	checkVerdict(t, d.waitForVerdict(), "The stream ended by itself after 2 events, before it could be cut.")
	d.waitForTurnEnd(turn)
	d.finish()
}

func TestReadingIsStoppedAndTakenUpAgain(t *testing.T) {
	t.Parallel()
	h := newHub(t, &hub{})
	began := time.Now()
	var ahead atomic.Int64
	d := newHarness(t, func(o *options) {
		o.Now = func() time.Time { return began.Add(time.Duration(ahead.Load())) }
	})
	_, turn, x := d.startStream(h)
	await(t, h.joined, "a stream of the agent")
	if why := d.InjectFault(x, Fault{Kind: FaultResume}); why == "" {
		t.Error("got no refusal to resume a stream that is not paused, want one")
	}
	if why := d.InjectFault(x, Fault{Kind: FaultPause}); why != "" || !d.ReadingPaused(x) {
		t.Fatalf("got refusal %q, reading paused %v; want a pause", why, d.ReadingPaused(x))
	}
	if why := d.InjectFault(x, Fault{Kind: FaultPause}); why == "" {
		t.Error("got no refusal to pause a stream twice, want one")
	}
	h.chunk()
	h.status("COMPLETED")
	h.end()
	ahead.Store(int64(12 * time.Second))
	if why := d.InjectFault(x, Fault{Kind: FaultResume}); why != "" || d.ReadingPaused(x) {
		t.Fatalf("got refusal %q, reading paused %v; want reading resumed", why, d.ReadingPaused(x))
	}
	checkVerdict(t, d.waitForVerdictAndTurnEnd(turn), "Reading was paused for 12 s after 1 event. The agent waited: 2 events came afterwards, and the stream ended regularly.")
	d.finish()
}

func TestAStreamThatGoesOnIsJudgedAfterAWhile(t *testing.T) {
	t.Parallel()
	h := newHub(t, &hub{})
	while := make(chan time.Time)
	d := newHarness(t, func(o *options) {
		after := o.After
		now := time.Now()
		o.Now = func() time.Time { return now }
		o.Grace = 10 * time.Second
		o.After = func(wait time.Duration) <-chan time.Time {
			switch wait {
			case 10 * time.Second:
				return while
			case duplicateCheckGraces * 10 * time.Second:
				return while
			}
			return after(wait)
		}
	})
	_, turn, x := d.startStream(h)
	await(t, h.joined, "a stream of the agent")
	d.mustInjectFault(x, Fault{Kind: FaultPause})
	d.mustInjectFault(x, Fault{Kind: FaultResume})
	h.chunk()
	d.waitForEvent()
	while <- time.Time{}
	checkVerdict(t, d.waitForVerdict(), "Reading was paused for 0 ms after 1 event. The agent waited: 1 event came afterwards, and the stream continues.")
	d.mustInjectFault(x, Fault{Kind: FaultDuplicate})
	await(t, h.joined, "a stream of the agent")
	h.chunk()
	d.waitForEvents(x, 1, 1)
	while <- time.Time{}
	checkVerdict(t, d.waitForVerdict(), "Both streams got the same 1 event.")
	h.status("COMPLETED")
	h.end()
	d.waitForTurnEnd(turn)
	d.finish()
}

func TestAStreamThatIsBehindWhenTheComparisonEndsIsWaitedFor(t *testing.T) {
	t.Parallel()
	h := newHub(t, &hub{})
	while := make(chan time.Time)
	d := newHarness(t, func(o *options) {
		after := o.After
		o.Grace = 10 * time.Second
		o.After = func(wait time.Duration) <-chan time.Time {
			switch wait {
			case 10 * time.Second:
				return nil
			case duplicateCheckGraces * 10 * time.Second:
				return while
			}
			return after(wait)
		}
	})
	_, turn, x := d.startStream(h)
	await(t, h.joined, "a stream of the agent")
	d.mustInjectFault(x, Fault{Kind: FaultDuplicate})
	await(t, h.joined, "a stream of the agent")
	h.chunk()
	d.waitForEvents(x, 1, 1)
	d.mustInjectFault(x, Fault{Kind: FaultPause})
	h.chunk()
	h.chunk()
	d.waitForEvents(x, 0, 2)
	while <- time.Time{}
	for closing := false; !closing; runtime.Gosched() {
		tw := d.comparison(x)
		tw.mu.Lock()
		closing = tw.final != nil
		tw.mu.Unlock()
	}
	h.chunk() // after the comparison
	d.mustInjectFault(x, Fault{Kind: FaultResume})
	checkVerdict(t, d.waitForVerdict(), "Both streams got the same 3 events.")
	h.status("COMPLETED")
	h.end()
	d.waitForTurnEnd(turn)
	d.finish()
}

func TestASecondSubscriptionIsComparedAndChangesNothing(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		hub  *hub
		want string
	}{
		{"the same", &hub{}, "Both streams got the same 5 events."},
		{"with a snapshot", &hub{snapshot: true}, "Both streams got the same 5 events. The second stream began with 1 event of its own."},
		{"divided", &hub{second: "divide"}, "The agent divides its events: 3 events came on the first stream and 2 events on the second, none on both."},
		{"muted", &hub{second: "mute"}, "The agent accepted the second subscription but sent nothing on it; the first stream received 5 events."},
		{"replaced", &hub{second: "replace", snapshot: true}, "When the second stream began, the agent ended the first one: 6 events came only on the second."},
		{"refused", &hub{second: "refuse"}, "The agent refused a second subscription: UnsupportedOperation. The first stream continued."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := newHub(t, tt.hub)
			d := newHarness(t, func(o *options) {
				o.PollMin = never
				if tt.hub.second == "mute" {
					after := o.After
					o.Grace = time.Second
					o.After = func(wait time.Duration) <-chan time.Time {
						if wait == duplicateCheckGraces*time.Second {
							return nil
						}
						return after(wait)
					}
				}
			})
			_, turn, x := d.startStream(h)
			await(t, h.joined, "a stream of the agent")
			d.mustInjectFault(x, Fault{Kind: FaultDuplicate})
			if tt.hub.second != "refuse" {
				if why := d.InjectFault(x, Fault{Kind: FaultDuplicate}); why == "" {
					t.Error("got no refusal of a third stream, want one")
				}
				await(t, h.joined, "a stream of the agent")
				snapshot, ended := !tt.hub.snapshot, tt.hub.second != "replace"
				for !snapshot || !ended {
					d.until("the snapshot and the end", func(it log.Item) bool {
						snapshot = snapshot || it.Record.Kind == a2a.KindEvent && it.Record.Exchange != x
						ended = ended || it.Record.Kind == a2a.KindEnd && it.Record.Exchange == x
						return snapshot && ended
					})
				}
				for range 4 {
					h.chunk()
				}
				h.status("COMPLETED")
				h.end()
			}
			switch tt.hub.second {
			case "refuse":
				checkVerdict(t, d.waitForVerdict(), tt.want)
				h.status("COMPLETED")
				h.end()
				d.waitForTurnEnd(turn)
			case "replace":
				checkVerdict(t, d.waitForVerdict(), tt.want)
				d.Stop(turn)
				d.waitForTurnEnd(turn)
			default:
				checkVerdict(t, d.waitForVerdictAndTurnEnd(turn), tt.want)
			}
			task := d.state.Turn(turn).Blocks[0].Task
			for _, a := range task.Artifacts {
				if tt.name == "the same" && string(a.Text) != "chunk 0 chunk 1 chunk 2 chunk 3 " {
					t.Errorf("got artifact %q, want every chunk once", a.Text)
				}
			}
			d.finish()
		})
	}
}

func TestATaskIsCancelledUnderItsStream(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		hub  *hub
		want string
	}{
		{"taken", &hub{}, "Canceled after 1 event. The agent answered canceled. The stream reported canceled and closed, 1 event later."},
		{"refused", &hub{cancel: "refuse"}, "Canceled after 1 event. The agent refused to cancel: TaskNotCancelable."},
		{"not told", &hub{cancel: "quiet"}, "Canceled after 1 event. The agent answered canceled. The stream did not report it and is still open, 0 events later."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := newHub(t, tt.hub)
			d := newHarness(t, func(o *options) {
				if tt.hub.cancel == "quiet" {
					o.Grace = time.Second
				}
			})
			_, turn, x := d.startStream(h)
			await(t, h.joined, "a stream of the agent")
			d.mustInjectFault(x, Fault{Kind: FaultCancel})
			if tt.hub.cancel == "" {
				checkVerdict(t, d.waitForVerdictAndTurnEnd(turn), tt.want)
			} else {
				checkVerdict(t, d.waitForVerdict(), tt.want)
				h.status("COMPLETED")
				h.end()
				d.waitForTurnEnd(turn)
			}
			d.finish()
		})
	}
}

func TestFaultsThatCannotBeMadeSayWhy(t *testing.T) {
	t.Parallel()
	a := agent(t, `
-- scene quiet --
is quiet
head 200 text/event-stream
send nothing
hang gate
-- scene done --
is done
goto over
send etask state=TASK_STATE_COMPLETED
hang gate
-- nothing --
: still here

`)
	d := newHarness(t, nil)
	id := d.openAgent(a.URL)
	for text, want := range map[string]string{"quiet": "has not named a task yet", "done": "already completed"} {
		turn := d.Send(model.Target{Agent: id}, &a2a.Message{Parts: []a2a.Part{a2a.TextPart(text)}}, model.SendOptions{})
		it := d.until("the head", func(it log.Item) bool { return it.Record.Kind == a2a.KindHead && it.Record.Call.Turn == turn })
		if text == "done" {
			d.waitForEvent()
		}
		for _, kind := range []FaultKind{FaultResubscribe, FaultDuplicate, FaultCancel} {
			if why := d.InjectFault(it.Record.Exchange, Fault{Kind: kind}); !strings.Contains(why, want) {
				t.Errorf("%s of %s: got refusal %q, want one with %q", kind, text, why, want)
			}
		}
		if text == "quiet" {
			d.InjectFault(it.Record.Exchange, Fault{})
			checkVerdict(t, d.waitForVerdict(), "Cut after 0 events. The agent had not named a task yet, so there is none to ask for.")
		} else {
			d.InjectFault(it.Record.Exchange, Fault{})
			checkVerdict(t, d.waitForVerdict(), "Cut after 1 event. Its task was already completed, so nothing was lost.")
		}
		d.waitForTurnEnd(turn)
	}
	if why := d.InjectFault(99, Fault{Kind: FaultPause}); why == "" || d.ReadingPaused(99) {
		t.Error("got no refusal for a stream that does not exist, want one")
	}
	d.finish()
}

func TestACutThatCameTooLateIsNone(t *testing.T) {
	t.Parallel()
	c := &cut{kind: FaultCut}
	if got := c.verdict(a2a.StateWorking, false); got != "The stream ended by itself before it could be cut." {
		t.Errorf("got verdict %q, want that the stream ended before the cut", got)
	}
}
