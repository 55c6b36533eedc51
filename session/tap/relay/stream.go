package relay

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A target is where a request goes.
type target struct{ *url.URL }

type targetKey struct{}

// An unreachableError says that no connection to the agent came about.
type unreachableError struct{ why error }

func (e *unreachableError) Error() string { return e.why.Error() }

var errNoHTTP2 = errors.New("it does not speak HTTP/2, as the client does")

// streamError is how net/http reports that the other side reset a stream: it fills any struct with
// these fields.
type streamError struct {
	StreamID uint32
	Code     uint32
	Cause    error
}

func (e streamError) Error() string {
	return "the stream was reset with code " + strconv.Itoa(int(e.Code))
}

// A stream is one exchange over HTTP/2.
type stream struct {
	c *client
	x *exchange
	w http.ResponseWriter
	r *http.Request
}

// serveStream passes on one exchange.
func (c *client) serveStream(w http.ResponseWriter, r *http.Request) {
	if !c.streams.enter() {
		panic(http.ErrAbortHandler)
	}
	defer c.streams.open.Done()
	head := Head{Time: time.Now(), Method: r.Method, URI: r.RequestURI, Host: r.Host, Proto: r.Proto, Header: r.Header.Clone()}
	problem := c.relay.checkClient(&head)
	if problem == nil {
		problem = c.checkLoop(&head)
	}
	s := &stream{c: c, x: c.beginStream(head), w: w, r: r}
	if problem != nil {
		s.say(problem, End{Cause: Rejected, Err: errors.New(problem.sentence)})
		return
	}
	if end := s.pass(); end != nil {
		s.x.finish(c.cause(*end))
		panic(http.ErrAbortHandler) // resets the stream
	}
}

// beginStream tells the observer of a request.
func (c *client) beginStream(head Head) *exchange {
	o, plan := c.relay.options.Observer.Begin(c.who, head)
	x := newExchange(nil, head, o, plan)
	x.ending = func() { c.count(-1) }
	c.count(1)
	return x
}

// pass passes on the request and its response. It returns how the exchange ended if it broke.
func (s *stream) pass() *End {
	body, end := s.body()
	if end != nil {
		return end
	}
	fault := &s.x.plan.Fault
	if fault.Delay > 0 && !sleep(s.r.Context(), fault.Delay) {
		return &End{Cause: ClientBroke, Err: s.r.Context().Err()}
	}
	if fault.Status != 0 {
		s.answerFault(fault)
		return nil
	}
	to, _ := s.c.target(&s.x.plan)
	heads := &early{w: s.w}
	req := s.outgoing(to, body, heads)
	s.c.watchLoop(s.x)
	s.x.sent(sentHead(req, s.x.request.Time))
	resp, err := s.c.transport.RoundTrip(req)
	heads.end()
	if err != nil {
		return s.failed(to, err)
	}
	defer resp.Body.Close()
	return s.respond(resp)
}

// outgoing returns the request as it goes to the agent.
func (s *stream) outgoing(to *url.URL, body io.Reader, heads *early) *http.Request {
	ctx := context.WithValue(s.r.Context(), targetKey{}, &target{to})
	ctx = httptrace.WithClientTrace(ctx, heads.trace())
	req := (&http.Request{Method: s.r.Method, Header: s.r.Header.Clone(), Host: to.Host, ContentLength: s.r.ContentLength, Trailer: s.r.Trailer}).WithContext(ctx)
	uri, _ := s.c.relay.withoutToken(s.r.RequestURI)
	if s.x.plan.Target != nil {
		uri = to.RequestURI()
	}
	req.URL = &url.URL{Scheme: to.Scheme, Host: to.Host, Opaque: uri}
	if strings.HasPrefix(uri, "//") {
		req.URL.Opaque, req.URL.Path = "", uri
	}
	if s.c.relay.isToken(req.Header.Get(TokenField)) {
		req.Header.Del(TokenField) // is for this relay only
	}
	if req.Header.Get("User-Agent") == "" {
		req.Header.Set("User-Agent", "") // none of net/http
	}
	if s.r.ContentLength == 0 || s.r.Body == http.NoBody {
		s.x.requestEnd(time.Now())
		return req
	}
	req.Body = &openBody{body, s.r.Body}
	return req
}

func sentHead(req *http.Request, at time.Time) Head {
	h := Head{Time: at, Method: req.Method, URI: req.URL.RequestURI(), Host: req.Host, Proto: "HTTP/2.0", Header: req.Header.Clone()}
	if h.Header.Get("User-Agent") == "" {
		delete(h.Header, "User-Agent")
	}
	return h
}

// failed ends an exchange to which no response came.
func (s *stream) failed(to *url.URL, err error) *End {
	if s.r.Context().Err() != nil {
		return &End{Cause: ClientBroke, Reset: true, Err: errors.New("the client left before the response")}
	}
	if why, ok := errors.AsType[*unreachableError](err); ok {
		err = why.why
	} else if strings.Contains(err.Error(), "HTTP/1.1 header") {
		err = errNoHTTP2
	} else {
		return s.broke(err)
	}
	s.say(&fault{http.StatusBadGateway, unreachable(to, err)}, End{Cause: Unreachable, Err: err})
	return nil
}

