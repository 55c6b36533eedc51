package chain

import (
	"net/http"
	"strings"
)

// A traceContext is where a request stands in a distributed trace.
type traceContext struct{ trace, span string }

// traceOf reads the trace context of a request, the zero value without one: the header traceparent
// of W3C, or those of Zipkin (B3).
func traceOf(h http.Header) traceContext {
	if t := parseTraceparent(valueOf(h, "Traceparent")); t.trace != "" {
		return t
	}
	if trace := strings.ToLower(valueOf(h, "X-B3-Traceid")); isID(trace, 32) || isID(trace, 16) {
		return traceContext{trace, strings.ToLower(valueOf(h, "X-B3-Spanid"))}
	}
	trace, rest, _ := strings.Cut(strings.ToLower(valueOf(h, "B3")), "-")
	span, _, _ := strings.Cut(rest, "-")
	if isID(trace, 32) || isID(trace, 16) {
		return traceContext{trace, span}
	}
	return traceContext{}
}

// parseTraceparent reads "00-{trace}-{span}-{flags}" (W3C Trace Context §3.2), of any version.
func parseTraceparent(value string) traceContext {
	parts := strings.SplitN(strings.TrimSpace(value), "-", 5)
	if len(parts) < 4 || len(parts[0]) != 2 || parts[0] == "ff" || !isID(parts[1], 32) || !isID(parts[2], 16) {
		return traceContext{}
	}
	return traceContext{parts[1], parts[2]}
}

// isID reports whether a text is an id of so many hexadecimal digits, not all of them zero.
func isID(s string, digits int) bool {
	return len(s) == digits && strings.Trim(s, "0123456789abcdef") == "" && strings.Trim(s, "0") != ""
}

// valueOf returns the value of a header, or of metadata, whose names are in lower case.
func valueOf(h http.Header, name string) string {
	if values := h[name]; len(values) > 0 {
		return values[0]
	}
	if values := h[strings.ToLower(name)]; len(values) > 0 {
		return values[0]
	}
	return ""
}
