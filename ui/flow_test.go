package ui

import (
	"strconv"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/journal"
	"parley/session/log"
	"parley/ui/control"
)

// chunks passes n more chunks of the recorded itinerary to put.
func (d *desk) chunks(n int, put func(log.Item)) {
	sample := d.items[midStream-1]
	for range n {
		it := sample
		it.Record.Time = d.model.opts.Now()
		put(it)
	}
}

// live plays the recording up to a record through a recorder, and returns it for
// more.
func (d *desk) live(upTo a2a.RecordID) *journal.Recorder {
	d.t.Helper()
	rec := journal.NewRecorder(d.feed, nil)
	d.replay("booking.jsonl")
	d.clock = d.items[upTo-1].Record.Time
	for _, it := range d.items[:upTo] {
		rec.Put(it.Record, it.Update)
	}
	d.wait(100 * time.Millisecond)
	d.model.goTo(control.Place{Agent: 1, Conversation: 1})
	d.send(nil)
	return rec
}

func TestAFloodCostsNoMoreFramesThanTheScreenShows(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		rec := d.live(midStream)
		d.batches, d.frames = 0, 0
		go func() {
			for range 1000 {
				d.chunks(10, func(it log.Item) { rec.Put(it.Record, it.Update) })
				time.Sleep(time.Millisecond)
			}
		}()
		d.wait(1100 * time.Millisecond)
		if got := d.model.state.Log.Len(); got != midStream+10_000 {
			t.Fatalf("%d records, want %d", got, midStream+10_000)
		}
		if d.batches > 62 {
			t.Errorf("got %d batches in a second, want at most 62", d.batches)
		}
		// One for the items, one for the text rendered of them; clock and spinner.
		if most := 2*d.batches + 15; d.frames > most {
			t.Errorf("got %d frames for %d batches, want about two each", d.frames, d.batches)
		}
		d.press("tab", "tab", "a", "a")
		d.sees("wire · all", "10,100 records")
	})
}

// While the user types, the same flood leads to a third of the frames, plus one for each key,
// so that a key finds the processor free.
func TestAFloodCostsFewFramesWhileSomebodyTypes(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		rec := d.live(midStream)
		d.model.pace.out = &fakeDisplay{}
		go func() {
			for range 1000 {
				d.chunks(10, func(it log.Item) { rec.Put(it.Record, it.Update) })
				time.Sleep(time.Millisecond)
			}
		}()
		const keys = 10
		d.batches, d.frames = 0, 0
		for range keys {
			d.send(tea.KeyPressMsg{Code: 'x', Text: "x"})
			d.wait(100 * time.Millisecond)
		}
		if d.batches > 20+2*keys { // a batch that waits for the answer comes again
			t.Errorf("got %d batches in a second while somebody types, want at most 20 and two for each key", d.batches)
		}
		if most := 2*d.batches + keys + 15; d.frames > most {
			t.Errorf("got %d frames for %d batches and %d keys, want about two for each batch and one for each key", d.frames, d.batches, keys)
		}
		d.wait(time.Second)
		if got := d.model.state.Log.Len(); got != midStream+10_000 {
			t.Errorf("%d records, want %d", got, midStream+10_000)
		}
		d.model.pace.out = nil // it never catches up
	})
}

func TestAQueueIsTakenInFewBatches(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		rec := d.live(midStream)
		d.batches = 0
		d.chunks(10_000, func(it log.Item) { rec.Put(it.Record, it.Update) })
		d.wait(time.Second)
		if d.batches > 6 || d.model.state.Log.Len() != midStream+10_000 {
			t.Errorf("got %d batches for %d records, want at most 6 and every record", d.batches, d.model.state.Log.Len()-midStream)
		}
	})
}

func TestOverSSHFramesAreFewer(t *testing.T) {
	t.Parallel()
	env := func(name string) string { return map[string]string{"SSH_CONNECTION": "1"}[name] }
	bubble(t, 120, 40, Options{Getenv: env}, func(d *desk) {
		rec := d.live(midStream)
		d.batches = 0
		go func() {
			for range 1000 {
				d.chunks(1, func(it log.Item) { rec.Put(it.Record, it.Update) })
				time.Sleep(time.Millisecond)
			}
		}()
		d.wait(1100 * time.Millisecond)
		if d.batches < 25 || d.batches > 32 {
			t.Errorf("got %d batches in a second over ssh, want 25 to 32", d.batches)
		}
	})
}

