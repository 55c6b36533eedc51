package grpc

import (
	"context"
	"errors"
	"io"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// A call that Parley ends while the server's end arrives has no status of the server.
func TestTheOwnEndOfACallIsNotTheServers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		canceled bool
		err      error
		servers  bool
	}{
		"ended by Parley":                   {true, status.FromContextError(context.Canceled).Err(), false},
		"ended by the server":               {false, status.Error(codes.Canceled, ""), true},
		"ended by the server in Go's words": {false, status.Error(codes.Canceled, context.Canceled.Error()), true},
		"failed before Parley ended it":     {true, status.Error(codes.Internal, "boom"), true},
		"canceled before Parley ended it":   {true, status.Error(codes.Canceled, "the task is gone"), true},
		"ended regularly":                   {true, io.EOF, true},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		if c.canceled {
			cancel()
		}
		f := &flow{ctx: ctx, host: &host{}, trailed: true}
		f.end(c.err)
		if got := f.status != nil && errors.Is(f.err, io.EOF); got != c.servers {
			t.Errorf("%s: got status %v and error %v, want the server's end: %v", name, f.status, f.err, c.servers)
		}
	}
}
