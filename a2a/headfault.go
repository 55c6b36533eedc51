package a2a

import (
	"cmp"
	"fmt"
	"strings"

	"parley/a2a/httphead"
	"parley/internal/units"
)

// headFailure completes the end of an exchange whose answer begins with bytes that net/http
// does not accept as a head.
func headFailure(end End, host string, got httphead.Message) End {
	end.Reason, end.Class = Cut, ClassBody
	line := httphead.StartLine(got.Final())
	switch {
	case httphead.IsTLS(got.Head):
		end.Reason, end.Class = Refused, ClassTLS
		end.Sentence = host + " speaks TLS on this port, but the request was not encrypted: write https:// instead of http://."
	case httphead.IsHTTP2(got.Head):
		end.Reason, end.Class = Refused, ClassUnsupported
		end.Sentence = host + " speaks only HTTP/2, which Parley cannot negotiate without TLS: write grpc:// if this is a gRPC endpoint, use its https:// address, or enable HTTP/1.1 on the agent."
	case got.Omitted > 0 || len(got.Head) >= maxHead:
		end.Sentence = fmt.Sprintf("%s answered with a head of more than %d MB; Parley stopped reading there: check the agent's log.", host, maxHead>>20)
	case !strings.HasPrefix(line, "HTTP/"):
		end.Sentence = host + " answered with something that is not HTTP: check the port, and whether it requires https://."
	case !got.Complete:
		end.Class = ClassCut
		end.Sentence = fmt.Sprintf("%s closed the connection in the middle of the head of an answer, after %s of it."+crashGuess,
			host+orOnTheWay+",", units.InBytes(int64(len(got.Head))))
	default:
		fault := cmp.Or(httphead.ResponseFault(got), "see the received bytes") // net/http found a fault that is not checked here
		end.Sentence = fmt.Sprintf("%s answered with a head that HTTP does not allow: %s. Parley did not read the rest; repair the agent, or the proxy in front of it.", host, fault)
	}
	return end
}
