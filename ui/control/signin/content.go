package signin

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"parley/a2a"
	"parley/a2a/challenge"
	"parley/internal/signin"
	"parley/internal/units"
	"parley/session/model"
	"parley/ui/canvas"
	"parley/ui/looks"
	pane "parley/ui/signin"
)

// content returns what the sheet shows.
func (c *Controller) content() pane.Content {
	a := c.host.State().Agent(c.agent)
	if a == nil {
		return pane.Content{Why: "No agent is open."}
	}
	out := pane.Content{Agent: a.Name(), Origin: a2a.TypedOrigin(a.Ref), Said: c.said, Bad: c.bad}
	if c.problem != "" {
		out.Problem = sentence(c.problem)
	}
	if r := c.run; r != nil {
		p := r.progress
		out.Progress = &p
	}
	out.Demand = c.demand(a)
	var asked []challenge.Challenge
	if c.refusal(a) != nil { // an earlier one has been satisfied
		asked, _ = c.challenges(a.ID)
	}
	c.offers = signin.Offers(cardOf(a), asked)
	for i := range c.offers {
		out.Ways = append(out.Ways, c.way(a, &c.offers[i], out.Origin))
	}
	out.Ways = append(out.Ways, pane.Way{Words: "another header, entered by hand", ByHand: true, Does: "It is kept in memory, for this agent alone."})
	required := c.required(a)
	for i := range c.identities {
		id := &c.identities[i]
		out.Identities = append(out.Identities, c.identity(id, id.Origin == out.Origin, required[id.Scheme]))
	}
	return out
}

// cardOf returns the card that says how to sign in to an agent: the public one, unless only the extended
// one does. It is nil if there is none.
func cardOf(a *model.Agent) *a2a.Card {
	if public := a.Extended.Public; a.Extended.Stands && public != nil && a.Card != nil && len(a.Card.SecuritySchemes) == 0 {
		return public
	}
	return a.Card
}

// required returns the scopes that the card of an agent requires of each scheme.
func (c *Controller) required(a *model.Agent) map[string][]string {
	scopes, card := map[string][]string{}, cardOf(a)
	if card == nil {
		return scopes
	}
	for _, r := range card.Security {
		for _, s := range r {
			if _, known := scopes[s.Scheme]; !known {
				scopes[s.Scheme] = s.Scopes
			}
		}
	}
	return scopes
}

// identity returns an identity as it is shown.
func (c *Controller) identity(i *signin.Identity, here bool, required []string) pane.Identity {
	now := c.o.Now()
	kept := c.o.Service.Place()
	if c.brief[name(i)] {
		kept = "memory, until Parley ends"
	}
	if !here {
		required = nil
	}
	out := pane.Identity{
		Origin: i.Origin, Here: here, User: i.User, Kind: i.Kind.Words(), Scopes: strings.Join(i.Scopes, " "), For: strings.Join(i.Audience, ", "),
		Valid: i.Validity(now), Kept: kept, Doubts: i.Doubts(required, now), Renews: i.Renews,
	}
	if i.Server != nil {
		out.Issuer = i.Server.Issuer
	}
	return out
}

// way returns an offer as it is shown.
func (c *Controller) way(a *model.Agent, o *signin.Offer, origin string) pane.Way {
	out := pane.Way{Words: o.Way.Words(), Source: map[signin.Source]string{
		signin.FromCard: "card", signin.FromSkill: "skill " + o.Skill, signin.FromAnswer: "its refusal", signin.FromUser: "not asked for",
	}[o.Source], Why: o.Way.Problem()}
	if origin == "" {
		out.Why = "the agent was opened from a file, so that no origin is named to which credentials could go"
	}
	var does []string
	for i := range o.Way {
		s := &o.Way[i]
		out.Inputs = append(out.Inputs, c.inputs(s, origin, len(o.Way) > 1)...)
		does = append(does, c.does(s))
	}
	if len(out.Inputs) > pane.MaxInputs && out.Why == "" {
		out.Why = "it asks for more credentials than fit here: use parley auth login"
	}
	does = slices.DeleteFunc(does, func(s string) bool { return s == "" })
	out.Does = strings.Join(append(slices.Compact(does), "The credentials go to "+origin+" alone, and are kept in "+c.o.Service.Place()+"."), " ")
	return out
}

