//go:build unix

package e2e

import (
	"bufio"
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// A browser is Chromium without a window. All that it requests goes to a proxy that only counts.
type browser struct {
	t       *testing.T
	conn    *websocket.Conn
	session string
	last    int

	mu       sync.Mutex
	requests []string
	console  []string
}

// startBrowser starts Chromium with a page, with or without scripts.
func startBrowser(t *testing.T, url string, scripts bool) *browser {
	t.Helper()
	name, err := exec.LookPath("chromium")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("Chromium is not here")
		}
		t.Skip("Chromium is not here")
	}
	b := &browser{t: t}
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b.mu.Lock()
		b.requests = append(b.requests, r.Method+" "+r.Host+r.URL.Path)
		b.mu.Unlock()
		w.WriteHeader(http.StatusBadGateway)
	}))
	t.Cleanup(proxy.Close)
	cmd := exec.Command(name, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--disable-default-apps", "--disable-extensions", "--user-data-dir="+profileFolder(t),
		"--proxy-server="+strings.TrimPrefix(proxy.URL, "http://"), "--proxy-bypass-list=<-loopback>", "--remote-debugging-port=0", "--window-size=1400,900", "about:blank")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // it starts more processes
	stderr, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // it may have ended
		_ = cmd.Wait()
	})
	silent := time.AfterFunc(time.Minute, func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }) // its output ends, and so does the wait for an address
	b.connect(stderr)
	silent.Stop()
	b.attach(url, scripts)
	return b
}

// profileFolder returns a folder for what Chromium writes. Processes of it that end a moment after
// the first one may write while the folder is removed, so removing is tried until it succeeds.
func profileFolder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "parley-chromium-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		const tries = 600
		for range tries {
			if err = os.RemoveAll(dir); err == nil {
				return
			}
			time.Sleep(50 * time.Millisecond)
		}
		t.Errorf("Chromium still writes to its folder half a minute after its end: %v", err)
	})
	return dir
}

// connect finds the address of the debugger in what the browser prints.
func (b *browser) connect(stderr interface{ Read([]byte) (int, error) }) {
	b.t.Helper()
	lines := bufio.NewScanner(stderr)
	address := ""
	for address == "" && lines.Scan() {
		if m := regexp.MustCompile(`ws://\S+`).FindString(lines.Text()); m != "" {
			address = m
		}
	}
	go func() {
		for lines.Scan() { // so that it never waits to print
		}
	}()
	dialer := websocket.Dialer{NetDial: func(network, addr string) (net.Conn, error) { return net.Dial(network, addr) }}
	if address == "" {
		b.t.Fatal("Chromium ended, or named no address of its debugger within a minute")
	}
	conn, _, err := dialer.Dial(address, nil)
	if err != nil {
		b.t.Fatalf("got no debugger at %q: %v", address, err)
	}
	b.conn = conn
	b.t.Cleanup(func() { conn.Close() })
}

// attach opens a page.
func (b *browser) attach(url string, scripts bool) {
	b.t.Helper()
	target := b.call("Target.createTarget", map[string]any{"url": "about:blank"})
	b.session = b.call("Target.attachToTarget", map[string]any{"targetId": target["targetId"], "flatten": true})["sessionId"].(string)
	for _, domain := range []string{"Page", "Runtime", "Log", "DOM"} {
		b.call(domain+".enable", nil)
	}
	if !scripts {
		b.call("Emulation.setScriptExecutionDisabled", map[string]any{"value": true})
	}
	b.call("Page.navigate", map[string]any{"url": url})
	b.until("the page is complete", `document.readyState === "complete" && location.href !== "about:blank"`)
}

