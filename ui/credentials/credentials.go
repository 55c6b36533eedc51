// Package credentials is the pane in which the user enters credentials for an agent: a bearer
// token, a user and a password, an API key or any header. Secrets are masked while the user
// types, and cleared when they are used or the pane closes.
//
// A [Pane] also lists the credentials in use, without their values, and removes them one by
// one. It returns what the user asks for as an [Intent] and does not know the engine.
package credentials

import (
	"cmp"
	"encoding/base64"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/ui/action"
	"parley/ui/canvas"
	"parley/ui/field"
	"parley/ui/sheet"
	"parley/ui/styles"
)

// About is the data that the pane shows.
type About struct {
	Agent  string    // name of the agent
	Origin string    // that gets the credentials
	Card   *a2a.Card // nil if the agent has none
	Set    []Entry   // credentials in use for the agent
	Why    string    // reason why no credentials can be entered, empty if they can
}

// An Entry is a credential that is sent with requests to the agent.
type Entry struct {
	Name  string // of the header, or what the credential is
	Value string // masked for display
}

// An Intent is what the user asked for.
type Intent interface{ intent() }

// The intents of the pane.
type (
	// Enter sends a header with requests to the agent and replaces another one of the same
	// name.
	Enter struct{ Header a2a.HeaderPair }
	// EnterKey sends an API key where the card wants it.
	EnterKey struct{ Key string }
	// Remove stops sending an entry.
	Remove struct{ Entry Entry }
	// Refused says why an action is not possible.
	Refused struct{ Why string }
	// Close closes the pane.
	Close struct{}
)

func (Enter) intent()    {}
func (EnterKey) intent() {}
func (Remove) intent()   {}
func (Refused) intent()  {}
func (Close) intent()    {}

// form is how a credential is sent on the wire.
type form uint8

const (
	bearer   form = iota // Authorization: Bearer TOKEN
	basic                // Authorization: Basic base64(USER:PASSWORD)
	inHeader             // NAME: VALUE
	inCookie             // Cookie: NAME=VALUE
	inQuery              // ?NAME=VALUE
)

// A kind is a type of credential that the user can enter.
type kind struct {
	name string
	form form
	as   string // name of the header, cookie or parameter; empty if the user types it
}

