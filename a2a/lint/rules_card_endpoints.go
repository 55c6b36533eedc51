package lint

import (
	"net/url"
	"slices"
	"strings"

	"parley/a2a"
	"parley/a2a/hostname"
	"parley/a2a/jsontok"
)

// An endpoint is a place in a card that declares where the agent is.
type endpoint struct {
	holder  jsontok.Node // the interface, or the card for its main URL
	url     jsontok.Node
	binding jsontok.Node
	version jsontok.Node
	// supported is set for an interface of 1.0.
	supported bool
}

// endpoints returns what a card declares, the interfaces of 1.0 first.
func endpoints(card jsontok.Node) (all []endpoint) {
	version := either(card, "protocolVersion", "protocol_version")
	for e := range either(card, "supportedInterfaces", "supported_interfaces").Elems() {
		all = append(all, endpoint{
			holder: e, url: get(e, "url"), binding: either(e, "protocolBinding", "protocol_binding"),
			version: either(e, "protocolVersion", "protocol_version"), supported: true,
		})
	}
	if main := get(card, "url"); main.Exists() {
		all = append(all, endpoint{card, main, either(card, "preferredTransport", "preferred_transport"), version, false})
	}
	for e := range either(card, "additionalInterfaces", "additional_interfaces").Elems() {
		all = append(all, endpoint{e, get(e, "url"), get(e, "transport"), version, false})
	}
	return all
}

// endpointsEncrypted finds an error in a card that itself came over https from the host that it names without:
// there the token of the next request goes out in clear.
func endpointsEncrypted(p *pass, n jsontok.Node) {
	source, _ := url.Parse(p.cardSource())
	for _, e := range endpoints(n) {
		u, err := url.Parse(e.url.Text())
		switch {
		case err != nil || !strings.EqualFold(u.Scheme, "http"):
		case source != nil && strings.EqualFold(source.Scheme, "https") && hostname.Same(source.Hostname(), u.Hostname()):
			p.note(e.url, "The card came over https, but it declares http on the same host, as behind a proxy that ends TLS")
		case a2a.ReachOf(u.Hostname()) == a2a.ReachWorld:
			p.noteAs(a2a.Warning, e.url, "The endpoint on "+a2a.ShownHost(u)+" is not encrypted")
		}
	}
}

func mainInterfaceListed(p *pass, n jsontok.Node) {
	list := either(n, "additionalInterfaces", "additional_interfaces")
	main := get(n, "url").Text()
	if list.Len() == 0 || main == "" {
		return
	}
	transport := either(n, "preferredTransport", "preferred_transport").Text()
	for e := range list.Elems() {
		if get(e, "url").Text() == main && (transport == "" || strings.EqualFold(get(e, "transport").Text(), transport)) {
			return
		}
	}
	p.note(list, "The main URL is not among the interfaces")
}

func interfaceMembers(p *pass, n jsontok.Node) {
	for e := range either(n, "supportedInterfaces", "supported_interfaces").Elems() {
		if e.Kind() != jsontok.Object {
			p.note(e, "The interface is "+kindName(e.Kind())+", not an object")
			continue
		}
		var missing []string
		for _, m := range [...][2]string{
			{"url", "url"}, {"protocolBinding", "protocol_binding"}, {"protocolVersion", "protocol_version"},
		} {
			if !either(e, m[0], m[1]).IsText() {
				missing = append(missing, m[0])
			}
		}
		if len(missing) > 0 {
			p.note(e, "The interface has no “"+strings.Join(missing, "”, “")+"”")
		}
		v := either(e, "protocolVersion", "protocol_version")
		if text := v.Text(); text != "" && !majorMinor(text) {
			severity := a2a.Error
			if isVersion(text) {
				severity = a2a.Warning // only a superfluous patch number
			}
			p.noteAs(severity, v, "The version “"+clip(text)+"” is not Major.Minor")
		}
	}
}

// someInterface leaves a card without any endpoint to CARD-001.
func someInterface(p *pass, n jsontok.Node) {
	all := endpoints(n)
	for _, e := range all {
		version := e.version.Text()
		if a2a.BindingOf(e.binding.Text()) != a2a.BindingOther && (version == "" || isVersion(version)) {
			return
		}
	}
	switch {
	case len(all) == 0:
	case p.in&v10 != 0 && slices.ContainsFunc(all, customBinding):
		p.noteAs(a2a.Info, all[0].holder, "Every interface has a custom binding, which only special clients speak")
	default:
		p.note(all[0].holder, "No interface has a released binding and version")
	}
}

// customBinding reports whether an interface names its binding by a URI, as 1.0 §5.8 prescribes
// for bindings that the specification does not define.
func customBinding(e endpoint) bool {
	return a2a.IsCustomBinding(e.binding.Text())
}

// oldOnly are the members of a card that 1.0 no longer has.
var oldOnly = [...]string{
	"url", "preferredTransport", "additionalInterfaces", "supportsAuthenticatedExtendedCard", "protocolVersion",
	"security", "authentication",
}

// oldMembers ignores a card that has all that older clients need.
func oldMembers(p *pass, n jsontok.Node) {
	if get(n, "url").IsText() || get(n, "preferredTransport").IsText() {
		return
	}
	for _, name := range oldOnly {
		if v := get(n, name); v.Exists() {
			p.note(v, "“"+name+"” is not a member of a card of 1.0")
		}
	}
	if v := get(get(n, "capabilities"), "stateTransitionHistory"); v.Exists() {
		p.noteAs(a2a.Info, v, "“stateTransitionHistory” is not a member of a card of 1.0")
	}
}
