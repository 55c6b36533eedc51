package serve

import (
	"bytes"
	"net/http"
	"net/url"

	"parley/a2a"
)

// overHTTP makes an exchange on a broker one of JSON-RPC over HTTP: the messages are the same, and
// so are their times and the end. What an agent on a broker sends before the answer to a request
// that is no stream has no place there.
func (x *exchange) overHTTP() {
	call := *x.call
	call.Binding, call.Endpoint = a2a.BindingJSONRPC, ""
	if call.Dialect == a2a.SAMBroker {
		call.Dialect = a2a.V03 // whose objects it has
	}
	x.call, x.mesh = &call, true
	x.target = &url.URL{Path: "/"}
	if call.Op == a2a.OpCard || len(x.parts) == 0 {
		return
	}
	media := "application/json"
	if call.Op == a2a.OpStream || call.Op == a2a.OpSubscribe {
		media = "text/event-stream"
		for i := range x.parts {
			x.parts[i].Kind, x.parts[i].Raw = a2a.KindEvent, frameOf(x.parts[i].Raw)
		}
	} else {
		x.parts = x.parts[len(x.parts)-1:]
		x.parts[0].Kind = a2a.KindBody
	}
	head := x.parts[0]
	if x.head != nil {
		head = *x.head
	}
	head.Kind, head.Raw = a2a.KindHead, nil
	head.Head = &a2a.Head{Status: http.StatusOK, Header: http.Header{"Content-Type": {media}}}
	x.head = &head
}

// frameOf returns a JSON value as an event of a stream.
func frameOf(raw []byte) []byte {
	var b bytes.Buffer
	for l := range bytes.Lines(bytes.ReplaceAll(raw, []byte("\r"), nil)) { // in JSON a space, if it is not escaped
		b.WriteString("data: ")
		b.Write(bytes.TrimSuffix(l, []byte("\n")))
		b.WriteByte('\n')
	}
	b.WriteByte('\n')
	return b.Bytes()
}