// kinds returns the kinds that the user can enter: first the schemes of the agent's 401, then
// those of its card, then the common ones.
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
	for _, s := range schemesOf(c) {
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

// The kinds that every agent may accept.
var (
	bearerToken     = kind{"bearer token", bearer, "Authorization"}
	userAndPassword = kind{"user and password", basic, "Authorization"}
)

// schemesOf returns the security schemes of a card, the required ones first.
func schemesOf(c *a2a.Card) []*a2a.SecurityScheme {
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
	nameInput = iota // name of the header, or the user
	secretInput
	numInputs
)

// A Pane edits a credential. It is not safe for use by several goroutines.
type Pane struct {
	sheet.Base
	*action.Table[Intent]
	about     About
	schemes   []string // of the agent's newest 401
	kinds     []kind
	kindIndex int // index in kinds
	at        row
	inputs    [numInputs]field.Field
}

// A row can have the focus: the kind, an input or an entry.
type row int

const (
	kindRow  row = iota
	nameRow      // absent if only the secret is asked for
	valueRow     // the secret
	firstSet     // the first entry; the others follow
)

// New returns an empty pane.
func New(st *styles.Styles) *Pane {
	p := &Pane{at: valueRow}
	p.Table = p.actions()
	p.inputs = [numInputs]field.Field{nameInput: field.New(st, field.Options{}), secretInput: field.New(st, field.Options{Masked: true})}
	p.Base = sheet.New(st, &p.inputs[nameInput], &p.inputs[secretInput])
	return p
}

// SetAbout sets the data to show. It preserves the typed text.
func (p *Pane) SetAbout(about About) {
	before := p.kind()
	p.about, p.kinds = about, kinds(p.schemes, about.Card)
	p.kindIndex = max(0, slices.Index(p.kinds, before))
	p.at = min(p.at, firstSet+row(len(about.Set))-1)
}

// Open clears the pane and selects the kind that the agent asks for first: by schemes, those of
// its newest 401, if there are any, else by its card.
func (p *Pane) Open(about About, schemes []string) {
	p.schemes = schemes
	p.Forget()
	p.SetAbout(about)
	p.kindIndex = 0
	p.move(valueRow)
	if p.kind().form == basic {
		p.move(nameRow)
	}
}

// Header selects the kind of any header and fills in its name and value, either of which may be
// empty.
func (p *Pane) Header(name, value string) {
	p.kindIndex = len(p.kinds) - 1
	p.inputs[nameInput].SetValue(canvas.SanitizeLine(name))
	p.inputs[secretInput].SetValue(strings.TrimSpace(canvas.SanitizeLine(value)))
	p.move(valueRow)
	if name == "" {
		p.move(nameRow)
	}
}

// kind returns the selected kind.
func (p *Pane) kind() kind {
	if p.kindIndex < len(p.kinds) {
		return p.kinds[p.kindIndex]
	}
	return bearerToken
}

// hasName reports whether the selected kind needs a name besides the secret.
func (p *Pane) hasName() bool { return p.kind().form == basic || p.kind().as == "" }

// move moves the focus to a row.
func (p *Pane) move(to row) {
	p.at = to
	p.Focus(p.input())
}

// step moves the focus by rows, past the absent row and around the ends.
func (p *Pane) step(by int) {
	count := int(firstSet) + len(p.about.Set)
	to := (int(p.at) + by + count) % count
	if row(to) == nameRow && !p.hasName() {
		to = (to + by + count) % count
	}
	p.move(row(to))
}

// turn selects another kind. It preserves the typed text, because the secret is the same.
func (p *Pane) turn(by int) {
	if n := len(p.kinds); n > 0 {
		p.kindIndex = (p.kindIndex + by + n) % n
	}
	if p.at == nameRow && !p.hasName() {
		p.move(valueRow)
	}
}

// input returns the focused input, nil if none has the focus.
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

// Typing reports whether letters are text.
func (p *Pane) Typing() bool { return p.input() != nil }

// entry returns the focused entry.
func (p *Pane) entry() (Entry, bool) {
	if i := int(p.at - firstSet); i >= 0 && i < len(p.about.Set) {
		return p.about.Set[i], true
	}
	return Entry{}, false
}

// submit returns the intent that uses the typed credential.
func (p *Pane) submit() Intent {
	k := p.kind()
	name, secret := strings.TrimSpace(p.inputs[nameInput].Value()), strings.TrimSpace(p.inputs[secretInput].Value())
	switch {
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
	p.Forget()
	if scheme, token, ok := strings.Cut(secret, " "); ok && k.form == bearer && strings.EqualFold(scheme, "bearer") {
		secret = strings.TrimSpace(token) // pasted together with its scheme
	}
	switch k.form {
	case basic:
		secret = base64.StdEncoding.EncodeToString([]byte(name + ":" + secret))
	case inQuery:
		return EnterKey{secret}
	}
	return Enter{k.header(name, secret)}
}

// header returns the header that carries a secret. Its name is used if the kind has none.
func (k kind) header(name, secret string) a2a.HeaderPair {
	switch k.form {
	case bearer:
		return a2a.HeaderPair{Name: k.as, Value: "Bearer " + secret}
	case basic:
		return a2a.HeaderPair{Name: k.as, Value: "Basic " + secret}
	case inCookie:
		return a2a.HeaderPair{Name: "Cookie", Value: k.as + "=" + secret}
	default:
		return a2a.HeaderPair{Name: cmp.Or(k.as, name), Value: secret}
	}
}

// Paste inserts the pasted text into the focused input. Line ends become spaces.
func (p *Pane) Paste(msg tea.PasteMsg) {
	if in := p.input(); in != nil {
		in.Paste(strings.TrimSpace(msg.Content))
	}
}

// Mouse handles a click: it moves the focus to a row; a click on the focused kind selects the
// next kind.
func (p *Pane) Mouse(msg tea.MouseMsg, _, y int) Intent {
	click, ok := msg.(tea.MouseClickMsg)
	if !ok || click.Button != tea.MouseLeft {
		return nil
	}
	for r, at := range p.positions() {
		if at == y {
			if r == kindRow && p.at == kindRow {
				p.turn(1)
			}
			p.move(r)
		}
	}
	return nil
}
