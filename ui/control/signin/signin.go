// Package signin is the controller of sign-ins: it says what an agent that refused a request
// asks for, and signs the user in outside of Update. Later requests carry the credentials,
// and the controller repeats the refused request once. It also lists who the user is, renews
// tokens and signs out.
package signin

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/signin"
	"parley/session/log"
	"parley/session/model"
	"parley/ui/action"
	"parley/ui/canvas"
	"parley/ui/control"
	pane "parley/ui/signin"
	"parley/ui/styles"
)

// SheetName is the name of the sheet.
const SheetName control.SheetName = "sign-in"

// A Service signs in and keeps identities. All methods but Settings and Place may wait for servers,
// the keyring or files, so they do not belong into Update.
type Service interface {
	// Settings returns what the user's settings say about sign-ins.
	Settings() signin.Settings
	// Place names where secrets are kept.
	Place() string
	// Identities returns who the user is, for all origins. Its error is a clause, as all below.
	Identities() ([]signin.Identity, error)
	// Temporary reports whether an identity ends with the program, although others are kept.
	Temporary(i signin.Identity) bool
	// Enter keeps what the user has entered for a step.
	Enter(origin string, s *signin.Step, user, secret string) (signin.Result, error)
	// Authorize runs a flow of OAuth until the user has signed in or ctx ends.
	Authorize(ctx context.Context, a *signin.Login) (signin.Result, error)
	// Renew gets another token for an identity.
	Renew(ctx context.Context, i signin.Identity) (signin.Identity, error)
	// SignOut forgets an identity; told reports whether the authorization server has ended it.
	SignOut(ctx context.Context, i signin.Identity) (told bool, err error)
}

var _ Service = (*signin.Client)(nil)

// Options say what the controller works with.
type Options struct {
	// Service signs in; nil leads to the sheet for headers alone.
	Service Service
	// Secrets are those of the session, for which masks stand in recorded addresses.
	Secrets *a2a.Secrets
	Now     func() time.Time
	// Browse opens a URL in a browser; nil if the system has none, or the terminal is at the other
	// end of a connection. Its error is a clause.
	Browse func(url string) error
	// Free reports whether the user is writing nothing, so that the sheet may open by itself, and
	// Keys how many keys were pressed since the start.
	Free func() bool
	Keys func() int
	// ByHand opens the sheet for headers.
	ByHand func() tea.Cmd
	// Repeat sends the message of a turn once more, as another turn; why says in a clause why it does
	// not.
	Repeat func(t *model.Turn) (turn a2a.TurnID, why string)
}

// A Controller signs in.
type Controller struct {
	host control.Host
	ctx  context.Context
	o    Options
	pane *pane.Pane

	agent      a2a.AgentID // for which the sheet is open
	offers     []signin.Offer
	identities []signin.Identity
	brief      map[string]bool // identities that end with the program, by [name]
	problem    string          // why the identities cannot be read, a clause
	run        *run            // the sign-in under way, nil if there is none
	said       string          // how the last one ended
	bad        bool
	unkept     bool // the user knows why nothing is kept

	pressed  map[a2a.AgentID]int  // keys when the newest request of an agent was sent
	repeated map[a2a.TurnID]bool  // refused turns that were repeated, and those that repeat them
	last     map[a2a.AgentID]bool // an agent refused a repeated request
}

// New returns a controller whose sign-ins end with ctx.
func New(ctx context.Context, host control.Host, st *styles.Styles, o Options) *Controller {
	return &Controller{
		host: host, ctx: ctx, o: o, pane: pane.New(st), brief: map[string]bool{},
		pressed: map[a2a.AgentID]int{}, repeated: map[a2a.TurnID]bool{}, last: map[a2a.AgentID]bool{},
	}
}

// Sheet describes the sheet. Its pane handles the keys that close it, to forget secrets and to
// cancel.
func (c *Controller) Sheet() control.Sheet {
	return control.NewSheet(c.pane, c.onIntent, control.Sheet{
		Name: SheetName, Help: "sign in", KeepsCtrlC: true, Typing: c.pane.Typing, Paste: c.pane.Paste, PasteAlways: true,
		Refresh: func() { c.pane.Update(c.content()) }, Next: control.EverySecond,
	})
}

// Actions returns the actions that work everywhere.
func (c *Controller) Actions() []action.Action[tea.Cmd] {
	return []action.Action[tea.Cmd]{{
		Row: action.Row{
			ID: action.SignIn, Keys: []string{"f5"}, Does: "sign in", Now: action.Unless(c.host.Refusal, control.NoneOpen(c.host)),
			Slash: "signin", Name: "Sign in to the agent, show and end sign-ins", Also: []string{"login", "log in", "token", "password", "auth", "oauth", "sign out", "logout"},
		},
		Run: c.Open,
	}}
}

