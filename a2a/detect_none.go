package a2a

import (
	"cmp"
	"fmt"
	"net/url"
	"strings"
)

// PinAdvice begins the advice in the problem of a card whose version Parley does not speak. It helps
// unless probes have shown that no version is answered.
const PinAdvice = ". To try it as"

// nothing says why no interface can be used, the reason nearest to success first.
func (d *detector) nothing() {
	p := &d.profile
	name := "“" + firstLine([]byte(d.card.Name)) + "”"
	for i := range d.candidates {
		c := &d.candidates[i]
		if c.endpoint != nil && c.iface.Binding != BindingOther && c.dialect == Unknown {
			p.Binding, p.Tenant = c.iface.Binding, c.iface.Tenant
			p.Endpoint, _ = d.repair(c)
			p.Dialect, p.Claim = nearest(c.iface.Version), claim(c.iface)
			p.Problem = fmt.Sprintf("%s says A2A %s. Parley speaks 0.1 – 1.0"+PinAdvice+" %s, pin the dialect %s (--dialect), or ask its author for an older interface",
				name, clip(c.iface.Version), p.Dialect.Number(), p.Dialect)
			p.Evidence = append(p.Evidence, Evidence{
				Field: "dialect", Reason: fmt.Sprintf("the card says protocolVersion %q, which Parley does not speak", clip(c.iface.Version)), Confidence: Certain,
			})
			return
		}
	}
	d.others(nil)
	var offered, custom []string
	var blank *Interface // the first without an address
	for i := range d.candidates {
		iface := d.candidates[i].iface
		switch {
		case strings.HasPrefix(iface.DeclaredURL, "solace:"):
			p.Problem = name + " is reachable only through a Solace broker; open the URL of its HTTP gateway instead"
			return
		case strings.TrimSpace(iface.DeclaredURL) == "" && iface.Binding != BindingOther && iface.Binding != BindingGRPC:
			if blank == nil {
				blank = iface
			}
		case iface.Binding == BindingJSONRPC:
			p.Problem = fmt.Sprintf("%s declares the endpoint “%s”, which is not a usable URL; correct the card's URL",
				name, clip(iface.DeclaredURL))
		case len(offered)+len(custom) == maxWarnings:
		case iface.customBinding():
			custom = append(custom, clip(iface.BindingWord))
		case iface.Binding == BindingOther:
			offered = append(offered, clip(iface.BindingWord))
		default:
			offered = append(offered, iface.Binding.String())
		}
	}
	switch {
	case p.Problem != "":
	case blank != nil:
		p.Problem = "The card of " + name + " declares no endpoint, its URL is empty; ask its author to add one"
		d.origin(blank)
	case len(offered) > 0:
		p.Problem = fmt.Sprintf("%s offers %s, which Parley does not support; ask its author for a JSON-RPC or HTTP+JSON interface", name, strings.Join(offered, ", "))
	case len(custom) > 0:
		p.Problem = fmt.Sprintf("%s offers only the custom binding %s, passed over; ask its author for an interface of a binding of A2A: JSON-RPC, gRPC or HTTP+JSON", name, strings.Join(custom, ", "))
	default:
		p.Problem = "The card of " + name + " declares no endpoint; ask its author to add one"
		d.origin(&Interface{Binding: BindingJSONRPC})
	}
}

// origin takes the address of a card without an endpoint for the endpoint of its interface. That is a guess:
// nothing is sent there before a probe succeeds or the user confirms it.
func (d *detector) origin(of *Interface) {
	if d.source == nil {
		return
	}
	at := endpointIn(d.source)
	if at == "" {
		root := url.URL{Scheme: d.source.Scheme, Host: d.source.Host, Path: "/"}
		at = root.String()
	}
	p := &d.profile
	p.Dialect, p.Binding, p.Endpoint, p.Tenant = d.defaultDialect, of.Binding, at, of.Tenant
	if v := cmp.Or(of.Version, d.card.ProtocolVersion); v != "" {
		p.Claim = claim(&Interface{Version: v})
		if known, ok := dialectOfVersion(v); ok {
			p.Dialect = known
		}
	}
	p.Evidence = append(p.Evidence, Evidence{
		Field: "endpoint", Value: at, Reason: "the card declares no endpoint; this is the address of the card", Confidence: Guess,
	})
}

// nearest returns the dialect that an unknown version most likely resembles.
func nearest(version string) DialectName {
	if strings.HasPrefix(strings.TrimPrefix(strings.ToLower(strings.TrimSpace(version)), "v"), "0.") {
		return V03
	}
	return V10
}
