package a2a

import (
	"bytes"
	"cmp"
	"fmt"
	"net/http"
	"strings"

	"parley/a2a/foreign"
	"parley/a2a/pause"
)

// verdict judges an answer whose body ended regularly.
func (t *tally) verdict(x *exchange) End {
	end := End{Reason: Ended}
	host := hostPort(x.target)
	if x.call.Tapped != nil {
		if settled := t.tappedVerdict(x, host, &end); settled {
			return end
		}
	}
	named := t.rpcErr != nil && (t.rpcErr.Code != 0 || t.rpcErr.Reason != "") && x.call.Op != OpCard
	end.page = t.page != ""
	switch {
	case t.status == http.StatusUnauthorized || t.status == http.StatusForbidden:
		end.tell(t.authWording(x, host))
	case t.foreign(x.call):
		end.tell(ClassBody, t.foreignWording(x))
	case t.Events > 0 || named || t.empty && x.call.clears():
	case t.status < 200 || t.status > 299:
		end.tell(ClassStatus, t.statusWording(x, host))
	case t.page != "" && x.call.Op != OpCard && x.wire.heard.has(x.call):
		end.tell(ClassBody, wording{x.place() + " answered with " + t.page + " instead of A2A, although it has answered in A2A before: something on the way may have sent it", "."})
	case t.page != "":
		end.tell(ClassBody, wording{x.place() + " answered with " + t.page + " instead of A2A", ": check whether the URL is that of the agent's endpoint."})
	case x.bodyBytes == 0 || t.decodeErr == nil && t.rpcErr == nil:
		end.tell(ClassBody, t.emptyWording(x, host))
	}
	return end
}

// foreign reports whether a successful answer to an operation that A2A defines is not of A2A, and says
// something in words of its own.
func (t *tally) foreign(call *Call) bool {
	switch call.Op {
	case OpSend, OpStream, OpGet, OpCancel, OpSubscribe, OpList:
	default:
		return false
	}
	if call.Raw || call.Tapped != nil || t.Streamed || t.quote == "" || t.status < 200 || t.status > 299 {
		return false
	}
	switch {
	case t.Events > 0:
		return t.unknown == t.Events
	case t.decodeErr != nil:
		return !startsJSON([]byte(t.quote))
	case t.rpcErr != nil:
		return !t.enveloped && t.rpcErr.Code == 0 && t.rpcErr.Reason == ""
	}
	return t.empty && !call.clears()
}

// foreignWording quotes an answer that is not of A2A, with its address. If it is a response of JSON-RPC, it
// came from the endpoint, and its result counts.
func (t *tally) foreignWording(x *exchange) wording {
	answered := x.place() + " answered " + t.statusText + " with "
	if t.enveloped && len(t.Last.Events) > 0 {
		result := firstLine(t.Last.Events[0].Raw[:min(len(t.Last.Events[0].Raw), foreign.Window)])
		if t.empty && x.call.sendsMessage() {
			return wording{answered + "the result " + result + ": neither a task nor a message", ". Check the agent's log."}
		}
		return wording{answered + "the result " + result + ", which A2A does not define for this", checkLog}
	}
	said := strings.TrimPrefix(t.says(), ": ")
	if said == "" {
		said = "“" + t.quote + "”"
	}
	return wording{answered + said + ", which is not A2A", ": check the URL in the card."}
}

// checkLog is the advice about what only the agent's log explains.
const checkLog = ": check the agent's log."

// emptyWording describes an answer without events.
func (t *tally) emptyWording(x *exchange, host string) wording {
	switch {
	case t.Streamed && t.empty:
		return wording{host + " closed the stream; all that it sent were empty results", ". Check the agent's log."}
	case t.Streamed:
		return wording{host + " closed the stream without sending an event", checkLog}
	case x.bodyBytes > 0:
		return wording{fmt.Sprintf("%s answered %s with nothing that A2A defines: “%s”", x.place(), t.statusText, t.quote), ". Check the agent's log."}
	}
	return wording{fmt.Sprintf("%s answered %s with an empty body", host, t.statusText), checkLog}
}

