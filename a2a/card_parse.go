package a2a

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"parley/a2a/foreign"
	"parley/a2a/jsontok"
)

// ParseCard reads one card, or an array of cards as registries answer with. An
// object is a card when it has a name and at least one of url,
// supportedInterfaces, skills and capabilities; anything else is a DecodeError,
// and so is a body that is not JSON. Rules about cards are in a2a/lint. sourceURL is where the card came from after
// redirects, or a file's name; relative URLs are resolved against it.
func ParseCard(body []byte, sourceURL string) (cards []*Card, findings []Finding, failure *DecodeError) {
	var doc jsontok.Doc
	if err := doc.Parse(body); err != nil {
		return nil, nil, notACard(body, err)
	}
	p := cardParser{source: sourceURL}
	root := doc.Root()
	if result := root.Get("result"); isCard(result) { // an extended card in its envelope
		root = result
	}
	switch {
	case isCard(root):
		cards = append(cards, p.card(root, sourceURL))
	case root.Kind() == jsontok.Array:
		for e := range root.Elems() {
			if isCard(e) {
				cards = append(cards, p.card(e, sourceURL))
			}
		}
	}
	if len(cards) == 0 {
		return nil, nil, (&DecodeError{Offset: -1}).tell("This JSON is not an agent card: it has no name together with skills, capabilities or a URL", "check the location")
	}
	return cards, p.findings, nil
}

// notACard describes what came instead of a card.
func notACard(body []byte, err error) *DecodeError {
	e := &DecodeError{Offset: -1, Cause: err}
	syntax, _ := errors.AsType[*jsontok.SyntaxError](err)
	switch trimmed := bytes.TrimSpace(body); {
	case len(trimmed) == 0:
		e.tell("The body is empty: there is no card", "check the location")
	case foreign.IsHTML(trimmed):
		e.tell("Instead of a card there is an HTML page"+titleClause(trimmed), "check the location")
	case syntax != nil && syntax.Deep:
		e.tell(fmt.Sprintf("The card is JSON with more than 10,000 levels, the most that Parley reads; byte %d goes deeper", syntax.Offset), "ask its author to flatten it")
		e.Offset = syntax.Offset
	case syntax != nil && startsJSON(bytes.TrimPrefix(trimmed, []byte("\xEF\xBB\xBF"))):
		e.tell(fmt.Sprintf("The card is not valid JSON at byte %d: %s", syntax.Offset, syntax.Msg), "ask its author to correct it")
		e.Offset = syntax.Offset
	default:
		e.tell(fmt.Sprintf("Instead of a card there is text: “%s”", firstLine(trimmed)), "check the location")
	}
	return e
}

// tell sets what came instead of a card, and what to do.
func (e *DecodeError) tell(what, advice string) *DecodeError {
	e.what, e.Sentence = what, what+"; "+advice
	return e
}

// isCard reports whether an object is an agent card of any dialect.
func isCard(n jsontok.Node) bool {
	return n.Get("name").IsText() &&
		n.GetAny("supportedInterfaces", "supported_interfaces", "skills", "capabilities", "url").Exists()
}

// cardParser reads cards and collects their deviations.
type cardParser struct {
	source    string
	base      int
	snake     bool
	oddForm   bool // something is not written in the form of 1.0
	endpoints map[Interface]bool
	unknown   []Member
	findings  []Finding
}

// get returns a member by its name or its snake_case spelling.
func (p *cardParser) get(n jsontok.Node, name string) jsontok.Node {
	if v := get(n, name); v.Exists() {
		return v
	}
	v := jsontok.Node{}
	if snake := snakeCase(name); snake != name {
		v = get(n, snake)
	}
	p.snake = p.snake || v.Exists()
	return v
}

func (p *cardParser) text(n jsontok.Node, name string) string { return word(p.get(n, name)) }

// bool reads a boolean that may be absent.
func (p *cardParser) bool(n jsontok.Node, name string) Tri {
	v := p.get(n, name)
	if b, ok := v.Bool(); ok {
		return TriOf(b)
	}
	if v.IsText() {
		return TriOf(truth(v))
	}
	return Absent
}

// strange collects the members of an object that no dialect defines.
func (p *cardParser) strange(n jsontok.Node, known ...string) (unknown []Member) {
	for name, v := range n.Members() {
		if !slices.Contains(known, camelCase(name)) {
			unknown = append(unknown, Member{Pointer: v.Pointer(), Name: name, Value: v.Raw()})
		}
	}
	return unknown
}

