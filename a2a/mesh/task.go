package mesh

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"parley/a2a"
	"parley/internal/crash"
)

// A task is one request, and what is published about it. The lock of its gateway guards it.
type task struct {
	id   string
	flow *flow // nil if none is open
	// kept are messages that came while no flow was open, until a flow takes them or their time
	// is over.
	kept   []a2a.Frame
	size   int
	expiry *time.Timer
	over   bool
	// cancels are the cancels that wait for its end.
	cancels []*flow
}

// A place is the topic on which a message came.
type place uint8

const (
	placeResponse place = iota
	placeStatus
	placeWorkflow // without the id of the gateway
	placeFallback // of the gateway, without a task
)

const (
	// maxKept and maxKeptBytes limit what is kept for a task without a flow, and maxOver how many
	// tasks that are over are known, so that what comes late can be named.
	maxKept, maxKeptBytes, maxOver = 20_000, 32 << 20, 4096
)

// task returns the task of an id, which is made if there is none. The caller holds the lock.
func (g *gateway) task(id string) *task {
	t := g.tasks[id]
	if t == nil {
		t = &task{id: id}
		g.tasks[id] = t
	}
	return t
}

// answered takes a message about a task: into its flow, or as a stray.
func (g *gateway) answered(id string, f *a2a.Frame, m *message, at place) {
	g.mu.Lock()
	t := g.tasks[id]
	if t == nil && at == placeWorkflow {
		g.mu.Unlock()
		return // of another gateway, whose business it is
	}
	why := ""
	switch {
	case t == nil:
		why = "No request of this session has the task " + clip(id) + "; the message changes nothing."
	case at != placeFallback && !m.names(id):
		why = fmt.Sprintf("It names the task %s, but its topic is that of task %s; the message changes nothing.", clip(m.about()), clip(id))
	case t.over:
		why = "It came after the end of its task; the message changes nothing."
	}
	if why != "" {
		if t != nil && t.over {
			g.release(t) // in the order in which they came
		}
		g.mu.Unlock()
		g.tell(a2a.Sighting{Kind: a2a.SawStray, TaskID: id, Frame: *f, Sentence: why})
		return
	}
	final := m.failed || m.whole && at != placeStatus && at != placeWorkflow
	fl := t.flow
	if fl != nil && fl.ended() {
		fl = nil
	}
	if fl == nil {
		g.keep(t, f)
	} else if at == placeFallback {
		fl.push(a2a.Frame{Notice: "The agent answered on " + f.Path + ", not on the topic that the request named."}, false)
	}
	if final {
		g.end(t)
	}
	g.mu.Unlock()
	if fl != nil && !fl.push(*f, final) { // it was closed meanwhile
		g.mu.Lock()
		g.keep(t, f)
		g.mu.Unlock()
	}
}

// keep keeps a message for a task without a flow. The caller holds the lock.
func (g *gateway) keep(t *task, f *a2a.Frame) {
	if len(t.kept) >= maxKept || t.size+len(f.Bytes) > maxKeptBytes {
		g.release(t)
	}
	t.kept, t.size = append(t.kept, *f), t.size+len(f.Bytes)
	if t.expiry == nil {
		t.expiry = time.AfterFunc(g.hub.times.Keep, func() {
			defer crash.Guard()
			g.mu.Lock()
			defer g.mu.Unlock()
			if t.flow == nil {
				g.release(t)
			}
		})
	}
}

// release reports what was kept for a task as strays. The caller holds the lock.
func (g *gateway) release(t *task) {
	kept := t.kept
	t.kept, t.size, t.expiry = nil, 0, nil
	for i := range kept {
		g.tellLocked(a2a.Sighting{Kind: a2a.SawStray, TaskID: t.id, Frame: kept[i], Sentence: "Nobody waited for it; the message changes nothing."})
	}
}

// end notes the end of a task and what waits for it. The caller holds the lock.
func (g *gateway) end(t *task) {
	t.over = true
	for _, c := range t.cancels {
		c.confirmed()
	}
	t.cancels = nil
	if g.over = append(g.over, t.id); len(g.over) > maxOver {
		delete(g.tasks, g.over[0])
		g.over = g.over[1:]
	}
}

// detach notes that a flow has ended before its task.
func (g *gateway) detach(fl *flow) {
	g.mu.Lock()
	defer g.mu.Unlock()
	t := g.tasks[fl.id]
	if t == nil || t.flow != fl {
		return
	}
	t.flow = nil
	for _, f := range fl.unread() {
		g.keep(t, &f)
	}
}

// attach returns a flow with the rest of a task, whose id ends the topic. It begins with what was
// kept since the last flow ended.
func (g *gateway) attach(ctx context.Context, topic string) (*flow, error) {
	id := topic[strings.LastIndexByte(topic, '/')+1:]
	if g.lastingFailure() != nil {
		return nil, g.lastingFailure()
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	t := g.task(id)
	fl := newFlow(ctx, g, id)
	if old := t.flow; old != nil {
		old.fail(&a2a.FlowError{Class: a2a.ClassSevered, Sentence: "Another stream takes the updates of this task now."})
	}
	t.flow = fl
	if t.expiry != nil {
		t.expiry.Stop()
		t.expiry = nil
	}
	for i, f := range t.kept {
		fl.queue = append(fl.queue, f)
		fl.size += len(f.Bytes)
		if i == len(t.kept)-1 && t.over {
			fl.err = io.EOF
			fl.end = a2a.FlowEnd{Sent: true, Status: 200}
		}
	}
	if t.over && len(t.kept) == 0 {
		fl.err = &a2a.FlowError{Class: a2a.ClassUnsupported, Sentence: "The task is over, and a broker keeps nothing of it."}
	}
	t.kept, t.size = nil, 0
	switch {
	case t.over || len(fl.queue) > 0: // which needs no connection
		fl.begun(&a2a.FlowHead{Status: http.StatusOK, Proto: g.proto()})
	case !g.hub.start(func() { g.follow(fl) }):
		return nil, context.Canceled
	}
	return fl, nil
}

// follow sets the head of a flow that was attached, as soon as its messages can arrive: before that,
// the broker drops them.
func (g *gateway) follow(fl *flow) {
	limit := g.hub.times.Unanswered
	ctx, cancel := context.WithTimeout(fl.ctx, limit)
	defer cancel()
	defer context.AfterFunc(g.ctx, crash.Guarded(cancel))()
	switch {
	case g.in.await(ctx):
		fl.begun(&a2a.FlowHead{Status: http.StatusOK, Proto: g.proto()})
	case g.lastingFailure() != nil:
		fl.fail(g.lastingFailure())
	default:
		fl.fail(&a2a.FlowError{Class: a2a.ClassTimeout, Sentence: fmt.Sprintf("The broker %s was not reached for %s.", g.host(), limit)})
	}
}

// lastingFailure returns why the broker will not be reached again, nil if it may be.
func (g *gateway) lastingFailure() error {
	g.in.mu.Lock()
	defer g.in.mu.Unlock()
	if g.in.lasting {
		return g.in.err
	}
	return nil
}

func (g *gateway) proto() string {
	g.in.mu.Lock()
	defer g.in.mu.Unlock()
	return g.in.proto
}

// clip shortens an id for a sentence.
func clip(s string) string {
	const most = 80
	if len(s) > most {
		return strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}
