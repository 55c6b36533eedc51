package task

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"parley/a2a"
	"parley/session/problem"
)

// TestDeliver judges every kind of answer. What is not certain is Unknown.
func TestDeliver(t *testing.T) {
	for name, c := range map[string]struct {
		f    Facts
		want Delivery
	}{
		"nothing could be encoded":            {Facts{}, NotSent},
		"the port is closed":                  {Facts{Exchange: 1, End: a2a.End{Reason: a2a.Refused, Class: a2a.ClassRefused}}, NotSent},
		"a redirect that is not followed":     {Facts{Exchange: 1, End: a2a.End{Reason: a2a.Ended, Class: a2a.ClassRedirect}, Status: 307}, NotSent},
		"a redirect that is followed":         {Facts{Exchange: 1, End: a2a.End{Reason: a2a.Ended}, Status: 308}, NotSent},
		"an event, then the connection broke": {Facts{Exchange: 1, End: a2a.End{Reason: a2a.Cut}, Status: 200, Events: 1}, Taken},
		"an event, then an error":             {Facts{Exchange: 1, End: a2a.End{Reason: a2a.Ended}, Status: 200, Events: 1, Err: &a2a.RPCError{Code: -32601}}, Taken},
		"nothing before the connection broke": {Facts{Exchange: 1, End: a2a.End{Reason: a2a.Cut}}, Unknown},
		"nothing in time":                     {Facts{Exchange: 1, End: a2a.End{Reason: a2a.TimedOut}}, Unknown},
		"the user stopped it":                 {Facts{Exchange: 1, End: a2a.End{Reason: a2a.Cancelled}}, Unknown},
		"an empty stream":                     {Facts{Exchange: 1, End: a2a.End{Reason: a2a.Ended, Class: a2a.ClassBody}, Status: 200}, Unknown},
		"a web page":                          {Facts{Exchange: 1, End: a2a.End{Reason: a2a.Ended, Class: a2a.ClassBody}, Status: 200}, Unknown},
		"a busy agent of 0.1 with a 503":      {Facts{Exchange: 1, End: a2a.End{Reason: a2a.Ended}, Status: 503, Err: &a2a.RPCError{Code: -32010}}, Refused},
		"an agent that fails with a 429":      {Facts{Exchange: 1, End: a2a.End{Reason: a2a.Ended}, Status: 429, Err: &a2a.RPCError{Code: -32603}}, Unknown},
		"a busy agent of 0.1":                 {Facts{Exchange: 1, End: a2a.End{Reason: a2a.Ended}, Status: 200, Err: &a2a.RPCError{Code: -32010}}, Refused},
		"the agent failed":                    {Facts{Exchange: 1, End: a2a.End{Reason: a2a.Ended}, Status: 200, Err: &a2a.RPCError{Code: -32603}}, Unknown},
		"the agent failed with a bad request": {Facts{Exchange: 1, End: a2a.End{Reason: a2a.Ended}, Status: 400, Err: &a2a.RPCError{Code: -32603}}, Unknown},
		"an error that nobody defines":        {Facts{Exchange: 1, End: a2a.End{Reason: a2a.Ended}, Status: 200, Err: &a2a.RPCError{Code: -32050}}, Unknown},
		"a refusal without a code":            {Facts{Exchange: 1, End: a2a.End{Reason: a2a.Ended}, Status: 422, Err: &a2a.RPCError{Message: "no role"}}, Refused},
		"a version by its reason":             {Facts{Exchange: 1, End: a2a.End{Reason: a2a.Ended}, Status: 200, Err: &a2a.RPCError{Code: 3, Reason: "VERSION_NOT_SUPPORTED"}}, Refused},
		"an unknown method with a status 500": {Facts{Exchange: 1, End: a2a.End{Reason: a2a.Ended}, Status: 500, Err: &a2a.RPCError{Code: -32601}}, Refused},
	} {
		if got := Deliver(&c.f); got != c.want {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
	}
	for code, want := range map[int64]Delivery{
		-32700: Refused, -32600: Refused, -32601: Refused, -32602: Refused, -32603: Unknown,
		-32001: Refused, -32002: Unknown, -32003: Refused, -32004: Refused, -32005: Refused, -32006: Unknown, -32007: Unknown, -32008: Refused, -32009: Refused,
		-31401: Refused, -31403: Refused, -32000: Unknown, 1: Unknown,
	} {
		f := Facts{Exchange: 1, End: a2a.End{Reason: a2a.Ended}, Status: 200, Err: &a2a.RPCError{Code: code}}
		if got := Deliver(&f); got != want {
			t.Errorf("error %d: got %s, want %s", code, got, want)
		}
	}
	for status := 100; status < 600; status++ {
		want := Unknown
		switch {
		case status/100 == 3 && status != http.StatusNotModified:
			want = NotSent
		case status == 408 || status == 409 || status == 425 || status == 499:
		case status/100 == 4, status == 501, status == 505:
			want = Refused
		}
		f := Facts{Exchange: 1, End: a2a.End{Reason: a2a.Ended}, Status: status}
		if got := Deliver(&f); got != want {
			t.Errorf("status %d: got %s, want %s", status, got, want)
		}
	}
}

// TestAWordOfTheJournalIsRead reads every delivery and kind again. A word that a later version wrote, or
// somebody else, claims nothing.
func TestAWordOfTheJournalIsRead(t *testing.T) {
	for d := NotSent; d <= Taken; d++ {
		if got := DeliveryOf(d.String()); got != d {
			t.Errorf("%s is read as %s", d, got)
		}
	}
	for k := Answered; k <= Lost; k++ {
		if got := KindOf(k.String()); got != k {
			t.Errorf("%s is read as %s", k, got)
		}
	}
	if DeliveryOf("\x1b[2J") != Unknown || KindOf("") != Lost {
		t.Error("an unknown word claims something")
	}
	if got := Delivery(200).String() + Kind(200).String(); got == "" {
		t.Error("a value out of range has no word")
	}
}

// TestATurnHasOneOutcome plays courses of turns.
func TestATurnHasOneOutcome(t *testing.T) {
	ended := a2a.End{Reason: a2a.Ended}
	closed := Facts{Exchange: 1, End: a2a.End{Reason: a2a.Refused, Class: a2a.ClassRefused, Sentence: "Nothing listens."}}
	missing := Facts{Exchange: 2, End: ended, Status: 404}
	event := Facts{Exchange: 3, End: ended, Status: 200, Events: 1}
	gateway := Facts{Exchange: 4, End: a2a.End{Reason: a2a.Ended, Class: a2a.ClassStatus}, Status: 504, Err: &a2a.RPCError{Message: "504 Gateway Timeout"}}
	fails := Facts{Exchange: 5, End: ended, Status: 200, Err: &a2a.RPCError{Code: -32603, Name: "InternalError"}}
	stop := Facts{Exchange: 6, End: a2a.End{Reason: a2a.Cancelled}}
	at := func(s a2a.State) *Lifecycle { return &Lifecycle{State: s} }
	for name, c := range map[string]struct {
		course   []Facts
		task     *Lifecycle
		kind     Kind
		delivery Delivery
	}{
		"nothing was tried":                       {nil, nil, Unsent, NotSent},
		"the first interface is closed":           {[]Facts{closed, event}, at(a2a.StateCompleted), Done, Taken},
		"all are closed":                          {[]Facts{closed, closed}, nil, Unsent, NotSent},
		"one is closed, one has no such path":     {[]Facts{closed, missing}, nil, Rejected, Refused},
		"a message answers":                       {[]Facts{event}, nil, Answered, Taken},
		"a gateway gave up":                       {[]Facts{gateway}, nil, Lost, Unknown},
		"the agent has an error":                  {[]Facts{fails}, nil, AgentFailed, Unknown},
		"the user stopped it before an answer":    {[]Facts{stop}, nil, Stopped, Unknown},
		"the user stopped it later":               {[]Facts{event, stop}, at(a2a.StateWorking), Stopped, Taken},
		"the task was done when the user stopped": {[]Facts{event, stop}, at(a2a.StateCompleted), Done, Taken},
		"the task asks":                           {[]Facts{event}, at(a2a.StateInputRequired), Waiting, Taken},
		"nobody follows the task":                 {[]Facts{event}, at(a2a.StateWorking), Working, Taken},
		"the task failed":                         {[]Facts{event}, at(a2a.StateFailed), AgentFailed, Taken},
		"the task was canceled":                   {[]Facts{event}, at(a2a.StateCanceled), Canceled, Taken},
		"the agent forgot the task":               {[]Facts{event}, &Lifecycle{State: a2a.StateWorking, Forgotten: true}, Lost, Taken},
	} {
		var turn Turn
		for i := range c.course {
			turn.Add(NewAttempt(&a2a.Call{}, time.Time{}, time.Time{}, &c.course[i]))
		}
		o := turn.Outcome(c.task)
		if o.Kind != c.kind || o.Delivery != c.delivery {
			t.Errorf("%s: got %s, %s; want %s, %s", name, o.Kind, o.Delivery, c.kind, c.delivery)
		}
		if o.Returns() == o.Doubtful() && o.Delivery != Taken || turn.MayTryAgain() != o.Returns() {
			t.Errorf("%s: the text returns %v, the agent is asked %v, another attempt %v", name, o.Returns(), o.Doubtful(), turn.MayTryAgain())
		}
		if o.Failed() && len(c.course) > 0 && o.Sentence == "" && o.Class == "" && c.task == nil && c.kind != Rejected && c.kind != Lost {
			t.Errorf("%s: nothing says why it failed", name)
		}
	}
}

// TestALookFindsTheMessage settles an outcome that was unknown.
func TestALookFindsTheMessage(t *testing.T) {
	var turn Turn
	turn.Add(NewAttempt(&a2a.Call{}, time.Time{}, time.Time{}, &Facts{Exchange: 1, End: a2a.End{Reason: a2a.Cut}}))
	if turn.MayTryAgain() {
		t.Error("a message that may have been taken is sent again")
	}
	turn.Find()
	if o := turn.Outcome(&Lifecycle{State: a2a.StateCompleted}); o.Kind != Done || o.Delivery != Taken {
		t.Errorf("got %s, %s", o.Kind, o.Delivery)
	}
}

// TestATurnKeepsItsFirstAndItsNewestAttempt counts what is left out of an endless list.
func TestATurnKeepsItsFirstAndItsNewestAttempt(t *testing.T) {
	var turn Turn
	for i := range 100 {
		turn.Add(NewAttempt(&a2a.Call{Because: fmt.Sprint(i)}, time.Time{}, time.Time{}, &Facts{Exchange: 1, End: a2a.End{Reason: a2a.Cut}}))
	}
	o := turn.Outcome(nil)
	if n := len(o.Attempts); n+o.More != 100 || o.Attempts[0].Because != "0" || o.Attempts[n-1].Because != "99" {
		t.Errorf("got %d attempts and %d more, from %q to %q", n, o.More, o.Attempts[0].Because, o.Attempts[n-1].Because)
	}
}

// FuzzTurn adds attempts in any order and compares the outcome with rules that need no state.
func FuzzTurn(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3}, uint8(0))
	f.Add([]byte{4, 4, 1}, uint8(7))
	kinds := []Facts{
		{}, {Exchange: 1, End: a2a.End{Reason: a2a.Refused}}, {Exchange: 1, End: a2a.End{Reason: a2a.Ended}, Status: 404},
		{Exchange: 1, End: a2a.End{Reason: a2a.Cut}}, {Exchange: 1, End: a2a.End{Reason: a2a.Ended}, Status: 200, Events: 2},
		{Exchange: 1, End: a2a.End{Reason: a2a.Cancelled}}, {Exchange: 1, End: a2a.End{Reason: a2a.Ended}, Status: 200, Err: &a2a.RPCError{Code: -32603}},
	}
	f.Fuzz(func(t *testing.T, course []byte, state uint8) {
		var turn Turn
		want := NotSent
		for _, b := range course {
			facts := kinds[int(b)%len(kinds)]
			turn.Add(NewAttempt(&a2a.Call{}, time.Time{}, time.Time{}, &facts))
			want = max(want, Deliver(&facts))
		}
		l := &Lifecycle{State: a2a.State(state % 10), Lost: state&16 != 0, Forgotten: state&32 != 0}
		if state&64 != 0 {
			l = nil
		}
		o := turn.Outcome(l)
		switch {
		case o.Delivery != want, len(o.Attempts)+o.More != len(course):
			t.Errorf("got %s of %d attempts, want %s of %d", o.Delivery, len(o.Attempts)+o.More, want, len(course))
		case o.Delivery == Taken && (o.Kind == Unsent || o.Kind == Rejected), o.Delivery < Taken && (o.Kind == Done || o.Kind == Answered || o.Kind == Waiting || o.Kind == Working):
			t.Errorf("%s, but %s", o.Delivery, o.Kind)
		case o.Kind > Answered+1 && o.Holds() == "", o.Kind <= Done && o.Holds() != "":
			t.Errorf("%s holds the queue %q", o.Kind, o.Holds())
		case o.Class == problem.ClassRPC && o.Delivery == Taken && len(o.Attempts) == 0:
			t.Error("a failure without an attempt")
		}
	})
}

