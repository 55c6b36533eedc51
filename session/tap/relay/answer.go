package relay

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// reject answers a request that is not passed on, with one sentence.
func (c *client) reject(x *exchange, f *fault) {
	c.say(x, f, End{Cause: Rejected, Err: errors.New(f.sentence)})
}

// answerUnreachable says that the agent cannot be reached.
func (c *client) answerUnreachable(x *exchange, to *url.URL, err error) {
	c.say(x, &fault{http.StatusBadGateway, unreachable(to, err)}, End{Cause: Unreachable, Err: err})
}

// unreachable says in a sentence that an agent cannot be reached.
func unreachable(to *url.URL, err error) string {
	return fmt.Sprintf("The tap cannot reach the agent at %s://%s: %v.", to.Scheme, to.Host, err)
}

// say answers a request with a sentence, after which the connection ends.
func (c *client) say(x *exchange, f *fault, end End) {
	select {
	case <-x.turn:
	case <-c.ctx.Done():
	}
	c.stop()
	body := f.sentence + "\n"
	header := http.Header{"Content-Type": {"text/plain; charset=utf-8"}, "Connection": {"close"}}
	if x.request.Method == http.MethodHead {
		body = ""
	}
	_ = c.write(ownAnswer(f.status, header, body)) // the client may have gone
	x.finish(end)
	x.leave()
}

// stop ends the connection to the agent, after which the client gets nothing but an answer of the
// relay.
func (c *client) stop() {
	c.stopped = true
	if l := c.current(); l != nil {
		l.retire()
		<-l.ended
	}
}

// answerFault answers a request in place of the agent. It reports whether another one may follow: then
// the rest of the body, which no answer waits for, was read.
func (c *client) answerFault(t *transfer) bool {
	x := t.x
	header := x.plan.Fault.Header.Clone()
	if header == nil {
		header = http.Header{}
	}
	c.in.skip(t.take(c.in.data, func(piece []byte) { x.requestBody(c.in.at, piece) }))
	again := t.framing.Fault() == "" && x.request.Proto == "HTTP/1.1" && !lists(x.request.Header, "Connection", "close") &&
		(t.framing.Over() || !strings.EqualFold(x.request.Header.Get("Expect"), "100-continue"))
	if t.framing.Over() {
		x.requestEnd(time.Now())
	}
	if !again {
		header.Set("Connection", "close")
	}
	body := fmt.Sprintf("The tap answers %d %s on purpose.\n", x.plan.Fault.Status, http.StatusText(x.plan.Fault.Status))
	if header.Get("Content-Type") == "" {
		header.Set("Content-Type", "text/plain; charset=utf-8")
	}
	if x.request.Method == http.MethodHead {
		body = ""
	}
	select {
	case <-x.turn:
	case <-c.ctx.Done():
	}
	if !again {
		c.stop()
	}
	err := c.write(ownAnswer(x.plan.Fault.Status, header, body))
	x.finish(c.cause(End{Cause: Injected, Err: err}))
	x.leave()
	if again && err != nil {
		c.stop()
	}
	return again && err == nil && c.drop(t)
}

// drop reads the rest of a request that was answered. It reports whether another one may follow.
func (c *client) drop(t *transfer) bool {
	for !t.framing.Over() {
		if err := c.in.fill(); err != nil {
			c.endInput(err)
			return false
		}
		c.in.skip(t.take(c.in.data, func([]byte) {}))
		if t.framing.Fault() != "" {
			c.stop()
			return false
		}
	}
	return true
}

// ownAnswer returns a response of the relay itself.
func ownAnswer(status int, header http.Header, body string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "HTTP/1.1 %d %s\r\n", status, cmp.Or(http.StatusText(status), "Status"))
	header.Set("Content-Length", strconv.Itoa(len(body)))
	for _, name := range slices.Sorted(maps.Keys(header)) {
		for _, value := range header[name] {
			b.WriteString(name + ": " + oneLine(value) + "\r\n")
		}
	}
	return []byte(b.String() + "\r\n" + body)
}

// oneLine keeps a value from becoming another field.
func oneLine(value string) string { return strings.NewReplacer("\r", " ", "\n", " ").Replace(value) }
