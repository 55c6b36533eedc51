package relay

import (
	"bytes"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"parley/a2a/httphead"
)

// take passes on bytes of the agent. The error is that of the client's connection.
func (l *leg) take(at time.Time, b []byte) error {
	for len(b) > 0 {
		if l.x == nil && l.state < passesRaw {
			l.begin()
		}
		if l.faulty != nil {
			rest, err := l.passFaulty(b)
			if err != nil {
				return err
			}
			if b = rest; l.framing.Over() {
				err = l.complete()
			}
			if err != nil || l.agentErr != nil {
				return err
			}
			continue
		}
		n := len(b)
		switch l.state {
		case awaitsHead:
			n = l.takeHead(at, b)
		case readsBody:
			n = l.takeBody(at, b)
		case passesRaw:
			l.takeRaw(at, b)
		}
		b = b[n:]
		if l.x != nil && l.state == readsBody && l.framing.Over() {
			if err := l.complete(); err != nil {
				return err
			}
		}
	}
	return l.flush()
}

// begin begins the response to the oldest request that has none. Without one the bytes belong to no
// request, as when an agent says that it waited for too long.
func (l *leg) begin() {
	select {
	case l.x = <-l.queue:
		<-l.x.turn
		l.x.begun = true
		l.state = awaitsHead
		l.head.Reset()
		l.early = nil
	default:
		l.state = passesRaw
	}
}

// takeHead takes bytes of a head.
func (l *leg) takeHead(at time.Time, b []byte) int {
	n, ended := l.head.Take(b)
	head := l.head.Head()
	const proto = "HTTP/"
	switch {
	case speaksTLS(head):
		l.answerTLS()
	case !bytes.HasPrefix(head, []byte(proto[:min(len(head), len(proto))])):
		l.giveUp(at, errors.New("the answer of the agent is not HTTP"))
	case ended:
		l.endHead(at)
	case l.head.TooLong():
		l.giveUp(at, errors.New("the head of the agent's response is too long"))
	}
	return n
}

// speaksTLS reports whether bytes begin with a record of TLS.
func speaksTLS(b []byte) bool { return len(b) >= 2 && (b[0] == 0x15 || b[0] == 0x16) && b[1] == 3 }

// answerTLS answers in place of an agent that expects TLS.
func (l *leg) answerTLS() {
	why := errors.New("it speaks TLS: write https:// in place of http://")
	to := &url.URL{Scheme: "http", Host: strings.TrimPrefix(l.key, "http://")}
	l.put(ownAnswer(http.StatusBadGateway, http.Header{"Content-Type": {"text/plain; charset=utf-8"}, "Connection": {"close"}}, unreachable(to, why)+"\n"))
	_ = l.flush() // the client may have gone
	l.x.finish(End{Cause: Unreachable, Err: why})
	l.x.leave()
	l.x, l.state = nil, dropsRest
}

// giveUp passes on an answer that is not HTTP as it is.
func (l *leg) giveUp(at time.Time, why error) {
	l.trace = why
	l.state = passesRaw
	l.takeRaw(at, l.head.Head())
}

// endHead decides what follows a whole head.
func (l *leg) endHead(at time.Time) {
	wire := l.head.Head()
	_, code := httphead.Status(httphead.StartLine(wire))
	switch {
	case code == 0:
		l.giveUp(at, errors.New("the answer of the agent is not HTTP"))
		return
	case code < 200 && code != http.StatusSwitchingProtocols:
		if len(l.early)+len(wire) <= l.c.relay.limits.Head { // more of them pass unseen
			l.early = append(l.early, wire...)
		}
		l.out = append(l.out, wire...)
		l.head.Reset()
		return
	}
	head := responseHead(at, l.early, wire)
	l.framing = httphead.ResponseFraming(wire, l.x.request.Method, l.c.relay.limits.Head)
	l.x.response(head)
	upgraded := code == http.StatusSwitchingProtocols || l.x.request.Method == http.MethodConnect && code < 300
	l.state = readsBody
	if upgraded {
		l.state = passesRaw
	}
	l.x.decide(upgraded)
	l.plan(&head)
}

