package agents

import (
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/internal/panetest"
	"parley/internal/tape"
	"parley/session/model"
	"parley/ui/styles"
)

// ended returns a conversation whose task came to a state after some time.
func ended(title string, s a2a.State, after time.Duration) *model.Agent {
	a := many(1, "Agent")[0]
	c, began := a.Conversations[0], time.Date(2026, 11, 20, 14, 0, 0, 0, time.UTC)
	c.Title, c.Turns = title, []*model.Turn{{Time: began}}
	task := &model.Task{Conversation: c, Transitions: []model.Transition{{State: s, Time: began.Add(after)}}}
	task.State = s
	c.Tasks = []*model.Task{task}
	return a
}

// The title is shortened between words, the state never; how long it took is left out before the title is.
func TestTitleAndStateShareARow(t *testing.T) {
	for _, c := range []struct {
		title string
		state a2a.State
		took  time.Duration
		w     int
		want  string
	}{
		{"Essay on tides", a2a.StateCompleted, 16200 * time.Millisecond, 26, "▌Essay on tides     ✓ 16 s"},
		{"Essay on tides", a2a.StateCompleted, 16200 * time.Millisecond, 20, "▌Essay on …   ✓ 16 s"},
		{"Essay on tides", a2a.StateCompleted, 800 * time.Millisecond, 20, "▌Essay on … ✓ 800 ms"},
		{"Essay on tides", a2a.StateFailed, 75 * time.Second, 14, "▌Essay on …  ✕"},
		{"Book me a flight", a2a.StateInputRequired, time.Second, 20, "▌Book me a …  ◐ asks"},
		{"Book me a flight", a2a.StateAuthRequired, time.Second, 20, "▌Book me … ◒ sign-in"},
		{"Hi", a2a.StateCanceled, 2 * time.Second, 20, "▌Hi            ⊘ 2 s"},
		{"A\nsecond line", a2a.StateCompleted, 0, 30, "▌A second line               ✓"},
	} {
		p := column(&recording{tape.New()}, []*model.Agent{ended(c.title, c.state, c.took)}, c.w, 20, 0)
		panetest.Sees(t, panetest.Text(p.Lines())+"\n", c.want+"\n")
		panetest.Exact(t, p.Lines(), c.w, 20)
	}
}

// A stream that was cut, and one that goes on with it, have their signs before the state.
func TestACutStandsBesideTheState(t *testing.T) {
	f := busy()
	list := many(3, "Agent")
	for _, a := range list {
		a.Conversations[0] = f.State.Conversation(a2a.ConversationID(a.ID))
	}
	p := column(f, list, 26, 34, 0)
	panetest.Sees(t, panetest.Text(p.Lines()), "◐ asks", "↯ ↻ ✓")
	f.in(f.State.Conversation(3).Stream).End(10, a2a.Cut)
	show(p, f, list, 0)
	panetest.Sees(t, panetest.Text(p.Lines()), " ↯ ○")
}

// What the user cut is no failure, in the list and in the lanes, and a stream that its agent ended early was not cut.
func TestOnlyWhatFailedIsRed(t *testing.T) {
	for name, c := range map[string]struct {
		end  a2a.End
		cut  bool
		red  bool
		lane string
	}{
		"cut":                {a2a.End{Reason: a2a.Cut}, true, true, "↯"},
		"severed":            {a2a.End{Reason: a2a.Cut, Class: a2a.ClassSevered}, true, false, "↯"},
		"ended by its agent": {a2a.End{Reason: a2a.Ended}, false, false, "●"},
	} {
		f := &recording{tape.New()}
		f.request(0, 1, a2a.OpStream, "")
		f.status(10, "t1", "WORKING")
		f.chunks(5, 100, "t1")
		f.Put(10, a2a.Record{Kind: a2a.KindEnd, Dir: a2a.In, End: &c.end})
		first := f.State.Log.Stream(f.Exchange)
		f.request(3000, 1, a2a.OpSubscribe, "t1")
		f.chunks(5, 100, "t1")
		list := many(1, "Agent")
		list[0].Conversations[0] = f.State.Conversation(1)
		p := column(f, list, 26, 34, 0)
		rows := strings.Join(rowsWith(p, "↻"), "\n")
		if first.Next == 0 || strings.Contains(rows, "↯") != c.cut {
			t.Errorf("%s: got rows\n%s\nwant a cut %t", name, rows, c.cut)
		}
		state := p.state(list[0].Conversations[0])
		sign, paint := p.ending(first)
		if got := p.st.G[sign]; got != c.lane || (paint == p.st.Failed) != c.red || c.cut && (state[0].paint == p.st.Failed) != c.red {
			t.Errorf("%s: got the end %s, red %t, and the cut red %t; want %s, red %t", name, got, paint == p.st.Failed, state[0].paint == p.st.Failed, c.lane, c.red)
		}
	}
}

// A subscription that the agent answered with an error has not ended well.
func TestAnErrorIsNoGoodEnd(t *testing.T) {
	f := &recording{tape.New()}
	f.request(0, 1, a2a.OpSubscribe, "t1")
	f.Put(10, a2a.Record{Kind: a2a.KindBody, Dir: a2a.In, Raw: []byte(`{"jsonrpc":"2.0","id":"1","error":{"code":-32601,"message":"method not found"}}`)})
	f.End(1, a2a.Ended)
	p := column(f, many(1, "Agent"), 26, 34, 0)
	if sign, paint := p.ending(f.State.Log.Stream(f.Exchange)); sign != styles.Failed || paint != p.st.Failed {
		t.Errorf("got the end %s, red %t; want that of a failure", p.st.G[sign], paint == p.st.Failed)
	}
}

// A stream that brings nothing for two seconds stops the spinner.
func TestASilentStreamStopsTheSpinner(t *testing.T) {
	f, list := busy(), many(3, "Agent")
	list[2].Conversations[0] = f.State.Conversation(3)
	for after, want := range map[time.Duration]string{time.Second: "⣾", 2 * time.Second: "‖"} {
		p := column(f, list, 26, 34, after)
		p.SetSpinner("⣾")
		if got := rowsWith(p, "▌hi "); len(got) != 1 || !strings.HasSuffix(got[0], " "+want) {
			t.Errorf("after %v: got %q, want %s at the conversation:\n%s", after, got, want, panetest.Text(p.Lines()))
		}
	}
}

// A question that was answered does not ask any more.
func TestAnAnsweredQuestionDoesNotAsk(t *testing.T) {
	a := ended("Trip", a2a.StateInputRequired, time.Second)
	a.Conversations[0].Tasks[0].Send()
	p := column(&recording{tape.New()}, []*model.Agent{a}, 26, 20, 0)
	if got := rowsWith(p, " asks"); got != nil {
		t.Errorf("got rows %q, want none that asks", got)
	}
	a.Conversations[0].Turns[0].Pending = true
	p.SetSpinner("⣾")
	panetest.Sees(t, panetest.Text(p.Lines()), "▌Trip                    ⣾")
}
