package a2a

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"parley/a2a/hostname"
	"parley/a2a/httphead"
	"parley/a2a/pause"
	"parley/internal/units"
)

// connect opens a line for every carrier.
func (w *wire) connect(o *Options) {
	w.lines, w.formats = map[Binding]Line{}, map[Binding]Format{}
	for binding, carrier := range o.Carriers {
		w.formats[binding] = carrier.Format()
		w.lines[binding] = carrier.Connect(LineOptions{
			Dial: w.dialer.connect, ConnectTimeout: w.dialer.timeout, UserAgent: w.userAgent, Now: o.Trace.Now, MaxHead: maxHead,
			MaxMessage: min(max(w.limits.Of(LimitEvent), w.limits.Of(LimitAnswer)), math.MaxInt32),
		})
	}
}

// carrierOf returns the binding of which a carrier has addresses like this one, empty for those
// of net/http.
func carrierOf(rawURL string) Binding {
	switch {
	case IsGRPC(rawURL):
		return BindingGRPC
	case IsMesh(rawURL):
		return BindingMQTT
	default:
		return ""
	}
}

// carriedBy completes a binding that needs a carrier. The problem says that there is none.
func carriedBy(b binding, w *wire) (binding, string) {
	switch by := b.(type) {
	case grpcBinding:
		if w.lines[BindingGRPC] == nil {
			return nil, "The agent speaks gRPC, which this program cannot send."
		}
		by.format = w.formats[BindingGRPC]
		return by, ""
	case meshBinding:
		line, ok := w.lines[BindingMQTT].(gatewayLine)
		if !ok {
			return nil, "The agent is on a broker, which this program cannot reach."
		}
		by.gateway, by.user = line.Gateway()
		return by, ""
	default:
		return b, ""
	}
}

// carry performs one request over a carrier, as hop does over HTTP.
func (x *exchange) carry(ctx context.Context, by pointer) (*outgoingRequest, End) {
	c, problem := x.prepareCarriage(ctx)
	if problem != nil {
		return nil, x.finish(*problem, nil)
	}
	if end, refused := x.wire.gate.refusal(x.target, by, nil); refused {
		return nil, x.finish(end, nil)
	}
	flow, err := x.wire.lines[carrierOf(x.out.url)].Open(ctx, c)
	if err != nil {
		x.cause = err
		return nil, x.finish(x.flowFailure(ctx, err), nil)
	}
	defer flow.Close()
	defer x.hooks.Control.end()
	x.hooks.Control.begin(x, flow)
	head, err := flow.Head()
	if head != nil {
		x.flowHead(head)
	}
	if err == nil {
		err = x.messages(ctx, flow)
	}
	end := x.complete(ctx, x.flowEnd(ctx, flow.End(), err), nil)
	if again, renewed := x.renewCarried(ctx, &end); renewed {
		return again, x.finish(end, nil)
	}
	return nil, x.finish(end, nil)
}

// prepareCarriage builds what is sent and puts its record before anything is sent. If it cannot
// be sent, problem is the end of the exchange.
func (x *exchange) prepareCarriage(ctx context.Context) (c Carriage, problem *End) {
	header := x.out.header.Clone()
	u, err := url.Parse(x.out.url)
	if err != nil || u.Host == "" {
		shown, _ := x.mask.url(x.out.url)
		x.request(header, shown, nil)
		return c, &End{Reason: Refused, Class: ClassUnsupported, Sentence: fmt.Sprintf(
			"%q is not an address of an agent: correct it in the card, or give another one.", shown)}
	}
	mesh := carrierOf(x.out.url) == BindingMQTT
	if mesh {
		x.setParent(header, "traceparent") // properties keep their spelling
	} else {
		x.setParent(header, "Traceparent")
	}
	u, found := hostname.Mapped(u)
	x.target = u
	bare := *u
	if !found {
		problem = &End{Reason: Refused, Class: ClassUnsupported, Sentence: noHost(u)}
	} else {
		problem = x.authorize(ctx, header, &bare)
	}
	for name, values := range bare.Query() { // there is no query: a key goes into the metadata
		header[http.CanonicalHeaderKey(name)] = values
	}
	for _, name := range transportHeaders {
		header.Del(name)
	}
	if mesh {
		x.wire.creds.propertyNames(header)
	}
	seen := header.Clone()
	if x.wire.userAgent != "" && !mesh {
		seen.Set("User-Agent", x.wire.userAgent)
	}
	shown, gone := x.mask.url(u.String())
	x.request(seen, shown, gone)
	if name, bad := badHeader(header); bad && problem == nil {
		problem = &End{Reason: Refused, Class: ClassUnsupported, Sentence: fmt.Sprintf(
			"The metadata %q cannot be sent: its name or value contains characters that are not allowed there, such as a line break.", name)}
	}
	c = Carriage{URL: u.Scheme + "://" + hostname.Of(u), Path: x.out.path, Header: header, Bytes: x.out.body}
	if mesh {
		c.URL = x.out.url
	}
	if x.out.binary != nil {
		c.Bytes = x.out.binary.Bytes
	}
	return c, problem
}

