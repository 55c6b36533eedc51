package a2a

import (
	"net/http"
	"slices"
	"strings"
)

// keyScheme stands for an API key among the schemes of HTTP authentication.
const keyScheme = "ApiKey"

// withinCard returns the wire for the extended card: it has only credentials that the public card
// declares a scheme for (specification 1.0 §3.1.11; CLI specification 0.2 §12.4).
func (w *wire) withinCard(card *Card) *wire {
	confined := *w
	kept, names := w.creds.confined(card.declares)
	confined.creds = kept
	for _, name := range names {
		confined.creds.withhold("%s is not sent with the request for the extended card, because the public card declares no scheme for it: name its header with --svc-param to send it anyway", name)
	}
	return &confined
}

// reserved returns a wire for requests for a card: credentials that no card is known to declare a
// scheme for are kept back until the server asks for them (CLI specification 0.2, AUTH_008).
func (w *wire) reserved(card *Card) *wire {
	kept, names := w.creds.confined(card.declares)
	if len(names) == 0 {
		return w
	}
	bare := *w
	bare.creds, bare.reserve = kept, w
	for _, name := range names {
		bare.creds.withhold("%s is not sent, because the answer asks for another scheme: name its header with --svc-param to send it anyway", name)
	}
	return &bare
}

// demanded changes to the wire with the credentials that were kept back, if the server asks for
// them: by a challenge of their scheme, or by one that names none. It returns the request to make
// again and the end of this exchange.
func (x *exchange) demanded() (again *outgoingRequest, end End, ok bool) {
	full := x.wire.reserve
	status := x.tally.status
	if full == nil || status != http.StatusUnauthorized && status != http.StatusForbidden {
		return nil, End{}, false
	}
	asks := func(scheme string) bool {
		return len(x.tally.schemes) == 0 || slices.ContainsFunc(x.tally.schemes, func(s string) bool { return strings.EqualFold(s, scheme) })
	}
	kept, names := full.creds.confined(asks)
	if _, all := full.creds.confined(func(string) bool { return false }); len(names) == len(all) {
		return nil, End{}, false
	}
	answering := *full
	answering.creds = kept
	x.wire, x.asked = &answering, true
	return &x.out, End{Reason: Ended, Class: ClassFollowed, Sentence: "The server asks for credentials; Parley repeats the request with them."}, true
}

// confined returns the credentials without those whose scheme of the Authorization header is not
// accepted, and the names of what is missing. Headers that the user named stay, and so does an API
// key that only a card can place.
func (c credentials) confined(accepts func(scheme string) bool) (kept credentials, missing []string) {
	c.withheld = slices.Clone(c.withheld)
	c.idle = slices.Clone(c.idle)
	if (c.bearer != "" || c.from != nil) && !accepts("bearer") {
		missing = append(missing, "the bearer token")
		c.idle = append(c.idle, c.bearer)
		c.bearer, c.from = "", nil
	}
	pairs := c.pairs
	c.pairs = nil
	for _, p := range pairs {
		if p.Reserved && !accepts(keyScheme) {
			missing = append(missing, "the API key")
			c.idle = append(c.idle, headerValues(p.Name, p.Value)...)
			continue
		}
		scheme, _, many := strings.Cut(p.Value, " ")
		if !p.Pinned && many && strings.EqualFold(p.Name, "Authorization") && !accepts(scheme) {
			missing = append(missing, "the header Authorization")
			c.idle = append(c.idle, headerValues(p.Name, p.Value)...)
			continue
		}
		c.pairs = append(c.pairs, p)
	}
	return c, missing
}
