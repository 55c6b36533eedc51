package ui

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/internal/golden"
	"parley/internal/signin"
	"parley/session/log"
	"parley/ui/control"
	signinsheet "parley/ui/control/signin"
)

// A fakeSignIn keeps identities in memory. Flows do what a test says.
type fakeSignIn struct {
	settings  signin.Settings
	list      []signin.Identity
	entered   []string
	attempts  []signin.Login
	result    signin.Result
	err       error                                                             // of what is entered
	authorize func(ctx context.Context, a *signin.Login) (signin.Result, error) // nil succeeds
	broken    error                                                             // of the list
	hangs     chan struct{}                                                     // what is entered waits for it; nil does not
}

func (f *fakeSignIn) Settings() signin.Settings              { return f.settings }
func (f *fakeSignIn) Place() string                          { return "the keyring of the system" }
func (f *fakeSignIn) Identities() ([]signin.Identity, error) { return slices.Clone(f.list), f.broken }
func (f *fakeSignIn) Temporary(signin.Identity) bool         { return false }

func (f *fakeSignIn) Enter(origin string, s *signin.Step, user, secret string) (signin.Result, error) {
	if f.hangs != nil {
		<-f.hangs
	}
	f.entered = append(f.entered, strings.Join([]string{origin, string(s.Kind), user, secret}, " "))
	f.list = []signin.Identity{{Origin: origin, Kind: s.Kind, User: user}}
	r := f.result
	r.Identity = f.list[0]
	return r, f.err
}

func (f *fakeSignIn) Authorize(ctx context.Context, a *signin.Login) (signin.Result, error) {
	f.attempts = append(f.attempts, *a)
	if f.authorize != nil {
		return f.authorize(ctx, a)
	}
	return f.result, nil
}

func (f *fakeSignIn) Renew(_ context.Context, i signin.Identity) (signin.Identity, error) {
	return i, f.err
}

func (f *fakeSignIn) SignOut(context.Context, signin.Identity) (bool, error) {
	f.list = nil
	return true, f.err
}

// guarded opens an agent whose card requires one of some schemes.
func (d *desk) guarded(schemes ...a2a.SecurityScheme) string {
	d.t.Helper()
	d.book(allFound)
	card := d.model.agent().Card
	card.SecuritySchemes, card.Security = schemes, nil
	for _, s := range schemes {
		card.Security = append(card.Security, a2a.SecurityRequirement{{Scheme: s.Key, Scopes: []string{"read"}}})
	}
	return a2a.TypedOrigin(d.model.agent().Ref)
}

var (
	deskKey = a2a.SecurityScheme{Key: "k", Type: "apiKey", In: "header", Name: "X-Desk"}
	openID  = a2a.SecurityScheme{Key: "o", Type: "openIdConnect", OpenIDConnectURL: "https://login.example"}
)

// A stream of another agent does not make the sheet forget what was refused, and what its challenge asks for.
func TestAStreamOfAnotherAgentLeavesTheRefusal(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{SignIn: &fakeSignIn{}}, func(d *desk) {
		d.guarded(deskKey)
		d.challenge = `ApiKey realm="desk", error="invalid_token"`
		d.refuses("hello there")
		const words = "refused the message with 401 Unauthorized"
		d.sees(words, "It asks for credentials")
		call := &a2a.Call{Agent: 2, Op: a2a.OpStream, Dialect: a2a.V10}
		x := a2a.RecordID(d.model.state.Log.Len() + 1)
		items := []log.Item{{Record: a2a.Record{ID: x, Exchange: a2a.ExchangeID(x), Kind: a2a.KindRequest, Dir: a2a.Out, Call: call, Time: d.clock}}}
		for i := range 500 {
			items = append(items, log.Item{Record: a2a.Record{ID: x + 1 + a2a.RecordID(i), Exchange: a2a.ExchangeID(x), Kind: a2a.KindEvent, Dir: a2a.In, Call: call, Time: d.clock}})
		}
		d.send(batchMsg{Items: items})
		d.sees(words, "It asks for credentials")
	})
}

