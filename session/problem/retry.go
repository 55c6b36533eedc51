package problem

import (
	"net/http"
	"time"

	"parley/a2a"
	"parley/a2a/pause"
)

// IsUnreachable reports whether a failure of this class can end without the user, when the agent
// starts again.
func IsUnreachable(class string) bool {
	return class == a2a.ClassRefused || class == a2a.ClassDNS || class == a2a.ClassTimeout
}

// IsLasting reports whether the same request would get the same answer again: an error in A2A's
// own terms or a refusal, unless the agent is only busy, or a proxy in front of it fails.
func IsLasting(rpc *a2a.RPCError, status int, pause time.Duration) bool {
	if pause > 0 || rpc != nil && IsBusy(rpc) {
		return false
	}
	switch status {
	case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests,
		http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return false
	}
	return rpc != nil && (rpc.Code < 0 || status/100 != 5) || status/100 == 4
}

// RetryPause returns how long an error asks to wait before the next attempt: the header of its
// answer decides, otherwise its data.
func RetryPause(e *a2a.RPCError, header time.Duration) time.Duration {
	if header > 0 || !IsBusy(e) {
		return header
	}
	return pause.In(e.Data)
}

// IsBusy reports whether an error says that there are too many requests. Only 0.1 defines that
// code, and no later version gives it another meaning.
func IsBusy(e *a2a.RPCError) bool {
	return e.Name == "RateLimitExceededError" || e.Code == -32010 && e.Name == ""
}
