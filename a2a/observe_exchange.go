package a2a

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"parley/a2a/pieces"
	"parley/internal/crash"
	"parley/internal/units"
)

// Observed is an exchange of another client. Its methods are called one after the other. The
// records of an answer are put by a goroutine of the exchange, so that whoever passes bytes on does
// not wait for their meaning, unless it is far ahead.
type Observed struct {
	x  *exchange
	at time.Time // of what happens now, until the answer is read

	sent, earlier HeadBytes // the head of the request as it was written
	told          bool      // a record has it

	header  http.Header   // of the answer
	limited bool          // a limit left a part of it
	pieces  *pieces.Queue // of its body, nil until there is one
	done    chan struct{}
	end     ObservedEnd
}

// ID returns the number of the exchange.
func (o *Observed) ID() ExchangeID { return o.x.id }

// Record returns the number of the last body or event of the answer, 0 if there was none. It is
// known after End.
func (o *Observed) Record() RecordID { return o.x.tally.record }

// now is the time of the bytes that are being read.
func (o *Observed) now() time.Time {
	if o.pieces != nil {
		return o.pieces.At()
	}
	return o.at
}

// Sent notes the head of the request as it was written to the agent; one that was written before is
// then an earlier one.
func (o *Observed) Sent(head []byte) {
	if o.told {
		return
	}
	o.earlier += o.sent
	o.sent = o.x.mask.wire(head)
}

// An ObservedHead is the head of an answer.
type ObservedHead struct {
	Time   time.Time
	Status int
	Proto  string
	Header http.Header
	Wire   []byte // as the agent sent it, nil over HTTP/2
	Timing *Timing
}

// Respond records the head of the answer. Decoded, which may be nil, is called with the meaning of
// each part of it, before the part is recorded, on the goroutine that records.
func (o *Observed) Respond(h *ObservedHead, decoded func(Update)) {
	x := o.x
	o.at = h.Time
	header, gone := x.metadata(h.Header)
	x.tally.addHead(h.Status, header, h.Header.Get("ETag"), h.Time, max(h.Time.Sub(x.began), 0))
	head := &Head{Status: h.Status, Proto: h.Proto, Header: header, Timing: h.Timing, Wire: x.mask.wire(h.Wire), Sent: o.sent, Earlier: o.earlier}
	if len(h.Wire) == 0 {
		head.Rebuilt = rebuiltHTTP2
	}
	if x.out.path != "" && strings.HasPrefix(strings.ToLower(h.Header.Get("Content-Type")), "application/grpc") {
		head.Proto = "gRPC"
		if x.target.Scheme == schemeGRPCS {
			head.Proto = "gRPC, TLS"
		}
	}
	o.told = o.sent != ""
	x.put(Record{Kind: KindHead, Dir: In, Redactions: gone, Head: head}, Update{})
	x.hooks.Decoded = decoded
	o.header, o.pieces = h.Header, pieces.NewQueue(h.Time)
	resp := &http.Response{StatusCode: h.Status, Proto: h.Proto, Header: h.Header, ContentLength: -1}
	go o.read(resp)
}

// Write takes the next bytes of the body of the answer, which it copies.
func (o *Observed) Write(at time.Time, piece []byte) {
	if o.pieces != nil {
		o.pieces.Write(at, piece)
	}
}

// Settle returns when everything written so far is recorded.
func (o *Observed) Settle() {
	if o.pieces != nil {
		o.pieces.Settle()
	}
}

// An ObservedEnd is how an exchange of another client ended.
type ObservedEnd struct {
	Time    time.Time
	Trailer http.Header // nil if there was none
	// Break is set if the answer did not end regularly, and says why. A complete answer is judged
	// by what it holds.
	Break *End
	// Left is set if the client closed its side of the connection before the answer was complete. An
	// agent that notices may end its answer as if it were complete.
	Left bool
}

// End records the end, and returns when that is done.
func (o *Observed) End(e ObservedEnd) {
	o.end = e
	if o.pieces == nil {
		o.at = e.Time
		end := End{Reason: Cut, Class: ClassCut, Sentence: hostPort(o.x.target) + " gave no answer."}
		if e.Break != nil {
			end = *e.Break
		}
		o.finish(end, nil)
		close(o.done)
		return
	}
	err := io.EOF
	if e.Break != nil {
		err = &observedBreak{*e.Break}
	}
	o.pieces.Close(e.Time, err)
	<-o.done
}

// An observedBreak is the end of an answer that broke off.
type observedBreak struct{ end End }

func (b *observedBreak) Error() string { return b.end.Sentence }