func TestNothingIsDrawnWhenNothingChanged(t *testing.T) { // not parallel: it counts allocations of the process
	bubble(t, 200, 60, Options{}, func(d *desk) {
		d.book(allBooked)
		d.wait(time.Minute) // the notices are gone, nothing is pending
		frames := d.frames
		for range 10 {
			d.send(tea.MouseMotionMsg{X: 40, Y: 10})
			d.send(tea.KeyReleaseMsg{Code: 'a'})
			d.send(tea.BlurMsg{})
			d.wait(10 * time.Second)
		}
		if d.frames != frames {
			t.Errorf("got %d frames although nothing changed, want 0", d.frames-frames)
		}
		if n := testing.AllocsPerRun(100, func() { d.model.View() }); n != 0 {
			t.Errorf("View allocates %v times for an unchanged frame, want 0", n)
		}
	})
}

func TestEveryKeystrokeIsKeptWhileItemsArrive(t *testing.T) {
	t.Parallel()
	const text = "Every word, 한국어 too, and never a letter lost while the agent talks. "
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.replay("booking.jsonl")
		d.upTo(asksDates + 1)
		for i, r := range strings.Repeat(text, 3) {
			d.send(tea.KeyPressMsg{Code: r, Text: string(r)})
			if d.fed < len(d.items) && i%2 == 0 {
				d.send(batchMsg{Items: d.items[d.fed : d.fed+1]})
				d.fed++
			}
		}
		if got := d.model.panes.composer.Value(); got != strings.Repeat(text, 3) {
			t.Errorf("composer holds %q, want the text pasted three times", got)
		}
		if d.fed < len(d.items) {
			t.Errorf("only %d items were applied, want all", d.fed)
		}
	})
}

// A question that arrives while the user writes something else must not get that text as its
// answer.
func TestAPromptDoesNotTakeWhatIsBeingWritten(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.replay("booking.jsonl")
		d.upTo(allFound)
		d.press("enter")
		d.upTo(30) // the stream is open, the conversation has no context yet
		d.write("and a window sea")
		d.upTo(asksWhere)
		d.sees("1 waiting", "waits for you", "→ new task in ctx")
		d.write("t")
		d.press("enter")
		want := `send "and a window seat" to agent 1 conversation 1 task "" context "`
		if got := d.engine.Calls[len(d.engine.Calls)-1]; !strings.HasPrefix(got, want) {
			t.Errorf("the engine was told %s, want %s…", got, want)
		}
		d.sees("↩ reply to task") // with an empty composer the question is the target
	})
}

func TestATargetThatIsOverIsSaidToBe(t *testing.T) {
	t.Parallel()
	bubble(t, 160, 40, Options{}, func(d *desk) {
		d.book(midStream)
		d.press("ctrl+t", "ctrl+t")
		d.sees("add to task")
		d.write("with a view")
		d.upTo(allBooked)
		d.sees("has ended: enter now means", "→ new task in ctx", "with a view")
	})
}

