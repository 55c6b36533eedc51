package grpc

import (
	"context"
	"encoding/base64"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/stats"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"parley/a2a"
)

// A flow is one call.
type flow struct {
	host   *host
	stream grpc.ClientStream
	ctx    context.Context // of the call
	cancel context.CancelFunc
	start  time.Time
	size   int    // of the newest message on the wire
	bytes  []byte // of the newest message
	status *status.Status
	err    error // that ended it, io.EOF for a regular end

	over sync.Once

	mu      sync.Mutex
	timing  a2a.Timing
	tls     bool
	trailed bool // the server sent the end
}

// flowKey is the context key of the flow of a call.
type flowKey struct{}

// Head waits for the metadata of the answer.
func (f *flow) Head() (*a2a.FlowHead, error) {
	md, err := f.stream.Header()
	if err == nil && md == nil || err != nil {
		// The call is over: trailers alone, or nothing at all.
		var none []byte
		f.end(f.stream.RecvMsg(&none))
		if !f.answered() {
			return nil, f.err
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.answerBegan(f.passed()) // gRPC may report the metadata after it has returned it
	head := &a2a.FlowHead{Status: http.StatusOK, Proto: "gRPC", Header: incoming(md), Timing: f.timing}
	if f.tls {
		head.Proto = "gRPC, TLS"
	}
	return head, nil
}

// answered reports whether the server sent an end.
func (f *flow) answered() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.trailed
}

// Next waits for a message.
func (f *flow) Next() (a2a.Frame, error) {
	if f.err != nil {
		return a2a.Frame{}, f.err
	}
	if err := f.stream.RecvMsg(&f.bytes); err != nil {
		f.end(err)
		return a2a.Frame{}, f.err
	}
	b := f.bytes
	f.bytes = nil // each message has memory of its own
	return a2a.Frame{Bytes: b, Size: f.size}, nil
}

// end notes the error that ended the call.
func (f *flow) end(err error) {
	switch {
	case f.err != nil:
	case f.late(err):
		f.err = err
	case err == nil: // a message came where none was expected
		f.err = io.EOF
	case err == io.EOF:
		f.status, f.err = status.New(codes.OK, ""), io.EOF
	case f.tooLong(err):
		f.err = a2a.ErrTooLong
	case f.answered() && !ours(err) && !f.canceled(err):
		f.status, f.err = status.Convert(err), io.EOF
	default:
		f.err = f.explain(err)
	}
}

// late reports whether a call ended because its time was up. The server knows the time too, and may
// end the call a moment before this side does.
func (f *flow) late(err error) bool {
	const moment = time.Second
	deadline, limited := f.ctx.Deadline()
	if !limited || status.Code(err) != codes.DeadlineExceeded || time.Until(deadline) > moment {
		return false
	}
	<-f.ctx.Done()
	return true
}

// canceled reports whether this side ended the call. grpc-go reports the end of the server before it
// decides which of the two ends the call has.
func (f *flow) canceled(err error) bool {
	return f.ctx.Err() != nil && status.Convert(err).Message() == context.Canceled.Error()
}

// tooLong reports whether this side refused a message for its length. A server that refuses the
// request for its length says the same, but names its own limit.
func (f *flow) tooLong(err error) bool {
	said := status.Convert(err).Message()
	return strings.Contains(said, "larger than max") && strings.Contains(said, strconv.FormatInt(f.host.options.MaxMessage, 10))
}

// Texts of errors of grpc-go that concern the bytes of a message.
const (
	saidDecompressor = "Decompressor is not installed"
	saidTorn         = "unexpected EOF"
	saidNothing      = "error reading server preface" // the connection closed before it was used
)

// ours reports whether an error is of this side, although the server had sent the end: a message
// before it could not be read.
func ours(err error) bool {
	st := status.Convert(err)
	return st.Code() == codes.Internal && (st.Message() == saidTorn || strings.Contains(st.Message(), saidDecompressor))
}

// explain says what an error of this side means: why there is no connection, or what broke it.
func (f *flow) explain(err error) error {
	st := status.Convert(err)
	h := f.host
	h.mu.Lock()
	dialErr, newest := h.dialErr, h.newest
	h.mu.Unlock()
	switch said := st.Message(); {
	case st.Code() == codes.Canceled || st.Code() == codes.DeadlineExceeded:
		return err
	case dialErr != nil && st.Code() == codes.Unavailable:
		return dialErr
	case strings.Contains(said, "header list size"), strings.Contains(said, "COMPRESSION_ERROR"):
		return &a2a.FlowError{Class: a2a.ClassLimit, Sentence: h.name + " answered with metadata that are too long; Parley stopped reading there: check the agent's log.", Cause: err}
	case strings.Contains(said, "unexpected HTTP status code"), strings.Contains(said, "content-type"):
		return &a2a.FlowError{Class: a2a.ClassBody, Sentence: h.name + " answered over HTTP/2 but not with gRPC: check the port, and whether a proxy is in front of the agent.", Cause: err}
	case strings.Contains(said, saidDecompressor), strings.Contains(said, "decompress"):
		return &a2a.FlowError{Class: a2a.ClassBody, Sentence: h.name + " sent a message whose compression Parley cannot read: turn the compression off.", Cause: err}
	default:
		if newest != nil {
			if fault := newest.greeting.fault(h.name, newest.TLS, newest.patience); fault != nil {
				fault.Cause = err
				return fault
			}
			if !newest.TLS && !h.local() && strings.Contains(st.Message(), saidNothing) {
				return &a2a.FlowError{Class: a2a.ClassTLS, Unsent: true, Cause: err, Sentence: h.name +
					" closed the connection before it said anything: if it requires TLS, write grpcs:// instead of grpc://; otherwise check the port and the agent's log."}
			}
		}
		return &a2a.FlowError{Class: a2a.ClassCut, Sentence: f.broke(st), Cause: err}
	}
}

// broke describes a connection that ended without an end of the call.
func (f *flow) broke(st *status.Status) string {
	switch said := st.Message(); {
	case strings.Contains(said, "goaway") || strings.Contains(said, "GOAWAY") || strings.Contains(said, "graceful"), strings.Contains(said, "draining"):
		return f.host.name + " closed the connection (GOAWAY)."
	case said == saidTorn:
		return f.host.name + " ended its answer inside a message."
	case strings.Contains(said, "RST_STREAM"):
		return f.host.name + " reset the call."
	case f.stream == nil || f.size == 0 && !f.answered():
		return a2a.ClosedSentence(f.host.name)
	default:
		return "The connection to " + f.host.name + " broke."
	}
}

// End describes the end.
func (f *flow) End() a2a.FlowEnd {
	e := a2a.FlowEnd{Sent: f.answered(), Status: http.StatusOK, Word: "OK"}
	if f.status == nil || f.stream == nil {
		return e
	}
	md := f.stream.Trailer()
	e.Trailer = incoming(md)
	e.Trailer.Set("Grpc-Status", strconv.Itoa(int(f.status.Code())))
	if f.status.Code() == codes.OK {
		return e
	}
	if said := f.status.Message(); said != "" {
		e.Trailer.Set("Grpc-Message", said)
	}
	word, code := a2a.GRPCStatus(int64(f.status.Code()))
	e.Status, e.Word = code, "gRPC "+word
	e.Unavailable = f.status.Code() == codes.Unavailable
	e.Failure = &a2a.Binary{Kind: a2a.KindStatus}
	if details := md.Get("grpc-status-details-bin"); len(details) > 0 {
		e.Failure.Bytes = []byte(details[0])
	} else {
		e.Failure.Bytes, _ = proto.Marshal(f.status.Proto()) // it says the same
	}
	return e
}

// Close abandons the call.
func (f *flow) Close() error {
	f.cancel()
	f.over.Do(f.host.left)
	return nil
}

func encodeBinary(v string) string { return base64.RawStdEncoding.EncodeToString([]byte(v)) }

// A watch notes what happens to calls.
type watch struct{}

var _ stats.Handler = watch{}

func (watch) TagRPC(ctx context.Context, _ *stats.RPCTagInfo) context.Context { return ctx }

func (watch) TagConn(ctx context.Context, _ *stats.ConnTagInfo) context.Context { return ctx }

func (watch) HandleConn(context.Context, stats.ConnStats) {}

// HandleRPC notes times, sizes and the end of a call.
func (watch) HandleRPC(ctx context.Context, s stats.RPCStats) {
	f, ok := ctx.Value(flowKey{}).(*flow)
	if !ok {
		return
	}
	if in, ok := s.(*stats.InPayload); ok {
		f.size = in.WireLength // read by the goroutine that reads the message
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	passed := f.passed()
	switch s := s.(type) {
	case *stats.OutHeader:
		f.connected(s)
	case *stats.OutPayload:
		f.timing.Sent = passed
	case *stats.InHeader:
		f.answerBegan(passed)
	case *stats.InTrailer:
		f.trailed = true
		f.answerBegan(passed)
	}
}

// passed returns the time since the start of the call.
func (f *flow) passed() time.Duration { return f.host.options.Now().Sub(f.start) }

// answerBegan notes when the answer began, unless that is known.
func (f *flow) answerBegan(passed time.Duration) {
	if f.timing.FirstByte == 0 {
		f.timing.FirstByte = passed
	}
}

// connected notes the connection of a call, and how long it took to make if the call is the first
// on it.
func (f *flow) connected(s *stats.OutHeader) {
	h := f.host
	h.mu.Lock()
	defer h.mu.Unlock()
	if c := h.newest; c != nil {
		f.tls = c.TLS
		if h.fresh {
			f.timing.DNS, f.timing.Connect, f.timing.TLS, f.timing.Remote = c.Timing.DNS, c.Timing.Connect, c.Timing.TLS, c.Timing.Remote
		}
	}
	f.timing.Reused = !h.fresh
	h.fresh = false
	if s.RemoteAddr != nil {
		f.timing.Remote = s.RemoteAddr.String()
	}
}
