package a2a

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"parley/a2a/coding"
	"parley/a2a/hostname"
	"parley/a2a/httphead"
	"parley/internal/units"
)

// maxRedirects is how many redirects one request follows.
const maxRedirects = 10

// An exchange is one HTTP request and all that answers it. It reports to the trace and sums up
// what the answer meant.
type exchange struct {
	wire       *wire
	mask       *masker
	call       *Call
	hooks      Hooks
	next       next     // returns what must follow an answer; may be nil
	target     *url.URL // where the request went
	secret     bool     // the message that is sent is a secret
	file       bool     // the request downloads a file
	heard      bool     // an answer was of A2A, or cannot be
	echo       echo     // follows secrets through the texts of the stream
	out        outgoingRequest
	id         ExchangeID
	began      time.Time // when the request was recorded
	bodyBytes  int64     // bytes of the body so far
	recordCost int64     // bytes of the stream that are recorded
	cause      error     // set for an end that was not regular
	tally      tally
	heads      headWatch
	resp       *http.Response // nil until its head has come

	formatted     bool // the next two are known
	messageFormat Format
	messageKind   string

	decoder  Decoder      // of the events of a stream
	coded    *coding.Body // nil if the answer is in no content coding
	hidden   bool         // something of the answer was masked
	document bool         // the body without stream is one whole document, although the connection broke
	last     []byte       // the end of a body without stream, or what followed the last event

	token   string // bearer token from Options.BearerFrom for this request
	renewed bool   // another token was requested
	asked   bool   // credentials that were kept back are sent, because the server asked for them

	route func(url string) *wire // for what follows; nil is the same one

	seen *Observed // if the exchange is another client's, nil otherwise
}

// next returns the request that has to follow an answer, nil if the operation is
// done, and a sentence that says why.
type next func(sent outgoingRequest, o *Answer) (follow *outgoingRequest, why string)

func (w *wire) exchange(call Call, hooks Hooks) *exchange {
	x := &exchange{wire: w, mask: w.mask, call: &call, hooks: hooks}
	x.echo = w.mask.vault.resume(x.streamKey())
	return x
}

// streamKey names the stream for which secrets are followed through its chunks: that of a task.
func (x *exchange) streamKey() streamKey {
	if x.call.Op != OpStream && x.call.Op != OpSubscribe {
		return streamKey{}
	}
	return streamKey{x.call.Agent, cmp.Or(x.tally.TaskID, x.call.TaskID)}
}

// put gives a record of this exchange to the trace.
func (x *exchange) put(r Record, u Update) RecordID {
	r.Exchange, r.Call, r.Time = x.id, x.call, x.wire.trace.Now()
	return x.wire.trace.Put(r, u)
}

// perform sends a request, follows the redirects that may be followed, and makes the requests
// that the binding requires after an answer. Each hop is an exchange of its own; the outcome is
// that of the last one. The pointer says who named the first URL.
func (x *exchange) perform(ctx context.Context, out outgoingRequest, by pointer) Answer {
	for hop := 0; ; hop++ {
		next, end := x.hop(ctx, out, by, hop < maxRedirects)
		if next == nil {
			return x.tally.answer(x, end)
		}
		call, w := x.after(next, &end), x.wire
		if next.dialect != Unknown {
			call.Dialect = next.dialect
		}
		if x.route != nil {
			w = x.route(next.url)
		}
		w = w.toward(next)
		x = &exchange{wire: w, mask: x.mask, call: &call, hooks: x.hooks, next: x.next, secret: x.secret, file: x.file, route: x.route, renewed: x.renewed, asked: x.asked, tally: x.tally.followUp()}
		if Origin(next.url) != Origin(out.url) {
			by = byRedirect
		}
		out = *next
	}
}