// inputs returns what is to be entered for a step; of several steps, each names what it is for.
func (c *Controller) inputs(s *signin.Step, origin string, several bool) []pane.Input {
	label := func(words string) string {
		if several && s.Kind == signin.Key && s.Scheme.Name != "" {
			return words + " " + canvas.SanitizeLine(s.Scheme.Name)
		}
		return words
	}
	switch s.Kind {
	case signin.Key:
		return []pane.Input{{Label: label("key"), Secret: true}}
	case signin.Basic:
		return []pane.Input{{Label: "name"}, {Label: "password", Secret: true}}
	case signin.Bearer:
		return []pane.Input{{Label: "token", Secret: true}}
	case signin.Certificate, signin.Unsupported:
		return nil
	}
	settings := c.o.Service.Settings()
	id, secret, scopes := settings.ClientID, pane.Input{Label: "client secret", Secret: true, Optional: true, Hint: "if the client has one"}, settings.Scopes
	for i := range c.identities {
		if known := &c.identities[i]; known.Origin == origin && known.ClientID != "" {
			id = cmp.Or(known.ClientID, id)
		}
	}
	if settings.Secret != "" {
		secret.Hint = "that in PARLEY_CLIENT_SECRET"
	} else if s.Kind == signin.ClientSecret {
		secret.Optional, secret.Hint = false, ""
	}
	if len(scopes) == 0 {
		scopes = s.Scopes
	}
	return []pane.Input{
		{Label: "client id", Value: id, Hint: "under which Parley is registered"}, secret,
		{Label: "scopes", Optional: true, Value: canvas.SanitizeLine(strings.Join(scopes, " ")), Hint: "those that the server gives by itself"},
	}
}

// does says what happens when a step is taken, empty if nothing else does.
func (c *Controller) does(s *signin.Step) string {
	switch s.Kind {
	case signin.AuthorizationCode:
		back := "http://127.0.0.1:" + strconv.Itoa(c.o.Service.Settings().Port) + "/callback"
		if c.o.Browse == nil {
			return "Parley shows the address of a page, and takes that of the last page, " + back + ", which must be registered at the authorization server."
		}
		return "A browser opens the page of the authorization server, and comes back to " + back + ", which must be registered there."
	case signin.DeviceCode:
		return "Parley shows an address, and a code for the page there: any device will do."
	case signin.ClientSecret:
		return "Parley asks for a token with the secret of the client; no page is opened."
	case signin.Certificate:
		return "--cert FILE presents the client certificate."
	}
	return ""
}

// demand says what an agent asks for, and who says so.
func (c *Controller) demand(a *model.Agent) (all []string) {
	say := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	f := c.refusal(a)
	switch {
	case f != nil && f.how == "" && f.why != "": // there was nothing to send, such as a token that could be renewed
		say("%s", f.why)
	case f != nil:
		said := a.Name() + " refused " + f.what
		if f.how != "" {
			said += " with " + f.how
		}
		if c.last[a.ID] {
			said += ", also when it was repeated with the credentials"
		}
		say("%s.%s", said, asks(f.head))
	}
	if t := c.authRequired(a); t != nil {
		say("Task %s asks for credentials: what you answer in the conversation is for that task alone, and what you give here goes with every request.", looks.ShortID(t.ID))
	}
	card := cardOf(a)
	required := signin.Ways(card)
	ways := len(required)
	switch {
	case card == nil && f == nil:
		say("There is no card that says what %s asks for.", a.Name())
	case card == nil:
	case len(card.Security) > 0 && ways > 1:
		say("Its card requires one of %s; where a way says “and”, all of it.", units.Plural(ways, "way"))
	case len(card.Security) > 0 && ways > 0:
		say("Its card requires this: %s.", required[0].Words())
	case ways > 0:
		say("Its card requires nothing of everyone, but names %s.", units.Plural(ways, "way"))
	default:
		say("Its card asks for no credentials.")
	}
	return all
}

// authRequired returns the newest task on the screen that waits for credentials, nil if there is none.
func (c *Controller) authRequired(a *model.Agent) *model.Task {
	conv := c.host.Conversation()
	if conv == nil || conv.Agent != a {
		return nil
	}
	if t := c.newestTurn(conv); t != nil {
		for _, b := range slices.Backward(t.Blocks) {
			if b.Task != nil && b.Task.State == a2a.StateAuthRequired {
				return b.Task
			}
		}
	}
	return nil
}
