package a2a

import (
	"fmt"
	"net"
	"net/url"
	"path"
	"slices"
	"strings"

	"parley/a2a/hostname"
	"parley/a2a/urlpath"
)

// Detect decides from a card alone how to talk to its agent: which interface, in which dialect,
// at which URL. Every conclusion carries its evidence. A URL that may work stays as the card declares
// it; one that cannot is repaired, with a warning. Of the usable interfaces those of the newest dialect come first,
// and among them the order of the card counts, because cards put what they prefer first
// (specification 0.3.0 §5.6.2, 1.0 §8.3.2); the others become Alternatives. A card from a broker
// leads to the topic of its agent alone. If no interface is usable, Problem says why; Dialect and
// Endpoint then hold what the user may try.
func Detect(card *Card) Profile {
	d := detector{card: card, source: httpURL(card.SourceURL)}
	d.profile.Streaming = card.Capabilities.Streaming == True
	d.streaming()
	if IsMesh(card.SourceURL) {
		d.mesh()
		return d.profile
	}
	d.defaultDialect, d.defaultEvidence = d.guess()
	best := -1
	for i := range card.Interfaces {
		c := d.candidate(&card.Interfaces[i])
		d.candidates = append(d.candidates, c)
		if c.usable() && (best < 0 || c.newer(&d.candidates[best])) {
			best = i
		}
	}
	if best < 0 {
		if !d.gateway() {
			d.nothing()
		}
		return d.profile
	}
	d.choose(&d.candidates[best])
	return d.profile
}

// detector collects the evidence for and against the interfaces of one card.
type detector struct {
	card            *Card
	source          *url.URL    // where the card came from, nil for a file
	defaultDialect  DialectName // for interfaces without a version
	defaultEvidence Evidence
	candidates      []candidate
	profile         Profile
}

// candidate is one interface and what is known about it.
type candidate struct {
	iface    *Interface
	dialect  DialectName
	evidence Evidence // for the dialect
	endpoint *url.URL // nil if the URL is not usable
}

func (c *candidate) usable() bool {
	return c.endpoint != nil && canSpeak(c.dialect, c.iface.Binding)
}

// newer reports whether c has a later dialect than o, whose names sort by age, or the same one under a
// version that was released, as 1.0 is and 1.1 is not.
func (c *candidate) newer(o *candidate) bool {
	if c.dialect != o.dialect {
		return c.dialect > o.dialect
	}
	return isReleased(c.iface.Version) && !isReleased(o.iface.Version)
}

// canSpeak reports whether Parley speaks a dialect over a binding.
func canSpeak(d DialectName, b Binding) bool {
	if d == Unknown || b != BindingJSONRPC && b != BindingREST && b != BindingGRPC {
		return false
	}
	_, problem := bindingFor(Profile{Dialect: d, Binding: b})
	return problem == ""
}

// maxWarnings bounds the warnings about one hostile card.
const maxWarnings = 10

func (d *detector) warn(format string, args ...any) {
	if len(d.profile.Warnings) < maxWarnings {
		d.profile.Warnings = append(d.profile.Warnings, fmt.Sprintf(format, args...))
	}
}

func (d *detector) candidate(i *Interface) candidate {
	c := candidate{iface: i}
	if i.Binding == BindingGRPC {
		c.endpoint = grpcURL(i.URL)
	} else {
		c.endpoint = httpURL(i.URL)
	}
	if i.Version == "" {
		c.dialect, c.evidence = d.defaultDialect, d.defaultEvidence
		return c
	}
	c.dialect, _ = dialectOfVersion(i.Version)
	if c.dialect == Unknown && !isVersion(i.Version) {
		c.dialect, c.evidence = d.defaultDialect, d.defaultEvidence
		c.evidence.Reason = fmt.Sprintf("the card says protocolVersion %q, which is not a version", clip(i.Version))
		c.evidence.Confidence = Guess
		return c
	}
	where := "card says protocolVersion"
	if i.Origin == FromSupported && (d.card.ProtocolVersion != i.Version || d.card.Dual) {
		where = "interface says protocolVersion"
	}
	c.evidence = Evidence{Reason: fmt.Sprintf("%s %q", where, clip(i.Version)), Confidence: Certain}
	if c.dialect == V10 && i.Origin != FromSupported {
		// A card of 1.0 has no url; this one was written by hand.
		c.evidence.Confidence = Likely
	}
	return c
}

