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
	Signature     Verdict = "signature"     // somebody trusted signed something else
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
	case Token, Authorization, Signature:
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
// a wrong one is not tolerated. signed is set if a signed token stands where another one is
// expected, or if there is one in place of a proof: it may prove who calls.
func (h *Hook) check(header http.Header) (v Verdict, signed bool) {
	proven, wrong := false, Accepted
	refute := func(value string, v Verdict) bool {
		if !looksSigned(value) {
			return true
		}
		signed, wrong = true, v
		return false
	}
	for _, name := range TokenHeaders {
		for _, got := range header[name] {
			if equal(got, h.Token) {
				proven = true
			} else if refute(got, Token) {
				return Token, false
			}
		}
	}
	for _, got := range header["Authorization"] {
		scheme, credentials, _ := strings.Cut(got, " ")
		credentials = strings.TrimSpace(credentials)
		switch {
		case h.Credentials == "":
			signed = signed || strings.EqualFold(scheme, "Bearer") && looksSigned(credentials)
		case strings.EqualFold(scheme, h.Scheme) && equal(credentials, h.Credentials):
			proven = true
		case !strings.EqualFold(scheme, "Bearer") || refute(credentials, Authorization):
			return Authorization, false
		}
	}
	if !proven && wrong == Accepted {
		wrong = Token
	}
	return wrong, signed
}

// looksSigned reports whether a value has the form of a signed JSON Web Token.
func looksSigned(value string) bool {
	value = strings.TrimSpace(value)
	return strings.HasPrefix(value, "eyJ") && strings.Count(value, ".") == 2
}

// equal compares secrets in constant time.
func equal(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }
