package relay

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"parley/a2a/httphead"
)

// A transfer is a request on its way to the agent.
type transfer struct {
	x       *exchange
	framing httphead.Framing
	held    *held  // of the body, while it waits
	chunks  bool   // the rest of the body is passed on in chunks of its own
	out     []byte // to be sent before what is read next
}

// pass passes on a request whose head was read. It reports whether another one may follow.
func (c *client) pass(x *exchange, lead []byte) bool {
	t := &transfer{x: x, framing: httphead.RequestFraming(x.request.Wire, c.relay.limits.Head)}
	plan := &x.plan
	if plan.headWaits(!t.framing.Chunked()) && !c.hold(t) {
		return false
	}
	if t.held != nil && t.held.usable() && plan.ChooseFault != nil {
		plan.Fault = plan.ChooseFault(t.held.message)
	}
	if plan.Fault.Delay > 0 && !sleep(c.ctx, plan.Fault.Delay) {
		return c.abandon(x)
	}
	if plan.Fault.Status != 0 {
		return c.answerFault(t)
	}
	to, path := c.target(plan)
	l, err := c.legTo(x, to)
	switch {
	case errors.Is(err, errOver):
		return c.abandon(x)
	case err != nil:
		c.answerUnreachable(x, to, err)
		return false
	}
	head := x.request
	head.Wire = c.relay.addressed(&x.request, to, path)
	switch {
	case t.held != nil:
		head.Wire, t.out, _, t.chunks = t.held.edited(head.Wire, plan.EditRequest)
		t.held = nil
	case plan.waits():
		t.held = holdRequest(plan, c.relay.limits.Edit)
		t.held.chunked = true
	}
	sent := requestHead(head.Time, head.Wire)
	t.out = slices.Concat(lead, head.Wire, t.out)
	c.watchLoop(x)
	if !l.expect(x) {
		return c.abandon(x)
	}
	x.sent(sent)
	return c.send(t, l)
}

// hold reads the body of a request until nothing more of it is waited for. It reports whether the
// request goes on.
func (c *client) hold(t *transfer) bool {
	h := holdRequest(&t.x.plan, c.relay.limits.Edit)
	t.held, h.chunked = h, t.framing.Chunked()
	if !h.whole && !t.framing.Over() && len(c.in.data) == 0 && lists(t.x.request.Header, "Expect", "100-continue") {
		// The agent cannot be asked yet.
		<-t.x.turn
		_ = c.write([]byte("HTTP/1.1 100 Continue\r\n\r\n")) // if the client has gone, no body comes
	}
	for {
		switch {
		case t.framing.Fault() != "":
			c.reject(t.x, bad("A chunk of the request is wrong: "+t.framing.Fault()+"."))
			return false
		case t.framing.Over():
			h.end(t.framing.Trailer())
			return true
		case h.ready():
			return true
		}
		if err := c.in.fill(); err != nil {
			t.x.finish(c.cause(End{Cause: ClientBroke, Reset: wasReset(err), Err: errors.New("the client left in the middle of its request")}))
			t.x.leave()
			c.endInput(err)
			return false
		}
		n := t.take(c.in.data, func(piece []byte) {
			t.x.requestBody(c.in.at, piece)
			h.add(piece)
		})
		h.wire = append(h.wire, c.in.data[:n]...)
		c.in.skip(n)
	}
}

// target returns where a request goes, and the target that replaces its own.
func (c *client) target(plan *Plan) (to *url.URL, path string) {
	if plan.Target != nil {
		return plan.Target, plan.Target.RequestURI()
	}
	return c.relay.options.Target, ""
}

// abandon ends an exchange because the connection has ended.
func (c *client) abandon(x *exchange) bool {
	x.finish(c.cause(End{Cause: AgentBroke, Err: errOver}))
	x.leave()
	return false
}

// send sends what is left of a request as it comes.
func (c *client) send(t *transfer, l *leg) bool {
	for {
		n := c.takeOut(t)
		if t.framing.Fault() != "" {
			return c.breakOff(t.x, l, bad("A chunk of the request is wrong: "+t.framing.Fault()+"."))
		}
		if t.framing.Over() { // before the agent can act on it
			t.x.requestEnd(c.in.at)
		}
		if len(t.out) > 0 {
			if err := l.write(t.out); err != nil {
				c.unfinished = t.x
				c.enter(idle)  // the client may send for a while, but not for ever
				c.in.discard() // what the agent said before it broke is passed on
				return false
			}
			t.out = t.out[:0]
		}
		c.in.skip(n)
		if t.framing.Over() {
			break
		}
		if err := c.in.fill(); err != nil {
			if t.held != nil {
				_ = l.write(t.held.wire) // as it came
			}
			c.unfinished = t.x
			c.endInput(err)
			return false
		}
	}
	if upgrades(&t.x.request) {
		return c.awaitUpgrade(t.x, l)
	}
	return true
}

// takeOut takes what was read of a request, and appends what of it is to be sent. It returns how many
// bytes it took.
func (c *client) takeOut(t *transfer) int {
	h := t.held
	n := t.take(c.in.data, func(piece []byte) {
		t.x.requestBody(c.in.at, piece)
		switch {
		case h != nil:
			h.add(piece)
		case t.chunks:
			t.out = appendChunk(t.out, piece)
		}
	})
	over := t.framing.Over()
	switch {
	case h != nil:
		h.wire = append(h.wire, c.in.data[:n]...)
		if over {
			h.end(t.framing.Trailer())
		}
		if h.ready() && t.framing.Fault() == "" {
			_, wire, _, chunks := h.edited(nil, t.x.plan.EditRequest)
			t.out, t.chunks, t.held = append(t.out, wire...), chunks, nil
		}
	case !t.chunks:
		t.out = append(t.out, c.in.data[:n]...)
	case over:
		t.out = appendLastChunk(t.out, t.framing.Trailer())
	}
	return n
}

// awaitUpgrade passes on what follows a request that may turn the connection into a tunnel. It
// reports whether another request may follow.
func (c *client) awaitUpgrade(x *exchange, l *leg) bool {
	c.enter(idle)
	if err := c.in.fill(); err != nil { // the agent need not have decided
		c.endInput(err)
		return false
	}
	<-x.decided
	if x.upgraded {
		c.enter(inBody)
		return c.tunnel(l)
	}
	return true
}

// breakOff ends a request that cannot be passed on to its end.
func (c *client) breakOff(x *exchange, l *leg, f *fault) bool {
	x.finish(End{Cause: Rejected, Err: errors.New(f.sentence)})
	select { // the responses before it have nothing to do with it
	case <-x.turn:
	case <-c.ctx.Done():
	}
	l.retire()
	<-l.ended
	if !x.begun {
		c.say(x, f, End{})
	}
	c.stopped = true
	return false
}

// take counts how many bytes of b belong to the request, and shows those of its body.
func (t *transfer) take(b []byte, body func(piece []byte)) int {
	n := 0
	for n < len(b) && !t.framing.Over() && t.framing.Fault() == "" {
		k, piece := t.framing.Next(b[n:])
		body(piece)
		n += k
	}
	return n
}

// upgrades reports whether a response to a request may turn the connection into a tunnel.
func upgrades(h *Head) bool {
	return h.Method == http.MethodConnect || strings.TrimSpace(h.Header.Get("Upgrade")) != ""
}

// tunnel passes on bytes that are not HTTP any more.
func (c *client) tunnel(l *leg) bool {
	for {
		if err := l.write(c.in.data); err != nil {
			return false
		}
		c.in.data = nil
		if err := c.in.fill(); err != nil {
			c.endInput(err)
			return false
		}
	}
}