// dialectOfVersion returns the dialect of a version such as "0.3", "0.2.6" or
// "1.1"; minor versions after 1.0 are read as 1.0.
func dialectOfVersion(version string) (DialectName, bool) {
	v := strings.TrimPrefix(strings.ToLower(strings.TrimSpace(version)), "v")
	for _, known := range []struct {
		prefix string
		name   DialectName
	}{{"0.1", V01}, {"0.2", V02}, {"0.3", V03}, {"1", V10}} {
		if v == known.prefix || strings.HasPrefix(v, known.prefix+".") {
			return known.name, true
		}
	}
	return Unknown, false
}

// isReleased reports whether an interface names a version that Parley speaks, or none.
func isReleased(version string) bool {
	_, ok := ParseVersion(version)
	return ok || version == ""
}

// isVersion reports whether a text has the form of a version: numbers and dots, maybe with a
// word behind them as in "1.0-rc1".
func isVersion(version string) bool {
	v := strings.TrimPrefix(strings.ToLower(strings.TrimSpace(version)), "v")
	return v != "" && v[0] >= '0' && v[0] <= '9'
}

// claim returns what a card says about the version of an interface.
func claim(i *Interface) string {
	if d, ok := dialectOfVersion(i.Version); ok {
		return d.Number()
	}
	return clip(i.Version)
}

// choose fills the profile from the best interface and repairs its URL.
func (d *detector) choose(c *candidate) {
	p := &d.profile
	p.Dialect, p.Binding, p.Tenant, p.Claim = c.dialect, c.iface.Binding, c.iface.Tenant, claim(c.iface)
	c.evidence.Field, c.evidence.Value = "dialect", string(c.dialect)
	p.Evidence = append(p.Evidence, c.evidence)
	var repairs []string
	p.Endpoint, repairs = d.repair(c)
	for _, r := range repairs {
		d.warn("%s", r)
	}
	for i := range d.candidates {
		if o := d.candidates[i].iface; d.candidates[i].endpoint == nil && o.Binding == BindingJSONRPC {
			d.warn("The card declares the endpoint “%s”, which is not a usable URL; it is ignored", clip(o.DeclaredURL))
		}
	}
	p.Evidence = append(p.Evidence,
		Evidence{Field: "binding", Value: string(p.Binding), Reason: bindingReason(c.iface), Confidence: Certain},
		Evidence{Field: "endpoint", Value: p.Endpoint, Reason: endpointReason(c.iface, repairs), Confidence: Certain})
	d.suspect(c)
	if p.Tenant != "" {
		p.Evidence = append(p.Evidence, Evidence{Field: "tenant", Value: p.Tenant, Reason: "declared by the interface", Confidence: Certain})
	}
	if v := c.iface.Version; v != "" && !isVersion(v) {
		d.warn("The card says A2A %s, which is not a version; Parley uses %s", clip(v), c.dialect.Number())
	} else if c.dialect == V10 && v != "1.0" && v != "1" && v != "" {
		d.warn("The agent says A2A %s; Parley speaks 1.0 to it", clip(v))
	}
	if c.dialect == V10 && c.iface.Origin != FromSupported {
		d.warn("The card says version 1.0 but is not written as a card of 1.0; Parley uses its url as the endpoint")
	}
	d.others(c)
}

// gatewayCards is where the HTTP gateway of Solace Agent Mesh lists its agents.
const gatewayCards = "/api/v1/agentCards"

