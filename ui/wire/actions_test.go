package wire

import (
	"slices"
	"strings"
	"testing"

	"charm.land/bubbles/v2/key"

	"parley/a2a"
	"parley/internal/tape"
	"parley/themes"
	"parley/ui/keys"
)

// remap gives the pane keys that a user chose.
func remap(t *testing.T, p *Pane, choices ...keys.Choice) {
	t.Helper()
	if _, problems := keys.Remap([]keys.Section{{Name: "wire", Scope: keys.InPane, Map: p.KeyMap()}}, choices); problems != nil {
		t.Fatal(problems)
	}
}

// The longest gap of an exchange has a key, wherever the focus is in the pane.
func TestAKeyGoesToTheLongestGap(t *testing.T) {
	t.Parallel()
	for _, state := range [][]string{{}, {"d"}, {"s"}, {"ctrl+f", "m", "enter"}} {
		p := openPane(booking(), themes.Mono(), 62, 40)
		p.Select(3)
		press(p, state...)
		if got := press(p, "M"); got != (Say{"The longest gap of the stream is 2.1 s, before record 7."}) || p.Selected() != 7 {
			t.Errorf("after %v: got %#v and record %d, want record 7", state, got, p.Selected())
		}
	}
	p := openPane(booking(), themes.Mono(), 62, 40)
	p.Select(7)
	if got := press(p, "M"); got != (Say{"The longest gap of the session is 2.1 s, before record 7."}) || p.Selected() != 7 {
		t.Errorf("on the longest gap: got %#v and record %d, want it of the session", got, p.Selected())
	}
	empty := openPane(tape.New(), themes.Mono(), 62, 40)
	if got := press(empty, "M"); got != (Say{"Not available now: there are no records yet."}) {
		t.Errorf("got %#v without records, want the reason", got)
	}
}

// The same key leads on: from the longest gap of the stream to that of its conversation, then to that of the
// session, in whatever rows are listed. What Parley requests on its own is no gap of an agent.
func TestTheKeyLeadsOnToTheLongestGapOfTheSession(t *testing.T) {
	t.Parallel()
	f := tape.New()
	turn := func(conversation a2a.ConversationID, call a2a.Call, gap int) (after a2a.RecordID) {
		call.Agent, call.Conversation = 1, conversation
		f.Call = &call
		f.Put(0, a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out})
		f.Event(5, result(`{"statusUpdate":{`+ids+`,"status":{"state":"TASK_STATE_WORKING"}}}`))
		after = f.Event(gap, result(`{"statusUpdate":{`+ids+`,"status":{"state":"TASK_STATE_WORKING"}}}`))
		f.End(1, a2a.Ended)
		return after
	}
	first := turn(1, a2a.Call{Op: a2a.OpStream}, 300)
	second := turn(1, a2a.Call{Op: a2a.OpStream}, 2000)
	other := turn(2, a2a.Call{Op: a2a.OpStream}, 9000)
	turn(1, a2a.Call{Op: a2a.OpGet, Check: true}, 20_000)
	p := openPane(f, themes.Mono(), 62, 40)
	p.Select(1)
	for i, want := range []struct {
		id  a2a.RecordID
		say string
	}{{first, "stream is 300 ms"}, {second, "conversation is 2 s"}, {other, "session is 9 s"}, {other, "session is 9 s"}} {
		got := press(p, "M")
		if say, ok := got.(Say); !ok || p.Selected() != want.id || !strings.Contains(say.Text, "The longest gap of the "+want.say) {
			t.Errorf("key %d: got %#v and record %d, want record %d: %s", i+1, got, p.Selected(), want.id, want.say)
		}
	}
}

// The pause of a cut ends with the first event of the stream that goes on: there the key leads, and there the filter
// finds it.
func TestThePauseOfACutIsTheLongestGap(t *testing.T) {
	t.Parallel()
	f := tape.New()
	f.Call = &a2a.Call{Op: a2a.OpStream, Agent: 1, Conversation: 1}
	f.Put(0, a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out})
	f.Event(5, result(`{"statusUpdate":{`+ids+`,"status":{"state":"TASK_STATE_WORKING"}}}`))
	f.Event(700, chunk("a", "a.md", `{"text":"one"}`))
	f.End(10, a2a.Cut)
	f.Call = &a2a.Call{Op: a2a.OpSubscribe, Agent: 1, Conversation: 1, TaskID: "91c2e0d4-77f1-4b12-9c3a-0a1b2c3d4e5f"}
	f.Put(800, a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out})
	again := f.Event(200, chunk("a", "a.md", `{"text":"two"}`))
	f.Event(300, chunk("a", "a.md", `{"text":"three"}`))
	p := openPane(f, themes.Mono(), 62, 40)
	p.Select(1)
	if got := press(p, "M"); got != (Say{"The longest gap of the stream is 1 s, before record 6."}) || p.Selected() != again {
		t.Errorf("got %#v and record %d, want record %d", got, p.Selected(), again)
	}
	p.setFilter("gap>900ms")
	if settle(p); p.rows.Len() != 1 || p.rows.at(0) != again {
		t.Errorf("got %d rows and record %d with the filter, want record %d", p.rows.Len(), p.rows.at(0), again)
	}
}

