package cli

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"parley/a2a"
	"parley/internal/signin"
)

// authCommand contains the commands about who the user is for an agent.
func (a *app) authCommand() *cobra.Command {
	c := group("auth", "Sign in to agents, list who you are there, and sign out")
	c.Example = "  parley auth login https://agent.example\n  parley auth status\n  parley auth logout https://agent.example"
	c.AddCommand(a.authLoginCommand(), a.authStatusCommand(), a.authLogoutCommand())
	return c
}

// authOrigin returns the origin of a reference, or of a saved agent. An identity belongs to it.
func (a *app) authOrigin(ref string) (string, error) {
	if err := a.checkReference(ref); err != nil {
		return "", err
	}
	if agent, ok := a.savedAgent(ref); ok {
		ref = agent.Ref
	}
	origin := a2a.TypedOrigin(ref)
	if origin == "" {
		return "", usage("%q has no origin to which credentials could go: name the agent's URL.", line(a2a.MaskReference(ref)))
	}
	return origin, nil
}

func (a *app) authStatusCommand() *cobra.Command {
	var output string
	c := &cobra.Command{
		Use:   "status [REF]",
		Short: "List who you are for which agent, and until when",
		Long: `List the identities that are kept: for which origin, who, which scopes, until
when, and where the secrets are. Nobody is contacted, and no secret is shown.`,
		Example: "  parley auth status\n  parley auth status https://agent.example -o json\n  parley auth status Desk",
		Args:    cobra.MaximumNArgs(1),
	}
	c.RunE = func(_ *cobra.Command, args []string) error { return a.authStatus(args, output) }
	c.Flags().StringVarP(&output, "output", "o", "text", "`format` of the output: text or json")
	a.storeFlag(c.Flags())
	return c
}

// A shownIdentity is an identity in JSON.
type shownIdentity struct {
	Origin   string   `json:"origin"`
	Kind     string   `json:"kind"`
	Scheme   string   `json:"scheme,omitempty"`
	User     string   `json:"user,omitempty"`
	Issuer   string   `json:"issuer,omitempty"`
	ClientID string   `json:"clientId,omitempty"`
	Scopes   []string `json:"scopes,omitempty"`
	Audience []string `json:"audience,omitempty"`
	Expires  string   `json:"expires,omitempty"`
	Renews   bool     `json:"renews"`
	Doubts   []string `json:"doubts,omitempty"`
	Store    string   `json:"store"`
}

func (a *app) authStatus(args []string, output string) error {
	if output != "text" && output != "json" {
		return usage("The value of --output is neither text nor json.")
	}
	list, err := a.net.keeper.List()
	if len(args) == 1 && err == nil {
		origin, fail := a.authOrigin(args[0])
		if fail != nil {
			return fail
		}
		list, err = a.net.keeper.Of(origin)
	}
	if err != nil {
		return internal("%s.", sentence(line(err.Error())))
	}
	if output == "json" {
		all := []shownIdentity{}
		for _, i := range list {
			all = append(all, a.shownIdentity(&i))
		}
		raw, err := json.Marshal(all)
		if err != nil {
			return internal("The identities cannot be written as JSON.")
		}
		return a.print(append(raw, '\n'))
	}
	var p page
	for n, i := range list {
		if n > 0 {
			p.add("\n")
		}
		a.identity(&p, &i)
	}
	if len(list) == 0 {
		p.add("You are signed in nowhere: parley auth login REF signs in.\n")
	}
	return a.print(p.b.Bytes())
}

func (a *app) shownIdentity(i *signin.Identity) shownIdentity {
	s := shownIdentity{
		Origin: i.Origin, Kind: string(i.Kind), Scheme: i.Scheme, User: i.User, ClientID: i.ClientID, Scopes: i.Scopes, Audience: i.Audience,
		Renews: i.Renews, Doubts: i.Doubts(nil, now()), Store: a.net.keeper.Place(),
	}
	if i.Server != nil {
		s.Issuer = i.Server.Issuer
	}
	if !i.Expires.IsZero() {
		s.Expires = i.Expires.UTC().Format(time.RFC3339)
	}
	return s
}

// identity writes an identity.
func (a *app) identity(p *page, i *signin.Identity) {
	p.field("Agent", line(i.Origin))
	if i.User != "" {
		p.field("User", line(i.User))
	}
	p.field("Kind", i.Kind.Words())
	if i.Server != nil && i.Server.Issuer != "" {
		p.field("Issuer", line(i.Server.Issuer))
	}
	if len(i.Scopes) > 0 {
		p.field("Scopes", line(strings.Join(i.Scopes, " ")))
	}
	if len(i.Audience) > 0 {
		p.field("Audience", line(strings.Join(i.Audience, ", ")))
	}
	p.field("Valid", i.Validity(now()))
	p.field("Kept in", line(a.net.keeper.Place()))
	for _, d := range i.Doubts(nil, now()) {
		p.field("Warning", line(d))
	}
}

func (a *app) authLogoutCommand() *cobra.Command {
	var all bool
	c := &cobra.Command{
		Use:   "logout [REF]",
		Short: "Forget who you are for an agent",
		Long: `Forget the credentials for an agent, or with --all for every agent. The
authorization server is told, where it has an endpoint for that, so that the
token can no longer be used.`,
		Example: "  parley auth logout https://agent.example\n  parley auth logout --all\n  parley auth logout Desk",
		Args:    cobra.MaximumNArgs(1),
	}
	c.RunE = func(_ *cobra.Command, args []string) error {
		if all == (len(args) == 1) {
			return usage("Name one agent, or give --all.")
		}
		return a.authLogout(args)
	}
	c.Flags().BoolVar(&all, "all", false, "forget the credentials for every agent")
	a.storeFlag(c.Flags())
	return c
}

func (a *app) authLogout(args []string) error {
	list, err := a.net.keeper.List()
	where := "any agent"
	if len(args) == 1 && err == nil {
		origin, fail := a.authOrigin(args[0])
		if fail != nil {
			return fail
		}
		where = origin
		list, err = a.net.keeper.Of(origin)
	}
	if err != nil {
		return internal("%s.", sentence(line(err.Error())))
	}
	if len(list) == 0 {
		return misnamed("You are not signed in to %s: parley auth status lists where you are.", line(where))
	}
	for _, i := range list {
		told, err := a.net.keeper.SignOut(a.ctx, i)
		if err != nil {
			return internal("%s.", sentence(line(err.Error())))
		}
		words := "Signed out of " + line(i.Origin) + "."
		if told {
			words += " The authorization server has ended the token."
		}
		if err := a.print([]byte(words + "\n")); err != nil {
			return err
		}
	}
	return nil
}

// loginCommand is the command that signs in to an agent, for hints.
func loginCommand(ref string) string {
	return fmt.Sprintf("parley auth login %s", shellReference(ref))
}