// broke ends an exchange whose agent reset the stream, or broke the connection: then that of the
// client breaks too.
func (s *stream) broke(err error) *End {
	if s.r.Context().Err() != nil {
		return &End{Cause: ClientBroke, Reset: true, Err: errors.New("the client left before the response was complete")}
	}
	end := &End{Cause: AgentBroke, Reset: true, Err: err}
	if _, ok := errors.AsType[streamError](err); ok {
		end.Err = errors.New("the agent reset the stream")
		return end
	}
	end.Err = fmt.Errorf("the agent broke the connection before its response was complete: %w", err)
	end.Reset = wasReset(err)
	s.x.finish(*end)
	s.c.fail(*end)
	return end
}

// respond passes on a response.
func (s *stream) respond(resp *http.Response) *End {
	head := Head{Time: time.Now(), Status: resp.StatusCode, Proto: resp.Proto, Header: resp.Header.Clone()}
	s.x.response(head)
	body := io.Reader(&shownResponse{s: s, from: resp.Body})
	if edit := s.x.plan.EditResponse; edit != nil && resp.ContentLength != 0 && (isGRPC(resp.Header) || !isStream(resp.Header)) {
		var err error
		if body, err = s.editResponse(resp, body, edit(head)); err != nil {
			return s.broke(err)
		}
	}
	h := s.w.Header()
	for _, name := range []string{"Date", "Content-Type", "Content-Length"} {
		h[name] = nil // unless the agent sent it
	}
	maps.Copy(h, resp.Header)
	if s.x.plan.Fault.acts(resp.Header) {
		h["Content-Length"] = nil // it may be another one
	}
	for name := range resp.Trailer {
		h.Add("Trailer", name)
	}
	s.w.WriteHeader(resp.StatusCode)
	if end := s.respondBody(resp, body); end != nil {
		return end
	}
	for name, values := range resp.Trailer {
		if !lists(h, "Trailer", name) {
			name = http.TrailerPrefix + name
		}
		h[name] = values
	}
	s.x.complete(End{Cause: Complete, Trailer: resp.Trailer})
	s.x.finish(End{Cause: Complete, Trailer: resp.Trailer}) // the agent needs no more of the request
	return nil
}

// respondBody passes on the body of a response piece by piece.
func (s *stream) respondBody(resp *http.Response, body io.Reader) *End {
	rc := http.NewResponseController(s.w)
	if resp.ContentLength != 0 { // otherwise the head may end the stream, as gRPC's errors do
		if err := rc.Flush(); err != nil {
			return s.clientLeft(err)
		}
	}
	if fault := &s.x.plan.Fault; fault.acts(resp.Header) {
		return s.respondFaulty(fault, divide(resp.Header, body), rc)
	}
	buf := make([]byte, bufferSize)
	for {
		n, err := body.Read(buf)
		if n > 0 {
			if end := s.put(rc, buf[:n]); end != nil {
				return end
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return s.broke(err)
		}
	}
}

// respondFaulty passes on a stream with faults.
func (s *stream) respondFaulty(fault *Fault, from events, rc *http.ResponseController) (end *End) {
	err := fault.play(s.r.Context(), from, func(event []byte) error {
		if end = s.put(rc, event); end != nil {
			return end.Err
		}
		return nil
	})
	switch {
	case end != nil:
		return end
	case errors.Is(err, errCut):
		end = &End{Cause: Injected, Err: errCut}
		s.c.frames.settle() // the events before the cut arrive
		closeWrite(s.c.conn)
		s.x.finish(*end)
		s.c.fail(*end)
		return end
	case errors.Is(err, io.EOF):
		return nil
	}
	return s.broke(err)
}

// put sends bytes of the body to the client.
func (s *stream) put(rc *http.ResponseController, b []byte) *End {
	n, err := s.w.Write(b)
	if err != nil && !errors.Is(err, http.ErrBodyNotAllowed) {
		return s.clientLeft(err)
	}
	if err := rc.Flush(); err != nil {
		return s.clientLeft(err)
	}
	s.c.frames.expect(n)
	s.x.pass(len(b))
	return nil
}

func (s *stream) clientLeft(err error) *End {
	return &End{Cause: ClientBroke, Reset: true, Err: err}
}

// shownResponse is the body of a response as the observer sees it.
type shownResponse struct {
	s    *stream
	from io.Reader
}

func (b *shownResponse) Read(p []byte) (int, error) {
	n, err := b.from.Read(p)
	b.s.x.responseBody(time.Now(), p[:n])
	return n, err
}

// editResponse returns the body of a response after edit has changed it.
func (s *stream) editResponse(resp *http.Response, body io.Reader, edit func([]byte) []byte) (io.Reader, error) {
	if edit == nil {
		return body, nil
	}
	most := s.c.relay.limits.Edit
	held, err := io.ReadAll(io.LimitReader(body, int64(most)+1))
	if err != nil {
		return nil, err
	}
	if len(held) > most {
		return io.MultiReader(bytes.NewReader(held), body), nil
	}
	edited := edit(slices.Clone(held))
	if !bytes.Equal(edited, held) {
		resp.Header.Del("Content-Encoding")
		if resp.Header.Get("Content-Length") != "" {
			resp.Header.Set("Content-Length", strconv.Itoa(len(edited)))
		}
	}
	return bytes.NewReader(edited), nil
}
