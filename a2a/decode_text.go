package a2a

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"

	"parley/a2a/foreign"
	"parley/a2a/jsontok"
)

// foreignFrame accepts stream frames that are legal on the wire but not A2A: keep-alives under
// any name, and the end mark of another protocol.
func (d *decoder) foreignFrame() bool {
	trimmed := bytes.TrimSpace(d.in.Body)
	sev, message := Info, "A keep-alive frame, which is not A2A"
	switch {
	case pingWord(d.in.Event), len(trimmed) == 0 && !d.in.Torn && d.in.Omitted == 0, len(trimmed) < 20 && pingWord(string(trimmed)):
	case string(trimmed) == "[DONE]":
		sev, message = Warning, "[DONE] is not an A2A event"
	default:
		return false
	}
	d.note("SSE-007", sev, jsontok.Node{}, message, "Use SSE comments to keep a stream alive, and close it to end it")
	d.update.Events = append(d.update.Events, Event{Kind: EventNotA2A, Raw: d.in.Body})
	return true
}

// pingWord reports whether a name stands for a keep-alive.
func pingWord(name string) bool {
	switch name {
	case "ping", "keepalive", "keep-alive", "heartbeat", "comment":
		return true
	default:
		return false
	}
}

// unreadable handles a body that is not JSON. Under an error status it is the error of the
// agent or of a proxy; otherwise it is a decode error.
func (d *decoder) unreadable(body []byte, err error) {
	trimmed := bytes.TrimSpace(body)
	offset := -1
	var syntax *jsontok.SyntaxError
	if errors.As(err, &syntax) {
		offset = d.base + syntax.Offset
	}
	switch {
	case len(trimmed) == 0 && d.emptyBody():
		return
	case d.in.Status >= 300:
		d.update.Events = append(d.update.Events, Event{Kind: EventError, Raw: d.in.Body, Err: d.textError(trimmed)})
		return
	}
	d.update.Err = &DecodeError{Sentence: d.complaint(trimmed, syntax), Offset: offset, Cause: err}
	if unread := d.in.Omitted > 0 || d.in.Torn && !d.in.Stream; unread && syntax != nil && syntax.Cut && startsJSON(trimmed) {
		return // the part that was read is JSON, and the rest was not read
	}
	if syntax != nil && syntax.Full {
		return // the limit is Parley's own
	}
	if !d.in.Stream && foreign.IsHTML(trimmed) {
		return // a server on the way may have sent the page, and no agent sends one
	}
	found := Finding{Rule: "ENV-002", Severity: Error, Offset: offset, Message: "The body is not JSON", Fix: "Answer with strict JSON"}
	switch {
	case syntax != nil && syntax.Deep:
		found.Rule, found.Severity, found.Message, found.Fix = "ENV-014", Warning, "The body has "+syntax.Msg, "Nest less deeply"
	case syntax != nil:
		found.Message += ": " + syntax.Msg
	}
	d.update.Findings = append(d.update.Findings, found)
}

// emptyBody reports whether an empty body is a legal answer, and reads it as one.
func (d *decoder) emptyBody() bool {
	switch {
	case d.in.Torn:
		return false
	case d.in.Status == http.StatusNoContent, d.in.Status == http.StatusAccepted,
		d.call.Op == OpPushDelete && d.in.Status < 300:
		d.update.Events = append(d.update.Events, Event{Kind: EventEmpty, Raw: d.in.Body})
		return true
	}
	return false
}

// limit is that of the body or the event.
func (d *decoder) limit() Limit {
	if d.in.Stream {
		return LimitEvent
	}
	return d.call.Op.bodyLimit()
}