// gateway reports whether the agent can be reached through the gateway that listed
// it. Its own endpoint is a topic of a broker.
func (d *detector) gateway() bool {
	if d.source == nil || len(d.candidates) == 0 || !strings.HasPrefix(d.candidates[0].iface.DeclaredURL, "solace:") {
		return false
	}
	base, ok := strings.CutSuffix(d.source.Path, gatewayCards)
	if !ok {
		return false
	}
	root := url.URL{Scheme: d.source.Scheme, Host: d.source.Host, Path: base}
	p := &d.profile
	p.Dialect, p.Binding, p.Endpoint, p.Agent, p.Streaming = SAMHTTP, BindingREST, root.String(), d.card.Name, true
	p.Evidence = append(p.Evidence,
		Evidence{Field: "dialect", Value: string(SAMHTTP), Reason: "listed by a gateway of Solace Agent Mesh", Confidence: Certain},
		Evidence{Field: "binding", Value: string(BindingREST), Reason: "the only interface of the gateway", Confidence: Certain},
		Evidence{Field: "endpoint", Value: p.Endpoint, Reason: "the gateway that lists the agent, whose own URL is a topic of a broker", Confidence: Certain})
	return true
}

// others notes the interfaces that were not chosen: the usable ones in the order in which they
// would be tried, and the others.
func (d *detector) others(chosen *candidate) {
	p := &d.profile
	listed := 0
	for i := range d.candidates {
		c := &d.candidates[i]
		switch {
		case c == chosen:
		case c.usable() && len(p.Alternatives) < maxWarnings:
			endpoint, _ := d.repair(c)
			p.Alternatives = append(p.Alternatives, Way{c.dialect, c.iface.Binding, endpoint, c.iface.Tenant})
		case !c.usable() && c.iface.Binding != BindingJSONRPC && listed < maxWarnings:
			listed++
			word := c.iface.BindingWord
			if c.iface.Binding != BindingOther {
				word = c.iface.Binding.String()
			}
			why := ", not supported here"
			if c.iface.customBinding() {
				why = ", a custom binding, passed over"
			}
			p.Evidence = append(p.Evidence, Evidence{
				Field: "interface", Value: clip(word), Reason: "declared at " + clip(c.iface.DeclaredURL) + why, Confidence: Certain,
			})
		}
	}
	slices.SortStableFunc(p.Alternatives, func(a, b Way) int { return strings.Compare(string(b.Dialect), string(a.Dialect)) })
}

func endpointReason(i *Interface, repairs []string) string {
	reason := "declared as " + string(i.Origin)
	if len(repairs) > 0 {
		reason += " " + clip(i.DeclaredURL) + ", and repaired"
	}
	if u := grpcURL(i.URL); i.Binding == BindingGRPC && u != nil {
		reason += map[string]string{schemeGRPC: "; without TLS, if it does not answer TLS: it is on this machine", schemeGRPCS: "; with TLS"}[u.Scheme]
	}
	return reason
}

func bindingReason(i *Interface) string {
	if i.BindingWord == "" {
		return "the card names no transport, which means JSON-RPC"
	}
	return fmt.Sprintf("declared as %q", clip(i.BindingWord))
}

// repair returns the URL to use, and sentences about how it differs from the card.
func (d *detector) repair(c *candidate) (endpoint string, repairs []string) {
	u := c.endpoint
	note := func(format string, args ...any) { repairs = append(repairs, fmt.Sprintf(format, args...)) }
	if c.iface.Binding == BindingGRPC {
		return d.repairGRPC(c)
	}
	if d.source != nil && isMisplaced(u, d.source) {
		note("The card declares the host %s, which cannot be reached from here; Parley uses %s, the host of the card, instead",
			ShownHost(u), ShownHost(d.source))
		u = onOrigin(u, d.source)
	}
	if stripped, end := urlpath.Operation(u); end != "" && !mayAnswer(u, c.iface.Binding) {
		note("The card declares %s, which is the path of an operation or of the card; Parley uses %s instead", u, stripped)
		u = stripped
	}
	changed := len(repairs) > 0
	if c.iface.URL != c.iface.DeclaredURL {
		note("The card declares the relative URL %s; Parley reads it as %s", clip(c.iface.DeclaredURL), u)
	}
	if !changed {
		return c.iface.URL, repairs // byte for byte: servers care about a trailing slash
	}
	return u.String(), repairs
}

