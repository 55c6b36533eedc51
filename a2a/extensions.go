package a2a

import (
	"net/http"
	"slices"
	"strings"
)

// ExtensionsHeader returns the header that names extensions, in requests and in answers,
// empty if the dialect has none (specification 0.3.0 on extensions, 1.0 §3.2.6).
func (d *Dialect) ExtensionsHeader() string { return d.extensions }

// Limits of an extensions header, which an agent writes.
const maxExtensionURI = 2048 // bytes

// MaxExtensions is the most extensions that one request asks for: servers limit the size of
// heads.
const MaxExtensions = 64

// CheckExtension says in a clause why the extensions header cannot carry a URI, empty if it
// can: commas separate the list.
func CheckExtension(uri string) string {
	switch {
	case uri == "":
		return "there is no URI"
	case len(uri) > maxExtensionURI:
		return "the URI is too long for a header"
	case strings.ContainsFunc(uri, func(r rune) bool { return r <= ' ' || r >= 0x7f || r == ',' }):
		return "the URI contains a character that the extensions header cannot carry"
	default:
		return ""
	}
}

// ExtensionsIn returns the extensions in the head of a request or an answer, by the headers of
// any dialect, without repetitions and in order, up to MaxExtensions.
func ExtensionsIn(h http.Header) []string {
	var uris []string
	for _, name := range [...]string{"A2a-Extensions", "X-A2a-Extensions"} { // as net/http writes them
		for _, line := range h[name] {
			for uri := range strings.SplitSeq(line, ",") {
				uri = strings.TrimSpace(uri)
				if uri == "" || len(uri) > maxExtensionURI || slices.Contains(uris, uri) {
					continue
				}
				if uris = append(uris, uri); len(uris) == MaxExtensions {
					return uris
				}
			}
		}
	}
	return uris
}

// addExtensions names extensions in the header of a request. Before 1.0 they are a list on one line
// (specification 0.3.0 on extensions). In 1.0, where HTTP gives both the same meaning, each has
// its own line, because an SDK of 1.0 that reads a line as one URI would recognise none of a
// list.
func (d *Dialect) addExtensions(h http.Header, req *Request) {
	if d.extensions == "" {
		return
	}
	uris := req.Extensions
	if op := req.Call.Op; req.Message != nil && (op == OpSend || op == OpStream) {
		uris = slices.Concat(uris, req.Message.Extensions)
	}
	var once []string
	for _, uri := range uris {
		if !slices.Contains(once, uri) {
			once = append(once, uri)
		}
	}
	if version, _ := d.name.version(); version == V10 {
		for _, uri := range once {
			h.Add(d.extensions, uri)
		}
	} else if len(once) > 0 {
		h.Set(d.extensions, strings.Join(once, ", "))
	}
}
