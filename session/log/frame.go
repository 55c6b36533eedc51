package log

import (
	"bytes"

	"parley/a2a/jsonrpc"
	"parley/a2a/jsontok"
)

// FromDataLine returns a frame from its data line on. The part before it, usually an id, differs
// from frame to frame.
func FromDataLine(raw []byte) []byte {
	if bytes.HasPrefix(raw, []byte("data")) {
		return raw
	}
	return raw[bytes.Index(raw, []byte("\ndata"))+1:]
}

// PlainFrame returns the payload of a frame with one data line, which is a part of the frame,
// as in nearly all frames. Other frames are left to the decoder of the live session.
func PlainFrame(raw []byte) (data []byte, ok bool) {
	if bytes.IndexByte(raw, '\r') >= 0 || !bytes.HasSuffix(raw, []byte("\n\n")) {
		return nil, false
	}
	for rest := raw[:len(raw)-1]; len(rest) > 0; {
		line, after, _ := bytes.Cut(rest, []byte{'\n'})
		rest = after
		name, value, colon := bytes.Cut(line, []byte{':'})
		switch {
		case !colon:
			return nil, false
		case string(name) == "data" && data == nil:
			value = bytes.TrimPrefix(value, []byte{' '})
			data = value[:len(value):len(value)]
		case string(name) != "" && string(name) != "id" && string(name) != "event" && string(name) != "retry":
			return nil, false
		}
	}
	return data, data != nil
}

// RequestID returns the JSON text of a request's id, empty if the body is not a JSON-RPC
// request.
func RequestID(body []byte) string {
	var doc jsontok.Doc
	if len(body) == 0 || doc.Parse(body) != nil {
		return ""
	}
	return jsonrpc.ParseEnvelope(&doc).ID.String()
}
