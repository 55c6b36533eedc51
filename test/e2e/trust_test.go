//go:build unix

package e2e

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// The first card of an agent is approved. If the next run finds another address in it, nothing
// is sent there before the user approves; the command line then knows that he did.
func TestAChangedCardIsApprovedBeforeAnythingIsSent(t *testing.T) {
	t.Parallel()
	var path atomic.Pointer[string]
	var posts atomic.Int32
	name := "/rpc"
	path.Store(&name)
	agent := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch {
		case r.Method == http.MethodPost:
			posts.Add(1)
			fmt.Fprint(w, `{"jsonrpc":"2.0","id":1,"result":{"message":{"messageId":"m","role":"ROLE_AGENT","parts":[{"text":"booked"}]}}}`)
		case strings.HasSuffix(r.URL.Path, "agent-card.json"):
			fmt.Fprintf(w, `{"name":"Desk","description":"books","version":"1","supportedInterfaces":[{"url":"http://%s%s","protocolBinding":"JSONRPC","protocolVersion":"1.0"}],"capabilities":{},"skills":[]}`, r.Host, *path.Load())
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(agent.Close)
	env := []string{"XDG_STATE_HOME=" + t.TempDir(), "XDG_CONFIG_HOME=" + t.TempDir()}
	first := parleyWith(t, 100, 30, env, agent.URL)
	first.WaitFor(`^ Desk  `)
	first.Text("/trust")
	first.Keys("Enter")
	first.WaitFor(`Desk +http.* as approved . unsigned`)
	first.Keys("Escape")
	first.WaitGone(`as approved`)
	first.Keys("C-c", "C-c")
	first.WaitFor(`^exit status 0`)

	other := "/elsewhere"
	path.Store(&other)
	second := parleyWith(t, 100, 30, env, agent.URL)
	second.WaitFor(`(?s)Nothing is sent to the agent.*address +/supportedInterfaces/0/url.*/rpc".*/elsewhere"`)
	second.Keys("Escape")
	second.WaitFor(`cannot send: The card of Desk has`)
	if n := posts.Load(); n != 0 {
		t.Errorf("got %d requests before the approval, want none", n)
	}
	second.WaitFor(`alt\+1 +review what has changed in the card`)
	second.Keys("M-1")
	second.WaitFor(`address +/supportedInterfaces/0/url`)
	second.Keys("a")
	second.WaitFor(`approve the card of Desk as it is now\?`)
	second.Keys("y")
	second.WaitGone(`approve the card of Desk as it is now`)
	second.WaitFor(`^ Desk  `)
	second.Text("book a room")
	second.Keys("Enter")
	second.WaitFor(`booked`)
	second.Keys("C-c", "C-c")
	second.WaitFor(`^exit status 0`)
}
