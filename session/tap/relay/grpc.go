package relay

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"strconv"
	"strings"
)

// isGRPC reports whether a message is one of gRPC.
func isGRPC(h http.Header) bool {
	return strings.HasPrefix(strings.ToLower(h.Get("Content-Type")), "application/grpc")
}

// say answers a stream with a sentence of the relay: over gRPC as its status.
func (s *stream) say(f *fault, end End) {
	s.answer(f.status, http.Header{}, f.sentence, s.c.cause(end))
}

// answerFault answers in place of the agent.
func (s *stream) answerFault(f *Fault) {
	s.answer(f.Status, f.Header, fmt.Sprintf("The tap answers %d %s on purpose.", f.Status, http.StatusText(f.Status)), End{Cause: Injected})
}

func (s *stream) answer(status int, header http.Header, sentence string, end End) {
	h := s.w.Header()
	maps.Copy(h, header)
	h["Date"] = nil
	if isGRPC(s.x.request.Header) {
		h.Set("Content-Type", "application/grpc")
		h["Content-Length"] = nil
		h.Set("Grpc-Status", strconv.Itoa(grpcCode(status)))
		h.Set("Grpc-Message", percentEncode(sentence))
		s.w.WriteHeader(http.StatusOK)
	} else {
		if h.Get("Content-Type") == "" {
			h.Set("Content-Type", "text/plain; charset=utf-8")
		}
		s.w.WriteHeader(status)
		_, _ = io.WriteString(s.w, sentence+"\n") // the client may have gone
	}
	s.x.finish(end)
}

// grpcCode returns the code of gRPC for a status of HTTP, as gRPC's "HTTP to gRPC Status Code Mapping" has it.
func grpcCode(status int) int {
	const internal, unauthenticated, permissionDenied, unimplemented, unavailable, unknown = 13, 16, 7, 12, 14, 2
	switch status {
	case http.StatusBadRequest:
		return internal
	case http.StatusUnauthorized:
		return unauthenticated
	case http.StatusForbidden:
		return permissionDenied
	case http.StatusNotFound:
		return unimplemented
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return unavailable
	}
	return unknown
}

// percentEncode encodes a message as gRPC does.
func percentEncode(text string) string {
	var b strings.Builder
	for i := range len(text) {
		if c := text[i]; c >= ' ' && c <= '~' && c != '%' {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
