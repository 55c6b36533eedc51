package ui

import (
	"fmt"
	"strings"
	"testing"

	"parley/a2a"
	"parley/session/log"
	"parley/ui/control"
)

// The footer names the cancel key as long as something is pending.
func TestTheFooterNamesTheWayOut(t *testing.T) {
	t.Parallel()
	footer := func(d *desk) string {
		rows := strings.Split(strings.TrimRight(d.text(), "\n"), "\n")
		return rows[len(rows)-1]
	}
	is := func(d *desk, when, want string) {
		t.Helper()
		got := footer(d)
		if want == "" && strings.Contains(got, "ctrl+x") || !strings.Contains(got, want) {
			t.Errorf("%s the footer is %q, want %q", when, got, want)
		}
	}
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.replay("booking.jsonl")
		d.upTo(allFound)
		is(d, "before anything was sent", "")
		d.press("enter")
		d.upTo(allFound + 1)
		is(d, "while the agent has named no task", "ctrl+x stop waiting")
		d.upTo(asksWhere)
		is(d, "while the task asks", "ctrl+x cancel")
		d.press("tab")
		is(d, "in the conversation", "ctrl+x cancel")
		d.press("tab", "tab")
		is(d, "in the list of all conversations", "")
		d.press("tab")
		d.upTo(allBooked)
		is(d, "when the task has ended", "")
	})
	bubble(t, 120, 40, Options{Name: "booking.jsonl"}, func(d *desk) {
		d.book(midStream)
		is(d, "in a recording", "")
	})
}

// The footers are those of the design: what is most useful now, then what leads to all others.
func TestTheFooterSaysWhatIsMostUsefulNow(t *testing.T) {
	t.Parallel()
	places := map[string]func(d *desk){
		"first screen":  func(d *desk) { d.book(allFound) },
		"wire":          func(d *desk) { d.book(allBooked); d.press("tab", "tab") },
		"open stream":   func(d *desk) { d.book(midStream); d.press("tab", "tab") },
		"waiting task":  func(d *desk) { d.book(asksWhere); d.press("tab", "tab") },
		"conversation":  func(d *desk) { d.book(allBooked); d.press("tab") },
		"two at a time": func(d *desk) { d.pairs(midStream); d.press("tab", "tab") },
	}
	for _, c := range []struct {
		place string
		w     int
		want  string
	}{
		{"first screen", 40, " enter send  ctrl+p find  f1 help"},
		{"first screen", 60, " enter send  tab next pane  ctrl+p find  f1 help"},
		{"first screen", 80, " enter send  alt+1-9 examples  / commands  tab next pane  ctrl+p find  f1 help"},
		{"first screen", 120, " enter send  right accept  alt+1-9 examples  / commands  alt+a attach  f2 card  tab next pane  ctrl+p find  f1 help"},
		{"first screen", 200, " enter send  right accept suggestion  alt+enter new line  alt+1-9 examples  / commands  alt+a attach  alt+e editor  ctrl+n new conversation  f2 card  f6 lanes  tab next pane  ctrl+p find  f1 help"},
		{"wire", 80, " enter chat  s stream  / filter  a more  c copy  tab pane  ctrl+p find  f1 help"},
		{"wire", 120, " enter chat  s stream  M longest gap  / filter  a agent  c copy  e resend  tab pane  ctrl+p find  f1 help"},
		{"wire", 200, " enter show in chat  d read record  s stream  M longest gap  / filter  a whole agent  c copy as  e edit, resend  F findings  space fold exchange  m mark  tab next pane  ctrl+p find  f1 help"},
		{"open stream", 80, " ! faults  ctrl+x cancel  f hold rows  / filter  tab pane  ctrl+p find  f1 help"},
		{"waiting task", 80, " ctrl+g answer  enter chat  s stream  / filter  tab pane  ctrl+p find  f1 help"},
		{"conversation", 80, " enter record  y copy  / search  E resend  tab pane  ctrl+p find  f1 help"},
		{"two at a time", 80, " ! faults  ctrl+x cancel  f hold rows  / filter  tab pane  ctrl+p find  f1 help"},
	} {
		bubble(t, c.w, 30, Options{}, func(d *desk) {
			places[c.place](d)
			rows := strings.Split(strings.TrimRight(d.text(), "\n"), "\n")
			if got := strings.TrimRight(rows[len(rows)-1], " "); got != c.want {
				t.Errorf("%s at %d columns: got\n%s\nwant\n%s", c.place, c.w, got, c.want)
			}
		})
	}
}

// The footer of a sheet has the short words too, in the places that the sheet gives its keys.
func TestTheFooterOfASheetHasTheShortWords(t *testing.T) {
	t.Parallel()
	for _, w := range []int{80, 120, 200} {
		bubble(t, w, 30, Options{}, func(d *desk) {
			d.book(allBooked)
			d.press("f6")
			rows := strings.Split(strings.TrimRight(d.text(), "\n"), "\n")
			footer := rows[len(rows)-1]
			if !strings.HasPrefix(footer, " enter show record  M longest gap  v begin span") || !strings.HasSuffix(footer, "esc close  f1 help") {
				t.Errorf("%d columns: got footer %q, want its keys in short words", w, footer)
			}
		})
	}
}

// unanswered plays a request without an answer.
func (d *desk) unanswered(at control.Place, op a2a.Op, turn a2a.TurnID, task string) {
	d.t.Helper()
	id := a2a.RecordID(d.model.state.Log.Len() + 1)
	call := &a2a.Call{Agent: at.Agent, Conversation: at.Conversation, Turn: turn, Op: op, TaskID: task, Dialect: a2a.V10}
	body := `{"jsonrpc":"2.0","id":"1","method":"SendMessage","params":{"message":{"messageId":"mine","role":"ROLE_USER","parts":[{"text":"anybody there?"}]}}}`
	r := a2a.Record{ID: id, Exchange: id, Time: d.model.opts.Now(), Call: call, Kind: a2a.KindRequest, Dir: a2a.Out, Raw: []byte(body)}
	d.send(batchMsg{Items: []log.Item{{Record: r}}})
}

// A key stops waiting for an agent that does not answer, whatever else is pending. It affects
// only what is on the screen.
func TestWhoNeverAnswersIsLeftByAKey(t *testing.T) {
	t.Parallel()
	last := func(d *desk) string { return d.engine.Calls[len(d.engine.Calls)-1] }
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(allFound)
		at := control.Place{Agent: 1, Conversation: 50}
		d.tells(at, "older", "INPUT_REQUIRED", "?")
		d.model.goTo(at)
		d.unanswered(at, a2a.OpSend, 900, "")
		d.press("ctrl+x")
		if last(d) != "stop 900" {
			t.Errorf("got last engine call %q, want stop 900, because the older task is another one", last(d))
		}
		d.says("stopped waiting; the agent does not know")
	})
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(allFound)
		at := control.Place{Agent: 1, Conversation: 50}
		d.tells(at, "older", "WORKING", "")
		d.model.goTo(at)
		d.press("ctrl+x")
		d.sees("ctrl+x again stops waiting")
		if last(d) != "cancel older" {
			t.Errorf("got last engine call %q, want cancel older", last(d))
		}
		turn := d.model.conversation().Turns[0].ID
		d.unanswered(at, a2a.OpCancel, turn, "older")
		d.press("ctrl+x")
		if want := fmt.Sprintf("stop %d", turn); last(d) != want {
			t.Errorf("got last engine call %q, want %q", last(d), want)
		}
		d.sees("the agent may continue it")
	})
}
