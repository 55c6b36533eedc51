package signin

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"parley/a2a"
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
	var asked []a2a.Challenge
	if c.refusal(a) != nil { // an earlier one has been satisfied
		asked = c.challenges(a.ID)
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

// A refusal is the newest demand of an agent.
type refusal struct {
	turn *model.Turn // nil for the card
	what string      // was refused
	how  string      // the status or error
}

// refusal returns the newest refusal of an agent that stands, nil if there is none: of the newest
// turn, or of the card.
func (c *Controller) refusal(a *model.Agent) *refusal {
	conv := c.host.Conversation()
	if conv == nil || conv.Agent != a {
		conv = nil
		if n := len(a.Conversations); n > 0 {
			conv = a.Conversations[n-1]
		}
	}
	if t := c.newestTurn(conv); t != nil && !t.Pending && asksCredentials(t) {
		f := &refusal{turn: t, what: "the message", how: c.how(t)}
		if t.Message == nil {
			f.what = "the request"
		}
		return f
	}
	for i := range a.Attempts {
		if at := &a.Attempts[i]; a.Card == nil && (at.Class == a2a.ClassNoCredentials || at.Class == a2a.ClassAuth) {
			return &refusal{what: "the request for its card", how: c.status(a.ID)}
		}
	}
	return nil
}

// asksCredentials reports whether a turn ended because credentials are missing or not accepted.
func asksCredentials(t *model.Turn) bool {
	for _, b := range t.Blocks {
		for i := range b.Entries {
			if p := b.Entries[i].Problem; p != nil && p.AsksCredentials() {
				return true
			}
		}
	}
	return false
}

// how names the status or the error with which a turn was refused.
func (c *Controller) how(t *model.Turn) string {
	for _, b := range t.Blocks {
		for i := range b.Entries {
			p := b.Entries[i].Problem
			if p == nil || !p.AsksCredentials() {
				continue
			}
			if p.Err != nil && p.Err.Code != 0 {
				return fmt.Sprintf("%s (%d)", cmp.Or(strings.TrimSuffix(p.Err.Name, "Error"), "an error"), p.Err.Code)
			}
		}
	}
	return c.status(t.Conversation.Agent.ID)
}

// newest is how many of the newest records are searched for a refusal.
const newest = 200

// refusedHead returns the head of the newest 401 or 403 of an agent, nil if there is none among the
// newest records.
func (c *Controller) refusedHead(agent a2a.AgentID) *a2a.Head {
	log := c.host.State().Log
	for id := a2a.RecordID(log.Len()); id > 0 && int(id) > log.Len()-newest; id-- {
		it := log.At(id)
		if it == nil {
			continue
		}
		r := &it.Record
		if r.Kind == a2a.KindHead && r.Head != nil && (r.Head.Status == http.StatusUnauthorized || r.Head.Status == http.StatusForbidden) && r.Call != nil && r.Call.Agent == agent {
			return r.Head
		}
	}
	return nil
}

// status names the status of the newest refusal, empty if there is none.
func (c *Controller) status(agent a2a.AgentID) string {
	if h := c.refusedHead(agent); h != nil {
		return strconv.Itoa(h.Status) + " " + http.StatusText(h.Status)
	}
	return ""
}

// challenges returns what the newest refusal of an agent asks for.
func (c *Controller) challenges(agent a2a.AgentID) []a2a.Challenge {
	if h := c.refusedHead(agent); h != nil {
		return a2a.ChallengesOf(h.Header)
	}
	return nil
}

// demand says what an agent asks for, and who says so.
func (c *Controller) demand(a *model.Agent) (all []string) {
	say := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	f := c.refusal(a)
	if f != nil {
		said := a.Name() + " refused " + f.what
		if f.how != "" {
			said += " with " + f.how
		}
		if c.last[a.ID] {
			said += ", also when it was repeated with the credentials"
		}
		say("%s.%s", said, c.asks(a.ID))
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

// asks explains the challenges of the newest refusal, as one or more sentences with a space before.
func (c *Controller) asks(agent a2a.AgentID) string {
	h := c.refusedHead(agent)
	if h == nil {
		return ""
	}
	list := a2a.ChallengesOf(h.Header)
	if len(list) == 0 {
		return ""
	}
	const most = 2
	var words []string
	for _, ch := range list[:min(len(list), most)] {
		words = append(words, signin.Explain(ch))
	}
	return " It asks for " + strings.Join(words, ", or for ") + "."
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