// A filter lists the event after the longest gap of each stream, and no other once a longer gap came.
func TestTheFilterListsTheLongestGapOfEachStream(t *testing.T) {
	t.Parallel()
	f := tape.New()
	f.Call = &a2a.Call{Op: a2a.OpStream, Agent: 1, Conversation: 1}
	stream := func(gaps ...int) (last a2a.RecordID) {
		f.Put(0, a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out})
		f.Put(9000, a2a.Record{Kind: a2a.KindHead, Dir: a2a.In})
		for _, gap := range append([]int{5}, gaps...) {
			last = f.Event(gap, chunk("a", "a.md", `{"text":"one"}`))
		}
		return last
	}
	first, other := stream(100, 700), stream(50, 60)
	p := openPane(f, themes.Mono(), 62, 40)
	lists := func(want ...a2a.RecordID) {
		t.Helper()
		settle(p)
		var got []a2a.RecordID
		for i := range p.rows.Len() {
			got = append(got, p.rows.at(i))
		}
		if !slices.Equal(got, want) {
			t.Errorf("got records %v, want %v", got, want)
		}
	}
	p.setFilter("gap:max")
	lists(first, other)
	p.AddRecords(f.Event(40, chunk("a", "a.md", `{"text":"two"}`)))
	lists(first, other)
	longer := f.Event(900, chunk("a", "a.md", `{"text":"three"}`))
	p.AddRecords(longer)
	lists(first, longer)
	third := stream()
	p.AddRecords(third)
	lists(first, longer)
}

// The key of the filter searches while a record is read, also one that the user chose.
func TestTheKeyOfTheFilterSearchesInARecord(t *testing.T) {
	t.Parallel()
	for _, state := range [][]string{{"d"}, {"s"}} {
		p := openPane(booking(), themes.Mono(), 62, 40)
		remap(t, p, keys.Choice{Action: "wire.filter-records", Press: []string{"f12"}}, keys.Choice{Action: "wire.search-records", Press: []string{"f9"}})
		press(p, state...)
		for name, want := range map[string]bool{"/": false, "ctrl+f": false, "f12": true, "f9": true} {
			if press(p, name); p.search.typing != want || p.filter.open {
				t.Errorf("after %v: %s opens the search: %v, the filter: %v, want the search: %v", state, name, p.search.typing, p.filter.open, want)
			}
			if p.search.typing {
				press(p, "esc")
			}
		}
	}
}

// What settings change follows in all tables of the pane.
func TestTheKeysOfSettingsWorkInEveryModeOfTheWire(t *testing.T) {
	t.Parallel()
	for _, state := range [][]string{{}, {"d"}, {"s"}, {"ctrl+f", "m", "enter"}} {
		p := openPane(booking(), themes.Mono(), 62, 40)
		remap(t, p, keys.Choice{Action: "wire.mark-record", Press: []string{"f12"}}, keys.Choice{Action: "wire.down", Press: []string{"f9"}})
		p.Select(3)
		press(p, state...)
		if press(p, "f12"); !p.Marked(p.Selected()) {
			t.Errorf("after %v: the chosen key does not mark record %d", state, p.Selected())
		}
		before := strings.Join(p.Lines(), "\n")
		if press(p, "f9"); strings.Join(p.Lines(), "\n") == before {
			t.Errorf("after %v: the chosen key does not move down", state)
		}
		if !slices.ContainsFunc(slices.Concat(p.FullHelp()...), func(b key.Binding) bool { return keys.Name(b) == "f12" }) {
			t.Errorf("after %v: the help lacks the chosen key", state)
		}
	}
}

// The cursor of a record that the timeline hides has no say.
func TestTheTimelineMarksWhateverTheHiddenRecordShows(t *testing.T) {
	t.Parallel()
	p := openPane(booking(), themes.Mono(), 62, 40)
	p.Select(7)
	press(p, "d", "5", "s", "m")
	if !p.Marked(7) || p.rows.log.Findings().Muted("GAP-001") {
		t.Error("m in the timeline did not mark the record")
	}
	press(p, "m", "d")
	if got, _ := press(p, "m").(Say); p.Marked(7) || !strings.Contains(got.Text, "GAP-001 is muted") {
		t.Errorf("got %q in the record, want the rule muted", got.Text)
	}
}

// A key that is not possible says why; one that another half of the pane has does not.
func TestAKeyOfTheWireSaysWhyItIsNotPossible(t *testing.T) {
	t.Parallel()
	f := tape.New()
	f.Put(0, a2a.Record{Kind: a2a.KindNote, Dir: a2a.In}) // before any exchange
	p := openPane(f, themes.Mono(), 62, 40)
	for name, want := range map[string]Intent{
		"space": Say{"Not available now: the selected record belongs to no exchange."}, "a": Say{"Not available now: no agent is open."}, "u": nil, "v": nil,
	} {
		if got := press(p, name); got != want {
			t.Errorf("%s: got %#v, want %#v", name, got, want)
		}
	}
}