// From a refusal, one key press enters what was pasted: then the message is sent again, once.
func TestARefusalOpensTheSheetAndTheMessageIsRepeatedOnce(t *testing.T) {
	t.Parallel()
	f := &fakeSignIn{}
	bubble(t, 120, 40, Options{SignIn: f}, func(d *desk) {
		origin := d.guarded(deskKey)
		d.challenge = `ApiKey realm="desk", error="invalid_token"`
		d.refuses("hello there")
		d.sees("sign in to", "refused the message with 401 Unauthorized", "It asks for credentials", "API key in the header X-Desk", "repeated once")
		d.paste(typedSecret)
		if strings.Contains(d.text(), "s3c") {
			t.Fatalf("frame shows the secret:\n%s", d.text())
		}
		d.press("tab", "shift+tab")
		before := len(d.engine.Sent)
		d.press("enter")
		if want := []string{origin + " key  " + typedSecret}; !slices.Equal(f.entered, want) {
			t.Errorf("got %q entered, want %q", f.entered, want)
		}
		d.asks("refresh credentials of 1")
		if got := d.engine.Sent[before:]; len(got) != 1 || got[0].Text() != "hello there" || got[0].To.Conversation != 1 {
			t.Fatalf("got %+v sent again, want the message, once", got)
		}
		d.says("signed in to", "the message is sent again, once")
		if d.model.sheet() != nil || !d.model.panes.composer.Empty() {
			t.Error("the sheet is still open, or the message is still in the text field")
		}

		d.refusedAgain(d.engine.Turns)
		if d.model.sheet() != nil {
			t.Errorf("the sheet opened for the repeated request:\n%s", d.text())
		}
		d.press("f5")
		d.sees("also when it was repeated with the", "X-Desk")
		d.write(typedSecret)
		d.press("enter")
		if got := d.engine.Sent[before:]; len(got) != 1 {
			t.Errorf("got %d messages, want that nothing is repeated twice", len(got))
		}
		d.says("the request was repeated once already")
	})
}

// refusedAgain answers the repeated message with a 401.
func (d *desk) refusedAgain(turn a2a.TurnID) {
	d.t.Helper()
	call := &a2a.Call{Agent: 1, Conversation: 1, Turn: turn, Op: a2a.OpSend, Dialect: a2a.V10}
	id, now := a2a.RecordID(d.model.state.Log.Len()+1), d.model.opts.Now()
	d.send(batchMsg{Items: []log.Item{
		{Record: a2a.Record{ID: id, Exchange: id, Kind: a2a.KindRequest, Dir: a2a.Out, Call: call, Time: now,
			Raw: []byte(`{"jsonrpc":"2.0","id":"2","method":"SendMessage","params":{"message":{"messageId":"m2","role":"ROLE_USER","parts":[{"text":"hello there"}]}}}`)}},
		{Record: a2a.Record{ID: id + 1, Exchange: id, Kind: a2a.KindHead, Dir: a2a.In, Time: now, Head: &a2a.Head{Status: 401, Header: http.Header{}}, Call: call}},
		{Record: a2a.Record{ID: id + 2, Exchange: id, Kind: a2a.KindEnd, Time: now, End: &a2a.End{Reason: a2a.Ended, Class: a2a.ClassAuth, Sentence: "No."}}},
	}})
	d.turnOver(turn, "No.")
}

// Nothing comes in the way of a user who writes: then the conversation names the key.
func TestNoSignInOpensWhileTheUserWrites(t *testing.T) {
	t.Parallel()
	f := &fakeSignIn{}
	for name, write := range map[string]func(d *desk){
		"a text": func(d *desk) { d.write("next") },
		"a key":  func(d *desk) { d.press("alt+z", "alt+z") },
	} {
		bubble(t, 120, 40, Options{SignIn: f}, func(d *desk) {
			d.guarded(deskKey)
			d.meanwhile = func() { write(d) }
			d.refuses("hello there")
			if d.model.sheet() != nil {
				t.Errorf("%s: a sheet lies over what the user writes:\n%s", name, d.text())
			}
			d.sees("f5 signs in")
		})
	}
}

