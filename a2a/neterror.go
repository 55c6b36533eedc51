package a2a

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"

	"parley/a2a/httphead"
)

// The words of [End.Class], [Lookup.Class] and [Discovery.Class].
const (
	ClassDNS         = "dns"         // the host's name is unknown
	ClassRefused     = "refused"     // nothing listens, or there is no route
	ClassTLS         = "tls"         // no trustworthy encrypted connection
	ClassTimeout     = "timeout"     // nothing came in time
	ClassCut         = "cut"         // the connection broke
	ClassSevered     = "severed"     // the user or the engine cut the connection on purpose
	ClassUnrecorded  = "unrecorded"  // the recording stops: the real end is unknown
	ClassStatus      = "status"      // an HTTP status instead of an A2A answer
	ClassRedirect    = "redirect"    // a redirect that cannot be followed
	ClassOrigin      = "origin"      // credentials are set, but not for this origin
	ClassUnencrypted = "unencrypted" // an address without TLS of a host that was opened over TLS
	ClassBody        = "body"        // an answer without content, or with something other than A2A
	ClassLimit       = "limit"       // more bytes than a limit allows; the sentence names the flag that raises it
	ClassClient      = "client"      // another client left before the answer was complete
	ClassTap         = "tap"         // a tap ended it: it answered itself, or broke the connection on purpose
	ClassGivenUp     = "given-up"    // the caller stopped waiting for the answer
	ClassUnsupported = "unsupported" // the agent's dialect or binding has no such operation

	// ClassFollowed ends an exchange that another one follows for the same operation; the
	// sentence gives the reason. Nothing failed yet.
	ClassFollowed = "followed"

	ClassNoCredentials = "credentials-missing" // 401 or 403, and none were set
	ClassAuth          = "auth-failed"         // 401 or 403 in spite of those that were set
	ClassNoCard        = "card-not-found"
	ClassBadCard       = "card-invalid"
	// ClassCatalog is for an address that has a list of agents instead of a card.
	ClassCatalog = "catalog"
	// ClassMesh is for the address of a mesh that names none of its agents.
	ClassMesh = "mesh"
)

// wsaConnRefused is Winsock's "connection refused", for which package syscall
// has no name; no other system uses the number.
const wsaConnRefused = syscall.Errno(10061)

// A timeoutError is the cause of a context whose time was up.
type timeoutError struct{ after time.Duration }

func (e *timeoutError) Error() string { return fmt.Sprintf("nothing came within %s", e.after) }

// A GiveUp is the cause with which the context of a request is cancelled when the caller stops
// waiting for the answer, see [context.WithCancelCause]. The exchange ends with its sentence. Complete
// says that nothing is missing: Parley closes the exchange, and the agent is not late.
type GiveUp struct {
	Sentence string
	Complete bool
}

func (g *GiveUp) Error() string { return g.Sentence }

// A proxyError reports that a proxy did not connect to the target of a request.
type proxyError struct {
	host      string
	status    int    // of its answer, 0 if none could be read
	challenge string // Proxy-Authenticate
	fault     string // what is wrong with the head of its answer
	cause     error  // the reason if none could be read
}

func (e *proxyError) Error() string {
	if e.cause != nil {
		return e.host + ": " + e.cause.Error()
	}
	return e.host + ": " + statusLine(e.status)
}

func (e *proxyError) Unwrap() error { return e.cause }

// sentence says what a proxy did instead of connecting to host.
func (e *proxyError) sentence(host string) string {
	switch {
	case e.status == http.StatusProxyAuthRequired:
		return proxyAuthSentence(e.host, host, e.challenge)
	case e.status != 0:
		return fmt.Sprintf("The proxy %s did not connect to %s (%s): check the proxy settings.", e.host, host, statusText(e.status))
	case e.fault != "":
		return fmt.Sprintf("The proxy %s answered with a head that HTTP does not allow: %s. Check the proxy settings.", e.host, e.fault)
	default:
		return fmt.Sprintf("The proxy %s closed the connection before it connected to %s: check the proxy settings.", e.host, host)
	}
}

// proxyAuthSentence describes a proxy that requires credentials.
func proxyAuthSentence(proxy, host, challenge string) string {
	asks := statusText(http.StatusProxyAuthRequired)
	if challenge != "" {
		asks += ", Proxy-Authenticate: " + challenge
	}
	return fmt.Sprintf("The proxy %s requires credentials before it connects to %s (%s): give them in the proxy's URL, as in http://user:password@proxy:8080.", proxy, host, asks)
}