// authWording describes an answer that refuses a request for want of credentials, as it seems.
func (t *tally) authWording(x *exchange, host string) (class string, w wording) {
	c, asks := &x.wire.creds, t.statusText
	if t.page != "" {
		asks += " with " + t.page
	} else if t.status == http.StatusForbidden {
		asks += t.says() // its words say more than a guess
	}
	if t.challenge != "" {
		asks += ", WWW-Authenticate: " + t.challenge
	}
	refused := fmt.Sprintf("%s refused the request (%s)", host, asks)
	byPage := t.status == http.StatusForbidden && t.page != "" && t.challenge == ""
	switch {
	case len(c.withheld) > 0:
		return ClassNoCredentials, wording{fmt.Sprintf("%s requires credentials (%s), and %s", host, asks, strings.Join(c.withheld, "; ")), "."}
	case x.wire.gate.armed && x.call.Op == OpCard: // servers answer so at paths that do not exist, too
		return ClassAuth, wording{fmt.Sprintf("%s answered %s, also with the credentials", x.place(), asks), ": the path may be wrong, or they are not accepted there."}
	case byPage && x.wire.gate.armed:
		return ClassStatus, wording{refused + ", also with the credentials: something on the way may have refused it", "."}
	case x.wire.gate.armed:
		return ClassAuth, wording{fmt.Sprintf("%s did not accept the credentials (%s)", host, asks), ": check that they are correct and have not expired."}
	case byPage && x.wire.card.Open():
		return ClassStatus, wording{refused + ", although the agent's card requires no credentials: something on the way may have refused it", "."}
	case t.status == http.StatusForbidden && t.challenge == "" && x.wire.card.Open() && x.call.Op != OpExtendedCard:
		return ClassStatus, wording{host + orOnTheWay + fmt.Sprintf(", refused the request (%s), although the agent's card requires no credentials", asks), ": check the agent's log for the reason."}
	case byPage && x.wire.card == nil:
		return ClassNoCredentials, wording{refused, ". Something on the way may have refused it; if it is credentials that are missing, give them with /signin in the workbench, or with --bearer or --api-key."}
	case t.status == http.StatusForbidden:
		return ClassNoCredentials, wording{fmt.Sprintf("%s does not allow this (%s)", host, asks), ": give credentials with /signin in the workbench, or with --bearer or --api-key."}
	default:
		return ClassNoCredentials, wording{fmt.Sprintf("%s requires credentials (%s)", host, asks), ": give them with /signin in the workbench, or with --bearer or --api-key."}
	}
}

// statusWording describes a status that is neither success nor explained by an A2A error.
func (t *tally) statusWording(x *exchange, host string) wording {
	check, failed := x.wire.urlAdvice(&x.out), host // of a card, several addresses of a host are tried
	isCard := x.call.Op == OpCard || x.call.Op == OpCatalog
	if isCard {
		check, failed = "check the address", x.place()
	}
	with := t.says()
	did := func(who, what string) string { return fmt.Sprintf("%s %s (%s%s)", who, what, t.statusText, with) }
	switch {
	case t.status == http.StatusProxyAuthRequired:
		return proxyAuthWording(x.proxyHost(), host, t.challenge)
	case t.status == http.StatusBadRequest && plainToTLS(x):
		return wording{did(host, "speaks TLS on this port, but the request was not encrypted"), ": write https:// instead of http://."}
	case (t.status == http.StatusNotFound || t.status == http.StatusMethodNotAllowed) && !isCard && x.wire.heard.has(x.call):
		return t.heardWording(x, with)
	case t.status == http.StatusNotFound:
		return wording{did("Nothing exists at", x.place()), ": " + check + "."}
	case t.status == http.StatusMethodNotAllowed:
		return wording{did(x.place(), "does not accept a "+x.out.method) + ": it is probably not the agent's endpoint", "; " + check + "."}
	case t.status == http.StatusTooManyRequests:
		return wording{did(host, "is busy"), ": " + t.again(x.call) + "."}
	case t.onTheWay(x):
		return t.hopWording(x, host, with)
	case t.status >= 500 && (x.call.sendsMessage() || x.call.onTask() != ""):
		return wording{did(host, "failed"), checkLog}
	case t.status >= 500:
		return wording{did(failed, "failed"), ": check the agent's log, then try again."}
	case t.status >= 400 && with != "" && isCard:
		return wording{did(failed, "refused the request"), ": " + check + "."}
	case t.status >= 400 && with != "" && x.call.onTask() == "":
		return wording{did(host, "refused the request"), ": correct the request and send it again."}
	case t.status >= 400:
		return wording{did(host, "refused the request"), ": check the agent's log for the reason."}
	default:
		return wording{fmt.Sprintf("%s answered %s%s, which is not an A2A answer", host, t.statusText, with), ": check the URL."}
	}
}

// heardWording describes the answer of a path at which nothing is, where the agent has answered before.
func (t *tally) heardWording(x *exchange, with string) wording {
	if x.call.Binding == BindingREST { // where each operation has a path
		return wording{fmt.Sprintf("%s answered %s%s, although the agent has answered below %s: it may not have this operation, or something on the way may have refused the request",
			x.place(), t.statusText, with, x.call.Endpoint), "."}
	}
	return wording{fmt.Sprintf("%s answered %s%s, although it has answered in A2A before: something on the way may have refused the request", x.place(), t.statusText, with), "."}
}

