// Package hostname says which host a written one is: the one that is connected to.
//
// A host may be written in letters that look like others, with full-width digits, with other full
// stops, with characters that are not seen. Before net/http connects, it maps a host that is not
// ASCII to the name that is looked up (IDNA, the profile Lookup of UTS 46). Parley compares,
// judges and shows that name, and gives it to every transport, so that a host has one name. What
// cannot be mapped is no host: nothing is connected to it. It is shown with percent escapes,
// which no other host has.
package hostname

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// maxWritten is the longest host in other letters that is mapped, in bytes. DNS allows 253
// characters; the cost of a label grows with the square of its length.
const maxWritten = 1 << 10

// Name returns the name under which a host, without brackets and port, is connected to: in
// ASCII and in lower case, but for the zone of an IPv6 address. It is false for a host that
// cannot be mapped, which must not be connected to.
func Name(host string) (name string, ok bool) {
	if isASCII(host) { // net/http leaves it as it is
		name, zone, zoned := strings.Cut(host, "%")
		if name = strings.ToLower(name); zoned {
			name += "%" + zone
		}
		return name, name != ""
	}
	if len(host) > maxWritten || !utf8.ValidString(host) { // idna reads all bytes that are no text as one character
		return "", false
	}
	name, err := idna.Lookup.ToASCII(host)
	// A host may consist of characters that do not count. An empty name would be this machine.
	if err != nil || !isASCII(name) || name == "" {
		return "", false
	}
	return name, true
}

// Refusal says that nothing is connected to a host, which is given as it is shown. It is a clause.
func Refusal(shown string) error {
	return fmt.Errorf("the host %s cannot be looked up, because its letters are not allowed in a host name", shown)
}

// Key returns the text by which hosts are compared, as a URL has it: two hosts have the same one
// exactly if they are the same. A full stop at the end makes no difference.
func Key(host string) string {
	key := written(host)
	if bare := strings.TrimSuffix(key, "."); bare != "" && !strings.HasSuffix(bare, ".") {
		return bare
	}
	return key
}

// Same reports whether two hosts are the same.
func Same(a, b string) bool { return a == b || Key(a) == Key(b) }

// IsLoopback reports whether a host is this machine, by the name or the address that every system
// gives to it.
func IsLoopback(host string) bool {
	name, ok := Name(strings.Trim(host, "[]"))
	if !ok {
		return false
	}
	ip, err := netip.ParseAddr(name)
	return err == nil && ip.Unmap().IsLoopback() || strings.TrimSuffix(name, ".") == "localhost"
}

// Join returns a host and a port, which may be empty, as a URL has them: in printable ASCII.
func Join(host, port string) string { return join(written(host), port) }

// Of returns the host of a URL with its port, without userinfo: in printable ASCII, as [Join] has
// it. It is empty if the URL has no host.
func Of(u *url.URL) string {
	if u == nil || u.Hostname() == "" {
		return ""
	}
	return Join(u.Hostname(), u.Port())
}

// OfLink returns the host of an http or https URL as [Of] has it, empty for anything else:
// "https://bank.example@evil.example/" leads to evil.example.
func OfLink(link string) string {
	u, err := url.Parse(link)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	return Of(u)
}

// Mapped returns a URL with the host that is connected to. It is the URL itself if its host is in
// ASCII, and also if the host cannot be mapped, which ok says.
func Mapped(u *url.URL) (mapped *url.URL, ok bool) {
	name, ok := Name(u.Hostname())
	if !ok || isASCII(u.Host) {
		return u, ok
	}
	c := *u
	c.Host = join(name, u.Port())
	return &c, true
}

func join(host, port string) string {
	switch {
	case port != "":
		return net.JoinHostPort(host, port)
	case strings.Contains(host, ":"):
		return "[" + host + "]"
	default:
		return host
	}
}

// written returns a host as a URL has it, without brackets.
func written(host string) string {
	name, ok := Name(host)
	if !ok {
		name = host
	}
	if !strings.ContainsFunc(name, escapes) {
		return name
	}
	var out strings.Builder
	for i := range len(name) {
		if c := name[i]; escapes(rune(c)) {
			out.WriteString("%" + digits[c>>4:c>>4+1] + digits[c&15:c&15+1])
		} else {
			out.WriteByte(c)
		}
	}
	return out.String()
}

const digits = "0123456789ABCDEF"

// escapes reports whether a character is escaped: it is not printable ASCII, or seems to end a
// host. Only the zone of an IPv6 address can contain such ones.
func escapes(r rune) bool {
	switch r {
	case '%', '/', '@', '?', '#', '\\':
		return true
	default:
		return r <= ' ' || r >= 0x7f
	}
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
