// Package credentials is where a user enters what an agent wants to know them by: a bearer
// token, a user and a password, an API key where the card wants it, or any header. What is
// typed stands there as dots, and is forgotten when it was taken or the pane is put away.
//
// A [Pane] also lists what was entered before, without its values, and takes it back one by
// one. What is wanted comes back as an [Intent]; it knows nothing of engines.
package credentials

import (
	"encoding/base64"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/ui/canvas"
	"parley/ui/field"
	"parley/ui/styles"
)

// About is what the pane shows.
type About struct {
	Agent  string    // its name
	Origin string    // that the credentials are for
	Card   *a2a.Card // which says what the agent wants; nil while there is none
	Set    []Entry   // what was entered for the agent
	Why    string    // nothing can be entered, and why; empty if it can
}

// An Entry is a credential that goes along with requests to the agent.
type Entry struct {
	Name  string // of the header, or what it is
	Value string // as it may be shown
}

// An Intent is what the user asked for.
type Intent interface{ intent() }

// The intents of the pane.
type (
	// Enter asks for a header to go along with requests to the agent, in the place of
	// another one of its name.
	Enter struct{ Header a2a.HeaderPair }
	// EnterKey asks for an API key to go where the card wants it.
	EnterKey struct{ Key string }
	// Remove asks for an entry to go along no more.
	Remove struct{ Entry Entry }
	// Refused says why something cannot be done.
	Refused struct{ Why string }
	// Close puts the pane away.
	Close struct{}
)

func (Enter) intent()    {}
func (EnterKey) intent() {}
func (Remove) intent()   {}
func (Refused) intent()  {}
func (Close) intent()    {}

// form is how a credential is written on the wire.
type form uint8

const (
	bearer   form = iota // Authorization: Bearer TOKEN
	basic                // Authorization: Basic base64(USER:PASSWORD)
	inHeader             // NAME: VALUE
	inCookie             // Cookie: NAME=VALUE
	inQuery              // ?NAME=VALUE
)

// A kind is a sort of credential that can be entered.
type kind struct {
	name string
	form form
	as   string // name of the header, the cookie or the parameter; empty where the user gives it
}

// kinds returns what can be entered: first what the agent's 401 asks for, then what its card
// does.
func kinds(schemes []string, c *a2a.Card) []kind {
	var list []kind
	add := func(k kind) {
		if !slices.Contains(list, k) {
			list = append(list, k)
		}
	}
	for _, scheme := range schemes {
		switch strings.ToLower(scheme) {
		case "basic":
			add(userAndPassword)
		case "bearer":
			add(bearerToken)
		}
	}
	for _, s := range wanted(c) {
		switch {
		case s.Type == "apiKey" && s.Name != "":
			switch strings.ToLower(s.In) {
			case "query":
				add(kind{"API key in the query", inQuery, s.Name})
			case "cookie":
				add(kind{"API key in a cookie", inCookie, s.Name})
			default:
				add(kind{"API key in a header", inHeader, s.Name})
			}
		case s.Type == "http" && strings.EqualFold(s.Scheme, "basic"):
			add(userAndPassword)
		case s.Type == "http" && strings.EqualFold(s.Scheme, "bearer"), s.Type == "oauth2", s.Type == "openIdConnect":
			add(bearerToken)
		}
	}
	for _, k := range []kind{bearerToken, userAndPassword, {"API key in a header", inHeader, "X-API-Key"}, {"any header", inHeader, ""}} {
		add(k)
	}
	return list
}

// The kinds that every agent may want.
var (
	bearerToken     = kind{"bearer token", bearer, "Authorization"}
	userAndPassword = kind{"user and password", basic, "Authorization"}
)

// wanted returns the schemes of a card, first those that it requires.
func wanted(c *a2a.Card) []*a2a.SecurityScheme {
	if c == nil {
		return nil
	}
	required := func(s *a2a.SecurityScheme) bool {
		return slices.ContainsFunc(c.Security, func(r a2a.SecurityRequirement) bool {
			return slices.ContainsFunc(r, func(w a2a.SchemeScopes) bool { return w.Scheme == s.Key })
		})
	}
	var first, others []*a2a.SecurityScheme
	for i := range c.SecuritySchemes {
		if s := &c.SecuritySchemes[i]; required(s) {
			first = append(first, s)
		} else {
			others = append(others, s)
		}
	}
	return append(first, others...)
}

// The inputs of the pane.
const (
	nameInput = iota // the header's name, or the user
	secretInput
	numInputs
)

// A Pane takes a credential. It is not safe for use by several goroutines.
type Pane struct {
	st      *styles.Styles
	keys    KeyMap
	about   About
	schemes []string // of the agent's newest 401
	kinds   []kind
	chosen  int // of kinds
	at      row
	inputs  [numInputs]field.Field
	w, h    int
}

// A row is what has the keys: the kind, an input, or an entry.
type row int

const (
	kindRow  row = iota
	nameRow      // left out where nothing is asked for besides the secret
	valueRow     // the secret
	firstSet     // the entries follow
)

// New returns an empty pane.
func New(st *styles.Styles) *Pane {
	p := &Pane{st: st, keys: DefaultKeyMap(), at: valueRow}
	for i := range p.inputs {
		p.inputs[i] = field.New(st, field.Options{Masked: i == secretInput})
	}
	return p
}