// after returns the call of the request that follows an exchange, and notes why.
func (x *exchange) after(next *outgoingRequest, end *End) Call {
	call := *x.call
	call.Endpoint, _ = x.mask.url(next.url)
	switch {
	case isRedirect(x.tally.status):
		call.Why, call.Because = WhyRedirected, "from "+x.place()+" to "+call.Endpoint
	case x.tally.status == http.StatusUnauthorized || x.tally.status == http.StatusForbidden:
		call.Why, call.Because = WhyCredentials, end.Sentence
	default:
		call.Why, call.Because = WhyOtherDialect, end.Sentence
	}
	call.Attempt = max(call.Attempt, 1) + 1
	x.tally.Before = append(x.tally.Before, Step{*x.call, x.id, *end, x.tally.status, x.wire.trace.Now()})
	return call
}

// hop performs one request. If the answer is a redirect that is followed, or one
// after which the binding has more to ask, it returns the request to make next.
func (x *exchange) hop(ctx context.Context, out outgoingRequest, by pointer, follow bool) (*outgoingRequest, End) {
	x.out = out
	if out.path != "" {
		return x.carry(ctx, by)
	}
	req, problem := x.prepare(ctx)
	if problem != nil {
		return nil, x.finish(*problem, nil)
	}
	if end, refused := x.wire.gate.refusal(x.named(), by, out.from); refused {
		return nil, x.finish(end, nil)
	}
	watch := newStopwatch(x.wire.trace.Now)
	resp, err := httphead.RoundTrip(x.wire.transport, req.WithContext(x.heads.withTrace(watch.withTrace(x.wire.dialer.route(req)), req.Method)))
	if err != nil {
		x.cause = err
		x.refusedHead(watch.timing())
		return nil, x.finish(sendFailure(ctx, err, req.URL, x.heads.received(), x.wire.declared()), nil)
	}
	x.resp = resp
	defer func() { resp.Body.Close() }() // the outermost
	resp.Body = x.hooks.count(x.withControl(ctx, resp.Body))
	x.decode(resp)
	x.head(resp, watch.timing())
	switch {
	case resp.StatusCode == http.StatusSwitchingProtocols:
		// What follows is not a body, and reading it could not be cancelled.
		return nil, x.finish(x.tally.verdict(x), nil)
	case isRedirect(resp.StatusCode):
		return x.redirect(ctx, resp, follow)
	}
	if again, end, ok := x.renew(ctx, resp); ok {
		return again, end
	}
	if resp.StatusCode == http.StatusNotModified && x.conditional() {
		return nil, x.finish(End{Reason: Ended, Sentence: "Nothing has changed since the answer that the request names."}, nil)
	}
	end, tail := x.read(ctx, resp)
	end = x.complete(ctx, end, tail)
	if end.Reason == Ended && x.next != nil && follow {
		o := x.tally.answer(x, end)
		if out, why := x.next(x.out, &o); out != nil {
			return out, x.finish(End{Reason: Ended, Class: ClassFollowed, Sentence: why}, tail)
		}
	}
	return nil, x.finish(end, tail)
}

// named returns the URL of the request as it was named: the one that is sent may have an API key.
func (x *exchange) named() *url.URL {
	if u, err := url.Parse(x.out.url); err == nil {
		return u
	}
	return x.target
}

// decode makes the body of an answer be read through its content codings.
func (x *exchange) decode(resp *http.Response) {
	names := coding.Names(resp.Header)
	if len(names) == 0 {
		return
	}
	x.coded = coding.NewBody(resp.Body, names, x.wire.codings)
	resp.Body = struct {
		io.Reader
		io.Closer
	}{x.coded, resp.Body}
	resp.ContentLength = -1 // it counts what was sent
}