// The error of A2A 0.1 asks for credentials as a 401 does.
func TestAnErrorOf01OpensTheSheet(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{SignIn: &fakeSignIn{}}, func(d *desk) {
		d.guarded(deskKey)
		d.write("hello")
		d.press("enter")
		call := &a2a.Call{Agent: 1, Conversation: 1, Turn: 1, Op: a2a.OpSend, Dialect: a2a.V01}
		id, now := a2a.RecordID(d.model.state.Log.Len()+1), d.model.opts.Now()
		body := []byte(`{"jsonrpc":"2.0","id":"1","error":{"code":-32007,"message":"Who are you?"}}`)
		d.send(batchMsg{Items: []log.Item{
			{Record: a2a.Record{ID: id, Exchange: id, Kind: a2a.KindRequest, Dir: a2a.Out, Call: call, Time: now, Raw: []byte(`{"jsonrpc":"2.0","id":"1","method":"tasks/send","params":{"id":"t","message":{"role":"user","parts":[{"type":"text","text":"hello"}]}}}`)}},
			{Record: a2a.Record{ID: id + 1, Exchange: id, Kind: a2a.KindBody, Dir: a2a.In, Time: now, Raw: body, Call: call}, Update: a2a.Decode(call, a2a.Input{Body: body})},
			{Record: a2a.Record{ID: id + 2, Exchange: id, Kind: a2a.KindEnd, Time: now, Call: call, End: &a2a.End{Reason: a2a.Ended}}},
		}})
		d.turnOver(1, "The agent answered AuthenticationRequired.")
		d.sees("refused the message with AuthenticationRequired (-32007)", "API key in the header X-Desk")
	})
}

// A sign-in with a browser is shown until it is over; esc cancels it, f5 hides it, and another one has
// to wait.
func TestASignInWithABrowserRunsBesideEverythingElse(t *testing.T) {
	t.Parallel()
	f := &fakeSignIn{settings: signin.Settings{ClientID: "desk", Port: 8712}}
	var done chan error
	f.authorize = func(ctx context.Context, a *signin.Login) (signin.Result, error) {
		a.Show(signin.Page{URL: "https://login.example/a?state=x", Host: "login.example", Back: "http://127.0.0.1:8712/callback"})
		select {
		case err := <-done:
			return signin.Result{Identity: signin.Identity{Origin: a.Origin, Kind: signin.AuthorizationCode, User: "ann\x1b[2J"}, Doubts: []string{"The token is for somebody else."}}, err
		case address := <-a.Pasted:
			return signin.Result{}, errors.New("what was pasted is no address: " + address[:4])
		case <-ctx.Done():
			return signin.Result{}, ctx.Err()
		}
	}
	var browsed []string
	bubble(t, 120, 40, Options{SignIn: f, Browse: func(url string) error { browsed = append(browsed, url); return nil }}, func(d *desk) {
		done = make(chan error)
		d.guarded(openID)
		d.press("f5")
		d.sees("OpenID Connect, sign in with a browser", "client id      desk", "http://127.0.0.1:8712/callback, which must be registered")
		d.press("enter")
		d.sees("A browser shows the page. Sign in at login.example", "https://login.example/a?state=x", "under way")
		if !slices.Equal(browsed, []string{"https://login.example/a?state=x"}) {
			t.Errorf("got %q opened, want the page", browsed)
		}
		d.press("alt+y")
		if !strings.Contains(d.copied, "login.example") {
			t.Errorf("got %q copied", d.copied)
		}
		d.press("f5") // hides it
		d.upTo(asksWhere)
		if d.model.sheet() != nil {
			t.Fatal("f5 did not hide the sheet")
		}
		d.press("ctrl+p")
		d.write("Scribe")
		d.press("enter", "f5")
		d.says("is under way: finish or cancel it first")
		d.press("esc")
		d.sees("The sign-in was canceled; nothing was kept.")

		d.press("enter")
		d.paste("nonsense")
		d.press("enter")
		d.sees("What was pasted is no address: nons.", "sign in with a browser")

		d.press("enter")
		done <- nil
		d.settle()
		d.says("signed in to", "as ann", "The token is for somebody else.")
		if strings.Contains(d.model.View().Content, "\x1b[2J") {
			t.Error("frame has unsanitised escape sequences")
		}
		if d.model.sheet() != nil {
			t.Error("the sheet is still open")
		}
	})
}