// plan decides what is changed in a response.
func (l *leg) plan(head *Head) {
	l.body, l.edit = nil, nil
	if edit := l.x.plan.EditResponse; edit != nil && l.state == readsBody && !l.framing.Over() && !isStream(head.Header) {
		if l.edit = edit(*head); l.edit != nil {
			l.body, l.final = &held{most: l.c.relay.limits.Edit, chunked: l.framing.Chunked()}, head.Wire
			return
		}
	}
	wire, faulty := l.prepareFault(head)
	if l.out = append(l.out, wire...); faulty {
		l.faulty = head.Header
	}
}

// takeBody takes bytes of a body.
func (l *leg) takeBody(at time.Time, b []byte) int {
	n, was := 0, l.framing.Fault()
	for n < len(b) && !l.framing.Over() {
		k, piece := l.framing.Next(b[n:])
		n += k
		l.x.responseBody(at, piece)
		if l.body != nil {
			l.body.add(piece)
		} else {
			l.passing += len(piece)
		}
	}
	if fault := l.framing.Fault(); fault != was {
		l.trace = errors.New("the chunks of the agent's response are wrong: " + fault)
	}
	if l.body == nil {
		l.put(b[:n])
		return n
	}
	l.body.wire = append(l.body.wire, b[:n]...)
	if l.body.tooLong() {
		l.release()
	}
	return n
}

// release passes on a held response as it came.
func (l *leg) release() {
	l.out = append(append(l.out, l.final...), l.body.wire...)
	l.passing += len(l.body.message)
	l.body, l.edit = nil, nil
}

// takeRaw takes bytes that are not HTTP.
func (l *leg) takeRaw(at time.Time, b []byte) {
	if l.x != nil && !l.x.upgraded {
		l.x.responseBody(at, b)
		l.passing += len(b)
	}
	l.put(b)
}

// put queues bytes for the client.
func (l *leg) put(b []byte) { l.out = append(l.out, b...) }

// flush writes what is queued.
func (l *leg) flush() error {
	if len(l.out) == 0 {
		return nil
	}
	err := l.c.write(l.out)
	if l.x != nil && err == nil {
		l.x.pass(l.passing)
	}
	l.out, l.passing = l.out[:0], 0
	if cap(l.out) > 4*bufferSize {
		l.out = nil
	}
	return err
}

// complete ends a response that was passed on whole.
func (l *leg) complete() error {
	if l.body != nil {
		l.finishEdit()
	}
	left := l.c.hasLeft() // before it has the last bytes, after which it may leave
	if err := l.flush(); err != nil {
		return err
	}
	end := End{Cause: Complete, Upgraded: l.x.upgraded, Left: left}
	if trailer := header(l.framing.Trailer(), true); len(trailer) > 0 {
		end.Trailer = trailer
	}
	l.x.complete(end)
	l.x.leave()
	l.x, l.state = nil, awaitsHead
	return nil
}

// finishEdit passes on a response with its changed body.
func (l *leg) finishEdit() {
	l.body.end(l.framing.Trailer())
	head, wire, length, _ := l.body.edited(l.final, l.edit)
	if !bytes.Equal(wire, l.body.wire) {
		head = without(head, "Content-Encoding")
	}
	l.out = append(append(l.out, head...), wire...)
	l.passing += length
	l.body, l.edit = nil, nil
}

// endsWith reports whether the end of the connection is the regular end of the response.
func (l *leg) endsWith(err error) bool {
	if !isEnd(err) || errors.Is(err, errTorn) || l.trace != nil {
		return false
	}
	return l.state == readsBody && l.framing.UntilEnd() || l.state == passesRaw && l.x.upgraded
}
