package lint

import (
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"parley/a2a"
	"parley/a2a/hostname"
	"parley/a2a/jsontok"
)

// httpRules are about headers, statuses and addresses.
var httpRules = [...]rule{
	{
		id: "HTTP-001", severity: a2a.Error, in: jsonRPC | onV03REST, section: "0.1 §3.2, 0.3 §3.2.1, §3.2.3, 1.0 §9.1",
		checks: "Requests and responses are application/json", fix: "Send Content-Type: application/json",
		at: atRequest | atHead | atAnswer, run: media("application/json"),
	},
	{
		// The specification says SHOULD, and 1.0.0 had application/json.
		id: "HTTP-002", severity: a2a.Info, in: onV10REST, section: "1.0 §11.1",
		checks: "Bodies over HTTP+JSON are application/a2a+json", fix: "Send Content-Type: application/a2a+json",
		at: atRequest | atHead | atAnswer, run: media("application/a2a+json"),
	},
	{
		id: "HTTP-003", envelope: true, severity: a2a.Info, in: envelopes,
		checks: "A JSON-RPC error has status 200", fix: "Answer JSON-RPC errors with status 200: some clients drop every other body",
		at: atError, run: errorStatus,
	},
	{
		id: "HTTP-004", severity: a2a.Error, in: v10, section: "1.0 §3.6.1, §14.2.1",
		checks: "Every request has A2A-Version: 1.0", fix: "Send A2A-Version: 1.0; without it agents read the request as 0.3",
		at: atRequest, run: versionHeader,
	},
	{
		id: "HTTP-005", severity: a2a.Warning, in: v0, section: "1.0 §3.6.2",
		checks: "No A2A-Version of another dialect is sent", fix: "Omit A2A-Version, or send 0.3 to an agent of 0.3",
		at: atRequest, run: foreignVersion,
	},
	{
		id: "HTTP-006", severity: a2a.Warning, in: v02v03 | proto03 | v10, section: "1.0 §3.2.6, §14.2.2",
		checks: "The header of extensions is A2A-Extensions in 1.0 and X-A2A-Extensions before",
		fix:    "Use the dialect's name of the header", at: atRequest | atHead, run: extensionsHeader,
	},
	{
		id: "HTTP-007", address: true, severity: a2a.Warning, in: anywhere, section: "0.1 §4.1, 0.3 §4.1, 1.0 §7.1",
		checks: "No request to a host that is not local uses plain http", fix: "Use https",
		at: atRequest, run: plainHTTP,
	},
	{
		id: "HTTP-008", severity: a2a.Warning, in: anywhere, section: "0.1 §4.4, 0.3 §4.4, RFC 9110 §11.6.1",
		checks: "An answer with status 401 names the authentication in WWW-Authenticate",
		fix:    "Send WWW-Authenticate with every 401", at: atHead, run: challenge,
	},
	{
		id: "HTTP-009", severity: a2a.Error, in: onV10REST, section: "1.0 §5.4",
		checks: "The status of an error is the one of its reason", fix: "Use the status in the specification's table",
		at: atError, run: reasonStatus,
	},
	{
		id: "HTTP-010", severity: a2a.Warning, in: anywhere,
		checks: "No POST is redirected", fix: "Declare the final URL in the card",
		at: atHead, run: redirectedPost,
	},
	{
		id: "HTTP-011", severity: a2a.Info, in: v10, section: "1.0 §8.6.1",
		checks: "A card has Cache-Control and ETag", fix: "Send Cache-Control with max-age, and ETag, with the card",
		at: atCard, run: cardCaching,
	},
	{
		id: "HTTP-012", severity: a2a.Warning, in: anywhere, section: "RFC 9110 §8.4",
		checks: "A body has the codings that Content-Encoding names", fix: "Omit Content-Encoding, or encode the body accordingly",
		at: atAnswer | atEnd, run: namedCoding,
	},
	{
		id: "HTTP-013", severity: a2a.Error, in: overHTTP, section: "RFC 9112 §6.3, §9.2",
		checks: "Nothing comes after a complete answer", fix: "Send the length of the body as Content-Length, and no body with HEAD, 204 and 304",
		at: atSurplus, run: nothingAfter,
	},
	{
		id: "HTTP-014", severity: a2a.Warning, in: anywhere, section: "RFC 9112 §8",
		checks: "The connection of a complete answer ends regularly", fix: "End every body: with its last chunk, over gRPC with the status OK, and close the connection after that",
		at: atEnd, run: brokeAfter,
	},
	{
		id: "HTTP-015", severity: a2a.Warning, in: overHTTP, section: "RFC 9110 §15",
		checks: "A result has a status of success, of a whole answer", fix: "Answer with status 200: clients and proxies go by the status, and drop or cut the rest",
		at: atAnswer, run: resultStatus,
	},
}

