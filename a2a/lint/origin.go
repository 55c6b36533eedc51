package lint

import (
	"cmp"

	"parley/a2a"
)

// A session need not have a task from its beginning: another process began it, or the records
// begin later. Rules that have to know everything before a record ask [pass.begun].

// An origin says since when the session knows a task or a context.
type origin struct {
	first a2a.RecordID // that named it
	begun bool         // it began in this session, which has all of it
}

// namesTask reports whether the call sends a message to a task that exists already, as far as the
// request says.
func (p *pass) namesTask() bool {
	return p.messages() && !p.call.MadeID && (p.call.TaskID != "" || p.x.asks.taskID != "")
}

// begins reports whether the request begins a task that nobody can have seen before: its message
// names no task, and at most a context that began in this session. Agents may continue the task of
// an older one.
func (p *pass) begins() bool {
	context := cmp.Or(p.x.asks.contextID, p.call.ContextID)
	return p.messages() && !p.namesTask() && (p.call.MadeID || context == "" || p.agent.began(context))
}

// began reports whether a context began in this session.
func (a *agent) began(contextID string) bool {
	c, known := a.contexts.get(contextID)
	return known && c.begun
}

// begun reports whether the session has a task from its beginning, now that the record names it.
func (p *pass) begun(taskID string) bool {
	t, known := p.agent.tasks.get(taskID)
	if p.l.edited {
		return false
	}
	if known && t.begun {
		return true
	}
	h := &p.x.stream
	own := h.taskID == "" || h.taskID == taskID
	return own && p.x.begins && (!known || p.isNew(&t.origin))
}

// isNew reports whether the session knows something only since the request of the exchange.
func (p *pass) isNew(o *origin) bool { return o.first > p.r.Exchange }

// date notes since when the session knows something, and whether it began with the request of the
// exchange, if it is the exchange's own.
func (p *pass) date(o *origin, own bool) {
	o.first = cmp.Or(o.first, p.r.ID)
	o.begun = o.begun || own && p.x.begins && p.isNew(o)
}
