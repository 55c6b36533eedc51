package tap

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"parley/a2a"
	"parley/a2a/hostname"
	"parley/internal/units"
	"parley/session/cardaddress"
	"parley/session/log"
)

// A cardSum recognises a card that was seen before.
type cardSum [sha256.Size]byte

// editCard returns a card, or an answer with one, whose interfaces lead through the tap.
func (x *exchange) editCard(body []byte) []byte {
	m := mover{tap: x.tap, base: x.base()}
	r := cardaddress.Rewriter{Address: m.address}
	changed := r.Rewrite(body)
	if words := m.words(r.Unsigned); words != "" {
		x.tap.noteChange(x, words)
	}
	return changed
}

// base returns the base of the tap as the client of an exchange reaches it.
func (x *exchange) base() string {
	scheme := "http"
	if x.client.TLS {
		scheme = "https"
	}
	x.tap.mu.Lock()
	known, err := url.Parse(x.tap.base)
	x.tap.mu.Unlock()
	if err != nil {
		known = &url.URL{}
	}
	host := cmp.Or(x.head.Host, known.Host)            // a client of HTTP/1.0 need not name it
	return scheme + "://" + host + known.EscapedPath() // with the token
}

// A mover moves the interfaces of a card to a tap.
type mover struct {
	tap   *Tap
	base  string   // scheme and host of the tap
	moved int      // interfaces
	stay  []string // hosts of others
}

// address returns the address of an interface as clients of the tap use it.
func (m *mover) address(i cardaddress.Interface) string {
	target := m.tap.o.Target
	u, err := url.Parse(i.URL)
	switch {
	case i.Binding == a2a.BindingGRPC || err == nil && strings.HasPrefix(u.Scheme, "grpc"):
		return m.grpc(i.URL)
	case err != nil || u.Host == "":
		return i.URL // relative to the card
	case sameOrigin(u, target):
		m.moved++
		return m.base + pathOf(u)
	}
	if m.tap.o.Elsewhere != nil {
		if base := m.tap.o.Elsewhere(a2a.Origin(i.URL)); base != "" {
			m.moved++
			return strings.TrimRight(base, "/") + pathOf(u)
		}
	}
	m.leave(hostname.Of(u))
	return i.URL
}

// pathOf returns what stands behind the host of a URL.
func pathOf(u *url.URL) string {
	text := u.EscapedPath()
	if u.RawQuery != "" {
		text += "?" + u.RawQuery
	}
	return text
}

// grpc returns the address of an interface of gRPC.
func (m *mover) grpc(address string) string {
	endpoint := a2a.GRPCEndpoint(address)
	u, err := url.Parse(endpoint)
	if err != nil || u.Host == "" {
		return address
	}
	if portOf(u) == portOf(m.tap.o.Target) && hostname.Same(u.Hostname(), m.tap.o.Target.Hostname()) {
		m.moved++
		own, _ := url.Parse(m.base) // the tap made it
		return cardaddress.GRPC(address, own.Host)
	}
	if m.tap.o.Elsewhere != nil {
		scheme := "http"
		if u.Scheme == "grpcs" {
			scheme = "https"
		}
		if base, err := url.Parse(m.tap.o.Elsewhere(scheme + "://" + u.Host)); err == nil && base.Host != "" {
			m.moved++
			return cardaddress.GRPC(address, base.Host)
		}
	}
	m.leave(hostname.Of(u))
	return address
}

// maxStay is how many hosts are named that a card still leads to.
const maxStay = 4

func (m *mover) leave(host string) {
	if len(m.stay) < maxStay {
		m.stay = append(m.stay, a2a.MaskText(host))
	}
}

// words says what the tap does to a card, empty for nothing.
func (m *mover) words(unsigned bool) string {
	var said []string
	if m.moved > 0 {
		leads := " of the card leads through the tap"
		if m.moved > 1 {
			leads = " of the card lead through the tap"
		}
		said = append(said, units.Plural(m.moved, "interface")+leads)
	}
	if unsigned {
		said = append(said, "its signatures were dropped, because they are of the agent's own addresses")
	}
	if len(m.stay) > 0 {
		said = append(said, fmt.Sprintf("what it declares at %s stays there, past the tap", strings.Join(m.stay, ", ")))
	}
	if len(said) == 0 {
		return ""
	}
	text := strings.Join(said, "; ") + "."
	return strings.ToUpper(text[:1]) + text[1:]
}

// sameOrigin reports whether two URLs have the same host and port. The scheme may differ: cards name
// it wrongly behind a proxy.
func sameOrigin(a, b *url.URL) bool {
	return hostname.Same(a.Hostname(), b.Hostname()) && portOf(a) == portOf(b)
}

func portOf(u *url.URL) string {
	if p := u.Port(); p != "" {
		return p
	}
	if u.Scheme == "https" || u.Scheme == "grpcs" {
		return "443"
	}
	return "80"
}

// noteChange notes what the tap changed in an exchange.
func (t *Tap) noteChange(x *exchange, sentence string) {
	t.noteAbout(x, log.NoteTap, map[string]string{log.AttrSentence: t.observer.MaskText(sentence)})
}

// noteAbout puts a note about an exchange.
func (t *Tap) noteAbout(x *exchange, kind string, attrs map[string]string) {
	attrs[log.AttrTap] = t.Name()
	if x.seen != nil {
		attrs[log.AttrExchange] = log.IDText(x.seen.ID())
	}
	if x.call != nil && x.call.Turn != 0 {
		attrs[log.AttrConversation], attrs[log.AttrTurn] = log.IDText(x.call.Conversation), log.IDText(x.call.Turn)
	}
	t.note(kind, attrs)
}

// noteOperation notes how the agent is spoken to, when the first operation comes before any card.
func (t *Tap) noteOperation(x *exchange) {
	f := &x.facts
	t.mu.Lock()
	first := !t.opened && f.Binding != "" && f.Op != ""
	t.opened = t.opened || first
	t.mu.Unlock()
	if !first {
		return
	}
	profile, _ := json.Marshal(a2a.Profile{Dialect: f.Dialect, Binding: f.Binding, Endpoint: x.call.Endpoint}) // plain values do not fail
	t.note(log.NoteOpened, map[string]string{log.AttrRef: t.ref(), log.AttrProfile: string(profile), log.AttrSentence: "No client has asked for the card of this agent yet."})
}

// noteCard notes the card in an answer, unless it is the one that is known.
func (t *Tap) noteCard(x *exchange) {
	if x.card == nil || x.status/100 != 2 {
		return
	}
	op, sum := x.facts.Op, cardSum(sha256.Sum256(x.card.Raw))
	if op != a2a.OpCard && op != a2a.OpExtendedCard {
		return
	}
	t.observer.Learn(x.card)
	profile := a2a.Detect(x.card)
	t.mu.Lock()
	known := t.cards[op] == sum
	t.cards[op] = sum
	if op == a2a.OpCard {
		t.opened = true
		t.profiles = append([]a2a.Way{profile.Way()}, profile.Alternatives...)
	}
	t.mu.Unlock()
	if known {
		return
	}
	attrs := map[string]string{log.AttrRef: t.ref(), log.AttrRecord: log.IDText(x.seen.Record()), log.AttrIndex: "0"}
	if op == a2a.OpExtendedCard {
		attrs[log.AttrSentence] = "A client got the extended card."
		t.note(log.NoteExtendedCard, attrs)
		return
	}
	if len(profile.Warnings) > 0 {
		warnings, _ := json.Marshal(profile.Warnings) // strings do not fail
		attrs[log.AttrWarnings] = string(warnings)
	}
	t.note(log.NoteOpened, attrs)
}
