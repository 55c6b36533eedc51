package signin_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/panetest"
	keep "parley/internal/signin"
	"parley/session/log"
	"parley/session/model"
	"parley/themes"
	"parley/ui/control"
	"parley/ui/control/controltest"
	"parley/ui/control/signin"
	"parley/ui/styles"
)

// A service keeps nothing: a test says what its calls return.
type service struct {
	list      []keep.Identity
	result    keep.Result
	err       error
	authorize func(ctx context.Context, a *keep.Login) (keep.Result, error)
	calls     []string
}

func (s *service) Settings() keep.Settings              { return keep.Settings{ClientID: "desk", Port: 8712} }
func (s *service) Place() string                        { return "the keyring" }
func (s *service) Identities() ([]keep.Identity, error) { return slices.Clone(s.list), nil }
func (s *service) Temporary(keep.Identity) bool         { return false }

func (s *service) Enter(origin string, step *keep.Step, _, secret string) (keep.Result, error) {
	s.calls = append(s.calls, fmt.Sprintf("enter %s %s %s", origin, step.Kind, secret))
	return s.result, s.err
}

func (s *service) Authorize(ctx context.Context, a *keep.Login) (keep.Result, error) {
	return s.authorize(ctx, a)
}

func (s *service) Renew(_ context.Context, i keep.Identity) (keep.Identity, error) { return i, s.err }

func (s *service) SignOut(context.Context, keep.Identity) (bool, error) { return true, s.err }

// A fixture is a controller with an agent, Desk, whose card asks for a key, and another one.
type fixture struct {
	*controltest.Host
	t        *testing.T
	c        *signin.Controller
	service  *service
	keys     int
	writes   bool // the user writes something
	byHand   int
	repeated []a2a.TurnID
	why      string // why nothing is repeated
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	f := &fixture{Host: controltest.NewHost(model.NewState()), t: t, service: &service{}}
	f.AddAgent(1, "http://desk", "Desk", "")
	f.AddAgent(2, "http://bank", "Bank", "")
	card := f.Session.Agent(1).Card
	card.SecuritySchemes = []a2a.SecurityScheme{{Key: "k", Type: "apiKey", In: "header", Name: "X-Desk"}, {Key: "o", Type: "openIdConnect", OpenIDConnectURL: "https://login.example"}}
	card.Security = []a2a.SecurityRequirement{{{Scheme: "k"}}, {{Scheme: "o"}}}
	f.At = control.Place{Agent: 1, Conversation: 1}
	f.c = signin.New(t.Context(), f.Host, styles.New(themes.Mono(), styles.ASCII()), signin.Options{
		Service: f.service, Now: func() time.Time { return controltest.Noon },
		Free: func() bool { return !f.writes }, Keys: func() int { return f.keys },
		ByHand: func() tea.Cmd { f.byHand++; return nil },
		Repeat: func(turn *model.Turn) (a2a.TurnID, string) {
			if f.why != "" {
				return 0, f.why
			}
			f.repeated = append(f.repeated, turn.ID)
			return 90 + a2a.TurnID(len(f.repeated)), ""
		},
	})
	return f
}

// run carries out a command and what follows from it.
func (f *fixture) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case control.DoneMsg:
		f.run(msg())
	case tea.BatchMsg:
		for _, each := range msg {
			f.run(each)
		}
	}
}

// press presses keys in the sheet.
func (f *fixture) press(names ...string) {
	s := f.c.Sheet()
	for _, name := range names {
		f.keys++
		f.run(s.Key(panetest.Key(name)))
	}
}

// write writes a text into the sheet.
func (f *fixture) write(text string) {
	for _, r := range text {
		f.press(string(r))
	}
}

// sees checks the text of the sheet.
func (f *fixture) sees(words ...string) {
	f.t.Helper()
	s := f.c.Sheet()
	s.Refresh()
	s.Pane.SetSize(140, 40)
	panetest.Sees(f.t, panetest.Text(s.Pane.Lines()), words...)
}

// An ending is how a request ends.
type ending struct {
	call   a2a.Call
	url    string // of the request
	status int    // of the head, 0 for none
	asks   string // for credentials, in the head
	body   string // empty for none
	kind   string // of a body of gRPC
	end    a2a.End
}