// Over SSH there is no browser: the address is shown.
func TestOverSSHTheAddressIsShown(t *testing.T) {
	t.Parallel()
	f := &fakeSignIn{settings: signin.Settings{ClientID: "desk", Port: 8712}}
	f.authorize = func(ctx context.Context, a *signin.Login) (signin.Result, error) {
		if a.Step.Kind == signin.DeviceCode {
			a.Show(signin.Page{URL: "https://login.example/device", Host: "login.example", Code: "ABCD-EFGH"})
		} else {
			a.Show(signin.Page{URL: "https://login.example/a", Host: "login.example", Back: "http://127.0.0.1:8712/callback"})
		}
		<-ctx.Done()
		return signin.Result{}, ctx.Err()
	}
	ssh := func(name string) string { return map[string]string{"SSH_CONNECTION": "1"}[name] }
	bubble(t, 120, 40, Options{SignIn: f, Getenv: ssh, Browse: func(string) error { t.Error("a browser was opened"); return nil }}, func(d *desk) {
		d.guarded(openID)
		d.press("f5", "enter")
		d.sees("Open it with any browser.", "https://login.example/a", "paste the address of the last page")
		d.press("alt+o")
		d.says("There is no browser here")
		d.press("esc", "ctrl+t", "enter")
		d.sees("https://login.example/device", "ABCD-EFGH", "Parley waits until you have entered it.")
		d.press("esc")
	})
}

// What goes wrong is one sentence on the sheet, and nothing hangs.
func TestWhatGoesWrongWithASignInIsOneSentence(t *testing.T) {
	t.Parallel()
	f := &fakeSignIn{settings: signin.Settings{ClientID: "desk"}}
	bubble(t, 120, 40, Options{SignIn: f}, func(d *desk) {
		d.guarded(openID, deskKey)
		for _, why := range []string{
			"login.example cannot be reached: connection refused", "login.example cannot be reached: it did not answer within 30s",
			"it redirects to https://evil.example, which Parley does not follow with credentials", "login.example answered with something that is no token",
			"port 8712 of this machine is in use: choose another one with --redirect-port that is registered at the authorization server",
		} {
			f.authorize = func(context.Context, *signin.Login) (signin.Result, error) { return signin.Result{}, errors.New(why) }
			d.press("f5", "enter")
			d.wait(time.Second)
			text := strings.Join(strings.Fields(d.text()), " ")
			if first, _, _ := strings.Cut(why[1:], ":"); !strings.Contains(text, first) {
				t.Errorf("frame lacks %q:\n%s", why, d.text())
			}
			d.press("esc")
		}
		f.hangs = make(chan struct{}) // a keyring that waits to be unlocked
		d.press("f5", "ctrl+t", "ctrl+t", "ctrl+t", "tab")
		d.write(typedSecret)
		d.press("enter")
		d.wait(time.Hour)
		d.sees("under way")
		d.press("esc")
		d.sees("The sign-in was canceled")
		close(f.hangs)
		f.hangs, f.broken = nil, errors.New("identities.json is damaged: remove it and sign in again")
		d.press("esc", "f5")
		d.sees("Identities.json is damaged")
	})
}

// A session that nobody keeps says so once.
func TestWhatIsNotKeptIsSaidOnce(t *testing.T) {
	t.Parallel()
	f := &fakeSignIn{result: signin.Result{Unkept: "the keyring of the system does not answer"}}
	bubble(t, 160, 40, Options{SignIn: f}, func(d *desk) {
		d.guarded(deskKey)
		for _, says := range []string{"It is kept until Parley ends: the keyring of the system does not answer.", "It is kept until Parley ends."} {
			d.press("f5")
			d.write(typedSecret)
			d.press("enter")
			if got := d.model.notices.shown.text; !strings.HasSuffix(got, says) {
				t.Errorf("got %q, want %q", got, says)
			}
		}
	})
}

