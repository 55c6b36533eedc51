package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"parley/a2a"
	"parley/a2a/challenge"
	"parley/internal/signin"
	"parley/session/problem"
)

// loginFlags are the flags of parley auth login.
type loginFlags struct {
	callFlags
	signInFlags
	kind      string
	scopes    []string
	noBrowser bool
}

// signInFlags are the flags of everything that signs in.
type signInFlags struct {
	clientID string
	port     int
}

func (f *signInFlags) flags(fs *pflag.FlagSet) {
	fs.StringVar(&f.clientID, "client-id", "", "the `id` under which Parley is registered at the authorization server; its secret, if it has one, is in PARLEY_CLIENT_SECRET")
	fs.IntVar(&f.port, "redirect-port", signin.DefaultPort, "expect the browser at this `port`; http://127.0.0.1:PORT/callback must be registered at the authorization server")
}

// check refuses what is no port.
func (f *signInFlags) check() error {
	if f.port < 0 || f.port > 65535 {
		return usage("The value of --redirect-port is not a port: 0 to 65535.")
	}
	return nil
}

func (a *app) authLoginCommand() *cobra.Command {
	var f loginFlags
	c := &cobra.Command{
		Use:   "login [flags] REF",
		Short: "Sign in to an agent as its card says",
		Long: `Sign in to an agent with what its card asks for, or its answer if the card is
protected itself. A key, a password or a token is read from the terminal or
from standard input, never from the command line. With OAuth, a browser opens
the page of the authorization server; without one, the address of the last page
is pasted, or --flow device shows a code to enter elsewhere.

The credentials go to the origin of REF alone, with every command and in the
workbench, until parley auth logout.`,
		Example: `  parley auth login https://agent.example
  parley auth login https://agent.example --client-id desk --scope read
  parley auth login https://agent.example --client-id desk --flow device
  parley auth login https://agent.example --flow key < key.txt`,
		Args: cobra.ExactArgs(1),
	}
	c.RunE = func(_ *cobra.Command, args []string) error {
		f.ref, a.dotenv.agent = args[0], ""
		if f.kind != "" && !slices.Contains(signin.Kinds(), signin.Kind(f.kind)) {
			return usage("The value of --flow is none of %s.", problem.JoinWords(kindNames()))
		}
		if err := f.signInFlags.check(); err != nil {
			return err
		}
		return a.authLogin(&f)
	}
	a.callFlags(c, &f.callFlags)
	fs := c.Flags()
	fs.StringVar(&f.kind, "flow", "", "sign in with this `kind` of credentials: "+strings.Join(kindNames(), ", ")+" (default: the first that the card names)")
	f.signInFlags.flags(fs)
	fs.StringArrayVar(&f.scopes, "scope", nil, "ask for this `scope`; repeatable (default: those that the card requires)")
	fs.BoolVar(&f.noBrowser, "no-browser", false, "open no browser: print the address, and read the address of the last page")
	return c
}

// kindNames are the values of --flow.
func kindNames() (names []string) {
	for _, k := range signin.Kinds() {
		names = append(names, string(k))
	}
	return names
}

// A login is one sign-in.
type login struct {
	app       *app
	flags     *loginFlags
	origin    string
	challenge challenge.Challenge
	refused   string        // URL of the request that was refused with the challenge
	secrets   *a2a.Secrets  // for which masks stand in what was recorded of the agent
	in        *bufio.Reader // standard input, nil until it is read
}

// authLogin signs in.
func (a *app) authLogin(f *loginFlags) error {
	origin, err := a.authOrigin(f.ref)
	if err != nil {
		return err
	}
	if why := a.net.unkept(0); why != "" {
		f := internal("%s.", sentence(why))
		f.hint = "To use credentials without keeping them, " + giveCredentials
		return f
	}
	l := &login{app: a, flags: f, origin: origin}
	way, err := l.way()
	if err != nil {
		return err
	}
	for _, step := range way {
		if err := l.take(&step); err != nil {
			return err
		}
	}
	return nil
}