func TestAFailureLeavesTheFateOfAMessageOpen(t *testing.T) {
	send, get, tapped := &a2a.Call{Op: a2a.OpSend}, &a2a.Call{Op: a2a.OpGet, TaskID: "t"}, &a2a.Call{Op: a2a.OpStream, Tapped: &a2a.Tapped{}}
	ended := func(class string) *a2a.End { return &a2a.End{Reason: a2a.Ended, Class: class} }
	for _, c := range []struct {
		call   *a2a.Call
		end    *a2a.End
		status int
		want   bool
	}{
		{send, ended(""), 200, false},
		{send, ended(a2a.ClassBody), 200, true},
		{get, ended(a2a.ClassBody), 200, false},
		{send, ended(a2a.ClassStatus), 502, true},
		{send, ended(a2a.ClassStatus), 500, true},
		{send, ended(a2a.ClassStatus), http.StatusRequestTimeout, true},
		{send, ended(a2a.ClassStatus), 503, true},
		{get, ended(a2a.ClassStatus), 503, false},
		{send, ended(a2a.ClassStatus), 429, false},
		{send, ended(a2a.ClassStatus), 404, false},
		{send, ended(a2a.ClassStatus), 999, true},
		{get, ended(a2a.ClassStatus), 502, false},
		{send, ended(a2a.ClassNoCredentials), 401, false},
		{send, ended(a2a.ClassRedirect), 307, false},
		{send, &a2a.End{Reason: a2a.Cut, Class: a2a.ClassCut}, 0, true},
		{get, &a2a.End{Reason: a2a.Cut, Class: a2a.ClassCut}, 0, true},
		{&a2a.Call{Op: a2a.OpList}, &a2a.End{Reason: a2a.Cut, Class: a2a.ClassCut}, 0, false},
		{tapped, &a2a.End{Reason: a2a.Cut, Class: a2a.ClassCut}, 0, false},
		{send, &a2a.End{Reason: a2a.TimedOut, Class: a2a.ClassTimeout}, 0, true},
		{send, &a2a.End{Reason: a2a.Refused, Class: a2a.ClassTimeout}, 0, false},
		{send, &a2a.End{Reason: a2a.Refused, Class: a2a.ClassRefused}, 0, false},
	} {
		if got := LeavesOpen(c.call, &Facts{Exchange: 1, End: *c.end, Status: c.status}); got != c.want {
			t.Errorf("%s that ends with %+v, status %d: got %v, want %v", c.call.Op, *c.end, c.status, got, c.want)
		}
	}
}
