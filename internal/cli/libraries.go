package cli

import (
	"io"
	"log"
	"log/slog"

	"parley/a2a/grpc"
)

// DiscardLogs leads the logs of all libraries nowhere. What they quote of an agent is neither masked
// nor safe for a terminal, and the screen is drawn where they write: net/http prints the beginning of
// what an agent sends after its answer. The main function calls it once, before [Run].
func DiscardLogs() {
	slog.SetDefault(slog.New(slog.DiscardHandler)) // takes the output of log, so that it goes first
	log.SetOutput(io.Discard)
	grpc.DiscardLog()
}
