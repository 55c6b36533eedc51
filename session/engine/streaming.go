package engine

import "parley/a2a"

// streaming says whether an agent streams over its way, as far as this session has seen: it
// answered a streaming call, or refused one that began a task.
func (e *Engine) streaming(a *remote) a2a.Tri {
	e.mu.Lock()
	defer e.mu.Unlock()
	if live := e.agents[a.id]; live != nil {
		return live.streams[a.profile.Way()]
	}
	return a2a.Absent
}

// noteStreaming notes that an agent streams over its way, or does not. One that has streamed can.
func (e *Engine) noteStreaming(a *remote, streams a2a.Tri) {
	e.mu.Lock()
	defer e.mu.Unlock()
	live := e.agents[a.id]
	if live == nil || live.streams[a.profile.Way()] == a2a.True {
		return
	}
	if live.streams == nil {
		live.streams = map[a2a.Way]a2a.Tri{}
	}
	live.streams[a.profile.Way()] = streams
}

// canStream reports whether a message is worth a stream: a task of an agent that refused to stream
// goes on without one.
func (e *Engine) canStream(a *remote, call *a2a.Call) bool {
	return a.profile.Streaming && (call.BeginsTask() || e.streaming(a) != a2a.False)
}