// call calls a method of the debugger and returns its result.
func (b *browser) call(method string, params map[string]any) map[string]any {
	b.t.Helper()
	b.last++
	message := map[string]any{"id": b.last, "method": method, "params": params}
	if params == nil {
		message["params"] = map[string]any{}
	}
	if b.session != "" {
		message["sessionId"] = b.session
	}
	if err := b.conn.WriteJSON(message); err != nil {
		b.t.Fatal(err)
	}
	for {
		_ = b.conn.SetReadDeadline(time.Now().Add(time.Minute)) // the read reports it
		var answer struct {
			ID     int             `json:"id"`
			Method string          `json:"method"`
			Result map[string]any  `json:"result"`
			Params json.RawMessage `json:"params"`
			Error  *struct {
				Message string `json:"message"`
			} `json:"error"`
		}
		if err := b.conn.ReadJSON(&answer); err != nil {
			b.t.Fatal(err)
		}
		switch {
		case answer.Method == "Log.entryAdded" || answer.Method == "Runtime.exceptionThrown" || answer.Method == "Page.javascriptDialogOpening":
			b.console = append(b.console, answer.Method+" "+string(answer.Params))
		case answer.ID == b.last && answer.Error != nil:
			b.t.Fatalf("%s: %s", method, answer.Error.Message)
		case answer.ID == b.last:
			return answer.Result
		}
	}
}

// eval returns the value of an expression in the page.
func (b *browser) eval(expression string) any {
	b.t.Helper()
	result := b.call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true})
	if result["exceptionDetails"] != nil {
		b.t.Fatalf("%s: %v", expression, result["exceptionDetails"])
	}
	value, _ := result["result"].(map[string]any)
	return value["value"]
}

// until waits for an expression to be true.
func (b *browser) until(what, expression string) {
	b.t.Helper()
	for deadline := time.Now().Add(time.Minute); b.eval(expression) != true; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			b.t.Fatalf("got no end of waiting, want: %s, at %v", what, b.eval(`location.href + " " + document.activeElement?.id + " scrolled by " + scrollY`))
		}
	}
}

// middle scrolls to the first element of a selector and returns its middle.
func (b *browser) middle(selector string) []any {
	b.t.Helper()
	quoted, _ := json.Marshal(selector)
	at, ok := b.eval(`(() => { const e = document.querySelector(` + string(quoted) + `); if (!e) return null; e.scrollIntoView({block: "center"}); const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2] })()`).([]any)
	if !ok {
		b.t.Fatalf("got no element %s", selector)
	}
	return at
}

// click clicks the middle of the first element of a selector, where the element is once nothing
// moves it any more, and waits until the page says so in an expression.
func (b *browser) click(selector, what, until string) {
	b.t.Helper()
	at := b.middle(selector)
	for again := b.middle(selector); !slices.Equal(at, again); again = b.middle(selector) {
		at = again
	}
	for _, kind := range []string{"mousePressed", "mouseReleased"} {
		b.call("Input.dispatchMouseEvent", map[string]any{"type": kind, "x": at[0], "y": at[1], "button": "left", "clickCount": 1})
	}
	b.until(what, until)
}

// write types text into the element that has the focus.
func (b *browser) write(text string) { b.call("Input.insertText", map[string]any{"text": text}) }

// wantSilence fails if the page asked for anything, ran what an agent wrote, or broke its policy.
func (b *browser) wantSilence(own string) {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	if i := slices.IndexFunc(b.requests, func(r string) bool { return strings.Contains(r, own) || strings.Contains(r, "example") }); i >= 0 {
		b.t.Errorf("got requests %q, want none", b.requests)
	}
	if len(b.console) > 0 {
		b.t.Errorf("got messages %q, want none", b.console)
	}
}

// wantCount fails unless the proxy sees what leaves the browser.
func (b *browser) wantCount() {
	b.t.Helper()
	b.call("Page.navigate", map[string]any{"url": "http://control.example/"})
	b.mu.Lock()
	defer b.mu.Unlock()
	if !slices.ContainsFunc(b.requests, func(r string) bool { return strings.Contains(r, "control.example") }) {
		b.t.Errorf("got requests %q, want the one that was made on purpose", b.requests)
	}
}
