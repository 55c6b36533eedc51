package canvas

import (
	"net/url"
	"strings"
)

const (
	esc   = 0x1b
	reset = "\x1b[m"
)

type escapeKind uint8

const (
	escapeOther escapeKind = iota
	escapeSGR              // CSI parameters m
	escapeLink             // OSC 8
)

// escape measures the escape sequence at the beginning of s, whose first byte is ESC. An
// incomplete sequence counts up to its end. Of a string sequence (OSC, DCS, APC, PM, SOS)
// without its terminator only the introducer counts, so that a missing byte cannot hide the
// text behind it.
func escape(s string) (n int, kind escapeKind) {
	if len(s) < 2 {
		return len(s), escapeOther
	}
	switch s[1] {
	case '[':
		return csi(s, 2)
	case ']', 'P', '_', '^', 'X':
		n, kind = stringSequence(s, 2)
		if s[1] != ']' {
			kind = escapeOther
		}
		return n, kind
	}
	n = 1
	for n < len(s) && s[n] >= 0x20 && s[n] <= 0x2f {
		n++
	}
	if n < len(s) && s[n] >= 0x30 && s[n] <= 0x7e {
		n++
	}
	return n, escapeOther
}

// escapeC1 is [escape] for a sequence introduced by a C1 control, two bytes in
// UTF-8.
func escapeC1(s string) int {
	if s[1] == 0x9b {
		n, _ := csi(s, 2)
		return n
	}
	n, _ := stringSequence(s, 2)
	return n
}

// csi measures a control sequence whose introducer takes the first start bytes.
func csi(s string, start int) (n int, kind escapeKind) {
	n = start
	private := false // one of <=>? makes it a sequence of the terminal's own
	for n < len(s) && s[n] >= 0x30 && s[n] <= 0x3f {
		private = private || s[n] >= '<'
		n++
	}
	params := n
	for n < len(s) && s[n] >= 0x20 && s[n] <= 0x2f {
		n++
	}
	if n < len(s) && s[n] >= 0x40 && s[n] <= 0x7e {
		if s[n] == 'm' && n == params && !private {
			kind = escapeSGR
		}
		n++
	}
	return n, kind
}

// stringSequence measures a sequence that ends with BEL or ST. Other controls abort it. Every
// byte is read once over a whole text, because the bytes that begin a sequence are among those
// that end the search.
func stringSequence(s string, start int) (n int, kind escapeKind) {
	for i := start; i < len(s); i++ {
		end := 0
		switch c := s[i]; {
		case c == 0x07:
			end = i + 1
		case c == esc && i+1 < len(s) && s[i+1] == '\\':
			end = i + 2
		case c == 0xc2 && i+1 < len(s) && s[i+1] == 0x9c:
			end = i + 2
		case c < 0x20 || c == 0xc2 && i+1 < len(s) && s[i+1] < 0xa0:
			return start, escapeOther
		}
		if end > 0 {
			if strings.HasPrefix(s[start:], "8;") {
				kind = escapeLink
			}
			return end, kind
		}
	}
	return start, escapeOther
}

// sgrIsReset reports whether an SGR sequence leaves nothing switched on.
func sgrIsReset(seq string) bool { return seq == reset || seq == "\x1b[0m" }

// sgrResets reports whether an SGR sequence resets the background: a reset somewhere in it, the
// default background, or the end of reverse video.
func sgrResets(seq string) bool {
	params := seq[2 : len(seq)-1]
	for {
		p, rest, more := strings.Cut(params, ";")
		switch p {
		case "", "0", "00", "49", "27":
			return true
		case "38", "48", "58":
			rest = skipColor(rest)
		}
		if !more || rest == "" {
			return false
		}
		params = rest
	}
}

// skipColor returns the parameters behind the colour that follows 38, 48 or 58.
func skipColor(params string) string {
	mode, rest, _ := strings.Cut(params, ";")
	n := 0
	switch mode {
	case "5":
		n = 1
	case "2":
		n = 3
	}
	for range n {
		_, rest, _ = strings.Cut(rest, ";")
	}
	return rest
}

// sgrIsHarmless reports whether an SGR sequence is one that Parley's renderers write: it
// neither conceals text nor makes it blink, and is not endless.
func sgrIsHarmless(seq string) bool {
	if len(seq) > penLimit {
		return false
	}
	params := seq[2 : len(seq)-1]
	for params != "" {
		p, rest, _ := strings.Cut(params, ";")
		switch p {
		case "5", "05", "6", "06", "8", "08":
			return false
		case "38", "48", "58":
			rest = skipColor(rest)
		}
		params = rest
	}
	return true
}

// Linkable reports whether a link (OSC 8) to an address stays in [SanitizeRendered].
func Linkable(address string) bool {
	const head = "\x1b]8;id=4294967295;" // the longest that Glamour writes
	return linkIsClean(head + address + "\a")
}

// linkIsClean reports whether an OSC 8 sequence closes a link or opens one to an
// http or https address without user information or odd bytes.
func linkIsClean(seq string) bool {
	const limit = 2048 // of an address; it is repeated on every line that the link's text takes
	body := strings.TrimPrefix(seq, "\x1b]8;")
	if len(body) == len(seq) || len(body) > limit {
		return false
	}
	body = strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(body, "\a"), "\x1b\\"), "\u009c")
	params, address, ok := strings.Cut(body, ";")
	if !ok || !isGraphic(params) || !isGraphic(address) {
		return false
	}
	if address == "" {
		return true
	}
	u, err := url.Parse(address)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.User == nil
}

// isGraphic reports whether s has visible ASCII characters only.
func isGraphic(s string) bool {
	for i := range len(s) {
		if s[i] <= 0x20 || s[i] >= 0x7f {
			return false
		}
	}
	return true
}