func TestIdentitiesAreListedRenewedAndEnded(t *testing.T) {
	t.Parallel()
	f := &fakeSignIn{}
	bubble(t, 120, 40, Options{SignIn: f}, func(d *desk) {
		origin := d.guarded(openID)
		f.list = []signin.Identity{{
			Origin: origin, Kind: signin.AuthorizationCode, Scheme: "o", User: "ann", Scopes: []string{"list"}, Audience: []string{"https://other.example"},
			Expires: d.model.opts.Now().Add(time.Hour), Renews: true, Server: &signin.Server{Issuer: "https://login.example"}, ClientID: "known",
		}}
		d.press("f5")
		d.sees("1 signed in", "ann", "then it is renewed", "client id      known")
		d.press("shift+tab")
		d.sees("The token lacks what the card requires: read.", "The token is for https://other.example", "token from     OAuth, authorization code · https://login.example", "kept in        the keyring of the system")
		d.press("r")
		d.sees("is renewed.")
		d.asks("refresh credentials of 1")
		f.err = errors.New("the token could not be renewed: login.example cannot be reached")
		d.press("r")
		d.sees("could not be renewed")
		f.err = nil
		d.press("d")
		d.sees("Signed out of "+origin, "The authorization server has ended the token.", "signed in nowhere")
	})
}

// A card that is protected opens the sheet too; after the sign-in the card is requested again.
func TestAProtectedCardOpensTheSheet(t *testing.T) {
	t.Parallel()
	f := &fakeSignIn{}
	bubble(t, 120, 40, Options{SignIn: f, Refs: []string{"https://desk.example"}}, func(d *desk) {
		said := "desk.example requires credentials."
		attempts := []a2a.Lookup{{URL: "https://desk.example/c", Status: 401, Sentence: said, Class: a2a.ClassNoCredentials}}
		d.notes(log.NoteOpening, map[string]string{log.AttrAgent: "1", log.AttrRef: "https://desk.example"})
		d.send(batchMsg{Items: []log.Item{{Signal: &log.Signal{Kind: log.SignalOpening, Agent: 1, Ref: "https://desk.example"}}}})
		d.notes(log.NoteOpened, map[string]string{
			log.AttrAgent: "1", log.AttrRef: "https://desk.example", log.AttrSentence: said, log.AttrClass: a2a.ClassNoCredentials,
			log.AttrAttempts: `[{"URL":"https://desk.example/c","Status":401,"Sentence":"` + said + `","Class":"` + a2a.ClassNoCredentials + `"}]`,
		})
		d.send(batchMsg{Items: []log.Item{{Signal: &log.Signal{Kind: log.SignalOpened, Agent: 1, Ref: "https://desk.example", Sentence: said, Class: a2a.ClassNoCredentials, Attempts: attempts}}}})
		d.sees("refused the request for its card", "bearer token")
		d.press("tab")
		d.write(typedSecret)
		d.press("enter")
		d.asks("refresh credentials of 1")
		d.asks("reopen 1")
		d.says("Parley gets the card again")
	})
}

// What is answered to a task that asks for credentials is a secret for that task: no later message and
// no other request carries it (specification 1.0 §7.6.4).
func TestCredentialsForATaskDoNotHoldLater(t *testing.T) {
	t.Parallel()
	f := &fakeSignIn{}
	bubble(t, 120, 40, Options{SignIn: f}, func(d *desk) {
		d.book(allFound)
		at := control.Place{Agent: 1, Conversation: 50}
		d.tells(at, "pay-1", "AUTH_REQUIRED", "Which card?")
		d.model.goTo(at)
		d.press("f5")
		d.sees("Task pay-1 asks for credentials: what you answer in the conversation is for that task alone")
		d.press("esc")
		d.model.panes.composer.SetValue("")
		d.write(typedSecret)
		d.press("enter")
		if got := d.engine.Last(); !got.Options.Secret || got.To.TaskID != "pay-1" {
			t.Fatalf("got %+v, want a secret answer to the task", got)
		}
		d.tells(at, "pay-1", "COMPLETED", "Paid")
		d.turnOver(1, "")
		d.press("ctrl+n")
		d.write("And a hotel")
		d.press("enter")
		last := d.engine.Last()
		if last.Text() != "And a hotel" || last.Options.Secret || len(last.Options.Secrets) > 0 || strings.Contains(string(last.Metadata), typedSecret) {
			t.Errorf("got %+v, want a message without the credentials", last)
		}
		if len(d.engine.Pinned.Headers) > 0 || d.engine.Pinned.APIKey != "" || len(f.entered) > 0 {
			t.Error("the answer became a credential of the agent")
		}
		d.tells(at, "pay-2", "AUTH_REQUIRED", "Which card?")
		d.model.goTo(at)
		if d.model.panes.composer.Value() != "" {
			t.Errorf("got %q in the text field, want that the user is asked again", d.model.panes.composer.Value())
		}
	})
}

