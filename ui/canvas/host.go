package canvas

import (
	"strings"

	"parley/a2a/hostname"
)

// HostIn returns the host of a link as [hostname.OfLink] has it, in at most w cells. A longer host
// loses its beginning, which the owner of the end can choose freely; mark (an ellipsis) replaces it.
func HostIn(link string, w int, mark string) string {
	return EllipsizeLeft(hostname.OfLink(link), w, mark)
}

// maxPlainHost is the longest host that is recognised at a glance in its address.
const maxPlainHost = 60

// HiddenHost returns the end of the host of an address that does not show it at a glance: the
// host follows userinfo, is not in ASCII, or is so long that only its beginning is read. It is
// empty for every other address.
func HiddenHost(address string) string {
	host := hostname.OfLink(address)
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
