package agents

import (
	"slices"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
	"parley/session/task"
)

const (
	shapely = 4  // events from which a stream has a shape
	kept    = 64 // exchanges of an agent that are kept
)

// traffic is what the pane knows of the exchanges of a session. Each exchange is taken over once.
type traffic struct {
	log   *log.Log
	taken int
	of    map[a2a.AgentID]*course
}

// A course is the newest exchanges of an agent, oldest first: streams, and those that sent a message.
type course struct {
	exchanges []*log.Stream
	shaped    *log.Stream // the newest stream that has a shape, nil before the first one
	spark     spark
}

// take takes over what is new in a log.
func (t *traffic) take(l *log.Log) {
	if t.log != l {
		*t = traffic{log: l, of: map[a2a.AgentID]*course{}}
	}
	if l == nil {
		return
	}
	all := l.Streams()
	for ; t.taken < len(all); t.taken++ {
		s := all[t.taken]
		agent := l.Owner(s.Exchange).Agent
		if agent == 0 || s.Call != nil && (s.Call.Check || !s.Streamed() && !task.SendsMessage(s.Call.Op)) {
			continue
		}
		c := t.of[agent]
		if c == nil {
			c = &course{}
			t.of[agent] = c
		}
		if c.exchanges = append(c.exchanges, s); len(c.exchanges) >= 2*kept {
			c.exchanges = append(c.exchanges[:0:0], c.exchanges[kept:]...)
		}
	}
}

// open reports whether an exchange of an agent is open.
func (t *traffic) open(a *model.Agent) bool {
	c := t.of[a.ID]
	return c != nil && slices.ContainsFunc(c.exchanges, (*log.Stream).Open)
}

// stream returns the newest stream of a conversation, nil before the first one.
func (t *traffic) stream(c *model.Conversation) *log.Stream {
	if t.log == nil {
		return nil
	}
	return t.log.Stream(c.Stream)
}

// shaped returns the newest stream of an agent that has a shape, nil before the first one.
func (t *traffic) shaped(agent a2a.AgentID) *log.Stream {
	c := t.of[agent]
	if c == nil {
		return nil
	}
	for i := len(c.exchanges) - 1; i >= 0 && c.exchanges[i] != c.shaped; i-- {
		if s := c.exchanges[i]; s.Events >= shapely {
			c.shaped = s
			break
		}
	}
	return c.shaped
}