// sendFailure says why a request to u got no response head; got is the part of a head that was
// read.
func sendFailure(ctx context.Context, err error, u *url.URL, got httphead.Message) End {
	if end, ok := contextEnd(ctx, err, u); ok {
		return end
	}
	end := End{Detail: innermost(err)}
	host := hostPort(u)
	var dns *net.DNSError
	var op *net.OpError
	var proxy *proxyError
	switch {
	case errors.As(err, &proxy):
		end.Reason, end.Class = Refused, ClassRefused
		end.Sentence = proxy.sentence(host)
	case errors.As(err, &dns):
		end.Reason, end.Class, end.Sentence = Refused, ClassDNS, dnsSentence(dns)
	case errors.As(err, &op) && (op.Op == "dial" || op.Op == "proxyconnect"):
		end.Reason, end.Class, end.Sentence = Refused, ClassRefused, dialSentence(op, host)
		if op.Timeout() {
			end.Class = ClassTimeout
		}
	case errors.As(err, &op) && op.Op == socksConnect:
		end.Reason, end.Class, end.Sentence = Refused, ClassRefused, socksSentence(op, host)
	case errors.Is(err, http.ErrSchemeMismatch):
		end.Reason, end.Class = Refused, ClassTLS
		end.Sentence = host + " does not speak TLS: write http:// instead of https://."
	case tlsSentence(err, host) != "":
		end.Reason, end.Class, end.Sentence = Refused, ClassTLS, tlsSentence(err, host)
	case isTimeout(err):
		end.Reason, end.Class = TimedOut, ClassTimeout
		end.Sentence = host + " did not answer in time: check whether the agent hangs."
	case len(got.Head) > 0:
		return headFailure(end, host, got)
	default:
		end.Reason, end.Class = Cut, ClassCut
		end.Sentence = ClosedSentence(host)
	}
	return end
}

// orOnTheWay follows the host of a failure whose source may be a server on the way to it.
const orOnTheWay = ", or something on the way to it"

// crashGuess ends a sentence about a connection that broke before the head of an answer had come.
const crashGuess = " The agent may have crashed: check its log."

// ClosedSentence describes a connection to a host that was closed before an answer came.
func ClosedSentence(host string) string {
	return host + orOnTheWay + ", closed the connection without an answer." + crashGuess
}

// WithoutCrash returns a sentence without the guess that the agent has crashed, for one that has answered
// since then.
func WithoutCrash(sentence string) string { return strings.Replace(sentence, crashGuess, "", 1) }

// bodyFailure says why a body from u stopped; got is how many of its bytes had
// arrived. Fault is what is wrong with its chunks.
func bodyFailure(ctx context.Context, err error, u *url.URL, got int64, fault string) End {
	if end, ok := contextEnd(ctx, err, u); ok {
		return end
	}
	if fault != "" {
		return End{Reason: Cut, Class: ClassCut, Detail: innermost(err), Sentence: fmt.Sprintf(
			"%s sent a body whose chunked encoding is wrong, after %s: %s.", hostPort(u), bytesText(got), fault)}
	}
	if isTimeout(err) {
		return End{Reason: TimedOut, Class: ClassTimeout, Detail: innermost(err),
			Sentence: hostPort(u) + " stopped in the middle of its answer and sent nothing more in time."}
	}
	return End{Reason: Cut, Class: ClassCut, Detail: innermost(err), Sentence: fmt.Sprintf(
		"The connection broke after %s.", bytesText(got))}
}

// contextEnd reports whether Parley closed the exchange: it was cancelled, or its time was up.
func contextEnd(ctx context.Context, err error, u *url.URL) (End, bool) {
	var late *timeoutError
	var giveUp *GiveUp
	switch cause := context.Cause(ctx); {
	case cause == nil:
		return End{}, false
	case errors.As(cause, &late):
		return End{Reason: TimedOut, Class: ClassTimeout, Detail: innermost(err), Sentence: fmt.Sprintf(
			"%s did not answer within %s.", hostPort(u), late.after)}, true
	case errors.As(cause, &giveUp) && giveUp.Complete:
		return End{Reason: Cancelled, Class: ClassGivenUp, Sentence: giveUp.Sentence}, true
	case errors.As(cause, &giveUp):
		return End{Reason: TimedOut, Class: ClassGivenUp, Detail: innermost(err), Sentence: giveUp.Sentence}, true
	case errors.Is(cause, context.DeadlineExceeded):
		return End{Reason: TimedOut, Class: ClassTimeout, Detail: innermost(err),
			Sentence: hostPort(u) + " did not finish in the time that was allowed."}, true
	default:
		return End{Reason: Cancelled, Sentence: "Closed by Parley."}, true
	}
}

func dnsSentence(err *net.DNSError) string {
	switch {
	case err.IsTimeout:
		return fmt.Sprintf("The name %s could not be looked up in time: check the network and its DNS server.", err.Name)
	case err.IsNotFound:
		return fmt.Sprintf("There is no host named %s: check the spelling, or whether you need a VPN.", err.Name)
	default:
		return fmt.Sprintf("The name %s could not be looked up: check the spelling, the network and its DNS server.", err.Name)
	}
}