func TestARefusedMessageComesBackUnlessSomethingElseIsWritten(t *testing.T) {
	t.Parallel()
	for _, meanwhile := range []string{"", "other words"} {
		bubble(t, 120, 40, Options{}, func(d *desk) {
			d.book(allFound)
			d.write("to nobody")
			d.press("enter")
			call := &a2a.Call{Agent: 1, Conversation: 1, Turn: 1, Op: a2a.OpStream, Dialect: a2a.V10}
			body := `{"jsonrpc":"2.0","id":"1","method":"SendStreamingMessage","params":{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"to nobody"}]}}}`
			d.write(meanwhile)
			now := d.model.opts.Now()
			d.send(batchMsg{Items: []log.Item{
				{Record: a2a.Record{ID: 29, Exchange: 29, Kind: a2a.KindRequest, Dir: a2a.Out, Call: call, Raw: []byte(body), Time: now}},
				{Record: a2a.Record{ID: 30, Exchange: 29, Kind: a2a.KindEnd, Time: now, End: &a2a.End{Reason: a2a.Refused, Class: a2a.ClassRefused, Sentence: "Nobody listens."}}},
				{Signal: &log.Signal{Kind: log.SignalTurnOver, Agent: 1, Conversation: 1, Turn: 1}},
			}})
			want := meanwhile
			if want == "" {
				want = "to nobody"
			}
			if got := d.model.panes.composer.Value(); got != want {
				t.Errorf("the composer holds %q, want %q", got, want)
			}
			d.sees("Nobody listens.")
			if offered := strings.Contains(d.model.notices.shown.text, "enter sends it again"); offered != (meanwhile == "") {
				t.Errorf("got %v for the offer to send again, want %v:\n%s", offered, meanwhile == "", d.text())
			}
		})
	}
}

// Each conversation has its own draft.
func TestADraftWaitsWhereItWasWritten(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(asksWhere)
		d.write("half a thou")
		d.press("ctrl+n")
		if got := d.model.panes.composer.Value(); got != "" {
			t.Errorf("composer of the new conversation holds %q, want nothing", got)
		}
		d.write("something else")
		d.press("ctrl+g")
		if got := d.model.panes.composer.Value(); got != "half a thou" {
			t.Errorf("composer of the first conversation holds %q, want the text written there", got)
		}
		d.send(tea.PasteMsg{Content: "ght"})
		d.press("f2") // the card
		d.send(tea.PasteMsg{Content: ", pasted over the card"})
		if got := d.model.panes.composer.Value(); got != "half a thought, pasted over the card" {
			t.Errorf("composer holds %q, want the pasted text added", got)
		}
	})
}

func TestSuggestionsBookTheFlightInThreeKeys(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(allBooked)
		var sent []string
		for _, call := range d.engine.Calls {
			text, _, _ := strings.Cut(strings.TrimPrefix(call, "send "), " to agent")
			sent = append(sent, text)
		}
		if got := strings.Join(sent, " "); got != `"Book me a flight" "London" "10 to 17 October, one bag"` {
			t.Errorf("sent %s, want the three suggestions", got)
		}
		if last := d.engine.Calls[2]; strings.Contains(last, `task ""`) {
			t.Errorf("got call %s, want the answer sent to its task", last)
		}
	})
}

// Enter leads from the wire to the conversation and back, and the focus goes along; a number that is searched for in the
// conversation leads to the place that its record built, or to the record where it built none.
func TestTheFocusGoesAlongBetweenConversationAndWire(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(allBooked)
		d.press("tab", "tab", "k", "k", "k")
		from := d.model.panes.wire.Selected()
		if d.press("enter"); d.model.screen.at != control.OnChat {
			t.Fatalf("got focus %d after enter in the wire, want the conversation", d.model.screen.at)
		}
		if d.press("enter"); d.model.screen.at != control.OnWire || d.model.panes.wire.Selected() != from {
			t.Errorf("got focus %d at record %d after enter in the conversation, want record %d in the wire", d.model.screen.at, d.model.panes.wire.Selected(), from)
		}
		d.press("shift+tab", "/")
		d.write("#" + strconv.FormatUint(uint64(from), 10))
		if d.press("enter"); d.model.screen.at != control.OnChat || d.model.panes.chat.Selected() != from {
			t.Errorf("got focus %d at record %d of the conversation, want %d", d.model.screen.at, d.model.panes.chat.Selected(), from)
		}
		d.press("/")
		d.write("#9999")
		d.press("enter")
		d.says("there is no record #9999: the newest is #")
		d.press("/")
		d.write("#1")
		if d.press("enter"); d.model.screen.at != control.OnWire || d.model.panes.wire.Selected() != 1 {
			t.Errorf("got focus %d at record %d, want record 1 in the wire, because no conversation shows it", d.model.screen.at, d.model.panes.wire.Selected())
		}
	})
}
