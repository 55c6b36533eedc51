//go:build unix

package e2e

import (
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/internal/tmux"
)

// A user inspects one record: a nested text, the bytes, the times, a masked secret, and saves a
// file.
func TestARecordIsTakenApart(t *testing.T) {
	t.Parallel()
	const token = "token-of-the-user"
	png := "\x89PNG\r\n\x1a\n" + strings.Repeat("pixel", 30)
	mux := http.NewServeMux()
	srv := httptest.NewServer(mux)
	t.Cleanup(srv.Close)
	mux.HandleFunc("/.well-known/agent-card.json", func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte(`{"name":"Clerk","description":"","version":"1","capabilities":{"streaming":false},"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],
			"supportedInterfaces":[{"url":"` + srv.URL + `/rpc","protocolBinding":"JSONRPC","protocolVersion":"1.0"}],"skills":[]}`))
	})
	mux.HandleFunc("/rpc", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"jsonrpc":"2.0","id":"x","result":{"message":{"messageId":"m","role":"ROLE_AGENT","parts":[
			{"text":"{\"fare\": 412, \"legs\": [\"OSL\", \"LHR\"]}"},
			{"filename":"../map.png","raw":"` + base64.StdEncoding.EncodeToString([]byte(png)) + `"}]}}}`))
	})
	dir := t.TempDir()
	s := tmux.Start(t, tmux.Options{
		Command: []string{"sh", "-c", `"$@"; echo "exit status $?"; exec sleep 1000`, "sh", program, "--no-record", srv.URL},
		Env:     []string{"A2ACLI_BEARER=" + token}, Dir: dir, W: 160, H: 50,
	})
	s.WaitFor(`▌Clerk`)
	s.WaitFor(`write a message below`)
	s.Text("what does it cost?")
	s.Keys("Enter")
	s.WaitFor(`← message`)
	s.WaitFor(`← message(.*\n)+.*end · closed by agent`)
	s.WaitFor(`outcome · answered`)
	s.Keys("Tab", "Tab", "k", "k", "d", "G")
	s.WaitFor(`/result/message/parts/1/raw +bytes`)
	s.Keys("w")
	s.WaitFor(`saved 158 B to record-\d+-map\.png`)
	if files, _ := filepath.Glob(filepath.Join(dir, "record-*-map.png")); len(files) != 1 {
		t.Errorf("got files %v, want 1", files)
	} else if data, err := os.ReadFile(files[0]); err != nil || string(data) != png {
		t.Errorf("got file content %q, %v, want the picture", data, err)
	}
	s.Keys("v")
	s.WaitFor(`0000  89 50 4e 47 0d 0a 1a 0a`)
	s.Keys("g", "j", "j", "j", "j", "j", "j", "j", "j")
	s.WaitFor(`/result/message/parts/0/text`)
	s.Keys("v")
	s.WaitFor(`fare 412`)
	s.Keys("j", "y")
	s.WaitFor(`copied`)
	s.WaitForCopy(`\A412\z`)
	s.Keys("3")
	screen := s.WaitFor(`Authorization +••• +masked 24 B`)
	if strings.Contains(screen, token) {
		t.Errorf("got the token on the screen:\n%s", screen)
	}
	s.Keys("j", "j", "j", "j", "j", "j", "j", "u")
	s.WaitFor(`Authorization +Bearer ` + token + ` +revealed`)
	s.Keys("u")
	s.WaitGone(token)
	s.Keys("4")
	s.WaitFor(`connect .*\n.*request sent .*\n.*first byte `)
	s.Keys("2", "x")
	s.WaitFor(`0000  7b 22 6a 73 6f 6e 72 70`)
	s.Keys("C-c", "C-c")
	waitForExit(t, s, 0)
}