func dialSentence(op *net.OpError, host string) string {
	switch {
	case op.Op == "proxyconnect":
		return fmt.Sprintf("The proxy on the way to %s refused the connection: check the proxy settings.", host)
	case errors.Is(op, syscall.ECONNREFUSED), errors.Is(op, wsaConnRefused):
		return fmt.Sprintf("%s refused the connection: nothing listens there. Start the agent, or check the port.", host)
	case op.Timeout():
		return fmt.Sprintf("%s did not accept a connection in time: check the address, or a firewall on the way.", host)
	default:
		return fmt.Sprintf("%s cannot be reached: check the address and the network.", host)
	}
}

// socksConnect is the operation of an error of a proxy of SOCKS.
const socksConnect = "socks connect"

// socksSentence says what a proxy of SOCKS did instead of connecting to host. The words of the
// error are those of its code (RFC 1928, 6).
func socksSentence(op *net.OpError, host string) string {
	proxy, words := "", strings.TrimPrefix(innermost(op.Err), "unknown error ")
	if op.Source != nil {
		proxy = " " + op.Source.String()
	}
	if strings.Contains(words, "authentication") {
		return fmt.Sprintf("The proxy%s requires other credentials before it connects to %s: give them in the proxy's URL, as in socks5://user:password@proxy:1080.", proxy, host)
	}
	return fmt.Sprintf("The proxy%s did not connect to %s (%s): check the address and the proxy settings.", proxy, host, words)
}

// tlsSentence returns "" if err is not about TLS.
func tlsSentence(err error, host string) string {
	var (
		unknown x509.UnknownAuthorityError
		name    x509.HostnameError
		invalid x509.CertificateInvalidError
		verify  *tls.CertificateVerificationError
		record  tls.RecordHeaderError
		op      *net.OpError
	)
	if other, ok := errors.AsType[*FingerprintError](err); ok {
		return other.Error() + "."
	}
	switch {
	case errors.As(err, &unknown):
		return fmt.Sprintf("This machine does not trust the authority that signed the certificate of %s. "+
			"Name the authority with --cacert, or use --insecure during development.", host)
	case errors.As(err, &name):
		return fmt.Sprintf("The certificate of %s is for another name. Use the name it is for, or --insecure during development.", host)
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return fmt.Sprintf("The certificate of %s has expired or is not valid yet. "+
			"Renew it, check this machine's clock, or use --insecure during development.", host)
	case errors.As(err, &invalid), errors.As(err, &verify):
		return fmt.Sprintf("The certificate of %s cannot be trusted. Repair it, or use --insecure during development.", host)
	case errors.As(err, &record):
		return host + " does not speak TLS: write http:// instead of https://."
	case errors.As(err, &op) && op.Op == "remote error":
		return fmt.Sprintf("%s ended the TLS handshake: it may require a client certificate, which --cert and --key give, or another TLS version.", host)
	case strings.Contains(err.Error(), "tls: "):
		return fmt.Sprintf("The TLS handshake with %s failed: check the port.", host)
	default:
		return ""
	}
}

func isTimeout(err error) bool {
	var t interface{ Timeout() bool }
	return errors.As(err, &t) && t.Timeout()
}

// innermost returns the cause of an error in the system's words: without the URL, in whose query
// may be a secret, and without the calls and addresses that Go puts in front.
func innermost(err error) string {
	if ue, ok := errors.AsType[*url.Error](err); ok {
		err = ue.Err
	}
	var errno syscall.Errno
	var dns *net.DNSError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "the connection closed before the announced end of the body"
	case errors.Is(err, io.EOF):
		return "the connection closed"
	case errors.As(err, &dns):
		return cmp.Or(dns.Err, "the name could not be looked up")
	case errors.As(err, &errno):
		return errno.Error()
	case isTimeout(err):
		return "time ran out"
	}
	words := err.Error()
	for _, prefix := range [...]string{"net/http: ", "HTTP/1.x transport connection broken: ", "net/http: ", "http: ", "remote error: ", "tls: ", "x509: "} {
		words = strings.TrimPrefix(words, prefix)
	}
	return words
}

// hostPort returns the host of u as a sentence names it: with its port if the URL names
// one, as [ShownHost] has it.
func hostPort(u *url.URL) string {
	return cmp.Or(ShownHost(u), "the agent")
}

// bytesText writes a count of bytes for a sentence.
func bytesText(n int64) string {
	if n == 1 {
		return "1 byte"
	}
	return fmt.Sprintf("%d bytes", n)
}