// format returns the format of the messages of the exchange, nil if they are JSON, and the kind of
// those that answer.
func (x *exchange) format() (f Format, answers string) {
	if !x.formatted {
		x.formatted, x.messageFormat = true, x.wire.formats[carrierOf(x.out.url)]
		if x.messageFormat != nil {
			x.messageKind = x.messageFormat.Answers(x.out.path)
		}
	}
	return x.messageFormat, x.messageKind
}

// metadata returns metadata without secrets. A value in base64, whose name ends with -bin, is masked
// as a whole if its bytes hold one.
func (x *exchange) metadata(h http.Header) (http.Header, []Redaction) {
	clean, gone := x.mask.header(h)
	for name, values := range clean {
		if !strings.HasSuffix(name, "-Bin") {
			continue
		}
		for i, value := range h[name] {
			content, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(value, "="))
			if _, found := x.mask.body(x.call.Op, content); err == nil && len(found) > 0 {
				values[i] = Mask
				gone = append(gone, x.mask.redaction("header "+name, value))
			}
		}
	}
	return clean, gone
}

func (x *exchange) flowHead(h *FlowHead) {
	header, gone := x.metadata(h.Header)
	x.tally.addHead(h.Status, header, "", x.wire.trace.Now(), x.took())
	timing := h.Timing
	x.put(Record{Kind: KindHead, Dir: In, Redactions: gone, Head: &Head{Status: h.Status, Proto: h.Proto, Header: header, Timing: &timing, Rebuilt: x.decodedHead()}}, Update{})
}

// decodedHead says why there are no bytes of a head.
func (x *exchange) decodedHead() string {
	if x.call.Binding == BindingMQTT {
		return "MQTT, decoded"
	}
	return "HTTP/2, decoded"
}

// messages reads the messages of a flow. The error is io.EOF after a regular end.
func (x *exchange) messages(ctx context.Context, flow Flow) error {
	streaming := x.call.Op == OpStream || x.call.Op == OpSubscribe || x.call.Binding == BindingMQTT
	x.tally.Streamed = streaming
	control, limit := x.hooks.Control, x.wire.limits.at(LimitAnswer)
	if streaming {
		limit = x.wire.limits.at(LimitEvent)
	}
	for {
		if err := control.pass(ctx); err != nil {
			return err
		}
		f, err := flow.Next()
		if refused := control.pass(ctx); refused != nil {
			return refused
		}
		switch {
		case errors.Is(err, ErrTooLong):
			return limit
		case err != nil:
			return err
		}
		if f.Notice != "" {
			x.wire.trace.Put(Record{Kind: KindNote, Time: x.wire.trace.Now(), Note: &Note{Type: "connection", Attrs: map[string]string{
				"agent": strconv.Itoa(int(x.call.Agent)), "sentence": x.mask.text(f.Notice)}}}, Update{})
			continue
		}
		x.bodyBytes += int64(f.Size)
		if x.hooks.Bytes != nil {
			x.hooks.Bytes(f.Size)
		}
		if int64(len(f.Bytes)) > limit.bytes {
			return limit
		}
		if stop := x.message(&f, streaming); stop != nil {
			return stop
		}
		if stop := control.afterEvent(ctx); stop != nil {
			return stop
		}
	}
}

// message puts one message of a flow. It fails when the limit of the stream is reached.
func (x *exchange) message(f *Frame, event bool) error {
	r := Record{Kind: KindBody, Dir: In, Raw: f.Bytes}
	if event {
		r.Kind = KindEvent
		r.PauseTime = x.hooks.Control.event()
	}
	if f.Path != "" || len(f.Header) > 0 {
		shown, gone := x.mask.header(f.Header)
		r.Head, r.Redactions = &Head{URL: f.Path, Header: shown, Order: f.Order}, gone
	}
	if format, kind := x.format(); format != nil {
		r.Binary = &Binary{Kind: kind, Bytes: f.Bytes}
	}
	return x.putMessage(r, event)
}