// An extended card replaces the public one, and need not say again how to sign in. A refusal that was
// satisfied asks for nothing any more.
func TestTheSheetAsksForWhatStands(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{SignIn: &fakeSignIn{}}, func(d *desk) {
		d.guarded(deskKey)
		d.challenge = `Bearer realm="desk"`
		d.refuses("hello there")
		d.sees("bearer token", "its refusal")
		d.press("esc")
		a := d.model.agent()
		a.Extended.Stands, a.Extended.Public = true, a.Card
		a.Card = &a2a.Card{Name: "Extended"}
		d.model.state.Turn(1).Blocks = nil
		d.press("f5")
		d.sees("Its card requires this: API key in the header X-Desk", "API key in the header X-Desk, scopes read")
		d.seesNot("its refusal")
	})
}

// A header that no scheme names is entered in a sheet of its own.
func TestTheLastWayLeadsToTheHeaders(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{SignIn: &fakeSignIn{}}, func(d *desk) {
		d.guarded(deskKey)
		d.press("f5", "shift+tab", "down", "down", "down", "down", "down", "enter")
		d.sees("credentials for ")
		if !(host{d.model}).Covered() || d.model.screen.over == signinsheet.SheetName {
			t.Error("the last way does not lead to the headers")
		}
	})
}

// Golden frames of the sheet, in every size.
func TestFramesOfTheSignIn(t *testing.T) {
	t.Parallel()
	scenes := map[string]func(d *desk, f *fakeSignIn){
		"sign-in": func(d *desk, _ *fakeSignIn) {
			d.challenge = `Bearer realm="desk", error="invalid_token"`
			d.refuses("hello there")
		},
		"sign-in-page": func(d *desk, _ *fakeSignIn) { d.press("f5", "enter") },
		"sign-in-identity": func(d *desk, f *fakeSignIn) {
			f.list = []signin.Identity{
				{Origin: a2a.TypedOrigin(d.model.agent().Ref), Kind: signin.AuthorizationCode, Scheme: "o", User: "ann@desk.example", Scopes: []string{"read"}, Audience: []string{"https://other.example"},
					Expires: d.model.opts.Now().Add(59 * time.Minute), Renews: true, Server: &signin.Server{Issuer: "https://login.example"}},
				{Origin: "https://other.example", Kind: signin.Key, In: "header", Name: "X-Key"},
			}
			d.press("f5", "shift+tab")
		},
	}
	for _, size := range []struct{ w, h int }{{200, 60}, {120, 40}, {80, 24}, {60, 20}, {20, 5}} {
		for name, play := range scenes {
			name = fmt.Sprintf("%dx%d/%s", size.w, size.h, name)
			t.Run(name, func(t *testing.T) {
				f := &fakeSignIn{settings: signin.Settings{ClientID: "desk", Port: 8712}}
				f.authorize = func(ctx context.Context, a *signin.Login) (signin.Result, error) {
					a.Show(signin.Page{URL: "https://login.example/authorize?client_id=desk&state=x&code_challenge=y", Host: "login.example", Back: "http://127.0.0.1:8712/callback"})
					<-ctx.Done()
					return signin.Result{}, ctx.Err()
				}
				bubble(t, size.w, size.h, Options{SignIn: f, Browse: func(string) error { return nil }}, func(d *desk) {
					d.guarded(openID, deskKey)
					play(d, f)
					golden.Compare(t, "frames/"+name, d.text())
				})
			})
		}
	}
}
