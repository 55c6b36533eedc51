package a2a

import (
	"net"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxShownHost is how many bytes of a host a sentence contains: nearly every host is shorter.
const maxShownHost = 80

// ShownHost returns the host of a URL, with its port, for use in a sentence: without userinfo,
// in printable ASCII, and cut at its beginning, which the owner of the end can choose freely. A
// host in other letters is written in punycode (RFC 3492), because its letters may look like
// those of another one. It is empty if the URL has no host.
func ShownHost(u *url.URL) string {
	if u == nil || u.Hostname() == "" {
		return ""
	}
	host := inHost.Replace(asciiHost(strings.ToLower(u.Hostname())))
	switch port := u.Port(); {
	case port != "":
		host = net.JoinHostPort(host, port)
	case strings.Contains(host, ":"):
		host = "[" + host + "]"
	}
	if len(host) > maxShownHost {
		return "…" + host[len(host)-maxShownHost:]
	}
	return host
}

// inHost escapes characters that seem to end a host. Only the zone of an IPv6 address can
// contain them.
var inHost = strings.NewReplacer(" ", "%20", "/", "%2f", "@", "%40")

// fullStops are the characters that divide the labels of a host (RFC 3490, 3.1).
var fullStops = strings.NewReplacer("\u3002", ".", "\uff0e", ".", "\uff61", ".")

// maxLabel is the longest label that is converted to punycode, whose cost grows with the square
// of the length: DNS allows 63.
const maxLabel = 256

// asciiHost returns a host whose labels in other letters are in punycode. Characters that no
// host may contain are quoted. Two hosts have the same result only if they are the same.
func asciiHost(host string) string {
	labels := strings.Split(fullStops.Replace(host), ".")
	for i, label := range labels {
		letters := strings.ContainsFunc(label, func(r rune) bool { return r >= 0x80 })
		if letters && utf8.ValidString(label) && utf8.RuneCountInString(label) <= maxLabel {
			labels[i] = "xn--" + punycode(label)
		}
	}
	host = strings.Join(labels, ".")
	if strings.ContainsFunc(host, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		host = strings.Trim(strconv.QuoteToASCII(host), `"`)
	}
	return host
}

// punycode encodes a label of valid UTF-8 (RFC 3492, 6.3).
func punycode(label string) string {
	const base, tMin, tMax, skew, damp = 36, 1, 26, 38, 700
	runes := []rune(label)
	var out []byte
	for _, r := range runes {
		if r < 0x80 {
			out = append(out, byte(r))
		}
	}
	basic := len(out)
	if basic > 0 {
		out = append(out, '-')
	}
	n, delta, bias := rune(0x80), 0, 72
	for handled := basic; handled < len(runes); n++ {
		next := rune(0x7fffffff)
		for _, r := range runes {
			if r >= n {
				next = min(next, r)
			}
		}
		delta += int(next-n) * (handled + 1)
		n = next
		for _, r := range runes {
			if r < n {
				delta++
			}
			if r != n {
				continue
			}
			q := delta
			for k := base; ; k += base {
				t := min(max(k-bias, tMin), tMax)
				if q < t {
					break
				}
				out = append(out, digit(t+(q-t)%(base-t)))
				q = (q - t) / (base - t)
			}
			out = append(out, digit(q))
			if handled == basic {
				delta /= damp
			} else {
				delta /= 2
			}
			delta += delta / (handled + 1)
			for bias = 0; delta > (base-tMin)*tMax/2; bias += base {
				delta /= base - tMin
			}
			bias += (base - tMin + 1) * delta / (delta + skew)
			delta = 0
			handled++
		}
		delta++
	}
	return string(out)
}

// digit writes a digit of punycode.
func digit(d int) byte { return "abcdefghijklmnopqrstuvwxyz0123456789"[d] }