// prepare builds the request and puts its record before anything is sent. If HTTP cannot carry
// the request, problem is its end.
func (x *exchange) prepare(ctx context.Context) (req *http.Request, problem *End) {
	header := x.out.header.Clone()
	if x.wire.userAgent != "" {
		header.Set("User-Agent", x.wire.userAgent)
	}
	x.setParent(header, "Traceparent")
	req, err := http.NewRequestWithContext(ctx, x.out.method, x.out.url, bytes.NewReader(x.out.body))
	if err != nil || req.URL.Host == "" || !isHTTP(req.URL) {
		shown, _ := x.mask.url(x.out.url)
		x.request(header, shown, nil)
		return nil, &End{Reason: Refused, Class: ClassUnsupported, Sentence: fmt.Sprintf(
			"%q is not an http or https URL: correct it in the card, or give another address.", shown)}
	}
	switch mapped, found := hostname.Mapped(req.URL); {
	case !found:
		problem = &End{Reason: Refused, Class: ClassUnsupported, Sentence: noHost(req.URL)}
	case mapped != req.URL:
		req.URL, req.Host = mapped, mapped.Host
	}
	if len(x.out.body) == 0 {
		req.Body, req.GetBody = http.NoBody, nil
	}
	x.target = req.URL
	if !x.call.Raw && header["Accept-Encoding"] == nil {
		header.Set("Accept-Encoding", "identity")
	}
	if problem == nil {
		problem = x.authorize(ctx, header, req.URL)
	}
	if host := header.Get("Host"); host != "" {
		req.Host = host
	}
	for _, name := range transportHeaders {
		header.Del(name)
	}
	if req.Header = header; header["User-Agent"] == nil {
		req.Header = header.Clone()
		req.Header["User-Agent"] = nil // net/http would write its own
	}
	shown, gone := x.mask.url(req.URL.String())
	seen := header.Clone()
	seen.Set("Host", req.Host)
	if len(x.out.body) > 0 {
		seen.Set("Content-Length", strconv.Itoa(len(x.out.body)))
	}
	x.request(seen, shown, gone)
	if name, bad := badHeader(header); bad {
		return nil, &End{Reason: Refused, Class: ClassUnsupported, Sentence: fmt.Sprintf(
			"The header %q cannot be sent: its name or value contains characters that HTTP does not allow, such as a line break.", name)}
	}
	return req, problem
}

// setParent adds the context of the trace that the request belongs to, unless it has one.
func (x *exchange) setParent(header http.Header, name string) {
	if x.wire.parent == nil || x.call.Raw || x.call.Op == OpArtifact || len(header[name]) > 0 {
		return
	}
	if parent := x.wire.parent(x.call); parent != "" {
		header[name] = []string{parent}
	}
}

func (x *exchange) request(header http.Header, shown string, gone []Redaction) {
	head := &Head{Method: x.out.method, URL: shown}
	var more []Redaction
	head.Header, more = x.mask.header(header)
	gone = append(gone, more...)
	raw, more := x.mask.request(x.call.Op, x.out.body, x.secret)
	r := Record{Kind: KindRequest, Dir: Out, Raw: raw, Head: head, Binary: x.out.binary, Redactions: append(gone, more...)}
	if len(more) > 0 {
		x.hideBinary(&r)
	}
	x.began = x.wire.trace.Now()
	x.id = x.put(r, Update{})
}

// took returns how long it is since the request was sent.
func (x *exchange) took() time.Duration { return max(x.wire.trace.Now().Sub(x.began), 0) }

func (x *exchange) head(resp *http.Response, t *Timing) {
	header, gone := x.mask.header(resp.Header)
	x.tally.addHead(resp.StatusCode, header, resp.Header.Get("ETag"), x.wire.trace.Now(), x.took())
	head := &Head{Status: resp.StatusCode, Proto: resp.Proto, Header: header, Timing: t}
	x.heads.describe(head, x.mask, resp)
	x.put(Record{Kind: KindHead, Dir: In, Redactions: gone, Head: head}, Update{})
}