// SetStyles changes the styles.
func (p *Pane) SetStyles(st *styles.Styles) {
	p.st = st
	for i := range p.inputs {
		p.inputs[i].SetStyles(st)
	}
}

// SetSize gives the pane w columns and h rows.
func (p *Pane) SetSize(w, h int) { p.w, p.h = max(0, w), max(0, h) }

// SetAbout changes what the pane shows. What is being typed stays.
func (p *Pane) SetAbout(about About) {
	before := p.kind()
	p.about, p.kinds = about, kinds(p.schemes, about.Card)
	p.chosen = max(0, slices.Index(p.kinds, before))
	p.at = min(p.at, firstSet+row(len(about.Set))-1)
}

// Open empties the pane and chooses what the agent asks for first: one of the schemes that its
// newest 401 named, which may be none, else what its card declares.
func (p *Pane) Open(about About, schemes []string) {
	p.schemes = schemes
	p.forget()
	p.SetAbout(about)
	p.chosen = 0
	p.move(valueRow)
	if p.kind().form == basic {
		p.move(nameRow)
	}
}

// Header chooses a header of any name and fills in what is known of it; either may be empty.
func (p *Pane) Header(name, value string) {
	p.chosen = len(p.kinds) - 1
	p.inputs[nameInput].SetValue(canvas.SanitizeLine(name))
	p.inputs[secretInput].SetValue(strings.TrimSpace(canvas.SanitizeLine(value)))
	p.move(valueRow)
	if name == "" {
		p.move(nameRow)
	}
}

// forget empties the inputs: a secret is not kept for longer than it is needed.
func (p *Pane) forget() {
	for i := range p.inputs {
		p.inputs[i].Reset()
	}
}

// kind is the one that is chosen.
func (p *Pane) kind() kind {
	if p.chosen < len(p.kinds) {
		return p.kinds[p.chosen]
	}
	return bearerToken
}

// named reports whether something is asked for besides the secret.
func (p *Pane) named() bool { return p.kind().form == basic || p.kind().as == "" }

// move gives the keys to a row.
func (p *Pane) move(to row) {
	p.at = to
	for i := range p.inputs {
		p.inputs[i].Blur()
	}
	if in := p.input(); in != nil {
		in.Focus()
	}
}

// step moves by rows, over the one that is left out.
func (p *Pane) step(by int) {
	count := int(firstSet) + len(p.about.Set)
	to := (int(p.at) + by + count) % count
	if row(to) == nameRow && !p.named() {
		to = (to + by + count) % count
	}
	p.move(row(to))
}

// input is the input that is typed into, nil if none is.
func (p *Pane) input() *field.Field {
	switch p.at {
	case nameRow:
		return &p.inputs[nameInput]
	case valueRow:
		return &p.inputs[secretInput]
	default:
		return nil
	}
}

// Typing reports whether characters are text.
func (p *Pane) Typing() bool { return p.input() != nil }

// entry is the entry that has the keys.
func (p *Pane) entry() (Entry, bool) {
	if i := int(p.at - firstSet); i >= 0 && i < len(p.about.Set) {
		return p.about.Set[i], true
	}
	return Entry{}, false
}

// enter takes what was typed.
func (p *Pane) enter() Intent {
	k := p.kind()
	name, secret := strings.TrimSpace(p.inputs[nameInput].Value()), strings.TrimSpace(p.inputs[secretInput].Value())
	switch {
	case p.about.Why != "":
		return Refused{p.about.Why}
	case secret == "" && k.form != basic:
		p.move(valueRow)
		return Refused{"Type or paste the " + p.secretLabel() + " first."}
	case k.form == basic && name == "":
		p.move(nameRow)
		return Refused{"Type the user first."}
	case k.form == basic && strings.Contains(name, ":"):
		p.move(nameRow)
		return Refused{"A user name of HTTP's Basic scheme must not contain a colon."}
	case k.as == "" && (name == "" || strings.ContainsFunc(name, a2a.NotToken)):
		p.move(nameRow)
		return Refused{"Type the name of the header first: letters, digits and dashes, such as X-Api-Key."}
	}
	p.forget()
	switch k.form {
	case bearer:
		if scheme, token, ok := strings.Cut(secret, " "); ok && strings.EqualFold(scheme, "bearer") {
			secret = strings.TrimSpace(token) // it was pasted with its scheme
		}
		return Enter{a2a.HeaderPair{Name: k.as, Value: "Bearer " + secret}}
	case basic:
		return Enter{a2a.HeaderPair{Name: k.as, Value: "Basic " + base64.StdEncoding.EncodeToString([]byte(name+":"+secret))}}
	case inCookie:
		return Enter{a2a.HeaderPair{Name: "Cookie", Value: k.as + "=" + secret}}
	case inQuery:
		return EnterKey{secret}
	}
	if k.as != "" {
		name = k.as
	}
	return Enter{a2a.HeaderPair{Name: name, Value: secret}}
}

// Paste types into the input that has the keys; line ends become spaces.
func (p *Pane) Paste(msg tea.PasteMsg) {
	if in := p.input(); in != nil {
		in.Paste(strings.TrimSpace(msg.Content))
	}
}
