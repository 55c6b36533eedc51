package a2a

import (
	"net/netip"
	"strconv"
	"strings"
	"unicode"
)

// LooksLikeAddress reports whether a reference has the form of an address of a card: standard
// input, a file, a URL with its scheme, or a host that has a dot, a port or an IP address, or
// is localhost. A single word does not count, because it is more often a misspelled command or
// name than a host; a user names such a host with its scheme or port.
func LooksLikeAddress(ref string) bool {
	ref = strings.TrimSpace(ref)
	if catalog, entry, sure := splitEntry(ref); entry != "" && sure {
		ref = catalog
	}
	switch {
	case ref == "":
		return false
	case ref == "-", strings.Contains(ref, "://"), looksLikeFile(ref):
		return true
	}
	host := ref
	if i := strings.IndexAny(ref, "/?#"); i >= 0 {
		host = ref[:i]
	}
	return looksLikeHost(host)
}

// looksLikeHost reports whether the host part of a reference, with or without a port, is more
// than a word.
func looksLikeHost(host string) bool {
	if _, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return true
	}
	if _, err := netip.ParseAddrPort(host); err == nil {
		return true
	}
	name, port, ported := strings.Cut(host, ":")
	if n, err := strconv.Atoi(port); ported && (err != nil || n < 1 || n > 65535) {
		return false
	}
	labels := strings.Split(strings.TrimSuffix(name, "."), ".")
	for _, label := range labels {
		if label == "" || strings.ContainsFunc(label, notInHost) {
			return false
		}
	}
	return ported || len(labels) > 1 || strings.EqualFold(name, "localhost")
}

// notInHost reports whether a character cannot be part of a host name, including
// internationalised ones.
func notInHost(r rune) bool {
	return r != '-' && r != '_' && !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r)
}
