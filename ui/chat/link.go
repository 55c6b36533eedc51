package chat

import (
	"cmp"
	"net/url"
	"strings"

	"parley/a2a"
	"parley/internal/units"
	"parley/session"
	"parley/ui/canvas"
	"parley/ui/styles"
)

// dataScheme begins a URI that is the file itself (RFC 2397).
const dataScheme = "data:"

// here returns the part itself or, of one whose file was fetched or is its address, a part
// that holds that file.
func (k *ink) here(p *a2a.Part) *a2a.Part {
	if f := k.came(p); f != nil {
		return filled(p, f)
	}
	return inlined(p)
}

// came returns the file that was fetched from a part's address, nil if none was.
func (k *ink) came(p *a2a.Part) *session.File {
	if p.Kind != a2a.PartURL || k.fetched == nil || session.Host(p.URL) == "" && !a2a.IsArtifactURI(p.URL) {
		return nil
	}
	return k.fetched(p.URL)
}

// filled returns a part with the file that was fetched from its address.
func filled(p *a2a.Part, f *session.File) *a2a.Part {
	out := *p
	out.Kind, out.URL, out.Content, out.Encoded = a2a.PartBytes, "", f.Data, ""
	out.Filename = cmp.Or(p.Filename, urlName(p.URL))
	switch kind, _, _ := strings.Cut(f.MediaType, ";"); strings.TrimSpace(kind) {
	case "", "application/octet-stream", "binary/octet-stream", "text/plain":
		out.MediaType = cmp.Or(p.MediaType, f.MediaType)
	default: // it may be another one than was announced
		out.MediaType = f.MediaType
	}
	return &out
}

// inlined returns the part itself or, of one whose address is the file, a part that holds
// that file.
func inlined(p *a2a.Part) *a2a.Part {
	if p.Kind != a2a.PartURL || len(p.URL) < len(dataScheme) || !strings.EqualFold(p.URL[:len(dataScheme)], dataScheme) {
		return p
	}
	kind, content, ok := strings.Cut(p.URL[len(dataScheme):], ",")
	if !ok {
		return p
	}
	out := *p
	out.Kind, out.URL = a2a.PartBytes, ""
	bare, encoded := strings.CutSuffix(kind, ";base64")
	if out.MediaType == "" {
		out.MediaType = bare
	}
	if encoded {
		out.Encoded = content
		if strings.Contains(content[:min(len(content), 1024)], "%") {
			out.Encoded, _ = url.PathUnescape(content)
		}
		return &out
	}
	text, err := url.PathUnescape(content)
	if err != nil {
		text = content
	}
	out.Content = []byte(text)
	return &out
}

// host returns the host that an address leads to in w cells, empty if it is none of the
// web.
func (k *ink) host(address string, w int) string {
	return canvas.HostIn(address, w, k.st.G[styles.Ellipsis])
}

// maxHost is how many cells of a line with other words a host takes.
const maxHost = 40

// doubts says what about an address may make it look like another one, empty if nothing.
func doubts(address string) string {
	host := session.Host(address)
	u, err := url.Parse(address)
	switch {
	case err != nil || host == "":
		return ""
	case u.User != nil:
		return "what stands before the @ is no host"
	case strings.Contains("."+canvas.Host(address), ".xn--"):
		return "browsers may show it in letters that look like others"
	default:
		return ""
	}
}

// address draws what an address is, whole, and where it leads.
func (k *ink) address(p *a2a.Part, w int) []string {
	lines := k.text(k.st.Text, p.URL, w)
	words := "Nobody has fetched it"
	if host := canvas.Host(p.URL); host != "" {
		words += "; it leads to " + host
		if doubt := doubts(p.URL); doubt != "" {
			words += ", and " + doubt
		}
		words += ". w and V ask before they fetch it, o before the browser opens it, y copies it."
	} else {
		words += ", and nothing here opens it; y copies it."
	}
	if n := len(p.URL); n > 4<<10 {
		words = units.Bytes(int64(n)) + " of an address. " + words
	}
	return append(k.capped(lines), k.text(k.st.Dim, words, w)...)
}
