package a2a

import (
	"fmt"
	"net/url"
	"path"
	"strings"
)

// Detect decides from a card alone how to talk to its agent: which interface, in
// which dialect, at which URL. Every conclusion carries its evidence. URLs that
// cannot work as declared are repaired, and a warning says so. When nothing fits,
// Problem says why; Dialect and Endpoint then hold what could be tried if the
// person insists.
func Detect(card *Card) Profile {
	d := detector{card: card, source: httpURL(card.SourceURL)}
	d.profile.Streaming = card.Capabilities.Streaming == True
	d.streaming()
	d.guessed, d.guessedBy = d.guess()
	best := -1
	for i := range card.Interfaces {
		c := d.candidate(&card.Interfaces[i])
		d.candidates = append(d.candidates, c)
		if c.usable() && (best < 0 || c.dialect > d.candidates[best].dialect) {
			best = i // names of dialects sort by age; the card's order decides among equals
		}
	}
	if best < 0 {
		d.nothing()
		return d.profile
	}
	d.choose(&d.candidates[best])
	return d.profile
}

// detector collects what speaks for and against the interfaces of one card.
type detector struct {
	card       *Card
	source     *url.URL    // where the card came from, nil for a file
	guessed    DialectName // for interfaces without a version
	guessedBy  Evidence
	candidates []candidate
	profile    Profile
}

// candidate is one interface and what is known about it.
type candidate struct {
	iface    *Interface
	dialect  DialectName
	evidence Evidence // for the dialect
	endpoint *url.URL // nil if nothing can be sent there
}

func (c *candidate) usable() bool {
	return c.endpoint != nil && c.dialect != Unknown && c.iface.Binding == BindingJSONRPC
}

// maxWarnings bounds what one hostile card can make a profile say.
const maxWarnings = 10

func (d *detector) warn(format string, args ...any) {
	if len(d.profile.Warnings) < maxWarnings {
		d.profile.Warnings = append(d.profile.Warnings, fmt.Sprintf(format, args...))
	}
}

