package lint

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"

	"parley/a2a"
	"parley/a2a/jsontok"
)

// sseRules are about the framing of streams.
var sseRules = [...]rule{
	{
		id: "SSE-001", severity: a2a.Error, in: overHTTP, section: "0.1 §3.3, 0.3 §3.3.1, 1.0 §9.4.2",
		checks: "A stream is text/event-stream with status 200", fix: "Answer streaming calls with 200 and text/event-stream",
		at: atAnswer, run: isEventStream,
	},
	{
		id: "SSE-002", severity: a2a.Error, in: overHTTP, section: "0.1 §3.3, 0.3 §3.3.1, 1.0 §9.4.2, §11.7",
		checks: "A frame contains one JSON-RPC response, over HTTP+JSON one object without envelope",
		fix:    "Put one response into each frame, and a blank line between frames",
		at:     atAnswer, run: bareFrame,
	},
	{
		id: "SSE-003", severity: a2a.Warning, in: overHTTP, section: "HTML §9.2",
		checks: "The last event is followed by a blank line", fix: "End every event with a blank line",
	},
	{
		id: "SSE-004", severity: a2a.Warning, in: overHTTP, section: "HTML §9.2",
		checks: "Every line of a frame begins with a field name", fix: "Start every line of a frame with “data:”",
	},
	{
		id: "SSE-005", severity: a2a.Warning, in: overHTTP, section: "HTML §9.2",
		checks: "All lines of a stream have the same line end, and the stream contains no NUL", fix: "End every line with LF, and send no NUL",
		at: atAnswer, run: evenLines,
	},
	{
		id: "SSE-006", severity: a2a.Info, in: overHTTP,
		checks: "The head of a stream forbids caching", fix: "Send Cache-Control: no-cache",
		at: atHead, run: uncached,
	},
	{
		id: "SSE-007", severity: a2a.Warning, in: overHTTP,
		checks: "Every frame is A2A", fix: "Use SSE comments to keep a stream alive, and close it to end it",
	},
}

// isEventStream checks what is read as a stream. One document is not a stream, whatever the
// call was.
func isEventStream(p *pass, _ jsontok.Node) {
	if p.r.Kind != a2a.KindEvent || p.x.head == nil {
		return
	}
	media, status := p.x.header("Content-Type"), p.x.status()
	switch stream := essence(media) == "text/event-stream"; {
	case status >= 300, !stream && oneDocument(media) && p.x.events < 2, !p.x.first(onceContentType):
	case !stream:
		p.note(jsontok.Node{}, "The content type of the stream is "+orNothing(media)+", not text/event-stream")
	case status != http.StatusOK:
		p.note(jsontok.Node{}, "The status of the stream is "+strconv.Itoa(status)+", not 200")
	}
}

// oneDocument reports whether a media type is that of one JSON document.
func oneDocument(media string) bool {
	media = essence(media)
	return media == "application/json" || strings.HasSuffix(media, "+json")
}

func orNothing(s string) string {
	if s == "" {
		return "nothing in particular"
	}
	return clip(s)
}

func bareFrame(p *pass, n jsontok.Node) {
	if p.r.Kind == a2a.KindEvent && p.in&rest != 0 && n.Kind() == jsontok.Object && p.envelope.HasJSONRPC {
		p.note(n, "The frame has a JSON-RPC envelope, which HTTP+JSON does not use")
	}
}

// lineEnds is a set of line ends.
type lineEnds uint8

const (
	endsLF lineEnds = 1 << iota
	endsCRLF
	endsCR
)

// lineEndsOf returns the line ends in a frame.
func lineEndsOf(raw []byte) (ends lineEnds) {
	if bytes.IndexByte(raw, '\r') < 0 {
		if bytes.IndexByte(raw, '\n') >= 0 {
			ends = endsLF
		}
		return ends
	}
	for i, c := range raw {
		switch {
		case c == '\n' && i > 0 && raw[i-1] != '\r': // the first may belong to a CR before the frame
			ends |= endsLF
		case c == '\r' && i+1 < len(raw) && raw[i+1] == '\n':
			ends |= endsCRLF
		case c == '\r' && i+1 < len(raw):
			ends |= endsCR
		}
	}
	return ends
}

func evenLines(p *pass, _ jsontok.Node) {
	if p.r.Kind != a2a.KindEvent {
		return
	}
	h := &p.x.stream
	ends := lineEndsOf(p.r.Raw)
	if h.ends |= ends; h.ends&(h.ends-1) != 0 && p.x.first(onceLineEnds) {
		p.note(jsontok.Node{}, "The stream mixes line ends")
	}
	if at := bytes.IndexByte(p.r.Raw, 0); at >= 0 && p.x.first(onceNUL) {
		p.noteMore(jsontok.Node{}, "The frame contains a NUL")
	}
}

func uncached(p *pass, _ jsontok.Node) {
	if essence(p.x.header("Content-Type")) != "text/event-stream" {
		return
	}
	for _, line := range p.header()["Cache-Control"] {
		if line = strings.ToLower(line); strings.Contains(line, "no-cache") || strings.Contains(line, "no-store") {
			return
		}
	}
	p.note(jsontok.Node{}, "The head of the stream does not forbid caching; a proxy may hold events back")
}