// ends adds a turn with a request and its end to the session.
func (f *fixture) ends(turn a2a.TurnID, e ending) {
	call := e.call
	call.Agent, call.Turn = 1, turn
	if call.Conversation == 0 {
		call.Conversation = 1
	}
	if call.Op == "" {
		call.Op = a2a.OpSend
	}
	if call.Dialect == a2a.Unknown {
		call.Dialect = a2a.V10
	}
	first := a2a.RecordID(f.Session.Log.Len() + 1)
	put := func(r a2a.Record, u a2a.Update) {
		r.ID, r.Exchange, r.Time, r.Call = a2a.RecordID(f.Session.Log.Len()+1), first, controltest.Noon, &call
		it := log.Item{Record: r, Update: u}
		f.Session.Apply(it)
		f.c.OnItem(&it)
	}
	ask := a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Head: &a2a.Head{Method: http.MethodPost, URL: e.url}}
	switch {
	case call.Op != a2a.OpSend:
	case call.Dialect == a2a.V01:
		ask.Raw = []byte(`{"jsonrpc":"2.0","id":"1","method":"tasks/send","params":{"id":"t","message":{"role":"user","parts":[{"type":"text","text":"hello"}]}}}`)
	default:
		ask.Raw = []byte(`{"jsonrpc":"2.0","id":"1","method":"SendMessage","params":{"message":{"messageId":"m1","role":"ROLE_USER","parts":[{"text":"hello"}]}}}`)
	}
	put(ask, a2a.Update{})
	if e.status != 0 {
		head := &a2a.Head{Status: e.status, Header: http.Header{}}
		if e.asks != "" {
			head.Header.Set("WWW-Authenticate", e.asks)
		}
		put(a2a.Record{Kind: a2a.KindHead, Dir: a2a.In, Head: head}, a2a.Update{})
	}
	if e.body != "" {
		put(a2a.Record{Kind: a2a.KindBody, Dir: a2a.In, Raw: []byte(e.body)}, a2a.Decode(&call, a2a.Input{Body: []byte(e.body), Status: e.status, Kind: e.kind}))
	}
	end := e.end
	if end.Reason == "" {
		end.Reason = a2a.Ended
	}
	put(a2a.Record{Kind: a2a.KindEnd, Dir: a2a.In, End: &end}, a2a.Update{})
}

// over signals the end of a turn.
func (f *fixture) over(turn a2a.TurnID) {
	f.run(f.c.OnSignal(&log.Signal{Kind: log.SignalTurnOver, Agent: 1, Conversation: 1, Turn: turn}))
}

// unauthorized is the end of a request that is refused with 401.
var unauthorized = ending{status: 401, end: a2a.End{Class: a2a.ClassNoCredentials, Sentence: "desk requires credentials."}}

// refuse adds a message that is refused, and signals that.
func (f *fixture) refuse(turn a2a.TurnID) {
	f.ends(turn, unauthorized)
	f.over(turn)
}