// complaint tells the user why a body could not be read.
func (d *decoder) complaint(body []byte, syntax *jsontok.SyntaxError) string {
	what, next := d.subject(), "its bytes are recorded as they came"
	if d.in.Stream {
		next += ", and the stream continues"
	}
	switch {
	case syntax != nil && syntax.Full:
		return fmt.Sprintf("The %s has %s: from byte %d on it is not read, and %s. --%s raises that limit, too.", what, syntax.Msg, d.base+syntax.Offset, next, d.limit().Flag())
	case d.in.Omitted > 0:
		limit := d.limit()
		return fmt.Sprintf("The %s is too long to read: its last %d bytes were not recorded. --%s raises the limit.", what, d.in.Omitted, limit.Flag())
	case len(body) == 0 && d.in.Torn:
		return "The connection closed before an answer came."
	case len(body) == 0:
		return "The agent answered" + d.httpStatus() + " with an empty body: check the URL."
	case d.in.Torn, syntax != nil && syntax.Cut && startsJSON(body) && !d.in.Stream:
		return fmt.Sprintf("The %s ends in the middle, after %d bytes.", what, len(d.in.Body))
	case syntax != nil && syntax.Cut && startsJSON(body):
		return fmt.Sprintf("A frame ends in the middle, after %d bytes: %s.", len(d.in.Body), next)
	case !startsJSON(bytes.TrimPrefix(body, []byte("\xEF\xBB\xBF"))):
		return d.foreignText(body, next)
	case syntax != nil && syntax.Deep:
		return fmt.Sprintf("The %s is JSON with more than 10,000 levels, the most that Parley reads; byte %d goes deeper: %s.", what, d.base+syntax.Offset, next)
	case syntax != nil:
		return fmt.Sprintf("The %s is not valid JSON at byte %d (%s): %s.", what, d.base+syntax.Offset, syntax.Msg, next)
	default:
		return fmt.Sprintf("The %s is not valid JSON: %s.", what, next)
	}
}

// subject names what could not be read.
func (d *decoder) subject() string {
	switch {
	case d.in.Stream:
		return "frame"
	case d.call.Op == OpCard || d.call.Op == OpExtendedCard:
		return "agent card"
	case d.call.Op == OpCatalog:
		return "catalog"
	default:
		return "answer"
	}
}

// foreignText describes a body that does not even look like JSON.
func (d *decoder) foreignText(body []byte, next string) string {
	what := "text instead of JSON, “" + firstLine(body) + "”"
	switch {
	case foreign.IsHTML(body):
		what = "an HTML page" + titleClause(body) + " instead of JSON"
	case bytes.IndexByte(body[:min(len(body), maxQuote)], 0) >= 0:
		what = fmt.Sprintf("%d bytes that are not text instead of JSON", len(body))
	}
	if d.in.Stream {
		return "A frame contains " + what + ": " + next + "."
	}
	return "The agent answered" + d.httpStatus() + " with " + what + ": check the URL."
}

// httpStatus returns " HTTP 200 (text/html)", as far as it is known.
func (d *decoder) httpStatus() string {
	if d.in.Stream || d.in.Status == 0 {
		return ""
	}
	kind, _, _ := strings.Cut(d.in.ContentType, ";")
	if kind == "" {
		return fmt.Sprintf(" HTTP %d", d.in.Status)
	}
	return fmt.Sprintf(" HTTP %d (%s)", d.in.Status, firstLine([]byte(kind)))
}

// textError is the error of an error status whose body is not JSON.
func (d *decoder) textError(body []byte) *RPCError {
	status := statusLine(d.in.Status)
	e := &RPCError{HTTPStatus: d.in.Status}
	switch {
	case len(body) == 0:
		e.Message = status
	case foreign.IsHTML(body):
		e.Message = status + ", with an HTML page" + titleClause(body)
	case startsJSON(body):
		e.Message = status + ", with malformed JSON"
	default:
		e.Message = status + ": " + firstLine(body)
	}
	return e
}

// statusLine returns "HTTP 404 Not Found".
func statusLine(code int) string {
	return strings.TrimSpace(fmt.Sprintf("HTTP %d %s", code, http.StatusText(code)))
}

// titleClause returns ` titled “Sign in”`, or nothing if the page has no title.
func titleClause(page []byte) string {
	if title := firstLine([]byte(foreign.Title(page))); title != "" {
		return " titled “" + title + "”"
	}
	return ""
}

// firstLine returns the beginning of a text for use inside a sentence.
func firstLine(text []byte) string {
	line, _, _ := bytes.Cut(bytes.TrimSpace(text), []byte("\n"))
	return clip(strings.TrimSpace(string(line)))
}

// maxQuote is how many bytes of an agent's text a sentence quotes.
const maxQuote = 200

// clip shortens a quoted text to maxQuote bytes at the start of a rune, and makes invisible
// characters visible.
func clip(s string) string {
	if len(s) <= maxQuote {
		return Visible(s)
	}
	cut := maxQuote
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return Visible(s[:cut]) + "…"
}

// Visible names the control characters in a text that a sentence quotes; otherwise words that
// differ only in them would look the same.
func Visible(s string) string {
	if !strings.ContainsFunc(s, unicode.IsControl) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if unicode.IsControl(r) {
			fmt.Fprintf(&b, "⟨U+%04X⟩", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}