// resultStatus finds results under a status that says something else, such as 206, or that HTTP does not have,
// such as 000 and 999. Of a stream the first frame counts.
func resultStatus(p *pass, n jsontok.Node) {
	status := p.x.status()
	if p.x.head == nil || status >= http.StatusOK && status <= http.StatusNoContent || len(p.u.Events) == 0 || p.r.Kind == a2a.KindEvent && p.x.events > 1 {
		return
	}
	switch kind := p.u.Events[0].Kind; kind {
	case a2a.EventTask, a2a.EventMessage, a2a.EventStatus, a2a.EventArtifact, a2a.EventTaskList, a2a.EventPushConfig, a2a.EventCard:
		p.note(n, fmt.Sprintf("The answer is a result (%s), but its status is %03d", kind, status))
	}
}

// brokeAfter finds answers whose connection broke after all was said.
func brokeAfter(p *pass, _ jsontok.Node) {
	if p.r.End != nil && p.r.End.Break != "" {
		p.note(jsontok.Node{}, "The answer was complete, but then "+p.r.End.Break)
	}
}

// nothingAfter finds every surplus. A client that reads it as the next answer gives the user somebody
// else's words.
func nothingAfter(p *pass, _ jsontok.Node) {
	n := p.r.Size()
	for i := range p.r.Redactions { // the masks have another length
		n += p.r.Redactions[i].Size - p.r.Redactions[i].Length
	}
	count := strconv.Itoa(n) + " bytes"
	if n == 1 {
		count = "1 byte"
	}
	p.note(jsontok.Node{}, count+" came after the complete answer: “"+clip(string(p.r.Raw))+"”")
}

// namedCoding finds plain bytes under a Content-Encoding: Parley reads them, but few clients
// do. A body in another coding cannot be read at all, which the end of its exchange says.
func namedCoding(p *pass, _ jsontok.Node) {
	if coded := p.r.Coding; coded != nil && coded.Plain {
		p.note(jsontok.Node{}, "Content-Encoding says "+clip(coded.Names)+", but the body has no coding")
	}
}

// mediaOf returns the media type of a Content-Type without its parameters, in lower
// case; a header that cannot be parsed is returned up to its semicolon.
func mediaOf(contentType string) string {
	if media, _, err := mime.ParseMediaType(contentType); err == nil {
		return media
	}
	media, _, _ := strings.Cut(contentType, ";")
	return strings.ToLower(strings.TrimSpace(media))
}

// carries reports whether the record's head announces a body whose type the rules check: that
// of a request, or of an answer that is not a proxy's failure. Other rules check the type of
// streams.
func (p *pass) carries() bool {
	if p.call.Op == a2a.OpCard || p.call.Op == a2a.OpArtifact || p.call.Op == a2a.OpCatalog {
		return false
	}
	if p.out() {
		return len(p.r.Raw) > 0
	}
	status := p.x.status()
	return !p.streaming() && status >= 200 && status < 300 &&
		status != http.StatusNoContent && p.x.header("Content-Length") != "0"
}

// media returns the check that bodies have a media type. What is labelled as a web page may be one, which a server
// on the way sent: the body decides.
func media(want string) func(*pass, jsontok.Node) {
	return func(p *pass, _ jsontok.Node) {
		h := p.header()
		if !p.carries() || h == nil || (mediaOf(h.Get("Content-Type")) == "text/html") != (p.r.Kind == a2a.KindBody) {
			return
		}
		if got := h.Get("Content-Type"); mediaOf(got) != want {
			p.note(jsontok.Node{}, "The Content-Type is "+headerValue(got)+", not "+want)
		}
	}
}

// headerValue shows the value of a header that may be missing.
func headerValue(value string) string {
	if value == "" {
		return "missing"
	}
	return "“" + clip(value) + "”"
}

func errorStatus(p *pass, n jsontok.Node) {
	if status := p.x.status(); p.envelope.Failed() && p.envelope.HasJSONRPC && status != 0 && status != http.StatusOK {
		p.note(n, "The JSON-RPC error has HTTP status "+strconv.Itoa(status))
	}
}

// versionSent returns the value of A2A-Version, which may be a parameter of the URL.
func (p *pass) versionSent() string {
	if v := p.header().Get("A2A-Version"); v != "" || p.r.Head == nil {
		return v
	}
	_, query, _ := strings.Cut(p.r.Head.URL, "?")
	if values, err := url.ParseQuery(query); err == nil {
		return values.Get("A2A-Version")
	}
	return ""
}

