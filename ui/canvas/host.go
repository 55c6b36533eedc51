package canvas

import (
	"net"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/idna"
)

// Host returns the real host of a URL: without the userinfo before it, with its port, and in
// ASCII. A host in other letters is given in punycode ("xn--pple-43d.com"), because its letters
// may look like those of another host. It is empty for anything but an http or https URL.
func Host(link string) string {
	u, err := url.Parse(link)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return ""
	}
	host := strings.ToLower(u.Hostname())
	if !isGraphic(host) {
		host = asciiHost(host)
	}
	host = hostEscaper.Replace(host)
	switch port := u.Port(); {
	case port != "":
		return net.JoinHostPort(host, port)
	case strings.Contains(host, ":"):
		return "[" + host + "]"
	default:
		return host
	}
}

// hostEscaper escapes characters that seem to end a host. Only the zone of an IPv6 address can
// contain them.
var hostEscaper = strings.NewReplacer(" ", "%20", "/", "%2f", "@", "%40")

// asciiHost returns the name under which a host with other letters is resolved.
func asciiHost(host string) string {
	// The profile of net/http, which also reads full-width letters and dots as ASCII.
	if name, err := idna.Lookup.ToASCII(host); err == nil {
		return name
	}
	if name, err := idna.Punycode.ToASCII(host); err == nil && isGraphic(name) {
		return name
	}
	return strings.Trim(strconv.QuoteToASCII(host), `"`) // this name cannot be resolved
}

// HostIn returns [Host] in at most w cells. A longer host loses its beginning, which the owner
// of the end can choose freely; mark (an ellipsis) replaces it.
func HostIn(link string, w int, mark string) string { return EllipsizeLeft(Host(link), w, mark) }

// maxPlainHost is the longest host that is recognised at a glance in its address.
const maxPlainHost = 60

// HiddenHost returns the end of the [Host] of an address that does not show it at a glance: the
// host follows userinfo, is not in ASCII, or is so long that only its beginning is read. It is
// empty for every other address.
func HiddenHost(address string) string {
	host := Host(address)
	_, rest, _ := strings.Cut(address, "://")
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		rest = rest[:end]
	}
	if host == "" || len(host) <= maxPlainHost && strings.EqualFold(rest, host) {
		return ""
	}
	return EllipsizeLeft(host, maxPlainHost, "…")
}

// EllipsizeLeft returns a text of printable ASCII if it takes at most w cells, otherwise mark
// (an ellipsis) followed by its end, in at most w cells together.
func EllipsizeLeft(s string, w int, mark string) string {
	if len(s) <= w {
		return s
	}
	if keep := w - Width(mark); keep > 0 {
		return mark + s[len(s)-keep:]
	}
	return s[len(s)-max(w, 0):]
}