// camelCase turns "protocol_version" into "protocolVersion".
func camelCase(name string) string {
	words := strings.Split(name, "_")
	for i, w := range words[1:] {
		if w != "" {
			words[i+1] = strings.ToUpper(w[:1]) + w[1:]
		}
	}
	return strings.Join(words, "")
}

// snakeCase turns "protocolVersion" into "protocol_version".
func snakeCase(name string) string {
	var b strings.Builder
	for _, r := range name {
		if r >= 'A' && r <= 'Z' {
			b.WriteByte('_')
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}

// card reads one card.
func (p *cardParser) card(n jsontok.Node, source string) *Card {
	p.snake, p.oddForm, p.unknown, p.endpoints = false, false, nil, map[Interface]bool{}
	c := &Card{
		Name:               p.text(n, "name"),
		Description:        p.text(n, "description"),
		Version:            p.text(n, "version"),
		ProtocolVersion:    p.text(n, "protocolVersion"),
		DocumentationURL:   p.text(n, "documentationUrl"),
		IconURL:            p.text(n, "iconUrl"),
		DefaultInputModes:  words(p.get(n, "defaultInputModes")),
		DefaultOutputModes: words(p.get(n, "defaultOutputModes")),
		SourceURL:          source,
		Raw:                n.Raw(),
	}
	if provider := p.get(n, "provider"); provider.Kind() == jsontok.Object {
		c.Provider = &Provider{Organization: p.text(provider, "organization"), URL: p.text(provider, "url")}
		p.unknown = append(p.unknown, p.strange(provider, "organization", "url")...)
	}
	p.interfaces(n, c)
	p.capabilities(n, c)
	c.display = displayIn(c.Capabilities.Extensions)
	p.security(n, c)
	p.skills(n, c)
	for s := range p.get(n, "signatures").Elems() {
		c.Signatures = append(c.Signatures, Signature{Protected: p.text(s, "protected"), Signature: p.text(s, "signature"), Header: metadata(p.get(s, "header"))})
	}
	c.SnakeCase = p.snake
	if p.snake && !IsMesh(source) {
		p.findings = append(p.findings, Finding{Rule: "CASE-001", Severity: Error, Pointer: n.Pointer(), Offset: p.base + n.Offset(),
			Message: "The card is written in snake_case", Fix: "Write members in camelCase"})
	}
	c.Unknown = append(p.strange(n, cardMembers...), p.unknown...)
	return c
}

// cardMembers are the members of a card over all dialects.
var cardMembers = []string{
	"name", "description", "version", "url", "protocolVersion", "preferredTransport", "additionalInterfaces",
	"supportedInterfaces", "provider", "documentationUrl", "iconUrl", "capabilities", "authentication",
	"securitySchemes", "security", "securityRequirements", "defaultInputModes", "defaultOutputModes", "skills",
	"supportsAuthenticatedExtendedCard", "supportsExtendedAgentCard", "signatures",
}

func (p *cardParser) capabilities(n jsontok.Node, c *Card) {
	caps := p.get(n, "capabilities")
	c.Capabilities = Capabilities{
		Streaming:              p.bool(caps, "streaming"),
		PushNotifications:      p.bool(caps, "pushNotifications"),
		StateTransitionHistory: p.bool(caps, "stateTransitionHistory"),
		ExtendedAgentCard:      p.bool(caps, "extendedAgentCard"),
	}
	// The flag stood at the top until 0.3, under two names.
	for _, name := range []string{"supportsAuthenticatedExtendedCard", "supportsExtendedAgentCard"} {
		if v := p.bool(n, name); v != Absent {
			p.oddForm = true
			if c.Capabilities.ExtendedAgentCard == Absent {
				c.Capabilities.ExtendedAgentCard = v
			}
		}
	}
	for e := range p.get(caps, "extensions").Elems() {
		c.Capabilities.Extensions = append(c.Capabilities.Extensions, Extension{
			URI: p.text(e, "uri"), Description: p.text(e, "description"),
			Required: p.bool(e, "required") == True, Params: metadata(p.get(e, "params")),
		})
		p.unknown = append(p.unknown, p.strange(e, "uri", "description", "required", "params")...)
	}
	p.unknown = append(p.unknown, p.strange(caps, "streaming", "pushNotifications", "stateTransitionHistory",
		"extendedAgentCard", "extensions")...)
}

// skillMembers are the members of a skill over all dialects.
var skillMembers = []string{
	"id", "name", "description", "tags", "examples", "inputModes", "outputModes", "security", "securityRequirements",
}

func (p *cardParser) skills(n jsontok.Node, c *Card) {
	for e := range p.get(n, "skills").Elems() {
		if e.Kind() != jsontok.Object {
			continue
		}
		s := Skill{
			ID: p.text(e, "id"), Name: p.text(e, "name"), Description: p.text(e, "description"),
			Tags: words(p.get(e, "tags")), Security: p.requirements(e),
			InputModes: words(p.get(e, "inputModes")), OutputModes: words(p.get(e, "outputModes")),
			Unknown: p.strange(e, skillMembers...),
		}
		for x := range p.get(e, "examples").Elems() {
			s.Examples = append(s.Examples, example(x))
		}
		c.Skills = append(c.Skills, s)
	}
}

// example reads a prompt: text, or a JSON value, or one written as text.
func example(n jsontok.Node) Example {
	if !n.IsText() {
		return Example{Text: string(n.Raw()), Data: n.Raw()}
	}
	x := Example{Text: n.Text()}
	if inner := []byte(strings.TrimSpace(x.Text)); startsJSON(inner) && json.Valid(inner) {
		x.Data = inner
	}
	return x
}

// interfaces reads the endpoints, those of 1.0 before those of 0.x.
func (p *cardParser) interfaces(n jsontok.Node, c *Card) {
	supported := p.get(n, "supportedInterfaces")
	for e := range supported.Elems() {
		i := Interface{
			DeclaredURL: p.text(e, "url"), BindingWord: p.text(e, "protocolBinding"),
			Version: p.text(e, "protocolVersion"), Tenant: p.text(e, "tenant"), Origin: FromSupported,
		}
		if i.Version == "" {
			i.Version = c.ProtocolVersion // where drafts of 1.0 had it
			p.oddForm = true
		}
		if i.BindingWord == "" {
			i.BindingWord = p.text(e, "transport")
		}
		p.unknown = append(p.unknown, p.strange(e, "url", "protocolBinding", "protocolVersion", "tenant", "transport")...)
		p.addInterface(c, i)
	}
	main, transport := p.get(n, "url"), p.get(n, "preferredTransport")
	c.Dual = len(c.Interfaces) > 0 && (main.Exists() || transport.Exists())
	p.oddForm = p.oddForm || len(c.Interfaces) == 0 || c.Dual || c.ProtocolVersion != ""
	if main.Exists() {
		p.addInterface(c, Interface{DeclaredURL: word(main), BindingWord: word(transport), Version: c.ProtocolVersion, Origin: FromURL})
	}
	for e := range p.get(n, "additionalInterfaces").Elems() {
		p.addInterface(c, Interface{DeclaredURL: p.text(e, "url"), BindingWord: p.text(e, "transport"), Version: c.ProtocolVersion, Origin: FromAdditional})
	}
}

// addInterface resolves an interface's URL and adds it unless the list already has the same
// endpoint.
func (p *cardParser) addInterface(c *Card, i Interface) {
	i.Binding = BindingOf(i.BindingWord)
	i.URL = p.resolved(&i)
	same := i
	same.Origin, same.BindingWord = "", ""
	if !p.endpoints[same] {
		p.endpoints[same] = true
		c.Interfaces = append(c.Interfaces, i)
	}
}

// resolved returns the URL of an interface, a relative one as the address of the card completes it.
func (p *cardParser) resolved(i *Interface) string {
	u, err := url.Parse(i.DeclaredURL)
	source := httpURL(p.source)
	if i.Binding == BindingGRPC || i.Binding == BindingOther || err != nil || u.Scheme != "" || source == nil || strings.TrimSpace(i.DeclaredURL) == "" {
		return i.DeclaredURL // also host:port, and whatever a custom binding has
	}
	return source.ResolveReference(u).String()
}

// BindingOf reads the name of a transport in the spellings that are seen. A card
// that names none means JSON-RPC.
func BindingOf(word string) Binding {
	switch strings.ToUpper(strings.TrimSpace(word)) {
	case "", "JSONRPC", "JSON-RPC", "JSON_RPC":
		return BindingJSONRPC
	case "HTTP+JSON", "REST", "HTTP_JSON", "HTTP+JSON/REST", "HTTPJSON", "HTTP/JSON":
		return BindingREST
	case "GRPC":
		return BindingGRPC
	default:
		return BindingOther
	}
}

// IsCustomBinding reports whether a word is a URI, which names a binding that A2A does not define
// (specification 1.0 §5.8).
func IsCustomBinding(word string) bool {
	u, err := url.Parse(word)
	return err == nil && u.Scheme != "" && (u.Host != "" || u.Opaque != "")
}

func (i *Interface) customBinding() bool {
	return i.Binding == BindingOther && IsCustomBinding(i.BindingWord)
}
