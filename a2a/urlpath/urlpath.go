// Package urlpath recognises paths of endpoints that cards declare by mistake. A path that is recognised may be right all
// the same, so that callers warn, or try the other one only where nothing answers.
package urlpath

import (
	"net/url"
	"slices"
	"strings"
)

// ends are the last path segments of operations and of the card, and methods of JSON-RPC that are taken for paths; the
// endpoint is above them.
var ends = []string{
	"/v1/message:send", "/v1/message:stream", "/v1/card", "/message:send", "/message:stream", "/extendedAgentCard",
	"/message/send", "/message/stream", "/tasks/send", "/tasks/sendSubscribe", "/tasks/get", "/v1/tasks", "/SendMessage", "/SendStreamingMessage",
	"/.well-known/agent-card.json", "/.well-known/agent.json", "/agent-card.json", "/agent.json", "/agentCard", "/agentCard/v1.0", "/agentCard/v0.3",
}

// Operation removes the path of an operation or of the card from an endpoint, and returns what it removed, empty if the
// endpoint has no such path. The rest of the URL stays the same byte for byte, including trailing slashes.
func Operation(u *url.URL) (above *url.URL, end string) {
	list := ends
	if at := strings.LastIndex(u.Path, "/tasks/"); at >= 0 && (strings.HasSuffix(u.Path, ":cancel") || strings.HasSuffix(u.Path, ":subscribe")) {
		list = []string{"/v1" + u.Path[at:], u.Path[at:]}
	}
	for _, end := range list {
		if base, ok := strings.CutSuffix(u.Path, end); ok {
			c := *u
			c.Path, c.RawPath = base+"/", ""
			if base != "" && !strings.HasPrefix(end, "/.well-known") {
				c.Path = base
			}
			return &c, end
		}
	}
	return u, ""
}

// Doubled returns the beginning of a path that follows at once again, as where a server and a gateway both add it,
// empty if there is none.
func Doubled(path string) string {
	segments := strings.Split(strings.Trim(path, "/"), "/")
	for n := len(segments) / 2; n > 0; n-- {
		if slices.Equal(segments[:n], segments[n:2*n]) {
			return "/" + strings.Join(segments[:n], "/")
		}
	}
	return ""
}