// Every form in which an agent asks for credentials opens the sheet, which names it; other failures do
// not.
func TestWhichRefusalsOpenTheSheet(t *testing.T) {
	rpc := func(code int) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":"1","error":{"code":%d,"message":"no"}}`, code)
	}
	grpc := func(code int) string { return fmt.Sprintf(`{"code":%d,"message":"who are you?"}`, code) }
	overGRPC, old := a2a.Call{Binding: a2a.BindingGRPC}, a2a.Call{Dialect: a2a.V01}
	auth := func(class string) a2a.End { return a2a.End{Class: class, Sentence: "desk wants to know who calls."} }
	for name, c := range map[string]struct {
		ending
		says string // empty if the sheet stays closed
	}{
		"401":                   {unauthorized, "Desk refused the message with 401 Unauthorized."},
		"401 with an error":     {ending{status: 401, body: rpc(-32600), end: auth(a2a.ClassNoCredentials)}, "refused the message with InvalidRequest (-32600)"},
		"403":                   {ending{status: 403, end: auth(a2a.ClassAuth)}, "Desk refused the message with 403 Forbidden."},
		"UNAUTHENTICATED":       {ending{call: overGRPC, body: grpc(16), kind: a2a.KindStatus, end: auth(a2a.ClassNoCredentials)}, "Desk refused the message with UNAUTHENTICATED."},
		"PERMISSION_DENIED":     {ending{call: overGRPC, body: grpc(7), kind: a2a.KindStatus, end: auth(a2a.ClassAuth)}, "Desk refused the message with PERMISSION_DENIED."},
		"-32007 of 0.1":         {ending{call: old, status: 200, body: rpc(-32007)}, "Desk refused the message with AuthenticationRequired (-32007)."},
		"-32008 of 0.1":         {ending{call: old, status: 200, body: rpc(-32008)}, "Desk refused the message with AuthorizationFailed (-32008)."},
		"a request for a task":  {ending{call: a2a.Call{Op: a2a.OpGet, TaskID: "t1"}, status: 401, end: auth(a2a.ClassNoCredentials)}, "Desk refused the request with 401 Unauthorized."},
		"a renewal that failed": {ending{end: a2a.End{Reason: a2a.Refused, Class: a2a.ClassNoCredentials, Sentence: "Nothing was sent: The sign-in has ended."}}, "Nothing was sent: The sign-in has ended."},
		"-32007 of 1.0":         {ending{status: 200, body: rpc(-32007)}, ""},
		"500":                   {ending{status: 500, end: a2a.End{Class: a2a.ClassStatus, Sentence: "It failed."}}, ""},
		"an error":              {ending{status: 200, body: rpc(-32603)}, ""},
		"UNAVAILABLE":           {ending{call: overGRPC, body: grpc(14), kind: a2a.KindStatus, end: a2a.End{Class: a2a.ClassStatus, Sentence: "It is away."}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			f.ends(1, c.ending)
			f.over(1)
			if open := f.Shows(signin.SheetName); open != (c.says != "") {
				t.Fatalf("got the sheet open: %v", open)
			}
			if c.says != "" {
				f.sees(c.says, "API key in the header X-Desk")
			}
		})
	}
}

// An older refusal of another request is not given as the reason.
func TestTheReasonIsThatOfTheNewestRequest(t *testing.T) {
	f := newFixture(t)
	f.ends(1, unauthorized)
	f.ends(2, ending{end: a2a.End{Reason: a2a.Refused, Class: a2a.ClassNoCredentials, Sentence: "Nothing was sent: The sign-in has ended."}})
	f.over(2)
	f.sees("Nothing was sent: The sign-in has ended.")
}

// An agent whose refusal leads to the metadata of another resource gets no token for that one.
func TestTheSheetGetsNoTokenForAnotherResource(t *testing.T) {
	login := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("the authorization server got a request for %s", r.URL)
	}))
	defer login.Close()
	agent := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprintf(w, `{"resource":"https://other.example/mail","authorization_servers":[%q]}`, login.URL)
	}))
	defer agent.Close()
	f := newFixture(t)
	a := f.Session.Agent(1)
	a.Ref, a.Card.SecuritySchemes, a.Card.Security = agent.URL, nil, nil
	f.service.authorize = (&keep.Client{HTTP: keep.HTTPClient(http.DefaultTransport), Now: time.Now}).Authorize
	refused := unauthorized
	refused.url, refused.asks = agent.URL+"/rpc", `Bearer resource_metadata="`+agent.URL+`/.well-known/oauth-protected-resource"`
	f.ends(1, refused)
	f.over(1)
	f.sees("OAuth, sign in with a browser")
	f.press("enter")
	f.sees("are those of https://other.example/mail, and not of", agent.URL+"/rpc: no token was requested")
}

// The sheet opens by itself only where the user waits for the answer.
func TestTheSheetComesInNobodysWay(t *testing.T) {
	for name, c := range map[string]func(f *fixture){
		"another agent":        func(f *fixture) { f.At = control.Place{Agent: 2} },
		"another conversation": func(f *fixture) { f.At.Conversation = 7 },
		"another sheet":        func(f *fixture) { f.Shown = "card" },
		"a text":               func(f *fixture) { f.writes = true },
		"a key press":          func(f *fixture) { f.keys++ },
		"a recording":          func(f *fixture) { f.Refuses = "This is a recording." },
	} {
		f := newFixture(t)
		f.ends(1, unauthorized)
		c(f)
		f.over(1)
		if f.Shows(signin.SheetName) {
			t.Errorf("%s: the sheet is open", name)
		}
	}
	f := newFixture(t)
	f.Refuses = "This is a recording."
	f.run(f.c.Open())
	if f.byHand != 1 || f.Shows(signin.SheetName) {
		t.Error("a recording shows the sheet for sign-ins")
	}
}