// read records the answer.
func (o *Observed) read(resp *http.Response) {
	defer crash.Guard()
	defer close(o.done)
	defer o.pieces.Leave()
	x, ctx := o.x, context.Background()
	if x.out.path != "" {
		o.finish(x.complete(ctx, o.messages(ctx), nil), nil)
		return
	}
	resp.Body = io.NopCloser(o.pieces)
	x.decode(resp)
	if isRedirect(resp.StatusCode) {
		tail, _ := io.ReadAll(io.LimitReader(resp.Body, maxRedirectBody)) // the end says what broke
		location, _ := x.mask.url(resp.Header.Get("Location"))
		o.finish(o.closing(End{Reason: Ended, Class: ClassRedirect, Sentence: fmt.Sprintf("%s redirected the client to %s.", hostPort(x.target), location)}), tail)
		return
	}
	end, tail := x.read(ctx, resp)
	o.finish(x.complete(ctx, o.closing(end), tail), tail)
}

// closing reads what a limit left, and returns the end: that of the connection if it broke.
func (o *Observed) closing(end End) End {
	if err := o.pieces.Discard(); err != io.EOF {
		return err.(*observedBreak).end //nolint:errorlint,forcetypeassert // the queue has no other
	}
	return end
}

// leaving returns the end of an answer that the agent ended, if it did so because the client had left.
func (o *Observed) leaving(end End) End {
	torn := end.Reason == Cut && end.Class == ClassCut
	unfinished := end.Reason == Ended && o.x.tally.Streamed && o.x.tally.Unfinished()
	if !o.end.Left || !torn && !unfinished {
		return end
	}
	end.Reason, end.Class = Cut, ClassClient
	end.Sentence = fmt.Sprintf("The client closed the connection after %s, before the answer was complete; then %s ended it.", units.InBytes(o.x.bodyBytes), hostPort(o.x.target))
	return end
}

// finish records the end.
func (o *Observed) finish(end End, tail []byte) {
	end = o.leaving(end)
	if !o.told {
		end.Sent, end.Earlier = o.sent, o.earlier
	}
	if len(o.end.Trailer) > 0 && end.Trailer == nil {
		header, _ := o.x.metadata(o.end.Trailer)
		end.Trailer = &Head{Header: header}
	}
	o.x.finish(end, tail)
}

// coding is how compressed messages of gRPC in the answer are coded.
func (o *Observed) coding() string { return o.header.Get("Grpc-Encoding") }

// unread returns how many bytes came that no record has, because of a limit.
func (o *Observed) unread() int {
	if !o.limited {
		return 0
	}
	return max(int(o.pieces.Total()-o.x.bodyBytes), 0)
}

// unread returns how many bytes follow the beginning of a body that a limit left, once they have come;
// 0 for another error, and for an own exchange.
func (x *exchange) unread(recorded int, err error) int {
	if _, beyond := err.(*limitError); !beyond || x.seen == nil { //nolint:errorlint // nothing wraps it
		return 0
	}
	_ = x.seen.pieces.Discard() // the end says what broke
	omitted := max(int(x.seen.pieces.Total())-recorded, 1)
	return omitted
}

// limitEnd is the end of an answer of which a limit left the rest unrecorded.
func (o *Observed) limitEnd(e *limitError) End {
	o.limited = true
	reached := o.x.reached(e)
	of := map[Limit]string{LimitCard: "an agent card", LimitEvent: "an event", LimitStream: "a stream whose records count as", LimitItems: "a stream with"}[reached]
	if of == "" {
		of = "an answer"
	}
	joint := "of more than"
	if reached == LimitStream || reached == LimitItems {
		joint = "more than"
	}
	return End{Reason: Ended, Class: ClassLimit, Sentence: fmt.Sprintf(
		"%s sent %s %s %s: the client got all of it, and what is beyond is not recorded. --%s raises the limit.",
		hostPort(o.x.target), of, joint, e.most(), e.limit.Flag())}
}

// tappedVerdict judges an answer to another client where that differs from the judgement of an own
// one. It reports false if it does not.
func (t *tally) tappedVerdict(x *exchange, host string, end *End) bool {
	switch {
	case x.call.Op == "", t.status == http.StatusNotModified, x.out.method == http.MethodHead, x.out.method == http.MethodOptions:
		return true // it needs no answer of A2A
	case t.status != http.StatusUnauthorized && t.status != http.StatusForbidden && t.status != http.StatusProxyAuthRequired:
		return false
	}
	asks := t.statusText
	if t.challenge != "" {
		asks += ", WWW-Authenticate: " + t.challenge
	}
	if x.mask.credentialed(x.out.header, x.target) {
		end.Class, end.Sentence = ClassAuth, fmt.Sprintf("%s did not accept the credentials of the client (%s).", host, asks)
	} else {
		end.Class, end.Sentence = ClassNoCredentials, fmt.Sprintf("%s requires credentials (%s), and the client sent none.", host, asks)
	}
	return true
}

// credentialed reports whether a request has credentials.
func (m *masker) credentialed(h http.Header, u *url.URL) bool {
	for name := range h {
		if m.secretHeader(name) {
			return true
		}
	}
	for name := range u.Query() {
		if m.secretQuery(name) {
			return true
		}
	}
	return false
}
