package a2a

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"parley/a2a/coding"
)

// ObserverOptions say what an observer records, and of which agent.
type ObserverOptions struct {
	// Target is the address of the agent.
	Target *url.URL
	// Secrets are masked wherever they appear. Observers that share a set hash equal secrets to
	// equal values; nil gives the observer a set of its own.
	Secrets *Secrets
	// SecretMembers and Public are as in [Options].
	SecretMembers []string
	Public        PublicNames
	Codings       coding.Codings
	// Limits are how many bytes are recorded. What is beyond is counted.
	Limits Limits
	// Format renders the messages of gRPC; nil records their bytes alone.
	Format Format
	Trace  Trace // required
}

// An Observer records what passes between other clients and one agent as a [Client] records its own
// exchanges: it masks the same, divides and decodes answers the same, and judges their ends. It
// sends nothing. It is safe for use by several goroutines.
type Observer struct {
	wire wire

	mu   sync.Mutex // of writers of mask
	mask atomic.Pointer[masker]
}

// NewObserver returns an observer.
func NewObserver(o ObserverOptions) *Observer {
	if o.Secrets == nil {
		o.Secrets = &Secrets{}
	}
	o.Secrets.name(o.SecretMembers)
	m := newMasker(o.Public)
	m.vault, m.facts = o.Secrets, true
	m.typed(o.Target.String())
	w := &Observer{wire: wire{trace: o.Trace, codings: o.Codings, limits: o.Limits, formats: map[Binding]Format{}}}
	if o.Format != nil {
		w.wire.formats[BindingGRPC] = o.Format
	}
	w.mask.Store(m)
	return w
}

// Learn makes the places secret in which a card says that an API key stands.
func (o *Observer) Learn(card *Card) {
	o.mu.Lock()
	defer o.mu.Unlock()
	m := *o.mask.Load()
	m.headers, m.query = maps.Clone(m.headers), maps.Clone(m.query)
	for i := range card.SecuritySchemes {
		switch s := &card.SecuritySchemes[i]; {
		case s.Type != "apiKey" || s.Name == "":
		case strings.EqualFold(s.In, "query"):
			m.query[strings.ToLower(s.Name)] = true
		case strings.EqualFold(s.In, "header"):
			m.headers[http.CanonicalHeaderKey(s.Name)] = true
		}
	}
	o.mask.Store(&m)
}

// Secrets returns what is masked.
func (o *Observer) Secrets() *Secrets { return o.mask.Load().vault }

// Know makes a text secret that clients send.
func (o *Observer) Know(secret string) { o.mask.Load().know(secret) }

// MaskText returns a text without the secrets that are known.
func (o *Observer) MaskText(text string) string { return o.mask.Load().text(text) }

// MaskHead returns the bytes of heads without the secrets in them.
func (o *Observer) MaskHead(heads []byte) HeadBytes { return o.mask.Load().wire(heads) }

// MaskHeader returns a header without the secrets in it.
func (o *Observer) MaskHeader(h http.Header) (http.Header, []Redaction) {
	return o.mask.Load().header(h)
}

// MaskURL returns a URL without its secrets.
func (o *Observer) MaskURL(text string) string {
	masked, _ := o.mask.Load().url(text)
	return masked
}

// An ObservedRequest is a request of another client.
type ObservedRequest struct {
	Call *Call // its Tapped must be set
	Time time.Time
	// Method, Path and URL are those of HTTP. The URL is that of the agent; over gRPC it has the
	// scheme of gRPC, and Path is the method.
	Method, URL, Path string
	Proto             string
	Header            http.Header
	Wire              []byte // the head as the client sent it, nil over HTTP/2
	Body              []byte // as the client sent it; over gRPC with its framing
	Omitted           int    // bytes after Body
	Torn              bool   // the client left inside the body
	RPCID             string // the JSON text of the id of JSON-RPC
	PushURL           string // of the webhook that it registers, empty for none
	// IDs are ids that the request names. They stay readable even where a header that looks like
	// a credential has one of them too.
	IDs []string
}

// Begin records a request.
func (o *Observer) Begin(r *ObservedRequest) *Observed {
	w, mask := o.wire, o.mask.Load()
	seen := &Observed{at: r.Time, done: make(chan struct{})}
	w.mask, w.trace.Now = mask, seen.now
	call := *r.Call
	seen.x = &exchange{wire: &w, mask: mask, call: &call, seen: seen}
	x := seen.x
	x.target, _ = url.Parse(r.URL)
	if x.target == nil {
		x.target = &url.URL{}
	}
	x.out = outgoingRequest{method: r.Method, url: r.URL, header: r.Header, rpcID: r.RPCID, path: r.Path}
	learn(mask, r)
	body, coded, err := o.requestBody(x, r)
	mask.vault.remember(pushTokens(mask, call.Op, body, r.IDs))
	x.echo = mask.vault.resume(x.streamKey())
	shown, gone := mask.url(r.URL)
	call.Endpoint, _ = mask.url(call.Endpoint)
	head := &Head{Method: r.Method, URL: shown, Proto: r.Proto, Wire: mask.wire(r.Wire)}
	if len(r.Wire) == 0 {
		head.Rebuilt = rebuiltHTTP2
	}
	var more []Redaction
	head.Header, more = x.metadata(r.Header)
	gone = append(gone, more...)
	raw, more := mask.request(call.Op, body, false)
	rec := Record{Kind: KindRequest, Dir: Out, Raw: raw, Head: head, Torn: r.Torn || err != nil, Omitted: r.Omitted, Binary: x.out.binary, Redactions: append(gone, more...)}
	if len(more) > 0 {
		x.hideBinary(&rec)
	}
	if coded != nil {
		rec.Coding = recordCoding(coded, len(more) > 0)
		if err != nil {
			rec.Coding.Problem = codingProblem(err)
		}
	}
	x.id = x.put(rec, Update{})
	return seen
}

