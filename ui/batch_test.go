package ui

import (
	"reflect"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/session/log"
)

// rest runs what Update returned and finds the rest of a batch in it.
func rest(cmd tea.Cmd) (msg batchMsg, ok bool) {
	if cmd == nil {
		return msg, false
	}
	switch out := cmd().(type) {
	case tea.BatchMsg:
		for _, cmd := range out {
			if msg, ok = rest(cmd); ok {
				return msg, ok
			}
		}
	case batchMsg:
		return out, true
	}
	return msg, false
}

func TestALongBatchLeavesRoomForKeys(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(midStream)
		d.model.View()
		m, chunks := d.model, d.items[firstChunk:midStream]
		const all = 3*maxSlice + 7
		msg := batchMsg{Items: make([]log.Item, all)}
		for i := range msg.Items {
			msg.Items[i] = chunks[i%len(chunks)]
		}
		before, keys := m.state.Log.Len(), 0
		for left, ok := msg, true; ok; {
			had := m.state.Log.Len()
			_, cmd := m.Update(left)
			if n := m.state.Log.Len() - had; n > maxSlice {
				t.Fatalf("Update applied %d items at a time, want at most the slice", n)
			}
			if m.state.Log.Len()-before == all {
				break // the rest waits for the next batch
			}
			if m.screen.dirty {
				t.Fatal("part of a batch asks for a frame")
			}
			if left, ok = rest(cmd); !ok || left.began.IsZero() {
				t.Fatalf("got no rest of the batch after %d items, want one", m.state.Log.Len()-before)
			}
			m.Update(tea.KeyPressMsg{Code: 'x', Text: "x"})
			m.View()
			keys++
		}
		if got := m.panes.composer.Value(); m.state.Log.Len()-before != all || keys != 3 || got != "xxx" {
			t.Errorf("got %d items and text %q after %d keys, want all items, \"xxx\" and 3 keys", m.state.Log.Len()-before, got, keys)
		}
	})
}

func TestMostItemsLeadToNothingElse(t *testing.T) { // not parallel: it counts allocations of the process
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(midStream)
		it := d.items[midStream]
		ch := d.model.state.Apply(it)
		if reflect.ValueOf(ch).IsZero() {
			t.Fatal("the chunk changed nothing")
		}
		d.model.onChange(ch, &it)
		if n := testing.AllocsPerRun(100, func() { d.model.onChange(ch, &it) }); n > 0 {
			t.Errorf("changed allocates %v times for a chunk, want 0", n)
		}
	})
}

// TestARecordingIsPaintedNowAndThen counts the frames that batches of a recording ask for.
func TestARecordingIsPaintedNowAndThen(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{Name: "some.jsonl"}, func(d *desk) {
		m := d.model
		asks := func(msg tea.Msg) bool {
			m.View()
			m.screen.dirty = false
			m.Update(msg)
			return m.screen.dirty
		}
		note := batchMsg{Items: []log.Item{{Signal: &log.Signal{Kind: log.SignalPollEnded}}}}
		for i, step := range []struct {
			msg  tea.Msg
			want bool
		}{
			{note, true}, {note, false}, {note, false}, // the first is shown at once
			{skimmedMsg{}, true}, {note, false}, {skimmedMsg{}, true}, // then what came meanwhile
			{skimmedMsg{}, false}, {note, true}, // after a pause at once again
			{tea.KeyPressMsg{Code: 'x', Text: "x"}, true}, // keys always at once
			{note, false}, {feedClosedMsg{}, true}, {feedClosedMsg{}, false}, // and the end
		} {
			if got := asks(step.msg); got != step.want {
				t.Errorf("step %d, %T: asks for a frame: got %v, want %v", i, step.msg, got, step.want)
			}
		}
	})
}
