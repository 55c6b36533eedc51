package serve

import (
	"net/http"
	"slices"
	"strings"

	"parley/a2a"
	"parley/a2a/jsontok"
	"parley/session/request"
)

// answerCall answers a call of gRPC from the recording.
func (p *port) answerCall(c a2a.IncomingCall) a2a.FlowEnd {
	o := &p.server.options
	message := c.Message()
	text, _ := o.Format.Render(&message)
	f := facts{Facts: request.ReadGRPC(c.Path(), text)}
	done := p.agent.match(&f)
	p.report(&f, &done)
	sink := &callSink{call: c}
	switch {
	case done.miss != nil:
		return a2a.FlowEnd{Failure: done.miss.status(o.Format)}
	case done.x == nil:
		body := done.made
		if done.swap != nil {
			body = jsontok.Apply(body, done.swap.edits(body))
		}
		built, err := o.Format.Rebuild(o.Format.Answers(c.Path()), body)
		if err != nil {
			return a2a.FlowEnd{Failure: (&miss{codeUnsupported, "What is known of it is no message of gRPC."}).status(o.Format)}
		}
		if c.Head(http.Header{markHeader: {done.mark()}}) == nil {
			_ = c.Send(built.Bytes) // the client may have gone
		}
		return a2a.FlowEnd{}
	}
	p.playback(c.Context(), &done, p.at).play(sink)
	return sink.over
}

// A callSink sends an answer over gRPC.
type callSink struct {
	call a2a.IncomingCall
	over a2a.FlowEnd
}

// ownMetadata are those that gRPC makes itself.
var ownMetadata = []string{"Content-Type", "Grpc-Status", "Grpc-Message", "Grpc-Status-Details-Bin", "Grpc-Encoding", "Grpc-Accept-Encoding", "Date", "Server", "Trailer"}

// metadata returns recorded metadata that can be sent again.
func metadata(h http.Header) http.Header {
	again := http.Header{}
	for name, values := range h {
		masked := func(v string) bool { return strings.Contains(v, a2a.Mask) }
		if !slices.Contains(ownMetadata, http.CanonicalHeaderKey(name)) && !strings.HasPrefix(name, ":") && !slices.ContainsFunc(values, masked) {
			again[name] = values
		}
	}
	return again
}

func (s *callSink) head(x *exchange, _ int64) error {
	if x.head == nil || x.head.Head == nil {
		return nil
	}
	return s.call.Head(metadata(x.head.Head.Header))
}

func (s *callSink) write(b []byte) error { return s.call.Send(b) }

func (s *callSink) raw([]byte) { s.call.Sever(false) }

func (s *callSink) sever(reset bool) { s.call.Sever(reset) }

func (s *callSink) end(trailer http.Header, failure *a2a.Binary) {
	s.over = a2a.FlowEnd{Trailer: metadata(trailer), Failure: failure}
}