// putMessage renders, masks, decodes and puts a message.
func (x *exchange) putMessage(r Record, event bool) error {
	var fault *Fault
	if r.Binary != nil {
		format, _ := x.format()
		r.Raw, fault = format.Render(r.Binary)
	}
	raw, data, gone := r.Raw, r.Raw, []Redaction(nil)
	if event {
		raw, data, gone = x.mask.frame(x.call.Op, raw, data, &x.echo)
	} else {
		raw, gone = x.mask.body(x.call.Op, raw)
		data = raw
	}
	r.Raw, r.Data = raw, nil
	if len(gone) > 0 {
		r.Redactions = append(r.Redactions, gone...)
		x.hideBinary(&r)
	}
	if x.call.Op == OpCard && !event {
		x.tally.body = raw
	}
	in := x.input(data)
	in.Stream, in.Fault = event, fault
	if r.Binary != nil {
		in.Kind = r.Binary.Kind
	}
	u := x.decoder.Decode(x.call, in)
	x.deliver(r, u)
	return x.countRecord(len(raw), &u)
}

// hideBinary replaces the bytes of a message by those of its masked rendering. If they cannot be
// made, the rendering alone is recorded.
func (x *exchange) hideBinary(r *Record) {
	if r.Binary == nil {
		return
	}
	format, _ := x.format()
	rebuilt, err := format.Rebuild(r.Binary.Kind, r.Raw)
	if err != nil {
		rebuilt = &Binary{Kind: r.Binary.Kind}
	}
	rebuilt.Rebuilt = true
	r.Binary = rebuilt
}

// flowEnd judges the end of a flow that failed with an error, or with io.EOF.
func (x *exchange) flowEnd(ctx context.Context, e FlowEnd, err error) End {
	var end End
	switch {
	case err != io.EOF && x.tally.status == 0: // nothing came
		x.cause = err
		end = x.flowFailure(ctx, err)
	case err != io.EOF:
		end = x.flowBreak(ctx, err)
	case e.Failure != nil && x.tally.over():
		// As an error it would be one of the task, which is over. The trailer has it.
		end = End{Reason: Ended, Break: "the stream ended with the status " + e.Word}
	case e.Failure != nil && e.Unavailable && x.tally.Events > 0:
		// The trailer has its status; as an error it would be one of the task.
		end = End{Reason: Cut, Class: ClassCut, Sentence: fmt.Sprintf("%s is shutting down (%s): it ended the stream after %s.",
			hostPort(x.target), e.Word, units.InBytes(x.bodyBytes)), Detail: e.Word}
		x.cause = errors.New(e.Word)
	default:
		if e.Failure != nil {
			x.failure(e)
		}
		x.tally.empty = x.tally.empty || e.Empty
		end = x.tally.verdict(x)
	}
	if len(e.Trailer) > 0 {
		header, _ := x.metadata(e.Trailer)
		end.Trailer = &Head{Header: header, Rebuilt: x.decodedHead()}
	}
	return end
}

// failure puts the description of an error, which decides the status of the exchange.
func (x *exchange) failure(e FlowEnd) {
	x.tally.status, x.tally.statusText, x.tally.Hop.Took = e.Status, e.Word, x.took()
	_ = x.putMessage(Record{Kind: KindBody, Dir: In, Binary: e.Failure}, false)
	if x.tally.RetryAfter == 0 && x.tally.rpcErr != nil {
		x.tally.RetryAfter = pause.In(x.tally.rpcErr.Data)
	}
}

// flowFailure says why a request got no answer.
func (x *exchange) flowFailure(ctx context.Context, err error) End {
	var known *FlowError
	if end, over := contextEnd(ctx, err, x.target); over {
		return end
	}
	if errors.Is(err, errCut) {
		return x.broken(ctx, err)
	}
	if errors.As(err, &known) {
		end := End{Reason: Refused, Class: known.Class, Sentence: known.Sentence}
		if known.Cause != nil {
			end.Detail = known.Cause.Error()
		}
		switch {
		case known.Unsent, slices.Contains([]string{ClassTLS, ClassUnsupported, ClassRefused, ClassDNS}, known.Class):
		default: // the agent may have read the request
			end.Reason = Cut
		}
		return end
	}
	end := sendFailure(ctx, err, x.target, httphead.Message{}, x.wire.declared())
	switch {
	case IsGRPC(x.out.url):
		end.Sentence = strings.Replace(end.Sentence, "write http:// instead of https://", "write grpc:// instead of grpcs://", 1)
	case IsMesh(x.out.url) && end.Class == ClassRefused:
		end.refuse(ClassRefused, noBroker(x.target.Host))
	}
	return end
}

// flowBreak says why an answer broke off.
func (x *exchange) flowBreak(ctx context.Context, err error) End {
	var known *FlowError
	if !errors.As(err, &known) || ctx.Err() != nil {
		return x.broken(ctx, err)
	}
	x.cause = err
	end := End{Reason: Cut, Class: known.Class, Sentence: known.Sentence}
	if known.Class == ClassTimeout {
		end.Reason = TimedOut
	}
	if known.Cause != nil {
		end.Detail = known.Cause.Error()
	}
	return end
}
