//go:build unix

package e2e

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"

	"parley/a2a/a2atest"
	"parley/a2a/a2atest/demo"
	"parley/internal/porttest"
)

// The doctor follows the way to the agent on the screen, to a server that says nothing until it is
// stopped, and to a port where nobody is.
func TestTheDoctorIsASheet(t *testing.T) {
	t.Parallel()
	agents, stop, err := demo.Start(t.Context(), a2atest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { silent.Close() })

	env := []string{"XDG_STATE_HOME=" + t.TempDir(), "XDG_CONFIG_HOME=" + t.TempDir()}
	term := parleyWith(t, 100, 30, env, agents[0].URL)
	term.WaitFor(`^ Travel Desk  `)
	doctor := func(arg string) {
		term.Text("/doctor" + arg)
		term.WaitFor(`/doctor` + arg)
		term.Keys("Enter")
	}
	doctor("")
	term.WaitFor(`(?s)doctor . Travel Desk.* all well .*The agent can be reached.*✓ TCP.*✓ card +Travel Desk at .*✓ version +A2A 1\.0.*✓ requests +\d read-only requests.*message +not sent`)
	term.Keys("Tab")
	term.WaitFor(`(?s)doctor . this machine.*Terminal .*100×30 cells`)
	term.Keys("Escape")
	term.WaitGone(`doctor . this machine`)

	doctor(" https://" + silent.Addr().String())
	term.WaitFor(`(?s) running .*Following the way to .*● TLS`)
	term.Keys("Escape")
	term.WaitFor(`Stopped: r begins again`)
	term.Keys("Escape")
	term.WaitGone(`Stopped: r begins again`)

	doctor(" http://" + porttest.Keep(t).Address)
	term.WaitFor(`(?s)broken at TCP.*✕ TCP +Nothing listens at.*what to do +Start the agent`)
	term.Keys("Escape")
	term.WaitGone(`broken at TCP`)
	term.Keys("C-c", "C-c")
	waitForExit(t, term, 0)
}

// A proxy of the environment belongs to the way. The program reads it when it starts.
func TestTheDoctorNamesWhatIsWrongWithAProxy(t *testing.T) {
	t.Parallel()
	gone := "http://" + porttest.Keep(t).Address
	refuses := func(status int) string {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
		t.Cleanup(s.Close)
		return s.URL
	}
	ends, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ends.Close() })
	go func() {
		for {
			conn, err := ends.Accept()
			if err != nil {
				return
			}
			_, _ = io.WriteString(conn, "220 mail\r\n")
			_ = conn.Close()
		}
	}()
	for name, c := range map[string]struct{ proxy, ref, step, says string }{
		"away":         {gone, "https://agent.example", "TCP", "The proxy at 127.0.0.1:"},
		"away, plain":  {gone, "http://agent.example", "TCP", "The proxy at 127.0.0.1:"},
		"login":        {refuses(407), "https://agent.example", "proxy", "asks for credentials"},
		"login, plain": {refuses(407), "http://agent.example", "proxy", "407"},
		"forbids":      {refuses(403), "https://agent.example", "proxy", "with status 403"},
		"no proxy":     {"http://" + ends.Addr().String(), "https://agent.example", "proxy", "does not answer as a proxy"},
		"unknown":      {"http://proxy.invalid:3128", "https://agent.example", "DNS", "proxy.invalid of the proxy"},
	} {
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command(program, "doctor", c.ref)
			cmd.Env = append(os.Environ(), "HTTPS_PROXY="+c.proxy, "HTTP_PROXY="+c.proxy, "NO_PROXY=", "no_proxy=", "XDG_STATE_HOME="+t.TempDir(), "XDG_CONFIG_HOME="+t.TempDir())
			out, _ := cmd.CombinedOutput() // it fails
			if want := fmt.Sprintf("Failed: %s: ", c.step); !strings.Contains(string(out), want) || !strings.Contains(string(out), c.says) || !strings.Contains(string(out), "Hint: ") {
				t.Errorf("got\n%s\nwant %q and %q", out, want, c.says)
			}
		})
	}
}
