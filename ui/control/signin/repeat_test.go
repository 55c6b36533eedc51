package signin_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/panetest"
	keep "parley/internal/signin"
	"parley/session/log"
	"parley/ui/control/signin"
)

// enter signs in with a key.
func (f *fixture) enter() {
	f.run(f.c.Open())
	f.write("the-k3y")
	f.press("enter")
}

// A refused message is repeated once, and its repetition is not repeated again.
func TestARefusedMessageIsRepeatedOnce(t *testing.T) {
	f := newFixture(t)
	f.refuse(1)
	f.enter()
	if want := []string{"enter http://desk key the-k3y"}; !slices.Equal(f.service.calls, want) {
		t.Errorf("got %q, want %q", f.service.calls, want)
	}
	if want := []a2a.TurnID{1}; !slices.Equal(f.repeated, want) || f.Shows(signin.SheetName) || !strings.Contains(f.Notice(), "the message is sent again, once") {
		t.Fatalf("got turns %d repeated and %q, want turn 1, and a sentence", f.repeated, f.Notice())
	}
	if got := f.Fake.CallsOf("refresh"); len(got) != 1 {
		t.Errorf("got %q, want that the agent gets the credentials once", got)
	}
	f.enter() // before the repeated turn is known
	if len(f.repeated) != 1 || !strings.Contains(f.Notice(), "was repeated once already") {
		t.Errorf("got turns %d repeated and %q", f.repeated, f.Notice())
	}
	f.refuse(91)
	if f.Shows(signin.SheetName) {
		t.Error("the sheet opened for the repeated request")
	}
	f.enter()
	if len(f.repeated) != 1 || !strings.Contains(f.Notice(), "was repeated once already") {
		t.Errorf("got turns %d repeated and %q", f.repeated, f.Notice())
	}
}

// A message that was refused before the newest one is not sent after it.
func TestAnOlderMessageIsNotRepeated(t *testing.T) {
	f := newFixture(t)
	f.refuse(1)
	release := make(chan struct{})
	f.service.authorize = func(context.Context, *keep.Login) (keep.Result, error) { <-release; return keep.Result{}, nil }
	s := f.c.Sheet()
	s.Key(panetest.Key("ctrl+t")) // OpenID Connect
	cmd := s.Key(panetest.Key("enter"))
	f.ends(2, ending{status: 200, body: `{"jsonrpc":"2.0","id":"1","result":{"message":{"messageId":"p","role":"ROLE_AGENT","parts":[{"text":"hi"}]}}}`})
	close(release)
	f.run(cmd)
	if len(f.repeated) != 0 || !strings.Contains(f.Notice(), "has gone on since the refused request") {
		t.Errorf("got turns %d repeated and %q, want none", f.repeated, f.Notice())
	}
}

// Requests about a task are repeated too; what cannot be repeated says why.
func TestWhatIsRepeatedAndWhatIsNot(t *testing.T) {
	for op, want := range map[a2a.Op]string{a2a.OpGet: "get t1", a2a.OpSubscribe: "subscribe to t1", a2a.OpCancel: "cancel t1"} {
		f := newFixture(t)
		e := unauthorized
		e.call = a2a.Call{Op: op, TaskID: "t1"}
		f.ends(1, e)
		f.over(1)
		f.enter()
		word, rest, _ := strings.Cut(want, " ")
		if got := f.Fake.CallsOf(word); len(got) != 1 || !strings.HasPrefix(got[0], rest) || !strings.Contains(f.Notice(), "the request is sent again, once") {
			t.Errorf("%s: got %q and %q, want %q once", op, f.Fake.Calls, f.Notice(), want)
		}
	}
	f := newFixture(t)
	f.why = "the refused message had a secret, which is not saved: write it again"
	f.refuse(1)
	f.enter()
	if !strings.Contains(f.Notice(), f.why) {
		t.Errorf("got %q, want why nothing is repeated", f.Notice())
	}
}

