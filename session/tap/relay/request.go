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
	out     []byte // to be sent before what is read next
}

// pass passes on a request whose head was read. It reports whether another one may follow.
func (c *client) pass(x *exchange, lead []byte) bool {
	t := &transfer{x: x, framing: httphead.RequestFraming(x.request.Wire, c.relay.limits.Head)}
	plan := &x.plan
	var body *held
	if plan.EditRequest != nil || plan.ChooseFault != nil {
		body = c.hold(t)
		if body == nil {
			return false
		}
		if plan.ChooseFault != nil && body.whole {
			plan.Fault = plan.ChooseFault(body.body)
		}
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
	if body != nil {
		head.Wire, t.out, _ = body.edited(head.Wire, plan.EditRequest)
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
		n := t.take(c.in.data, func(piece []byte) { t.x.requestBody(c.in.at, piece) })
		if t.framing.Fault() != "" {
			return c.breakOff(t.x, l, bad("A chunk of the request is wrong: "+t.framing.Fault()+"."))
		}
		if t.framing.Over() { // before the agent can act on it
			t.x.requestEnd(c.in.at)
		}
		if t.out = append(t.out, c.in.data[:n]...); len(t.out) > 0 {
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
