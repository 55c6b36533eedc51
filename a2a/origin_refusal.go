package a2a

import (
	"fmt"
	"net/url"
	"strings"

	"parley/a2a/hostname"
)

// A pointer says who named the URL that a request is about to go to.
type pointer string

const (
	byCard     pointer = "the card names"
	byRedirect pointer = "a redirect leads to"
	byUser     pointer = "the request goes to"
)

// refusal returns the end of a request that must not be sent to u, and whether that applies. From is the
// URL that was redirected to u, nil without a redirect.
func (g gate) refusal(u *url.URL, by pointer, from *url.URL) (End, bool) {
	origin := shownOrigin(u)
	nothing := "Nothing was sent"
	if by == byRedirect && from != nil { // the host that sent the redirect has the request
		nothing, by = "Nothing was sent beyond "+shownOrigin(from), pointer(shownOrigin(from)+" redirects to")
	}
	// A card names gRPC on this machine without a scheme: whether it has TLS is Parley's own guess.
	guessed := !g.armed && IsGRPC(u.String()) && ReachOf(u.Hostname()) == ReachMachine
	if opened, meant := g.encrypted(u); opened != "" && !guessed {
		remedy := "Give"
		if isHTTP(u) {
			remedy = "A proxy before the agent probably does not tell it of https (X-Forwarded-Proto): give"
		}
		return End{Reason: Refused, Class: ClassUnencrypted, Sentence: fmt.Sprintf(nothing+": the host was opened at %s, but %s %s, where everything is sent in clear. %s --endpoint %s.",
			opened, by, origin, remedy, meant)}, true
	}
	if name := g.queryLeak(u); from != nil && !g.armed && name != "" {
		return End{Reason: Refused, Class: ClassOrigin, Sentence: fmt.Sprintf(nothing+": %s %s and takes along what you wrote in the query (%s). %s",
			by, origin, clip(name), g.advice(u))}, true
	}
	if g.permits(u) {
		return End{}, false
	}
	end := End{Reason: Refused, Class: ClassOrigin}
	switch {
	case g.file:
		end.Sentence = fmt.Sprintf("%s redirects to %s, which you have not approved: approve it if the file may come from there.", g.userOrigin, origin)
	case g.answer:
		end.Sentence = fmt.Sprintf(nothing+": the message is a secret and goes only to %s, but %s %s. %s", g.userOrigin, by, origin, g.advice(u))
	case g.userOrigin == "":
		end.Sentence = fmt.Sprintf(nothing+": credentials are set, %s %s, and you named no origin for them. %s", by, origin, g.advice(u))
	default:
		end.Sentence = fmt.Sprintf(nothing+": the credentials are for %s, but %s %s. %s", g.userOrigin, by, origin, g.advice(u))
	}
	return end, true
}

// advice says how to reach an origin that the user did not name. Parley offers --allow-origin for one with
// TLS and for this machine alone: nobody is advised to send a secret in clear.
func (g gate) advice(u *url.URL) string {
	if !g.allowable(u) {
		return "That origin has no TLS, so Parley does not offer to allow it: give an address with https, with --endpoint."
	}
	return "To allow that origin too, add --allow-origin " + shownOrigin(u) + "."
}

// allowable reports whether the user may be advised to allow an origin.
func (g gate) allowable(u *url.URL) bool {
	opened, _ := g.encrypted(u)
	return strings.HasPrefix(originOf(u), "https://") || ReachOf(u.Hostname()) == ReachMachine && opened == ""
}

// encrypted returns the origin at which the host of an address without TLS was opened over TLS, and the
// address that is probably meant; empty for any other address, and for one that the user named.
func (g gate) encrypted(u *url.URL) (opened, address string) {
	origin := originOf(u)
	rest, plain := strings.CutPrefix(origin, "http://")
	if opened = g.secure[hostOf(rest)]; !plain || opened == "" || g.allowed[origin] {
		return "", ""
	}
	if scheme := withTLS[strings.ToLower(u.Scheme)]; scheme != "" { // whose path is the method or the topic
		return opened, scheme + "://" + hostname.Of(u)
	}
	meant, err := url.Parse(opened) // a proxy answers at the port that was opened
	if err != nil {
		return opened, opened
	}
	meant.Path, meant.RawPath, meant.RawQuery = u.Path, u.RawPath, u.RawQuery
	if MaskURL(meant.String()) != meant.String() {
		meant.RawQuery = ""
	}
	return opened, meant.String()
}

// withTLS has the encrypted scheme of those that are not of HTTP.
var withTLS = map[string]string{schemeGRPC: schemeGRPCS, "mqtt": "mqtts", "ws": "wss"}
