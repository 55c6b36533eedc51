package urlpath

import (
	"net/url"
	"strings"
	"testing"
)

func TestOperationsAndCardsAreRecognised(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"/v1/message:stream": "/", "/a/v1/message:send": "/a", "/a/v1/card": "/a", "/extendedAgentCard": "/", "/a/.well-known/agent-card.json": "/a/",
		"/.well-known/agent.json": "/", "/a/tasks/7:cancel": "/a", "/v1/tasks/7:subscribe": "/", "/a/tasks/x/tasks/7:cancel": "/a/tasks/x",
		"/a/message/stream": "/a", "/agentCard/v1.0": "/", "/a/b/": "", "/": "", "": "", "/message:send/": "", "/tasks": "", "/v1": "", "/card": "", "/tasks/7": "", ":cancel": "",
	} {
		u := &url.URL{Scheme: "https", Host: "h", Path: path, RawQuery: "q=1"}
		above, end := Operation(u)
		if got := map[bool]string{true: above.Path}[end != ""]; got != want || above.RawQuery != "q=1" || end != "" && !strings.HasSuffix(path, end) {
			t.Errorf("%s: got %q without %q, want %q", path, got, end, want)
		}
	}
}

func TestDoubledPathsAreRecognised(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"/a/a/rpc": "/a", "/a2a/desk/a2a/desk": "/a2a/desk", "/a2a/desk/a2a/desk/": "/a2a/desk", "/a/a/a/a": "/a/a", "/a": "", "/a/b/a": "", "/": "", "": "", "//": "",
		"/rpc/a/a": "", strings.Repeat("/x", 3): "/x",
	} {
		if got := Doubled(path); got != want {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
}
