package chat

import (
	"cmp"
	"fmt"
	"net/url"
	"strings"

	"parley/a2a"
	"parley/a2a/hostname"
	"parley/internal/units"
	"parley/session/model"
	"parley/ui/canvas"
	"parley/ui/keys"
	"parley/ui/styles"
)

// dataScheme begins a URI that contains the file itself (RFC 2397).
const dataScheme = "data:"

// withContent returns the part itself or, if its file was downloaded or is its address, a part
// with that file.
func (k *renderer) withContent(p *a2a.Part) *a2a.Part {
	if f := k.downloadOf(p); f != nil {
		return fillPart(p, f)
	}
	return decodeDataURL(p)
}

// downloadOf returns the downloaded file of a part's address, nil if there is none.
func (k *renderer) downloadOf(p *a2a.Part) *model.File {
	if p.Kind != a2a.PartURL || k.download == nil || hostname.OfLink(p.URL) == "" && !a2a.IsArtifactURI(p.URL) {
		return nil
	}
	return k.download(p.URL)
}

// fillPart returns a part with the downloaded file of its address.
func fillPart(p *a2a.Part, f *model.File) *a2a.Part {
	out := *p
	out.Kind, out.URL, out.Content, out.Encoded = a2a.PartBytes, "", f.Data, ""
	out.Filename = cmp.Or(p.Filename, urlName(p.URL))
	switch kind, _, _ := strings.Cut(f.MediaType, ";"); strings.TrimSpace(kind) {
	case "", "application/octet-stream", "binary/octet-stream", "text/plain":
		out.MediaType = cmp.Or(p.MediaType, f.MediaType)
	default: // it may differ from the announced type
		out.MediaType = f.MediaType
	}
	return &out
}

// decodeDataURL returns the part itself or, if its address contains the file, a part with that
// file.
func decodeDataURL(p *a2a.Part) *a2a.Part {
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

// host returns the host of an address in w cells, empty if it is not a web address.
func (k *renderer) host(address string, w int) string {
	return canvas.HostIn(address, w, k.st.G[styles.Ellipsis])
}

// maxHost is how many cells a host takes on a line with other words.
const maxHost = 40

// hostDoubt says why an address may look like another one, empty if it does not.
func hostDoubt(address string) string {
	host := hostname.OfLink(address)
	u, err := url.Parse(address)
	if err != nil || host == "" {
		return ""
	}
	switch _, known := hostname.Name(u.Hostname()); {
	case !known:
		return "its letters are not allowed in the name of a host"
	case u.User != nil:
		return "the text before the @ is not a host"
	case strings.Contains("."+host, ".xn--"):
		return "browsers may show it in letters that look like others"
	default:
		return ""
	}
}

// addressLines draws a whole address, and its host.
func (k *renderer) addressLines(p *a2a.Part, w int) []string {
	lines := k.text(k.st.Text, p.URL, w)
	words := "It has not been downloaded"
	if host := hostname.OfLink(p.URL); host != "" {
		words += "; it leads to " + host
		if doubt := hostDoubt(p.URL); doubt != "" {
			words += ", and " + doubt
		}
		words += fmt.Sprintf(". %s and %s ask before they download it, %s before the browser opens it, %s copies it.",
			keys.Name(k.keys(SaveFile)), keys.Name(k.keys(PreviewFile)), keys.Name(k.keys(SaveAndOpen)), keys.Name(k.keys(CopyText)))
	} else {
		words += ", and Parley cannot open it; " + keys.Name(k.keys(CopyText)) + " copies it."
	}
	if n := len(p.URL); n > 4<<10 {
		words = units.Bytes(int64(n)) + " of an address. " + words
	}
	return append(k.capLines(lines), k.text(k.st.Dim, words, w)...)
}