// finish puts the end of the exchange. The tail is what the body held after its
// last event.
func (x *exchange) finish(end End, tail []byte) End {
	raw, gone := x.mask.rest(x.call.Op, tail, &x.echo)
	if len(tail) > 0 {
		x.last = continued(tail)
	}
	x.mask.vault.interrupt(x.streamKey(), &x.echo)
	end.Sentence, end.Detail, end.Break = x.mask.text(x.afterRedirect(&end)), x.mask.text(end.Detail), x.mask.text(end.Break)
	end.cause = x.mask.text(end.cause)
	if x.seen == nil {
		x.heads.close(&end, x.mask, x.resp)
	}
	dir := In
	if end.Reason != Ended && end.Reason != Cut {
		dir = Local
	}
	torn := end.Reason != Ended && len(raw) > 0
	recorded := end
	recorded.cause, recorded.page = "", false // as a replay has it
	r := Record{Kind: KindEnd, Dir: dir, Raw: raw, Torn: torn, End: &recorded, Redactions: gone}
	if x.seen != nil {
		r.Omitted = x.seen.unread()
	}
	if x.coded != nil { // there was no body to carry it
		r.Coding = recordCoding(x.coded, x.hidden || len(gone) > 0)
	}
	x.put(r, Update{})
	x.heads.current().Surplus(x.surplus)
	return end
}

// surplus puts what came after a complete answer. It is called after the end of the exchange, perhaps
// much later and on another goroutine.
func (x *exchange) surplus(b []byte, omitted int) {
	raw, gone := x.mask.surplus(x.call.Op, x.last, b)
	x.put(Record{Kind: KindSurplus, Dir: In, Raw: raw, Omitted: omitted, Redactions: gone}, Update{})
}

// input describes a payload of the answer to the decoder.
func (x *exchange) input(payload []byte) Input {
	limit := x.call.Op.bodyLimit()
	if x.tally.Streamed {
		limit = LimitEvent
	}
	return Input{Body: payload, Values: x.wire.limits.values(limit), Status: x.tally.status, ContentType: x.tally.contentType, RPCID: x.out.rpcID}
}

// whole reads a body without stream, puts it as one record and returns its end. The bytes
// before r were already read.
func (x *exchange) whole(ctx context.Context, before []byte, r io.Reader) End {
	raw, err := readAtMost(before, r, x.wire.limits.at(x.call.Op.bodyLimit()))
	x.document = err != nil && json.Valid(raw)
	x.body(raw, err != nil && !x.document, x.unread(len(raw), err))
	if err != nil {
		return x.broken(ctx, err)
	}
	return x.tally.verdict(x)
}

// body puts a body without stream. Omitted is how many bytes came after raw that are not recorded.
func (x *exchange) body(raw []byte, torn bool, omitted int) {
	x.bodyBytes = int64(len(raw) + omitted)
	x.last = continued(raw)
	raw, gone := x.mask.body(x.call.Op, raw)
	x.tally.addPage(raw)
	if x.call.Op == OpCard || x.call.Op == OpCatalog {
		x.tally.body = raw
	}
	in := x.input(raw)
	in.Torn, in.Omitted = torn && omitted == 0, omitted
	r := Record{Kind: KindBody, Dir: In, Raw: raw, Torn: in.Torn, Omitted: omitted, Redactions: gone}
	if x.coded != nil {
		r.Coding, x.coded = recordCoding(x.coded, len(gone) > 0), nil
	}
	x.deliver(r, Decode(x.call, in))
}

// broken returns the end of a body that could not be read completely.
func (x *exchange) broken(ctx context.Context, err error) End {
	x.cause = err
	var fault *coding.Error
	var limit *limitError
	var seen *observedBreak
	switch {
	case errors.As(err, &seen):
		return seen.end
	case errors.As(err, &limit):
		return x.limitEnd(limit)
	case errors.As(err, &fault):
		return End{Reason: Cut, Class: ClassBody, Sentence: codingSentence(fault, hostPort(x.target)), Detail: innermost(err)}
	case errors.Is(err, errCut):
		return End{Reason: Cut, Class: ClassSevered, Sentence: fmt.Sprintf(
			"You cut this stream after %s.", units.InBytes(x.bodyBytes))}
	}
	return bodyFailure(ctx, err, x.target, x.bodyBytes, x.heads.received().Fault)
}
