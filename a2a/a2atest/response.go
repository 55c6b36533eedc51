package a2atest

import (
	"cmp"
	"encoding/json"
	"net"
	"net/http"
)

const (
	eventStream = "text/event-stream"
	jsonType    = "application/json"
)

// An output takes what a scene sends. It returns nothing: an agent works whether or not a
// client listens.
type output interface {
	head(status int, mediaType string)
	header(name, v string)
	write(b []byte)
	cut(reset bool)
}

// A response is the output that the client receives.
type response struct {
	w      http.ResponseWriter
	mime   string // if the scene names none
	opened bool
	lost   bool // the client has left
}

func (o *response) head(status int, mediaType string) {
	if o.opened || o.lost {
		return
	}
	o.opened = true
	mediaType = cmp.Or(mediaType, o.mime)
	h := o.w.Header()
	h.Set("Content-Type", mediaType)
	if mediaType == eventStream {
		h.Set("Cache-Control", "no-cache")
	}
	o.w.WriteHeader(status)
}

func (o *response) header(name, v string) {
	if !o.lost {
		o.w.Header().Add(name, v)
	}
}

func (o *response) write(b []byte) {
	o.head(http.StatusOK, "")
	if o.lost {
		return
	}
	if _, err := o.w.Write(b); err != nil {
		o.lost = true
		return
	}
	o.lost = http.NewResponseController(o.w).Flush() != nil
}

// fail answers with an error of JSON-RPC, which is never a stream.
func (o *response) fail(f *fault, c *call) {
	o.head(http.StatusOK, jsonType)
	o.write(f.body(c.id))
}

// result answers with a result of JSON-RPC, or with an error if the script's files make it
// invalid JSON.
func (o *response) result(v any, c *call) {
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": json.RawMessage(c.id), "result": v})
	if err != nil {
		o.fail(&invalidParams, c)
		return
	}
	o.head(http.StatusOK, jsonType)
	o.write(append(body, '\n'))
}

func (o *response) cut(reset bool) {
	if o.lost {
		return
	}
	o.lost = true
	conn, _, err := http.NewResponseController(o.w).Hijack()
	if err != nil {
		return // already gone
	}
	if tcp, ok := conn.(*net.TCPConn); ok && reset {
		_ = tcp.SetLinger(0) // at worst the connection ends less abruptly
	}
	_ = conn.Close()
}

// unseen is the output of a plain send whose scene is written for a stream: only a cut is
// visible.
type unseen struct{ over chan<- func(*response) }

func (unseen) head(int, string)      {}
func (unseen) header(string, string) {}
func (unseen) write([]byte)          {}

func (o unseen) cut(reset bool) { o.show(func(w *response) { w.cut(reset) }) }

func (o unseen) answer(body []byte) { o.show(func(w *response) { w.write(body) }) }

// show passes on what the client gets. Only the first call counts.
func (o unseen) show(do func(*response)) {
	select {
	case o.over <- do:
	default:
	}
}
