package lint

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"parley/a2a"
	"parley/a2a/jsontok"
)

// cardSecrets finds secrets in a public card. The finding never repeats them.
func cardSecrets(p *pass, n jsontok.Node) {
	credentials := get(get(n, "authentication"), "credentials")
	if looksSecret(credentials.Text()) {
		p.note(credentials, "“credentials” looks like a secret")
	}
	for text := range texts(p.doc(), n) {
		if raw := text.Raw(); len(raw) > 8 && strings.Contains(string(raw[:min(len(raw), 12)]), "://") && secretURL(text.Text()) {
			p.note(text, "The URL contains a password or a token")
		}
	}
}

// looksSecret reports whether a text is one long word of letters and digits, as keys are. The
// free text and the JSON that 0.1 allows there do not match.
func looksSecret(s string) bool {
	s = strings.TrimPrefix(strings.TrimSpace(s), "Bearer ")
	if len(s) < 16 || strings.ContainsAny(s, " \t\n{}") || strings.Contains(s, "://") {
		return false
	}
	return strings.ContainsAny(s, "0123456789") && strings.ContainsAny(strings.ToLower(s), "abcdefghijklmnopqrstuvwxyz")
}

// secretURL reports whether a URL holds a password, or a parameter that is a secret by its name.
func secretURL(s string) bool {
	u, err := url.Parse(s)
	if err != nil {
		return false
	}
	if password, ok := u.User.Password(); ok && password != "" {
		return true
	}
	query := u.Query()
	for name, values := range query {
		if a2a.SecretName(name) && len(values) > 0 && len(values[0]) >= 8 {
			return true
		}
	}
	return false
}

func signatures(p *pass, n jsontok.Node) {
	for s := range get(n, "signatures").Elems() {
		if s.Kind() != jsontok.Object {
			p.note(s, "The signature is "+kindName(s.Kind())+", not an object")
			continue
		}
		signature, protected := get(s, "signature"), get(s, "protected")
		if _, ok := base64url(signature.Text()); !ok {
			p.note(orElse(signature, s), "The signature is not base64url")
		}
		header, ok := base64url(protected.Text())
		var named struct{ Alg, Kid string }
		switch {
		case !ok || json.Unmarshal(header, &named) != nil:
			p.note(orElse(protected, s), "The protected header is not JSON in base64url")
		case named.Alg == "" || named.Kid == "":
			p.note(protected, "The protected header does not name both alg and kid")
		case strings.EqualFold(named.Alg, "none"):
			p.note(protected, "The algorithm “none” signs nothing")
		}
	}
}

// base64url decodes the base64 of JWS; an empty text is invalid.
func base64url(s string) ([]byte, bool) {
	b, err := base64.RawURLEncoding.DecodeString(s)
	return b, err == nil && len(b) > 0
}

// orElse returns a node, or another one if it is absent.
func orElse(n, other jsontok.Node) jsontok.Node {
	if n.Exists() {
		return n
	}
	return other
}

// declaredStreaming compares a streaming call with the card. A missing task is no refusal of
// streaming, nor is an agent that has streamed before unable to. A missing method is a refusal once
// the agent has answered in that dialect: before, it may not speak the dialect at all.
func declaredStreaming(p *pass, n jsontok.Node) {
	d, about := &p.agent.declared, p.call.Op == a2a.OpStream
	answered := p.ev != nil && p.ev.Err == nil
	if answered && p.streaming() {
		p.agent.streamed |= p.in
	}
	switch {
	case !d.known:
		return
	case answered && (about || p.call.Op == a2a.OpSend):
		d.answers = p.in
		if d.streamless == p.in && !about {
			d.streamless = 0
			p.note(n, "The card declares streaming, but the agent has no method for it although it accepts plain messages")
		}
		return
	case !about:
		return
	}
	if p.r.Kind == a2a.KindHead {
		if d.streaming != a2a.True && mediaOf(p.x.header("Content-Type")) == "text/event-stream" {
			p.noteAs(undeclared(d.streaming), jsontok.Node{}, "Streaming works, but the card does not declare it")
		}
		return
	}
	if d.streaming != a2a.True || p.ev == nil || p.ev.Err == nil || p.agent.streamed&p.in != 0 {
		return
	}
	switch missing := p.missing(); {
	case missing && d.answers != p.in:
		d.streamless = p.in
	case missing, p.refusesStream():
		p.note(n, "The card declares streaming, but the agent refuses it")
	}
}

// undeclared returns the severity of something that works although the card does not declare
// it: denying it is worse than not mentioning it.
func undeclared(t a2a.Tri) a2a.Severity {
	if t == a2a.Absent {
		return a2a.Info
	}
	return a2a.Warning
}

// missing reports whether the error says that the method or the path does not exist. That a server
// has not implemented what it was asked may be about the task that the message names.
func (p *pass) missing() bool {
	e, status := p.ev.Err, p.x.status()
	if e.Name == "MethodNotFoundError" {
		return true
	}
	return p.in&rest != 0 && a2a.LacksHandler(status, e) && !(status == http.StatusNotImplemented && p.namesTask())
}

// refusesStream reports whether the error says that the agent does not stream.
func (p *pass) refusesStream() bool {
	return p.call.RefusesStream(p.ev.Err) && !(p.ev.Err.Unsupported() && p.namesTask())
}

func requiredExtensions(p *pass, _ jsontok.Node) {
	if !p.messages() {
		return
	}
	sent := slices.Collect(items(p.header().Values("A2A-Extensions")))
	if missing := lacking(p.agent.declared.required, sent); len(missing) > 0 {
		p.note(jsontok.Node{}, "The request does not name what the card requires: "+listed(missing))
	}
}

func extendedCard(p *pass, n jsontok.Node) {
	d := &p.agent.declared
	if p.call.Op != a2a.OpExtendedCard || !d.known {
		return
	}
	for _, m := range [...]struct{ name, public string }{{"name", d.name}, {"version", d.version}} {
		if v := get(n, m.name); v.Exists() && v.Text() != m.public {
			p.note(v, "The "+m.name+" is “"+clip(v.Text())+"”, but in the public card “"+clip(m.public)+"”")
		}
	}
}