// Open shows the sheet for the agent on the screen, or the sign-in under way.
func (c *Controller) Open() tea.Cmd {
	a := c.host.Agent()
	switch {
	case c.o.Service == nil || c.host.Refusal() != "":
		return c.o.ByHand()
	case a == nil && c.run == nil:
		return c.host.Say(control.NoAgent(c.host), true)
	}
	if c.run != nil {
		c.agent = c.run.agent
		c.pane.Update(c.content())
		c.host.Open(SheetName)
		if a != nil && a.ID != c.run.agent {
			return c.host.Say("A sign-in to "+c.host.AgentName(c.run.agent)+" is under way: finish or cancel it first.", true)
		}
		return nil
	}
	c.agent, c.said, c.bad = a.ID, "", false
	c.pane.Open(c.content())
	c.host.Open(SheetName)
	return c.load(func() { c.pane.Open(c.content()) })
}

// load reads the identities outside of Update. After that it calls then, if the sheet is still as
// untouched as it was.
func (c *Controller) load(then func()) tea.Cmd {
	service, keys := c.o.Service, c.o.Keys()
	return func() tea.Msg {
		list, err := service.Identities()
		brief := map[string]bool{}
		for _, i := range list {
			brief[name(&i)] = service.Temporary(i)
		}
		return control.DoneMsg(func() tea.Cmd {
			c.identities, c.brief, c.problem = list, brief, ""
			if err != nil {
				c.problem = err.Error()
			}
			if then != nil && c.run == nil && c.o.Keys() == keys && c.host.Shows(SheetName) {
				then()
			}
			c.host.Touch()
			return nil
		})
	}
}

// name identifies an identity.
func name(i *signin.Identity) string {
	return i.Origin + " " + string(i.Kind) + " " + i.In + " " + i.Name
}

// OnItem notes when the newest request of an agent was sent.
func (c *Controller) OnItem(it *log.Item) {
	call := it.Record.Call
	if it.Record.Kind == a2a.KindRequest && call != nil && (call.Op == a2a.OpSend || call.Op == a2a.OpStream) {
		c.pressed[call.Agent] = c.o.Keys()
	}
}

// OnSignal opens the sheet where an agent asks for credentials, if the user sees the agent, writes
// nothing, and has pressed no key since the request. Otherwise the conversation names the key.
func (c *Controller) OnSignal(s *log.Signal) tea.Cmd {
	if s == nil || c.o.Service == nil || c.host.Refusal() != "" {
		return nil
	}
	asked := false
	switch s.Kind {
	case log.SignalOpening:
		c.pressed[s.Agent] = c.o.Keys()
	case log.SignalOpened:
		asked = s.Class == a2a.ClassNoCredentials || s.Class == a2a.ClassAuth
	case log.SignalTurnOver:
		t := c.host.State().Turn(s.Turn)
		asked = t != nil && demanding(t) != nil
		if c.repeated[s.Turn] {
			c.last[s.Agent] = asked
			asked = false // once is enough
		}
	}
	shown := c.host.Agent()
	if !asked || shown == nil || shown.ID != s.Agent || c.host.Covered() || c.run != nil || !c.o.Free() || c.o.Keys() != c.pressed[s.Agent] {
		return nil
	}
	if s.Kind == log.SignalTurnOver {
		if !c.host.OnScreen(s.Conversation) {
			return nil
		}
		return tea.Batch(c.Open(), c.host.Say("after you have signed in, the refused request is repeated once", false))
	}
	return c.Open()
}

// onIntent carries out what the sheet asks for.
func (c *Controller) onIntent(in pane.Intent) tea.Cmd {
	switch in := in.(type) {
	case pane.Close:
		c.host.Close()
	case pane.Refused:
		return c.host.Say(canvas.SanitizeLine(in.Why), true)
	case pane.ByHand:
		c.host.Close()
		return c.o.ByHand()
	case pane.Start:
		return c.start(in)
	case pane.Cancel:
		c.cancel()
	case pane.Paste:
		return c.paste(in.Address)
	case pane.Browse:
		return c.browse(in.URL)
	case pane.Copy:
		return c.host.Copy(in.Text, in.What)
	case pane.Renew:
		return c.renew(in.Index)
	case pane.SignOut:
		return c.signOut(in.Index)
	}
	return nil
}