// way gets the card, without the credentials that are kept, and returns how to sign in.
func (l *login) way() (signin.Way, error) {
	keeper := l.app.net.keeper
	l.app.net.keeper = nil // an identity that has ended must not prevent the next one
	defer func() { l.app.net.keeper = keeper }()
	op, err := l.app.begin(&l.flags.callFlags)
	if err != nil {
		return nil, err
	}
	defer op.end()
	op.wantsCard, op.approval.looks, l.secrets = true, true, op.secrets
	failure := op.open()
	card := op.card()
	challenges, refused := op.challenges()
	if len(challenges) > 0 {
		l.challenge, l.refused = challenges[0], refused
	}
	ways := signin.Ways(card)
	if len(ways) == 0 {
		ways = signin.Demanded(challenges)
	}
	if len(ways) == 0 && l.flags.kind != "" { // the user knows better
		ways = []signin.Way{{{Kind: signin.Kind(l.flags.kind), Scheme: a2a.SecurityScheme{In: "header", Name: "X-API-Key"}}}}
	}
	way, ok := signin.Choose(ways, signin.Kind(l.flags.kind))
	switch {
	case ok:
		return way, nil
	case len(ways) == 0 && failure != nil:
		return nil, op.advise(failure, nil)
	case len(ways) == 0:
		f := internal("%s asks for no credentials: its card names none.", line(a2a.MaskReference(l.flags.ref)))
		f.hint = "If it refuses requests all the same, " + giveCredentials + " --flow names the kind of credentials to keep."
		return nil, f
	case l.flags.kind != "":
		return nil, usage("The card of %s does not ask for what --flow names: it accepts %s.", line(a2a.MaskReference(l.flags.ref)), accepted(ways))
	}
	return nil, internal("Parley cannot sign in to %s: %s.", line(a2a.MaskReference(l.flags.ref)), whyNone(ways))
}

// challenges returns what the newest refusal asks for, and the URL of the request that was refused.
func (op *operation) challenges() (all []challenge.Challenge, refused string) {
	records := op.state.Log
	for id := a2a.RecordID(records.Len()); id > 0; id-- {
		it := records.At(id)
		if it == nil {
			continue
		}
		if r := &it.Record; r.Kind == a2a.KindHead && r.Head != nil && (r.Head.Status == 401 || r.Head.Status == 403) {
			return challenge.Of(r.Head.Header), records.RequestURL(r.Exchange)
		}
	}
	return nil, ""
}

// accepted lists the kinds that ways have.
func accepted(ways []signin.Way) string {
	var names []string
	for _, way := range ways {
		for _, s := range way {
			if !slices.Contains(names, string(s.Kind)) && s.Kind != signin.Unsupported {
				names = append(names, string(s.Kind))
			}
		}
	}
	if len(names) == 0 {
		return "nothing that Parley knows"
	}
	return problem.JoinWords(names)
}

// whyNone says why no way can be taken.
func whyNone(ways []signin.Way) string {
	for _, way := range ways {
		for _, s := range way {
			switch {
			case s.Kind == signin.Certificate:
				return "it asks for a client certificate, which --cert FILE presents"
			case s.Why != "":
				return line(s.Why)
			}
		}
	}
	return "its card asks for nothing that can be entered"
}

// take satisfies one demand.
func (l *login) take(s *signin.Step) error {
	switch s.Kind {
	case signin.Key, signin.Basic, signin.Bearer:
		return l.enter(s)
	case signin.Certificate:
		if l.app.net.cert == "" {
			return usage("The agent also asks for a client certificate: --cert FILE presents one.")
		}
		return nil
	}
	return l.authorize(s)
}

// enter reads a secret that the user has.
func (l *login) enter(s *signin.Step) error {
	var err error
	user, what := "", "API key"
	switch s.Kind {
	case signin.Basic:
		what = "Password"
		if user, err = l.read("User", false); err != nil {
			return err
		}
	case signin.Bearer:
		what = "Token"
	}
	secret, err := l.read(what, true)
	if err != nil {
		return err
	}
	got, err := l.app.net.signIn.Enter(l.origin, s, user, secret)
	if err != nil {
		return internal("%s.", sentence(line(err.Error())))
	}
	return l.done(&got)
}

