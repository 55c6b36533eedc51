package grpc

import (
	"io"

	"google.golang.org/grpc/grpclog"
)

// DiscardLog leads the log of gRPC nowhere, which otherwise writes errors to standard error. It must
// be called before anything else of this package is used.
func DiscardLog() {
	grpclog.SetLoggerV2(grpclog.NewLoggerV2(io.Discard, io.Discard, io.Discard))
}
