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
	"parley/a2a/servertrust"
	"parley/internal/units"
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

// wording says what a proxy did instead of connecting to host.
func (e *proxyError) wording(host string) wording {
	switch {
	case e.status == http.StatusProxyAuthRequired:
		return proxyAuthWording(e.host, host, e.challenge)
	case e.status != 0:
		return wording{fmt.Sprintf("The proxy %s did not connect to %s (%s)", e.host, host, statusText(e.status)), ": check the proxy settings."}
	case e.fault != "":
		return wording{fmt.Sprintf("The proxy %s answered with a head that HTTP does not allow: %s", e.host, e.fault), ". Check the proxy settings."}
	default:
		return wording{fmt.Sprintf("The proxy %s closed the connection before it connected to %s", e.host, host), ": check the proxy settings."}
	}
}

// proxyAuthWording describes a proxy that requires credentials.
func proxyAuthWording(proxy, host, challenge string) wording {
	asks := statusText(http.StatusProxyAuthRequired)
	if challenge != "" {
		asks += ", Proxy-Authenticate: " + challenge
	}
	return wording{fmt.Sprintf("The proxy %s requires credentials before it connects to %s (%s)", proxy, host, asks), ": give them in the proxy's URL, as in http://user:password@proxy:8080."}
}

// A wording says what happened and, apart from it, what to do about it, beginning with the sign that joins both.
type wording struct{ cause, advice string }

func (w wording) sentence() string { return w.cause + w.advice }

// tell makes an end one of a class.
func (e *End) tell(class string, w wording) {
	e.Class, e.Sentence, e.cause = class, w.sentence(), w.cause
}

// refuse makes an end that of a request which did not get through.
func (e *End) refuse(class string, w wording) {
	e.Reason = Refused
	e.tell(class, w)
}

// Cause says in a clause what happened, without the advice of the sentence.
func (e *End) Cause() string {
	return cmp.Or(e.cause, strings.TrimSuffix(WithoutCrash(e.Sentence), "."))
}

// IsPage reports whether the body of the answer is a web page, which servers on the way to an agent send, too.
func (e *End) IsPage() bool { return e.page }

// sendFailure says why a request to u got no response head; got is the part of a head that was
// read. Declared is set if the card names the host.
func sendFailure(ctx context.Context, err error, u *url.URL, got httphead.Message, declared bool) End {
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
		end.refuse(ClassRefused, proxy.wording(host))
	case errors.As(err, &dns):
		end.refuse(ClassDNS, dnsWording(dns, declared))
	case errors.As(err, &op) && (op.Op == "dial" || op.Op == "proxyconnect"):
		end.refuse(ClassRefused, dialWording(op, host))
		if op.Timeout() {
			end.Class = ClassTimeout
		}
	case errors.As(err, &op) && op.Op == socksConnect:
		end.refuse(ClassRefused, socksWording(op, host))
	case errors.Is(err, http.ErrSchemeMismatch):
		end.refuse(ClassTLS, wording{host + " does not speak TLS", ": write http:// instead of https://."})
	case tlsWording(err, host) != wording{}:
		end.refuse(ClassTLS, tlsWording(err, host))
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
			"%s sent a body whose chunked encoding is wrong, after %s: %s.", hostPort(u), units.InBytes(got), fault)}
	}
	if isTimeout(err) {
		return End{Reason: TimedOut, Class: ClassTimeout, Detail: innermost(err),
			Sentence: hostPort(u) + " stopped in the middle of its answer and sent nothing more in time."}
	}
	return End{Reason: Cut, Class: ClassCut, Detail: innermost(err), Sentence: fmt.Sprintf(
		"The connection broke after %s.", units.InBytes(got))}
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

func dnsWording(err *net.DNSError, declared bool) wording {
	switch {
	case err.IsTimeout:
		return wording{fmt.Sprintf("The name %s could not be looked up in time", err.Name), ": check the network and its DNS server."}
	case err.IsNotFound && declared:
		return wording{fmt.Sprintf("There is no host named %s, which the card names: perhaps only another network knows it, as that of a container", err.Name),
			". To reach the agent at an address of yours, pin it with --endpoint or in the finder."}
	case err.IsNotFound:
		return wording{fmt.Sprintf("There is no host named %s", err.Name), ": check the spelling, or whether you need a VPN."}
	default:
		return wording{fmt.Sprintf("The name %s could not be looked up", err.Name), ": check the spelling, the network and its DNS server."}
	}
}

func dialWording(op *net.OpError, host string) wording {
	switch {
	case op.Op == "proxyconnect":
		return wording{fmt.Sprintf("The proxy on the way to %s refused the connection", host), ": check the proxy settings."}
	case errors.Is(op, syscall.ECONNREFUSED), errors.Is(op, wsaConnRefused):
		return wording{fmt.Sprintf("%s refused the connection", host), ": nothing listens there. Start the agent, or check the port."}
	case op.Timeout():
		return wording{fmt.Sprintf("%s did not accept a connection in time", host), ": check the address, or a firewall on the way."}
	default:
		return wording{fmt.Sprintf("%s cannot be reached", host), ": check the address and the network."}
	}
}

// socksConnect is the operation of an error of a proxy of SOCKS.
const socksConnect = "socks connect"

// socksWording says what a proxy of SOCKS did instead of connecting to host. The words of the
// error are those of its code (RFC 1928, 6).
func socksWording(op *net.OpError, host string) wording {
	proxy, words := "", strings.TrimPrefix(innermost(op.Err), "unknown error ")
	if op.Source != nil {
		proxy = " " + op.Source.String()
	}
	if strings.Contains(words, "authentication") {
		return wording{fmt.Sprintf("The proxy%s requires other credentials before it connects to %s", proxy, host), ": give them in the proxy's URL, as in socks5://user:password@proxy:1080."}
	}
	return wording{fmt.Sprintf("The proxy%s did not connect to %s (%s)", proxy, host, words), ": check the address and the proxy settings."}
}

// tlsWording returns the zero value if err is not about TLS.
func tlsWording(err error, host string) wording {
	var (
		unknown x509.UnknownAuthorityError
		name    x509.HostnameError
		invalid x509.CertificateInvalidError
		verify  *tls.CertificateVerificationError
		record  tls.RecordHeaderError
		op      *net.OpError
	)
	if other, ok := errors.AsType[*servertrust.Error](err); ok {
		return wording{other.Error(), "."}
	}
	switch {
	case errors.As(err, &unknown):
		return wording{fmt.Sprintf("This machine does not trust the authority that signed the certificate of %s", host), ". Name the authority with --cacert, or use --insecure during development."}
	case errors.As(err, &name):
		return wording{fmt.Sprintf("The certificate of %s is for another name", host), ". Use the name it is for, or --insecure during development."}
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return wording{fmt.Sprintf("The certificate of %s has expired or is not valid yet", host), ". Renew it, check this machine's clock, or use --insecure during development."}
	case errors.As(err, &invalid), errors.As(err, &verify):
		return wording{fmt.Sprintf("The certificate of %s cannot be trusted", host), ". Repair it, or use --insecure during development."}
	case errors.As(err, &record):
		return wording{host + " does not speak TLS", ": write http:// instead of https://."}
	case errors.As(err, &op) && op.Op == "remote error":
		return wording{fmt.Sprintf("%s ended the TLS handshake", host), ": it may require a client certificate, which --cert and --key give, or another TLS version."}
	case strings.Contains(err.Error(), "tls: "):
		return wording{fmt.Sprintf("The TLS handshake with %s failed", host), ": check the port."}
	default:
		return wording{}
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