// read reads a line of standard input; a secret is not shown on a terminal.
func (l *login) read(what string, secret bool) (string, error) {
	in := l.app.streams.In
	switch {
	case l.asks():
		_, _ = fmt.Fprintf(l.app.streams.Err, "%s for %s: ", what, line(l.origin)) // the answer is read all the same
		if secret {
			text, _ := term.ReadPassword(in.Fd()) // without a text it failed
			_, _ = fmt.Fprintln(l.app.streams.Err)
			return l.checkEntered(what, string(text))
		}
	case isTerminal(in): // it would show a secret, and nobody would see what is asked
		return "", l.unasked(what + ": nothing is asked, because standard error is not a terminal.")
	}
	if l.in == nil {
		l.in = bufio.NewReader(in)
	}
	text, _ := l.in.ReadString('\n') // without a text it failed
	return l.checkEntered(what, text)
}

// asks reports whether there is a user who can be asked: one who reads standard error and types.
func (l *login) asks() bool { return isTerminal(l.app.streams.In) && isTerminal(l.app.streams.Err) }

// unasked is the fault for a sign-in that needs a user, where there is none.
func (l *login) unasked(message string) *fault {
	command := loginCommand(l.flags.ref)
	if l.flags.clientID != "" {
		command += " --client-id " + shellWord(l.flags.clientID)
	}
	if l.flags.noBrowser {
		command += " --no-browser"
	}
	return &fault{code: codeCredentialsMissing, message: message, hint: "Run " + command + " in a terminal; keys, passwords and tokens are also read from standard input."}
}

// checkEntered refuses what no header can carry.
func (l *login) checkEntered(what, text string) (string, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return "", l.unasked(what + ": nothing was entered.")
	}
	if why := signin.CheckEntered(text); why != "" {
		return "", usage("%s: %s.", what, why)
	}
	return text, nil
}

// authorize runs a flow of OAuth 2.
func (l *login) authorize(s *signin.Step) error {
	a, f := l.app, l.flags
	if s.Kind == signin.AuthorizationCode && f.noBrowser && !l.asks() {
		return l.unasked("Nobody can sign in here: there is no terminal to show an address, and to read that of the last page.")
	}
	if f.clientID == "" {
		return usage("The agent asks for OAuth: give --client-id, the id under which Parley is registered at the authorization server.")
	}
	ctx, cancel := context.WithCancelCause(a.ctx)
	defer cancel(nil)
	pasted := make(chan string)
	got, err := a.net.signIn.Authorize(ctx, &signin.Login{
		Origin: l.origin, Step: *s, Challenge: l.challenge, Refused: l.refused, Session: l.secrets, Pasted: pasted,
		Settings: signin.Settings{ClientID: f.clientID, Secret: a.net.signIn.Defaults.Secret, Scopes: f.scopes, Port: f.port},
		Show:     func(page signin.Page) { l.show(ctx, cancel, page, pasted) },
	})
	if err != nil {
		return l.failed(err)
	}
	for _, d := range got.Doubts {
		a.note("Warning", "%s", line(d))
	}
	return l.done(&got)
}

// failed is the fault for a sign-in that did not succeed.
func (l *login) failed(err error) error {
	if unasked, ok := errors.AsType[*fault](err); ok {
		return unasked
	}
	if l.app.ctx.Err() != nil || errors.Is(err, context.Canceled) {
		return &fault{code: codeAuthFailed, message: "The sign-in was stopped; nothing was kept."}
	}
	return &fault{code: codeAuthFailed, message: sentence(line(err.Error())) + ".", hint: "Run it again; parley doctor " + shellReference(l.flags.ref) + " follows the way to the agent."}
}

// done says who the user is now.
func (l *login) done(got *signin.Result) error {
	var p page
	l.app.identity(&p, &got.Identity)
	return l.app.print(p.b.Bytes())
}
