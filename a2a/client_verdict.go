package a2a

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
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
	switch {
	case t.status == http.StatusUnauthorized || t.status == http.StatusForbidden:
		end.Class, end.Sentence = t.authSentence(host, &x.wire.creds, x.wire.gate.armed)
	case t.Events > 0 || named || t.empty && x.call.clears():
	case t.status < 200 || t.status > 299:
		end.Class, end.Sentence = ClassStatus, t.statusSentence(x, host)
	case t.page != "":
		end.Class = ClassBody
		end.Sentence = fmt.Sprintf("%s answered with %s"+insteadOfA2A+": this is not an A2A endpoint. Check the URL.", x.place(), t.page)
	case x.bodyBytes == 0 || t.decodeErr == nil && t.rpcErr == nil:
		end.Class, end.Sentence = ClassBody, t.emptySentence(host)
	}
	return end
}

// insteadOfA2A follows the page in the sentence about a web page.
const insteadOfA2A = " instead of A2A"

// emptySentence describes an answer without events.
func (t *tally) emptySentence(host string) string {
	if t.Streamed {
		return fmt.Sprintf("%s closed the stream without sending an event. Check the agent's log, then try again.", host)
	}
	return fmt.Sprintf("%s answered %s with an empty body. Check the agent's log, then try again.", host, t.statusText)
}

func (t *tally) authSentence(host string, c *credentials, armed bool) (class, sentence string) {
	asks := t.statusText
	if t.challenge != "" {
		asks += ", WWW-Authenticate: " + t.challenge
	}
	switch {
	case len(c.withheld) > 0:
		return ClassNoCredentials, fmt.Sprintf("%s requires credentials (%s), and %s.", host, asks, strings.Join(c.withheld, "; "))
	case armed:
		return ClassAuth, fmt.Sprintf("%s did not accept the credentials (%s): check that they are correct and have not expired.", host, asks)
	case t.status == http.StatusForbidden:
		return ClassNoCredentials, fmt.Sprintf("%s does not allow this (%s): give credentials with /signin in the workbench, or with --bearer or --api-key.", host, asks)
	default:
		return ClassNoCredentials, fmt.Sprintf("%s requires credentials (%s): give them with /signin in the workbench, or with --bearer or --api-key.", host, asks)
	}
}

// statusSentence describes a status that is neither success nor explained by an A2A error.
func (t *tally) statusSentence(x *exchange, host string) string {
	check := x.wire.urlAdvice(&x.out)
	if x.call.Op == OpCard || x.call.Op == OpCatalog {
		check = "check the address"
	}
	with := t.says()
	switch {
	case t.status == http.StatusProxyAuthRequired:
		return proxyAuthSentence(x.proxyHost(), host, t.challenge)
	case t.status == http.StatusBadRequest && plainToTLS(x):
		return fmt.Sprintf("%s speaks TLS on this port, but the request was not encrypted (%s%s): write https:// instead of http://.", host, t.statusText, with)
	case t.status == http.StatusNotFound:
		return fmt.Sprintf("Nothing exists at %s (%s%s): %s.", x.place(), t.statusText, with, check)
	case t.status == http.StatusMethodNotAllowed:
		return fmt.Sprintf("%s does not accept a %s (%s%s): it is probably not the agent's endpoint; %s.",
			x.place(), x.out.method, t.statusText, with, check)
	case t.status == http.StatusTooManyRequests || t.status == http.StatusServiceUnavailable && t.RetryAfter > 0:
		return fmt.Sprintf("%s is busy (%s%s): %s.", host, t.statusText, with, TryAgain(t.RetryAfter))
	case t.status >= 500:
		return fmt.Sprintf("%s failed (%s%s): check the agent's log, then try again.", host, t.statusText, with)
	case t.status >= 400 && with != "":
		return fmt.Sprintf("%s refused the request (%s%s): correct the request and send it again.", host, t.statusText, with)
	case t.status >= 400:
		return fmt.Sprintf("%s refused the request (%s): check the agent's log for the reason.", host, t.statusText)
	default:
		return fmt.Sprintf("%s answered %s%s, which is not an A2A answer: check the URL.", host, t.statusText, with)
	}
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

// next advises what to do after an answer broke off.
func (t *tally) next(call *Call) string {
	switch {
	case call.Tapped != nil:
		return "The client got what came before."
	case call.Binding == BindingMQTT && (t.TaskID != "" || call.TaskID != ""):
		return "Subscribe to the task to receive the rest."
	case t.TaskID != "" || call.TaskID != "" && call.Op != OpSend && call.Op != OpStream:
		return "Get the task to see how it went."
	case call.Op == OpSend || call.Op == OpStream:
		return "The agent may be working on the message."
	default:
		return "Try again."
	}
}

// addPage notes whether a body is a web page.
func (t *tally) addPage(body []byte) {
	body = bytes.TrimSpace(body)
	if isHTML(body) || strings.HasPrefix(strings.ToLower(t.contentType), "text/html") {
		t.page = "a web page" + titleClause(body)
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