func (d *detector) candidate(i *Interface) candidate {
	c := candidate{iface: i}
	if u := httpURL(i.URL); u != nil {
		c.endpoint = u
	}
	if i.Version == "" {
		c.dialect, c.evidence = d.guessed, d.guessedBy
		return c
	}
	c.dialect, _ = dialectOfVersion(i.Version)
	where := "card says protocolVersion"
	if i.Origin == FromSupported {
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

// choose fills the profile from the best interface and repairs its URL.
func (d *detector) choose(c *candidate) {
	p := &d.profile
	p.Dialect, p.Binding, p.Tenant = c.dialect, c.iface.Binding, c.iface.Tenant
	c.evidence.Field, c.evidence.Value = "dialect", string(c.dialect)
	p.Evidence = append(p.Evidence, c.evidence)
	p.Endpoint = d.repair(c)
	for i := range d.candidates {
		if o := d.candidates[i].iface; d.candidates[i].endpoint == nil && o.Binding == BindingJSONRPC {
			d.warn("The card declares the endpoint “%s”, to which nothing can be sent; it is ignored", clip(o.URLDeclared))
		}
	}
	p.Evidence = append(p.Evidence,
		Evidence{Field: "binding", Value: string(p.Binding), Reason: bindingReason(c.iface), Confidence: Certain},
		Evidence{Field: "endpoint", Value: p.Endpoint, Reason: "declared as " + string(c.iface.Origin), Confidence: Certain})
	if p.Tenant != "" {
		p.Evidence = append(p.Evidence, Evidence{Field: "tenant", Value: p.Tenant, Reason: "declared by the interface", Confidence: Certain})
	}
	if v := c.iface.Version; c.dialect == V10 && v != "1.0" && v != "1" && v != "" {
		d.warn("The agent says A2A %s; it is spoken to as 1.0", clip(v))
	}
	if c.dialect == V10 && c.iface.Origin != FromSupported {
		d.warn("The card says version 1.0 and is not written as a card of 1.0; its url is taken for the endpoint")
	}
}

func bindingReason(i *Interface) string {
	if i.BindingWord == "" {
		return "the card names no transport, which means JSON-RPC"
	}
	return fmt.Sprintf("declared as %q", clip(i.BindingWord))
}

// repair returns the URL to send to.
func (d *detector) repair(c *candidate) string {
	u := c.endpoint
	changed := false
	if d.source != nil && misplaced(u, d.source) {
		d.warn("The card declares the host %s, which cannot be reached from here; %s, where the card was found, is used instead",
			u.Host, d.source.Host)
		u, changed = onOrigin(u, d.source), true
	}
	if stripped, odd := stripOperation(u); odd {
		d.warn("The card declares %s, which is the path of an operation or of the card; %s is used instead", u, stripped)
		u, changed = stripped, true
	}
	if c.iface.URL != c.iface.URLDeclared {
		d.warn("The card declares the relative URL %s; it is read as %s", clip(c.iface.URLDeclared), u)
	}
	if !changed {
		return c.iface.URL // byte for byte: servers care about a trailing slash
	}
	return u.String()
}

func (d *detector) streaming() {
	e := Evidence{Field: "streaming", Value: "no", Reason: "the card does not declare streaming", Confidence: Likely}
	switch d.card.Capabilities.Streaming {
	case True:
		e = Evidence{Field: "streaming", Value: "yes", Reason: "the card declares streaming", Confidence: Certain}
	case False:
		e = Evidence{Field: "streaming", Value: "no", Reason: "the card declares that it does not stream", Confidence: Certain}
	}
	d.profile.Evidence = append(d.profile.Evidence, e)
}

// guess decides the dialect of a card that names no version, by the members that
// came and went.
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
		return likely(V01, "lacks what later versions require")
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
	for _, s := range d.card.Skills {
		if s.Description == "" || s.Tags == nil {
			return true
		}
	}
	return d.card.DefaultInputModes == nil || d.card.DefaultOutputModes == nil
}

// nothing says why no interface can be used, the reason nearest to success first.
func (d *detector) nothing() {
	p := &d.profile
	name := "“" + firstLine([]byte(d.card.Name)) + "”"
	for i := range d.candidates {
		c := &d.candidates[i]
		if c.endpoint != nil && c.iface.Binding == BindingJSONRPC {
			p.Dialect, p.Binding, p.Endpoint, p.Tenant = V10, c.iface.Binding, c.iface.URL, c.iface.Tenant
			p.Problem = fmt.Sprintf("%s says A2A %s; spoken here are 0.1 to 1.0. Ask its author for an older interface, or pin version 1.0 to try",
				name, clip(c.iface.Version))
			return
		}
	}
	var offered []string
	for i := range d.candidates {
		iface := d.candidates[i].iface
		switch {
		case strings.HasPrefix(iface.URLDeclared, "solace:"):
			p.Problem = name + " is reachable only through a Solace broker; open the URL of its HTTP gateway instead"
			return
		case iface.Binding == BindingJSONRPC:
			p.Problem = fmt.Sprintf("%s declares the endpoint “%s”, to which nothing can be sent; correct the card's URL",
				name, clip(iface.URLDeclared))
		case len(offered) == maxWarnings:
		case iface.Binding == BindingOther:
			offered = append(offered, clip(iface.BindingWord))
		default:
			offered = append(offered, iface.Binding.String())
		}
	}
	switch {
	case p.Problem != "":
	case len(offered) > 0:
		p.Problem = fmt.Sprintf("%s offers %s and no JSON-RPC; ask its author for a JSON-RPC interface", name, strings.Join(offered, ", "))
	default:
		p.Problem = "The card of " + name + " declares no endpoint; ask its author to add one"
	}
}