func versionHeader(p *pass, _ jsontok.Node) {
	switch v := p.versionSent(); {
	case p.r.Head == nil || majorMinor(v) && strings.HasPrefix(v, "1."):
	case v == "":
		p.note(jsontok.Node{}, "The request lacks A2A-Version: 1.0")
	case !majorMinor(v):
		p.note(jsontok.Node{}, "A2A-Version is "+headerValue(v)+", not Major.Minor")
	default:
		p.note(jsontok.Node{}, "A2A-Version is "+headerValue(v)+" on an interface of 1.0")
	}
}

// majorMinor reports whether a version is two numbers with a dot between them.
func majorMinor(v string) bool {
	major, minor, ok := strings.Cut(v, ".")
	return ok && digits(major) && digits(minor)
}

func digits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

func foreignVersion(p *pass, _ jsontok.Node) {
	v := p.versionSent()
	if v != "" && (p.in&v03 == 0 || v != "0.3") {
		p.note(jsontok.Node{}, "A2A-Version is "+headerValue(v)+" in a request of "+p.dialect().Number())
	}
}

func extensionsHeader(p *pass, _ jsontok.Node) {
	right, wrong := "X-A2A-Extensions", "A2A-Extensions"
	if p.in&v10 != 0 {
		right, wrong = wrong, right
	}
	if h := p.header(); h.Get(wrong) != "" && h.Get(right) == "" {
		p.note(jsontok.Node{}, wrong+" is named "+right+" in "+p.dialect().Number())
	}
}

// plainHTTP reports each origin once, because every other request would repeat the finding.
func plainHTTP(p *pass, _ jsontok.Node) {
	if p.r.Head == nil {
		return
	}
	u, err := url.Parse(p.r.Head.URL)
	if err != nil || u.Scheme != "http" || a2a.ReachOf(u.Hostname()) != a2a.ReachWorld {
		return
	}
	if p.agent.plain.add(hostname.Of(u), struct{}{}) {
		what := "request goes"
		if p.call.Why == a2a.WhyRedirected {
			what = "redirect leads"
		}
		p.note(jsontok.Node{}, "The "+what+" to "+a2a.ShownHost(u)+" unencrypted")
	}
}

func challenge(p *pass, _ jsontok.Node) {
	if p.x.status() == http.StatusUnauthorized && p.x.header("WWW-Authenticate") == "" {
		p.note(jsontok.Node{}, "The answer with status 401 has no WWW-Authenticate header")
	}
}

// reasonStatuses are the HTTP statuses of the reasons of A2A (specification 1.0 §5.4). All
// others have 400.
var reasonStatuses = map[string]int{
	"TASK_NOT_FOUND":                     http.StatusNotFound,
	"TASK_NOT_CANCELABLE":                http.StatusBadRequest,
	"PUSH_NOTIFICATION_NOT_SUPPORTED":    http.StatusBadRequest,
	"UNSUPPORTED_OPERATION":              http.StatusBadRequest,
	"CONTENT_TYPE_NOT_SUPPORTED":         http.StatusBadRequest,
	"INVALID_AGENT_RESPONSE":             http.StatusInternalServerError,
	"EXTENDED_AGENT_CARD_NOT_CONFIGURED": http.StatusBadRequest,
	"EXTENSION_SUPPORT_REQUIRED":         http.StatusBadRequest,
	"VERSION_NOT_SUPPORTED":              http.StatusBadRequest,
}

func reasonStatus(p *pass, n jsontok.Node) {
	if p.r.Kind == a2a.KindEvent || p.ev == nil || p.ev.Err == nil {
		return // a stream has its status long before
	}
	reason, got := p.ev.Err.Reason, p.x.status()
	if want := reasonStatuses[reason]; want != 0 && got != 0 && got != want {
		p.note(n, reason+" has status "+strconv.Itoa(got)+" instead of "+strconv.Itoa(want))
	}
}

func redirectedPost(p *pass, _ jsontok.Node) {
	switch p.x.status() {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther,
		http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		if p.x.request != nil && p.x.request.Method == http.MethodPost {
			p.note(jsontok.Node{}, "The POST is redirected with status "+strconv.Itoa(p.x.status()))
		}
	}
}

// cardCaching is about the public card, which is requested by a plain GET.
func cardCaching(p *pass, n jsontok.Node) {
	if p.call.Op != a2a.OpCard || p.x.head == nil {
		return
	}
	var missing []string
	for _, name := range [...]string{"Cache-Control", "ETag"} {
		if p.x.header(name) == "" {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		p.note(n, "The card has no "+strings.Join(missing, " and no "))
	}
}
