package webhook

import (
	"crypto/subtle"
	"net/http"
	"strings"
)

// A Verdict says what became of a call.
type Verdict string

// The verdicts. All except the first two reject the call.
const (
	Accepted      Verdict = ""              // an accepted delivery
	Validation    Verdict = "validation"    // a validation request for the webhook
	Address       Verdict = "address"       // no webhook has this address
	Host          Verdict = "host"          // the Host header names another machine
	Empty         Verdict = "empty"         // there is no body
	Method        Verdict = "method"        // it is not a POST
	Token         Verdict = "token"         // the token is wrong, or there is no proof of the caller
	Authorization Verdict = "authorization" // the credentials are wrong
	TooLarge      Verdict = "size"          // the body exceeds the limit
	Broken        Verdict = "cut"           // the body is incomplete, or never ended
	Busy          Verdict = "busy"          // the queue is full
	Version       Verdict = "version"       // it speaks HTTP/2, which the server does not offer without TLS
	Head          Verdict = "head"          // HTTP does not allow its head, or the head never ended
)

// Status returns the status that answers a verdict. The answer to a wrong head varies: see
// [Call.Status].
func (v Verdict) Status() int {
	switch v {
	case Accepted, Validation:
		return http.StatusOK
	case Address:
		return http.StatusNotFound
	case Host:
		return http.StatusMisdirectedRequest
	case Method:
		return http.StatusMethodNotAllowed
	case Token, Authorization:
		return http.StatusUnauthorized
	case TooLarge:
		return http.StatusRequestEntityTooLarge
	case Busy:
		return http.StatusServiceUnavailable
	case Version:
		return http.StatusHTTPVersionNotSupported
	default:
		return http.StatusBadRequest
	}
}

// check checks who calls. One correct proof is sufficient, because SDKs send one or the other;
// a wrong one is not tolerated.
func (h *Hook) check(header http.Header) Verdict {
	proven := false
	for _, name := range TokenHeaders {
		for _, got := range header[name] {
			if !equal(got, h.Token) {
				return Token
			}
			proven = true
		}
	}
	if h.Credentials != "" {
		for _, got := range header["Authorization"] {
			scheme, credentials, _ := strings.Cut(got, " ")
			if !strings.EqualFold(scheme, h.Scheme) || !equal(strings.TrimSpace(credentials), h.Credentials) {
				return Authorization
			}
			proven = true
		}
	}
	if !proven {
		return Token
	}
	return Accepted
}

// equal compares secrets in constant time.
func equal(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }
