package lint

import (
	"bytes"
	"fmt"
	"iter"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"parley/a2a"
	"parley/a2a/hostname"
	"parley/a2a/jsontok"
)

// textRules are about the effects of text and addresses on readers.
var textRules = [...]rule{
	{
		id: "SEC-001", severity: a2a.Warning, in: anywhere,
		checks: "Text has no control characters and no marks that change its direction", fix: "Send plain text; a terminal executes such characters",
		at: atAnswer, run: controlCharacters,
	},
	{
		id: "SEC-002", severity: a2a.Warning, in: anywhere,
		checks: "No URL of a card or a part is a script, a local file or a link-local address", fix: "Use public https URLs",
		at: atCard | atFile, run: dangerousURL,
	},
}

// texts yields the strings in a value, names of members left out.
func texts(doc *jsontok.Doc, n jsontok.Node) iter.Seq[jsontok.Node] {
	return func(yield func(jsontok.Node) bool) {
		if !n.Exists() {
			return
		}
		for i, end := n.Index(), doc.Token(n.Index()).Next; i < end; i++ {
			if t := doc.Token(i); t.Kind == jsontok.String && !t.Key && !yield(doc.Node(i)) {
				return
			}
		}
	}
}

// controlCharacters reports the first place and counts the others.
func controlCharacters(p *pass, n jsontok.Node) {
	if !n.Exists() || !suspicious(p.r.Payload()) {
		return
	}
	var first jsontok.Node
	var mark rune
	count := 0
	for text := range texts(p.doc(), n) {
		if !suspicious(text.Raw()) {
			continue
		}
		if r, found := firstControl(text.Text()); found {
			if count == 0 {
				first, mark = text, r
			}
			count++
		}
	}
	if count == 0 {
		return
	}
	message := fmt.Sprintf("The text contains %s (U+%04X)", controlName(mark), mark)
	if count > 1 {
		message += ", and " + strconv.Itoa(count-1) + " more"
	}
	p.note(first, message)
}

// suspicious reports whether bytes of JSON may contain a control character: escaped, DEL, one
// of C1 (C2 80 to C2 9F) or one that changes the direction (E2 80 AA to AE, E2 81 A6 to A9). It
// has no false negatives, and searches at the speed of memory.
func suspicious(b []byte) bool {
	switch {
	case bytes.IndexByte(b, 0x7F) >= 0,
		bytes.IndexByte(b, '\\') >= 0 && (bytes.Contains(b, []byte(`\u`)) || bytes.Contains(b, []byte(`\b`)) || bytes.Contains(b, []byte(`\f`))),
		bytes.IndexByte(b, 0xC2) >= 0 && follows(b, "\xC2", 0x80, 0x9F),
		bytes.IndexByte(b, 0xE2) >= 0 && (follows(b, "\xE2\x80", 0xAA, 0xAE) || follows(b, "\xE2\x81", 0xA6, 0xA9)):
		return true
	}
	return false
}

// follows reports whether a byte from lo to hi comes directly after a prefix.
func follows(b []byte, prefix string, lo, hi byte) bool {
	for {
		i := bytes.Index(b, []byte(prefix))
		if i < 0 || i+len(prefix) >= len(b) {
			return false
		}
		if c := b[i+len(prefix)]; c >= lo && c <= hi {
			return true
		}
		b = b[i+len(prefix):]
	}
}

func firstControl(s string) (rune, bool) {
	for _, r := range s {
		switch {
		case r == '\n', r == '\t', r == '\r':
		case r < ' ', r >= 0x7F && r <= 0x9F, r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069:
			return r, true
		}
	}
	return 0, false
}

func controlName(r rune) string {
	switch {
	case r == 0x1B, r == 0x9B:
		return "the start of a terminal command"
	case r >= 0x2000:
		return "a mark that changes the direction of text"
	default:
		return "a control character"
	}
}

func dangerousURL(p *pass, n jsontok.Node) {
	if p.place == atCard {
		for text := range texts(p.doc(), n) {
			if p.urlMember(text) {
				p.dangerous(text)
			}
		}
		return
	}
	p.dangerous(n.Get("url"))
	for _, name := range [...]string{"uri", "fileWithUri", "file_with_uri", "url"} {
		p.dangerous(get(n, "file").Get(name))
	}
}

// urlMember reports whether a text is the value of a member whose name marks it as a URL.
func (p *pass) urlMember(n jsontok.Node) bool {
	if n.Index() == 0 || !p.doc().Token(n.Index()-1).Key {
		return false // an element of a list
	}
	name := strings.ToLower(p.doc().Node(n.Index() - 1).Text())
	return strings.HasSuffix(name, "url") || strings.HasSuffix(name, "uri")
}

func (p *pass) dangerous(n jsontok.Node) {
	if !n.IsText() {
		return
	}
	u, err := url.Parse(strings.TrimSpace(n.Text()))
	if err != nil {
		return
	}
	switch scheme := strings.ToLower(u.Scheme); scheme {
	case "file", "javascript", "vbscript", "data":
		p.note(n, "The URL has the scheme “"+scheme+"”")
		return
	}
	host, _ := hostname.Name(u.Hostname())
	if ip, err := netip.ParseAddr(host); err == nil && ip.Unmap().IsLinkLocalUnicast() {
		p.note(n, "The URL leads to the link-local address "+a2a.ShownHost(u))
	}
}
