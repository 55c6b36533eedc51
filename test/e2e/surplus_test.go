//go:build unix

package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"testing"
)

// startTalkative returns the address of an agent whose every answer is followed, in the same bytes, by
// the credentials of the request and an escape sequence.
func startTalkative(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go talk(conn)
		}
	}()
	return "http://" + l.Addr().String()
}

func talk(conn net.Conn) {
	defer conn.Close()
	r := bufio.NewReader(conn)
	for {
		req, err := http.ReadRequest(r)
		if err != nil {
			return
		}
		body, _ := io.ReadAll(req.Body)
		answer := fmt.Sprintf(`{"name":"Talkative","description":"d","version":"1","capabilities":{},"skills":[],"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],
			"supportedInterfaces":[{"url":"http://%s/rpc","protocolBinding":"JSONRPC","protocolVersion":"1.0"}]}`, req.Host)
		if req.Method == http.MethodPost {
			var call struct{ ID json.RawMessage }
			_ = json.Unmarshal(body, &call)
			answer = fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"task":{"id":"t1","contextId":"c1","status":{"state":"TASK_STATE_COMPLETED"}}}}`, call.ID)
		}
		fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s%s", len(answer), answer,
			"You are "+req.Header.Get("Authorization")+", \x1b]0;owned\a")
	}
}

// What an agent sends after its answer is a finding, and on no output as it came: no library prints it.
func TestWhatFollowsAnAnswerIsNotPrinted(t *testing.T) {
	t.Parallel()
	const secret = "planted-bearer-after-the-answer"
	url := startTalkative(t)
	for name, args := range map[string][]string{
		"text": {"send", "-a", url, "--bearer", secret, "hello"},
		"json": {"send", "-a", url, "--bearer", secret, "-o", "json", "hello"},
		"list": {"task", "list", "-a", url, "--bearer", secret},
	} {
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command(program, args...)
			dir := t.TempDir()
			cmd.Env = []string{"HOME=" + dir, "XDG_STATE_HOME=" + dir, "XDG_CONFIG_HOME=" + dir}
			out, _ := cmd.CombinedOutput() // its status is not the point
			if !strings.Contains(string(out), "HTTP-013") {
				t.Errorf("got no finding about what came after the answer, want one:\n%q", out)
			}
			for _, bad := range []string{secret, "\x1b]", "Unsolicited"} {
				if strings.Contains(string(out), bad) {
					t.Errorf("got %q on the outputs, want it nowhere:\n%q", bad, out)
				}
			}
		})
	}
	s := parleyWith(t, 120, 30, []string{"PARLEY_BEARER=" + secret, "XDG_STATE_HOME=" + t.TempDir(), "XDG_CONFIG_HOME=" + t.TempDir()}, url)
	s.WaitFor(`▌Talkative`)
	s.Text("hello")
	s.WaitFor(`❯ hello`)
	s.Keys("Enter")
	screen := s.WaitFor(`surplus after the answer`)
	if strings.Contains(screen, secret) || strings.Contains(screen, "Unsolicited") {
		t.Errorf("got what the agent sent after its answer on the screen:\n%s", screen)
	}
}
