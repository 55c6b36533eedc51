package a2a

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"parley/a2a/coding"
)

// grpcPrefix is the length of what stands before each message of gRPC: whether it is compressed, and
// its length.
const grpcPrefix = 5

// errTornMessage is a message of gRPC that ends too early.
var errTornMessage = errors.New("the message of gRPC is incomplete")

// grpcMessage returns the first message of a body, decompressed, and its size on the wire with what
// stands before it; 0 if there is none.
func grpcMessage(body []byte, name string, codings coding.Codings, most int64) (message []byte, size int, err error) {
	if len(body) < grpcPrefix {
		return nil, 0, errTornMessage
	}
	n := int64(binary.BigEndian.Uint32(body[1:grpcPrefix]))
	if n > int64(len(body)-grpcPrefix) {
		return nil, 0, errTornMessage
	}
	size = grpcPrefix + int(n)
	message = body[grpcPrefix:size]
	if body[0]&1 == 0 {
		return message, size, nil
	}
	message, err = decompress(message, name, codings, most)
	return message, size, err
}

// decompress decodes a compressed message of gRPC.
func decompress(message []byte, name string, codings coding.Codings, most int64) ([]byte, error) {
	c := coding.NewBody(bytes.NewReader(message), []string{strings.ToLower(name)}, codings)
	return readAtMost(nil, c, &limitError{LimitEvent, most})
}

// messages records the messages of an answer over gRPC, and returns its end.
func (o *Observed) messages(ctx context.Context) End {
	x := o.x
	flow := &observedFlow{o: o, limit: x.wire.limits.Of(LimitEvent)}
	if names := x.tally.contentType; names != "" && !strings.HasPrefix(names, "application/grpc") {
		raw, err := readAtMost(nil, o.pieces, x.wire.limits.at(LimitAnswer))
		x.body(raw, err != nil, x.unread(len(raw), err))
		end := x.tally.verdict(x)
		if err != nil {
			end = x.broken(ctx, err)
		}
		return o.closing(end)
	}
	err := x.messages(ctx, flow)
	var broken *observedBreak
	switch cut := o.pieces.Discard(); {
	case errors.As(cut, &broken):
		return broken.end
	case err != io.EOF:
		return x.broken(ctx, err)
	}
	return x.flowEnd(ctx, flow.End(), io.EOF)
}

// An observedFlow reads messages of gRPC from the body of an answer.
type observedFlow struct {
	o     *Observed
	limit int64
	count int
}

var _ Flow = (*observedFlow)(nil)

// Head is not asked for.
func (f *observedFlow) Head() (*FlowHead, error) { return nil, nil }

// Next returns the next message.
func (f *observedFlow) Next() (Frame, error) {
	var prefix [grpcPrefix]byte
	if _, err := io.ReadFull(f.o.pieces, prefix[:]); err != nil {
		if err == io.ErrUnexpectedEOF {
			err = errTornMessage
		}
		return Frame{}, err
	}
	n := int64(binary.BigEndian.Uint32(prefix[1:]))
	if n > f.limit {
		return Frame{}, ErrTooLong
	}
	message, err := readAtMost(nil, io.LimitReader(f.o.pieces, n), &limitError{LimitEvent, f.limit})
	switch {
	case err != nil:
		return Frame{}, err
	case int64(len(message)) < n:
		return Frame{}, errTornMessage
	}
	size := grpcPrefix + len(message)
	if prefix[0]&1 != 0 {
		if message, err = decompress(message, f.o.coding(), f.o.x.wire.codings, f.limit); err != nil {
			return Frame{}, err
		}
	}
	f.count++
	return Frame{Bytes: message, Size: size}, nil
}

// Close does nothing: the exchange belongs to others.
func (f *observedFlow) Close() error { return nil }

// End reads the status from the trailer, or from the head of an answer that is only a head.
func (f *observedFlow) End() FlowEnd {
	h := f.o.end.Trailer
	if h.Get("Grpc-Status") == "" {
		h = f.o.header
	}
	e := FlowEnd{Sent: true, Status: http.StatusOK, Word: "OK", Trailer: f.o.end.Trailer}
	code, err := strconv.ParseInt(strings.TrimSpace(h.Get("Grpc-Status")), 10, 32)
	if err != nil {
		code = 2 // UNKNOWN
	}
	if code == 0 {
		e.Empty = f.count == 0
		return e
	}
	word, status := GRPCStatus(code)
	e.Status, e.Word, e.Unavailable = status, "gRPC "+word, code == 14
	e.Failure = &Binary{Kind: KindStatus}
	details := strings.TrimRight(h.Get("Grpc-Status-Details-Bin"), "=")
	if e.Failure.Bytes, err = base64.RawStdEncoding.DecodeString(details); err != nil || details == "" {
		said, unescaped := url.PathUnescape(h.Get("Grpc-Message"))
		if unescaped != nil {
			said = h.Get("Grpc-Message")
		}
		e.Failure.Bytes = statusMessage(code, said)
	}
	return e
}

// statusMessage returns a google.rpc.Status with a code and a message.
func statusMessage(code int64, said string) []byte {
	b := binary.AppendUvarint([]byte{1 << 3}, uint64(code))
	if said != "" {
		b = append(binary.AppendUvarint(append(b, 2<<3|2), uint64(len(said))), said...)
	}
	return b
}