// requestBody returns the body of a request as it is shown: decoded, and over gRPC rendered.
func (o *Observer) requestBody(x *exchange, r *ObservedRequest) (body []byte, coded *coding.Body, err error) {
	if r.Path == "" {
		return decodeBody(r.Header, r.Body, x.wire.codings, x.wire.limits.Of(LimitAnswer))
	}
	var text []byte
	if x.out.binary, text = o.RenderRequest(r.Path, r.Header, r.Body); x.out.binary == nil {
		return r.Body, nil, nil
	}
	return text, nil, nil
}

// kindOf returns the type of the message that a method takes.
func kindOf(f Format, path string) string {
	built, err := f.Build(path, []byte("{}"))
	if err != nil || built == nil {
		return ""
	}
	return built.Kind
}

// learn remembers the credentials of a request, so that they are masked where they come back.
func learn(m *masker, r *ObservedRequest) {
	var found []string
	for name, values := range r.Header {
		if !m.secretHeader(name) {
			continue
		}
		for _, value := range values {
			found = append(found, headerValues(name, value)...)
		}
	}
	for _, address := range []string{r.URL, r.PushURL} {
		u, err := url.Parse(address)
		if err != nil {
			continue
		}
		for name, values := range u.Query() {
			if m.secretQuery(name) {
				found = append(found, values...)
			}
		}
		if password, ok := u.User.Password(); ok {
			found = append(found, password)
		}
	}
	m.vault.remember(withoutIDs(found, r.IDs))
}

func withoutIDs(values, ids []string) []string {
	return slices.DeleteFunc(values, func(v string) bool { return slices.Contains(ids, strings.TrimSpace(v)) || strings.Contains(v, Mask) })
}

// pushTokens returns the tokens and credentials of the webhook that a request registers.
func pushTokens(m *masker, op Op, body []byte, ids []string) (found []string) {
	for _, s := range m.pushSpans(op, body) {
		text := ""
		if json.Unmarshal(slices.Concat([]byte(`"`), body[s.off:s.end], []byte(`"`)), &text) == nil {
			found = append(found, text)
		}
	}
	return withoutIDs(found, ids)
}

// RenderRequest returns the first message in the body of a request over gRPC, and its rendering;
// nil if there is none.
func (o *Observer) RenderRequest(path string, h http.Header, body []byte) (*Binary, []byte) {
	format := o.wire.formats[BindingGRPC]
	message, size, err := grpcMessage(body, h.Get("Grpc-Encoding"), o.wire.codings, o.wire.limits.Of(LimitAnswer))
	if size == 0 || err != nil || format == nil {
		return nil, nil
	}
	b := &Binary{Kind: kindOf(format, path), Bytes: message}
	text, _ := format.Render(b)
	return b, text
}

// EditMessages returns the body of an answer over gRPC, or a request, in which edit has changed the
// renderings of the messages. What cannot be read, or made again, stays as it is. Kind is the type of
// the messages.
func (o *Observer) EditMessages(kind string, h http.Header, body []byte, edit func([]byte) []byte) []byte {
	format := o.wire.formats[BindingGRPC]
	if format == nil || kind == "" {
		return body
	}
	var out []byte
	for rest := body; len(rest) > 0; {
		message, size, err := grpcMessage(rest, h.Get("Grpc-Encoding"), o.wire.codings, o.wire.limits.Of(LimitAnswer))
		if size == 0 || err != nil {
			return body
		}
		text, fault := format.Render(&Binary{Kind: kind, Bytes: message})
		changed := edit(text)
		built, err := format.Rebuild(kind, changed)
		if fault != nil || err != nil || bytes.Equal(changed, text) {
			out = append(out, rest[:size]...)
		} else {
			out = binary.BigEndian.AppendUint32(append(out, 0), uint32(len(built.Bytes)))
			out = append(out, built.Bytes...)
		}
		rest = rest[size:]
	}
	return out
}

// AnswerKind returns the type of the messages that answer a method of gRPC, empty if it is unknown.
func (o *Observer) AnswerKind(path string) string {
	if format := o.wire.formats[BindingGRPC]; format != nil {
		return format.Answers(path)
	}
	return ""
}
