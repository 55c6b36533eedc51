package a2atest

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"slices"
)

// maxBody bounds a request, in bytes.
const maxBody = 64 << 20

// ServeHTTP answers one request by the script.
func (a *Agent) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, req.Body, maxBody))
	if err != nil {
		if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
			http.Error(w, "The request is larger than this agent accepts.", http.StatusRequestEntityTooLarge)
		}
		return
	}
	c := &call{method: req.Method + " " + req.URL.Path, taskID: req.URL.Query().Get("task"), id: []byte("null"), waits: true}
	rpc := req.Method == http.MethodPost && req.URL.Path == a.script.endpoint
	var f *fault
	if rpc {
		c, f = readCall(a.script.dialect, body)
	}
	c.readHead(req.Header, a.script)
	a.record(req, c, body, rpc)
	if a.published(w, req) {
		return
	}
	out := &response{w: w, mime: jsonType}
	for _, uri := range c.extensions {
		out.header(a.script.dialect.extensions, uri)
	}
	if d := a.script.dialect; c.method == d.stream || c.method == d.subscribe {
		out.mime = eventStream
	}
	switch {
	case f != nil:
		out.fail(f, c)
	case !a.perform(out, req, c):
		a.refuse(out, req, c, rpc)
	}
}

func (a *Agent) record(req *http.Request, c *call, body []byte, rpc bool) {
	if !a.options.Record {
		return
	}
	r := Request{Method: req.Method, Path: req.URL.Path, Header: req.Header.Clone(), Body: body}
	if rpc {
		r.RPC = c.method
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.requests = append(a.requests, r)
}

// perform plays the first scene that takes the call, if there is one.
func (a *Agent) perform(out *response, req *http.Request, c *call) bool {
	a.mu.Lock()
	life := a.life
	a.mu.Unlock()
	t, ok := a.taskOf(c)
	if !ok {
		return false
	}
	if h := a.readWebhook(c.webhook, a.script.dialect); h != nil && c.asks && a.script.pushes {
		t.hook(h)
	}
	state, moves, _ := t.at()
	for _, s := range a.script.scenes {
		caught, ok := s.takes(c, state)
		if !ok {
			continue
		}
		t.learn(caught)
		r := &run{agent: a, scene: s, call: c, task: t, moves: moves, life: life, client: req.Context(), out: out}
		if c.method == a.script.dialect.send && s.answer != "" {
			a.playUnseen(r, out)
		} else {
			r.play()
		}
		return true
	}
	return false
}

// playUnseen plays a scene that is written for a stream and waits for its answer. The scene may
// continue afterwards.
func (a *Agent) playUnseen(r *run, out *response) {
	over := make(chan func(*response), 1)
	hidden := unseen{over}
	r.out, r.answer = hidden, hidden.answer
	a.work.Go(func() {
		r.play()
		hidden.cut(false) // visible only if the agent closed before the answer
	})
	(<-over)(out)
}

// taskOf returns the task that a call is about, a new one if it names none.
func (a *Agent) taskOf(c *call) (*task, bool) {
	a.mu.Lock()
	t, ok := a.tasks[c.taskID]
	a.mu.Unlock()
	switch {
	case ok:
		return t, true
	case c.taskID != "" && !(c.asks && a.script.dialect.clientIDs):
		return nil, false
	case !c.asks:
		return newTask("", c.contextID), true
	}
	id, context := c.taskID, c.contextID
	if id == "" {
		id = a.options.NewID()
	}
	if context == "" {
		context = a.options.NewID()
	}
	return newTask(id, context), true
}

// refuse answers a call that no scene took.
func (a *Agent) refuse(out *response, req *http.Request, c *call, rpc bool) {
	if !rpc {
		a.serveFile(out, req, c)
		return
	}
	d := a.script.dialect
	f, known := d.refused[c.method]
	if !known {
		f = methodNotFound
	}
	t, found := a.taskOf(c)
	if known && !found {
		f = d.notFound
	}
	if found && a.script.pushes && d.push.has(c.method) {
		a.servePush(out, c, t)
		return
	}
	if a.script.list.file != "" && c.method == d.list {
		a.listTasks(out, c)
		return
	}
	if known && c.method == d.subscribe { // a client that expects a stream may read nothing else
		out.head(http.StatusOK, eventStream)
		out.write(slices.Concat([]byte("data: "), bytes.TrimSpace(f.body(c.id)), []byte("\n\n")))
		return
	}
	out.fail(&f, c)
}

// serveFile answers with a route of the script.
func (a *Agent) serveFile(out *response, req *http.Request, c *call) {
	to, ok := a.script.routes[req.URL.Path]
	if !ok || req.Method != http.MethodGet {
		http.NotFound(out.w, req)
		return
	}
	r := &run{agent: a, call: c, task: newTask("", "")}
	out.head(http.StatusOK, to.mediaType)
	out.write(r.expand(nil, a.script.files[to.file], nil, false))
}