// After a sign-in to an agent whose card was refused, the card is requested again, and nothing else.
func TestARefusedCardIsRequestedAgain(t *testing.T) {
	f := newFixture(t)
	a := f.Session.Agent(1)
	a.Card, a.Attempts = nil, []a2a.Lookup{{URL: "http://desk/card", Class: a2a.ClassNoCredentials, Sentence: "desk requires credentials."}}
	f.run(f.c.OnSignal(&log.Signal{Kind: log.SignalOpening, Agent: 1}))
	f.run(f.c.OnSignal(&log.Signal{Kind: log.SignalOpened, Agent: 1, Class: a2a.ClassNoCredentials}))
	if !f.Shows(signin.SheetName) {
		t.Fatal("the sheet is closed")
	}
	f.press("enter") // to the field of the token
	f.write("t0ken")
	f.press("enter")
	if got := f.Fake.CallsOf("reopen"); !slices.Equal(got, []string{"1"}) || len(f.repeated) != 0 {
		t.Errorf("got %q, want that the agent is opened again\n%q", f.Fake.Calls, f.service.calls)
	}
}

// Esc closes the sheet and forgets what was typed. While a sign-in is under way it cancels that, and f5
// hides the sheet.
func TestWhatEscDoes(t *testing.T) {
	f := newFixture(t)
	f.refuse(1)
	f.write("the-k3y")
	f.press("esc")
	if f.Shows(signin.SheetName) {
		t.Fatal("esc leaves the sheet open")
	}
	f.run(f.c.Open())
	f.press("enter")
	if len(f.service.calls) != 0 {
		t.Errorf("got %q, want that the key is forgotten", f.service.calls)
	}

	ended := make(chan error, 1)
	f.service.authorize = func(ctx context.Context, _ *keep.Login) (keep.Result, error) {
		<-ctx.Done()
		ended <- ctx.Err()
		return keep.Result{}, ctx.Err()
	}
	f.press("ctrl+t")
	begun := f.c.Sheet().Key(panetest.Key("enter"))
	waits := make(chan struct{})
	go func() { defer close(waits); begun() }()
	f.sees("Parley asks the authorization server")
	f.press("f5")
	if f.Shows(signin.SheetName) {
		t.Fatal("f5 leaves the sheet open")
	}
	f.run(f.c.Open())
	f.sees("Parley asks the authorization server")
	f.press("esc")
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want that the sign-in is canceled", err)
	}
	<-waits
	f.sees("The sign-in was canceled; nothing was kept.")
	if !f.Shows(signin.SheetName) || len(f.repeated) != 0 {
		t.Errorf("got the sheet closed, or turns %d repeated", f.repeated)
	}
}

// A sign-in that succeeds although it was canceled says so, and sends nothing.
func TestACanceledSignInSendsNothing(t *testing.T) {
	f := newFixture(t)
	f.refuse(1)
	release := make(chan struct{})
	f.service.authorize = func(context.Context, *keep.Login) (keep.Result, error) { <-release; return keep.Result{}, nil }
	s := f.c.Sheet()
	s.Key(panetest.Key("ctrl+t")) // OpenID Connect
	begun := s.Key(panetest.Key("enter"))
	ended := make(chan tea.Msg, 1)
	go func() { ended <- begun() }()
	f.sees("Parley asks the authorization server")
	f.press("esc")
	close(release)
	f.run(func() tea.Msg { return <-ended })
	if len(f.repeated) != 0 || !strings.Contains(f.Notice(), "signed in to Desk") {
		t.Errorf("got turns %d repeated and %q, want none", f.repeated, f.Notice())
	}
}

// A token that cannot be renewed says why on the sheet.
func TestARenewalThatFailsSaysWhy(t *testing.T) {
	f := newFixture(t)
	f.service.list = []keep.Identity{{Origin: "http://desk", Kind: keep.AuthorizationCode, Renews: true, Server: &keep.Server{Issuer: "https://login.example"}}}
	f.service.err = errors.New("the sign-in has ended: login.example no longer accepts it")
	f.run(f.c.Open())
	f.press("shift+tab", "shift+tab", "r")
	f.sees("The sign-in has ended: login.example no longer accepts it.")
	if got := f.Fake.CallsOf("refresh"); len(got) != 0 {
		t.Errorf("got %q, want no other credentials", got)
	}
}
