package webhook

import (
	"crypto/subtle"
	"net/http"
	"strings"
)

// A Hook is one registered webhook.
type Hook struct {
	Key   string // the last segment of its path, which nobody can guess
	URL   string // where agents reach it
	Token string // that every call has to repeat in a header
	// Scheme and Credentials are what the Authorization header of every call has to
	// hold; empty if nothing was asked for.
	Scheme, Credentials string
}

// TokenHeaders are the names under which agents send the token, canonical: that of the
// specifications 0.1 to 0.3, and that of an SDK of 1.0.
var TokenHeaders = [...]string{"X-A2a-Notification-Token", "A2a-Notification-Token"}

// A Verdict says what became of a call.
type Verdict string

// The verdicts. All but the first two turn the call away.
const (
	Taken         Verdict = ""              // a delivery that was let in
	Validation    Verdict = "validation"    // somebody made sure that the webhook is there
	Address       Verdict = "address"       // no webhook has this address
	Host          Verdict = "host"          // the Host header names another machine
	Empty         Verdict = "empty"         // there is no body
	Method        Verdict = "method"        // it is no POST
	Token         Verdict = "token"         // the token is wrong, or nothing says who calls
	Authorization Verdict = "authorization" // the credentials are wrong
	TooLarge      Verdict = "size"          // the body is longer than is read
	Broken        Verdict = "cut"           // the body ended before its end, or never did
	Busy          Verdict = "busy"          // more is waiting than can be kept
	Version       Verdict = "version"       // it speaks HTTP/2, which without TLS nobody asked for
	Head          Verdict = "head"          // HTTP does not allow its head, or it never ended
)

// Status returns what a verdict is answered with. What the head of a call is refused with
// is not the same each time: see [Call.Status].
func (v Verdict) Status() int {
	switch v {
	case Taken, Validation:
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

// check looks at who calls. One right proof is enough, because SDKs send the one or the
// other; a wrong one is too many.
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
	return Taken
}

// equal compares secrets in a time that tells nothing of where they differ.
func equal(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }
