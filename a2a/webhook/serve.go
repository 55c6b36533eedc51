package webhook

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"path"
	"strconv"
	"time"

	"parley/a2a/hostname"
)

// ServeHTTP answers one call.
func (r *Receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	seen := exchange(req)
	c := Call{
		Message: seen.Received(),
		Time:    r.o.Now(), Method: req.Method, URL: requestURL(req), Proto: req.Proto,
		Header: req.Header.Clone(), Remote: req.RemoteAddr, Hook: r.hook(req.URL),
	}
	c.Header.Set("Host", req.Host) // net/http stores it separately
	c.Verdict = r.judge(req, &c)
	switch c.Verdict {
	case Validation:
		r.validate(w, req, &c)
		return
	case Accepted:
		r.read(w, req, &c)
	default:
		r.glance(w, req, &c)
	}
	c.Message = seen.Received() // with the trailer
	r.answering.RLock()
	defer r.answering.RUnlock()
	if !r.enqueue(&c) && c.Verdict == Accepted {
		c.Verdict = Busy
	}
	r.answer(w, &c)
	_ = http.NewResponseController(w).Flush() // the caller may have left
}

// hook returns the webhook that a URL names, nil if it names none. The segments before the last
// one may be a proxy's.
func (r *Receiver) hook(u *url.URL) *Hook {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.hooks[path.Base(u.Path)]
}

// hookIn returns the webhook that the first line of a request names, nil if it names none.
func (r *Receiver) hookIn(line string) *Hook {
	_, target, _ := startLine(line)
	u, err := url.Parse(target)
	if err != nil {
		return nil
	}
	return r.hook(u)
}

// judge returns the verdict on a call as far as its head decides.
func (r *Receiver) judge(req *http.Request, c *Call) Verdict {
	switch {
	case req.ProtoMajor != 1:
		return Version
	case !r.acceptsHost(req.Host):
		return Host
	case c.Hook == nil:
		return Address
	case req.URL.Query().Has("validationToken"):
		return Validation
	case req.Method != http.MethodPost:
		return Method
	}
	v, signed := c.Hook.check(req.Header)
	if v != Accepted && (!signed || r.o.Judge == nil) {
		return v
	}
	c.unproven = v
	if req.ContentLength > r.o.MaxBody {
		return TooLarge
	}
	return Accepted
}

// validate repeats a token with which a server checks that its notifications are wanted, as the
// samples of 0.1 do.
func (r *Receiver) validate(w http.ResponseWriter, req *http.Request, c *Call) {
	token := req.URL.Query().Get("validationToken")
	if len(token) > maxValidation {
		http.Error(w, "The validationToken is longer than "+strconv.Itoa(maxValidation)+" bytes.", http.StatusBadRequest)
		return
	}
	r.answering.RLock()
	defer r.answering.RUnlock()
	r.enqueue(c)
	h := w.Header()
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("X-Content-Type-Options", "nosniff")
	_, _ = io.WriteString(w, token) // the caller may have left
	_ = http.NewResponseController(w).Flush()
}

// read reads the body of an accepted call. The number of simultaneous reads is limited, so that
// they fit into memory.
func (r *Receiver) read(w http.ResponseWriter, req *http.Request, c *Call) {
	late := time.NewTimer(r.o.ReadTimeout / 2)
	defer late.Stop()
	select {
	case r.readers <- struct{}{}:
		defer func() { <-r.readers }()
	case <-late.C:
		c.Verdict = Busy
		return
	case <-req.Context().Done():
		c.Verdict = Broken
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, req.Body, r.o.MaxBody))
	c.Body = body
	var long *http.MaxBytesError
	switch {
	case errors.As(err, &long):
		c.Verdict, c.Body = TooLarge, body[:min(len(body), maxStrange)]
	case err != nil:
		c.Verdict = Broken
	case len(bytes.TrimSpace(body)) == 0:
		c.Verdict = Empty
	default:
		r.verify(c)
	}
	if c.unproven != Accepted && !c.Signature.Proves { // before anything else that is wrong
		c.Verdict = c.unproven
		c.Body = c.Body[:min(len(c.Body), maxStrange)]
	}
}

// verify judges the signature of a call whose body was read.
func (r *Receiver) verify(c *Call) {
	if r.o.Judge == nil {
		return
	}
	if c.Signature = r.o.Judge(c.Hook, c.Header, c.Body); c.Signature.Forged {
		c.Verdict = Signature
	}
}

// acceptsHost reports whether a Host header names this receiver: the host of its URL, or this
// machine by an address that a tunnel or a proxy uses. Any other name is that of a page that
// leads a browser here (DNS rebinding), or a mistake.
func (r *Receiver) acceptsHost(host string) bool {
	name := bare(host)
	if base, err := url.Parse(r.base); err == nil && hostname.Same(name, base.Hostname()) || hostname.Same(name, "localhost") {
		return true
	}
	addr, err := netip.ParseAddr(name)
	return err == nil && (addr.IsLoopback() || addr.IsPrivate() || addr.IsLinkLocalUnicast())
}

// bare returns a host without its port and brackets.
func bare(host string) string {
	u := url.URL{Host: host}
	return u.Hostname()
}

// glance reads the beginning of a rejected call: enough to show what it was.
func (r *Receiver) glance(w http.ResponseWriter, req *http.Request, c *Call) {
	w.Header().Set("Connection", "close")
	if c.Hook == nil {
		return
	}
	// A slow stranger must not keep a connection for long.
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(time.Second))
	c.Body, _ = io.ReadAll(io.LimitReader(req.Body, maxStrange)) // as far as it came
}

// enqueue passes a call on, unless too many wait, or too many strangers call.
func (r *Receiver) enqueue(c *Call) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return false
	}
	if c.Verdict != Accepted && !r.strangers.take(c.Time) {
		r.unreported++
		return false
	}
	c.Unreported = r.unreported
	if r.queuedBytes.Add(c.size()) <= maxQueuedBytes {
		select {
		case r.queue <- *c:
			r.unreported = 0
			return true
		default:
		}
	}
	r.queuedBytes.Add(-c.size())
	r.unreported++
	return false
}

// answer answers at once, without waiting for the processing.
func (r *Receiver) answer(w http.ResponseWriter, c *Call) {
	h := w.Header()
	switch c.Verdict {
	case Method:
		h.Set("Allow", http.MethodPost)
	case Token, Authorization:
		h.Set("WWW-Authenticate", challenge(c.Hook))
	case Busy:
		h.Set("Retry-After", "1")
	}
	h.Set("Content-Length", "0")
	w.WriteHeader(c.Verdict.Status())
}

// challenge says which credentials the calls of a webhook need.
func challenge(h *Hook) string {
	if h.Scheme != "" {
		return h.Scheme
	}
	return "X-A2A-Notification-Token"
}

// requestURL returns the URL of a request as the caller sees it.
func requestURL(req *http.Request) string {
	u := *req.URL
	u.Scheme, u.Host = "http", req.Host
	if proto := req.Header.Get("X-Forwarded-Proto"); proto == "https" {
		u.Scheme = proto
	}
	return u.String()
}
