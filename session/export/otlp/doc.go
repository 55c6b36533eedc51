// Package otlp exports a session as OpenTelemetry traces in the JSON of OTLP, one request
// per file. It writes a trace for each turn, with a span for the turn, below it one for each
// of its exchanges, and below that one for the stream of its answer. Every other exchange,
// such as that for a card, is a trace of its own.
//
// Ids follow from the records, so that a second export has the same ones. An exchange whose
// request carried a traceparent has its ids, and so the agent's own spans are below it.
package otlp

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"time"

	"parley/a2a"
	"parley/session/model"
)

// A span is one as OTLP has it in JSON.
type span struct {
	TraceID    string      `json:"traceId"`
	SpanID     string      `json:"spanId"`
	ParentID   string      `json:"parentSpanId,omitempty"`
	Name       string      `json:"name"`
	Kind       int         `json:"kind"`
	Start      nanos       `json:"startTimeUnixNano"`
	End        nanos       `json:"endTimeUnixNano"`
	Attributes []attribute `json:"attributes,omitempty"`
	Status     status      `json:"status"`
}

// The kinds of span.
const (
	kindInternal = 1
	kindServer   = 2
	kindClient   = 3
)

// A moment is an event of a span.
type moment struct {
	Time       nanos       `json:"timeUnixNano"`
	Name       string      `json:"name"`
	Attributes []attribute `json:"attributes,omitempty"`
}

type status struct {
	Code    int    `json:"code,omitempty"`
	Message string `json:"message,omitempty"`
}

// The codes of a status.
const (
	codeOK    = 1
	codeError = 2
)

type attribute struct {
	Key   string `json:"key"`
	Value value  `json:"value"`
}

// A value is a text or a number, which JSON has as a text too.
type value struct {
	Text   *string `json:"stringValue,omitempty"`
	Number *string `json:"intValue,omitempty"`
}

// nanos is a time in nanoseconds since 1970, as a text.
type nanos string

func at(t time.Time) nanos {
	if t.IsZero() {
		return "0"
	}
	return nanos(strconv.FormatInt(t.UnixNano(), 10))
}

// attributes collects attributes that are not empty.
type attributes []attribute

func (a *attributes) text(key, text string) {
	if text != "" {
		*a = append(*a, attribute{key, value{Text: &text}})
	}
}

func (a *attributes) number(key string, n int64) {
	text := strconv.FormatInt(n, 10)
	*a = append(*a, attribute{key, value{Number: &text}})
}

const (
	traceBytes = 16
	spanBytes  = 8
)

// id makes an id of what identifies a thing.
func id(bytes int, words ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(words, "\x00")))
	return hex.EncodeToString(sum[:bytes])
}

// ids are those of an exchange.
type ids struct{ trace, span, parent string }

// turnIDs returns the ids of a turn: a trace, and its first span.
func turnIDs(t *model.Turn) ids {
	words := []string{"turn", string(at(t.Time)), t.Conversation.Agent.Ref}
	if t.Message != nil {
		words = append(words, t.Message.ID)
	}
	return ids{trace: id(traceBytes, words...), span: id(spanBytes, words...)}
}

// exchangeIDs returns the ids of an exchange. Those of its turn are empty if it belongs to none.
func exchangeIDs(r *a2a.Record, turn ids) ids {
	words := []string{"exchange", string(at(r.Time)), string(r.Raw)}
	if r.Head != nil {
		words = append(words, r.Head.Method, r.Head.URL)
	}
	out := ids{trace: turn.trace, span: id(spanBytes, words...), parent: turn.span}
	if out.trace == "" {
		out.trace = id(traceBytes, words...)
	}
	if trace, span := parent(r); trace != "" {
		out.span = span
		if turn.trace == "" {
			out.trace = trace
		}
	}
	return out
}

// parent returns the ids in the traceparent of a request, empty if it has none that is valid.
func parent(r *a2a.Record) (trace, span string) {
	if r.Head == nil {
		return "", ""
	}
	words := strings.Split(strings.TrimSpace(r.Head.Header.Get("Traceparent")), "-")
	if len(words) < 4 || len(words[0]) != 2 || !isID(words[1], traceBytes) || !isID(words[2], spanBytes) {
		return "", ""
	}
	return words[1], words[2]
}

// isID reports whether a text is an id in hexadecimal letters, which is not all zeros.
func isID(s string, bytes int) bool {
	return len(s) == 2*bytes && strings.Trim(s, "0123456789abcdef") == "" && strings.Trim(s, "0") != ""
}
