package grpc

import (
	"fmt"

	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/mem"
)

// A Codec passes messages, which are of type *[]byte, through as bytes. It has the name of the usual
// codec, so that the other side sees no difference.
type Codec struct{}

var _ encoding.CodecV2 = Codec{}

// Name returns the name of the usual codec.
func (Codec) Name() string { return "proto" }

// Marshal returns the bytes of a message.
func (Codec) Marshal(v any) (mem.BufferSlice, error) {
	b, ok := v.(*[]byte)
	if !ok {
		return nil, fmt.Errorf("a message of type %T is no bytes", v)
	}
	return mem.BufferSlice{mem.SliceBuffer(*b)}, nil
}

// Unmarshal sets a message to bytes.
func (Codec) Unmarshal(data mem.BufferSlice, v any) error {
	b, ok := v.(*[]byte)
	if !ok {
		return fmt.Errorf("a message of type %T is no bytes", v)
	}
	*b = data.Materialize()
	return nil
}