// again says when to make a request again, as the end of a sentence.
func (t *tally) again(c *Call) string {
	return strings.Replace(pause.TryAgain(t.RetryAfter), "try", cmp.Or(c.onTask(), "try"), 1)
}

// onTheWay reports whether a status is one that servers between Parley and the agent give when the agent
// is too slow, or cannot be reached by them: those of HTTP, and 520 to 530, which a network of such
// servers has.
func (t *tally) onTheWay(x *exchange) bool {
	translated := x.out.path != "" // the status of a carrier is, and is often the agent's own
	return !translated && (t.status == http.StatusRequestTimeout || CannotReach(t.status))
}

// CannotReach reports whether a status is one that a server on the way gives when it does not reach the agent.
func CannotReach(status int) bool {
	switch status {
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return status >= 520 && status <= 530
}

// hopWording describes a failure on the way to the agent. The agent itself may be its source, too, except for
// 502 and 504, which only a gateway has (RFC 9110 §15.6). A message that the agent may have taken is not sent
// again, also if the answer says when.
func (t *tally) hopWording(x *exchange, host, with string) wording {
	who := host + orOnTheWay + t.Hop.names() + ","
	if t.status == http.StatusBadGateway || t.status == http.StatusGatewayTimeout {
		who = "Something on the way to " + host + t.Hop.names()
	}
	w := wording{fmt.Sprintf("%s answered %s %s%s", who, t.statusText, t.Hop.after(), with), "."}
	switch {
	case x.call.sendsMessage():
		w.advice += takenGuess
	case t.RetryAfter > 0:
		again := t.again(x.call)
		w.advice += " " + strings.ToUpper(again[:1]) + again[1:] + "."
	}
	return w
}

// proxyHost names the proxy on the way of an exchange.
func (x *exchange) proxyHost() string {
	if p, ok := x.wire.dialer.route(&http.Request{URL: x.target}).Value(proxyKey{}).(proxyRoute); ok {
		return ShownHost(p.url)
	}
	return "on the way" // its name is not known
}

// plainToTLS reports whether an answer says that its port expects TLS: servers that notice a
// plain request answer so without encryption.
func plainToTLS(x *exchange) bool {
	said := ""
	if e := x.tally.rpcErr; e != nil {
		said = strings.ToLower(e.Message)
	}
	said += strings.ToLower(x.tally.page)
	return x.target.Scheme == "http" && strings.Contains(said, "http request") && strings.Contains(said, "https")
}

// says continues a sentence about a status with what the body says.
func (t *tally) says() string {
	switch {
	case t.page != "":
		return " with " + t.page
	case t.rpcErr == nil:
		return ""
	}
	// The decoder puts the status before the text of a body that is no JSON.
	said := strings.TrimPrefix(t.rpcErr.Message, statusLine(t.status))
	if said = strings.Trim(said, ":, "); said == "" {
		return ""
	}
	return fmt.Sprintf(": “%s”", strings.TrimSuffix(said, "."))
}

// addPage notes whether a body is a web page, and otherwise how it begins.
func (t *tally) addPage(body []byte) {
	body = bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\xEF\xBB\xBF")))
	head := body[:min(len(body), foreign.Window)]
	switch {
	case foreign.IsHTML(body) || strings.HasPrefix(strings.ToLower(t.contentType), "text/html"):
		t.page = "a web page" + titleClause(body)
	case bytes.IndexByte(head, 0) < 0:
		t.quote, t.enveloped = firstLine([]byte(foreign.Words(head))), bytes.Contains(head, []byte(`"jsonrpc"`))
	}
}

// place is the request's URL as it may be shown.
func (x *exchange) place() string {
	shown, _ := x.mask.url(x.out.url)
	return shown
}

// statusText writes a status as its line does: "404 Not Found".
func statusText(code int) string { return strings.TrimPrefix(statusLine(code), "HTTP ") }

// asSentence gives a sentence its full stop.
func asSentence(s string) string {
	if s == "" || strings.HasSuffix(s, ".") {
		return s
	}
	return s + "."
}

// takenGuess ends a sentence about a message that the agent may have taken.
const takenGuess = " The agent may have taken the message."

// WithTaken returns a sentence that says so where it guesses that the agent has taken a message.
func WithTaken(sentence string) string {
	return strings.Replace(sentence, takenGuess, " The agent took the message.", 1)
}