// repairGRPC returns the endpoint of an interface of gRPC, which has no path.
func (d *detector) repairGRPC(c *candidate) (endpoint string, repairs []string) {
	u := *c.endpoint
	if d.source != nil && isMisplaced(&u, d.source) {
		repairs = append(repairs, fmt.Sprintf("The card declares the host %s, which cannot be reached from here; Parley uses %s, the host of the card, instead",
			ShownHost(&u), hostname.Key(d.source.Hostname())))
		u.Host = net.JoinHostPort(d.source.Hostname(), u.Port())
		u.Scheme = grpcURL(u.Host).Scheme
	}
	if a, _ := parseGRPC(c.iface.DeclaredURL); a.plain() && u.Scheme == schemeGRPCS {
		repairs = append(repairs, fmt.Sprintf("The card declares %s, which has no TLS; Parley uses TLS, unless you name %s://%s yourself",
			clip(c.iface.DeclaredURL), schemeGRPC, u.Host))
	}
	return u.String(), repairs
}

func (d *detector) streaming() {
	e := Evidence{Field: "streaming", Value: "no", Reason: "the card does not declare streaming", Confidence: Likely}
	switch d.card.Capabilities.Streaming {
	case True:
		e = Evidence{Field: "streaming", Value: "yes", Reason: "the card declares streaming", Confidence: Certain}
	case False:
		e = Evidence{Field: "streaming", Value: "no", Reason: "the card declares no support for streaming", Confidence: Certain}
	}
	d.profile.Evidence = append(d.profile.Evidence, e)
}

// guess decides the dialect of a card that names no version, by members that only some versions
// have.
func (d *detector) guess() (DialectName, Evidence) {
	c := d.card
	likely := func(name DialectName, reason string) (DialectName, Evidence) {
		return name, Evidence{Reason: "the card names no version, but " + reason, Confidence: Likely}
	}
	for _, s := range c.SecuritySchemes {
		if s.Type == "legacy" {
			return likely(V01, "has the authentication member of 0.1")
		}
	}
	switch {
	case len(c.Interfaces) > 0 && c.Interfaces[0].Origin == FromSupported:
		return likely(V10, "has supportedInterfaces")
	case len(c.Signatures) > 0:
		return likely(V03, "is signed")
	case len(c.SecuritySchemes) > 0, len(c.Security) > 0:
		return likely(V02, "has security schemes")
	case c.Capabilities.ExtendedAgentCard != Absent, len(c.Capabilities.Extensions) > 0, c.IconURL != "":
		return likely(V02, "has members that 0.2 added")
	case len(c.Interfaces) > 1, len(c.Interfaces) == 1 && c.Interfaces[0].BindingWord != "":
		if d.at("agent-card.json") {
			return likely(V03, "names transports and is served as agent-card.json")
		}
		return likely(V02, "names transports")
	case d.lacksRequiredOf02():
		// So do cards written by the documentation of Solace Agent Mesh.
		return V01, Evidence{Reason: "the card names no version and lacks what later versions require", Confidence: Guess}
	}
	if d.at("agent-card.json") {
		return V03, Evidence{Reason: "the card names no version and is served as agent-card.json", Confidence: Guess}
	}
	return V02, Evidence{Reason: "the card names no version", Confidence: Guess}
}

// at reports whether the card was found under a file name.
func (d *detector) at(name string) bool {
	return d.source != nil && path.Base(d.source.Path) == name
}

// lacksRequiredOf02 reports whether the card misses members that are required
// from 0.2 on.
func (d *detector) lacksRequiredOf02() bool {
	return d.card.DefaultInputModes == nil || d.card.DefaultOutputModes == nil ||
		slices.ContainsFunc(d.card.Skills, func(s Skill) bool { return s.Description == "" || s.Tags == nil })
}
