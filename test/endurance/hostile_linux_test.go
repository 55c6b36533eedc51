package endurance

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// An endlessEndpoint is an endpoint that never stops sending something.
type endlessEndpoint struct {
	name   string
	media  string // its answer to a message; empty answers like the card
	status int
	begin  string
	rest   string // repeated without end, with the number of the repetition for a %d
	limit  string // the flag of the limit that ends it
	serve  http.HandlerFunc
}

var (
	longText = strings.Repeat("abcdefgh", 4<<10)
	working  = `data: {"jsonrpc":"2.0","id":%s,"result":{"task":{"id":"t-1","contextId":"c-1","status":{"state":"TASK_STATE_WORKING"}}}}` + "\n\n"
	short    = `data: {"jsonrpc":"2.0","id":%s,"result":{"artifactUpdate":{"taskId":"t-1","contextId":"c-1","artifact":{"artifactId":"a","parts":[{"text":"x"}]}}}}` + "\n\n"
	piece    = `data: {"jsonrpc":"2.0","id":%s,"result":{"artifactUpdate":{"taskId":"t-1","contextId":"c-1","artifact":{"artifactId":"a","parts":[{"text":"` + strings.Repeat("a long word ", 80_000) + `"}]},"append":true}}}` + "\n\n"
)

// endlessEndpoints are those that a limit with a flag ends.
var endlessEndpoints = []endlessEndpoint{
	{name: "card", limit: "max-card", serve: forever("application/json", `{"name":"`, longText, 200)},
	{name: "card of numbers", limit: "max-card", serve: forever("application/json", `{"name":[`, strings.Repeat("1,", 8<<10), 200)},
	{name: "text", media: "application/json", begin: `{"jsonrpc":"2.0","id":%s,"result":{"task":{"id":"t-1","status":{"state":"TASK_STATE_WORKING","message":{"parts":[{"text":"`, rest: longText, limit: "max-answer"},
	{name: "numbers", media: "application/json", begin: `{"jsonrpc":"2.0","id":%s,"result":[`, rest: strings.Repeat("1,", 16<<10), limit: "max-answer"},
	{name: "objects", media: "application/json", begin: `{"jsonrpc":"2.0","id":%s,"result":{"task":{"history":[`, rest: strings.Repeat(`{"parts":[{}]},`, 2<<10), limit: "max-answer"},
	{name: "error", media: "text/html", status: 500, begin: "<h1>", rest: longText, limit: "max-answer"},
	{name: "line", media: "text/event-stream", begin: working + "data: ", rest: longText, limit: "max-event"},
	{name: "comments", media: "text/event-stream", begin: working, rest: strings.Repeat(": ping\n\n", 4<<10), limit: "max-event"},
	{name: "empty events", media: "text/event-stream", begin: working, rest: strings.Repeat("data: x\n\n", 4<<10), limit: "max-stream"},
	{name: "artifacts", media: "text/event-stream", begin: working, rest: strings.Replace(short, `"a"`, `"a%d"`, 1), limit: "max-items"},
	{name: "tasks", media: "text/event-stream", begin: working, rest: strings.Replace(short, "t-1", "t-%d", 1), limit: "max-items"},
	{name: "contexts", media: "text/event-stream", begin: working, rest: strings.Replace(short, "c-1", "c-%d", 1), limit: "max-items"},
	{name: "long pieces", media: "text/event-stream", begin: working, rest: piece, limit: "max-stream"},
}

// bounded are the endpoints that a limit without a flag ends, by the sentence about it.
var bounded = map[string]http.HandlerFunc{
	"a head of more than": func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		defer conn.Close()
		_, err = io.WriteString(conn, "HTTP/1.1 200 OK\r\n")
		for n := 0; err == nil; n++ {
			_, err = fmt.Fprintf(conn, "X-Header-%d: %s\r\n", n, longText[:1024])
		}
	},
	"without end": func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", r.URL.Path+"x")
		w.WriteHeader(http.StatusTemporaryRedirect)
		_, err := io.WriteString(w, longText)
		for err == nil {
			_, err = io.WriteString(w, longText)
		}
	},
}

// forever answers with a beginning and repeats a piece, with the number of the repetition for a %d, until the
// client disconnects.
func forever(media, begin, rest string, status int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", media)
		w.WriteHeader(status)
		_, err := io.WriteString(w, begin)
		before, after, numbered := strings.Cut(rest, "%d")
		for i := 0; err == nil; i++ {
			if numbered {
				rest = before + strconv.Itoa(i) + after
			}
			_, err = io.WriteString(w, rest)
		}
	}
}

// start serves the endpoint.
func (e endlessEndpoint) start(t *testing.T) (url string) {
	t.Helper()
	mux := http.NewServeMux()
	if e.serve != nil {
		mux.HandleFunc("/", e.serve)
	} else {
		mux.HandleFunc("GET /.well-known/agent-card.json", card)
		mux.HandleFunc("POST /rpc", func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			_, rest, _ := bytes.Cut(body, []byte(`"id":`))
			id, _, _ := bytes.Cut(rest, []byte(`,`))
			named := func(s string) string { return strings.ReplaceAll(s, "%s", string(id)) }
			status := e.status
			if status == 0 {
				status = 200
			}
			forever(e.media, named(e.begin), named(e.rest), status)(w, r)
		})
	}
	server := httptest.NewServer(mux)
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	return server.URL
}

// hostileMemory is how much memory an endpoint may cost above an idle program, in bytes.
const hostileMemory = 150_000_000

// itemsMemory is how much memory artifacts, tasks and contexts without end may cost a command, in bytes.
const itemsMemory = 40_000_000

// peak returns the peak memory of a running process.
func peak(t *testing.T, pid int) int64 {
	t.Helper()
	n, ok := highWater(pid)
	if !ok {
		t.Fatalf("process %d: got no VmHWM, want its peak memory", pid)
	}
	return n
}

var vmHWM = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// highWater reads the peak memory of a process; ok is false once it has ended. wait4 cannot be
// used because it includes the memory of the parent process.
func highWater(pid int) (bytes int64, ok bool) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, false
	}
	m := vmHWM.FindSubmatch(status)
	if m == nil {
		return 0, false
	}
	n, err := strconv.ParseInt(string(m[1]), 10, 64)
	return n * 1024, err == nil
}

// runSend runs parley send and returns its output and its peak memory.
func runSend(t *testing.T, args ...string) (said string, taken int64) {
	t.Helper()
	cmd := exec.Command(program, append([]string{"send", "hello"}, args...)...)
	home := t.TempDir()
	cmd.Env = []string{"HOME=" + home}
	var out bytes.Buffer
	cmd.Stderr = &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	over := make(chan struct{})
	go func() {
		_ = cmd.Wait() // it fails
		close(over)
	}()
	for sample := time.NewTicker(time.Millisecond); ; {
		if n, ok := highWater(cmd.Process.Pid); ok {
			taken = max(taken, n)
		}
		select {
		case <-over:
			sample.Stop()
			return out.String(), taken
		case <-sample.C:
		}
	}
}

// One endless endpoint costs a command no more than the limit allows, and the user reads which
// flag raises it.
func TestAHostileEndpointCostsACommandLittle(t *testing.T) {
	_, idle := runSend(t, "-a", startAgent(t, 1, 1, 0).url)
	for _, e := range endlessEndpoints {
		t.Run(e.name, func(t *testing.T) {
			args := []string{"-a", e.start(t), "--stream"}
			if e.limit == "max-stream" { // streams have no limit by default
				args = append(args, "--max-stream", "50MB")
			}
			said, taken := runSend(t, args...)
			t.Logf("%d MB above %d MB", (taken-idle)/1e6, idle/1e6)
			if !strings.Contains(said, "--"+e.limit+" raises") {
				t.Errorf("got no --%s in\n%.2000s", e.limit, said)
			}
			most := int64(hostileMemory)
			if e.limit == "max-items" {
				most = itemsMemory
			}
			if taken-idle > most {
				t.Errorf("got %d MB, want at most %d MB", (taken-idle)/1e6, most/1e6)
			}
		})
	}
}

// Heads and redirects are limited too, without a flag.
func TestEndlessHeadsAndRedirectsCostLittle(t *testing.T) {
	_, idle := runSend(t, "-a", startAgent(t, 1, 1, 0).url)
	for says, serve := range bounded {
		t.Run(says, func(t *testing.T) {
			said, taken := runSend(t, "-a", endlessEndpoint{serve: serve}.start(t))
			t.Logf("%d MB above %d MB", (taken-idle)/1e6, idle/1e6)
			if !strings.Contains(strings.Join(strings.Fields(said), " "), says) {
				t.Errorf("got no %q in\n%.2000s", says, said)
			}
			if taken-idle > hostileMemory {
				t.Errorf("got %d MB, want at most %d MB", (taken-idle)/1e6, int64(hostileMemory)/1e6)
			}
		})
	}
}

// Several endpoints cost at most as many times as much.
func TestFourHostileEndpointsCostFourTimesAsMuch(t *testing.T) {
	var urls []string
	for _, e := range endlessEndpoints[:2] {
		urls = append(urls, e.start(t), e.start(t))
	}
	s := start(t, append([]string{"--no-check"}, urls...)...)
	eventually(t, "a word about each card", func() bool {
		journal, err := os.ReadFile(s.journal)
		return err == nil && bytes.Count(journal, []byte(`"class":"limit"`)) >= len(urls)
	})
	s.sees(`--max-card`)
	if taken := peak(t, s.cmd.Process.Pid); taken > 4*hostileMemory {
		t.Errorf("got %d MB, want at most %d MB", taken/1e6, 4*int64(hostileMemory)/1e6)
	} else {
		t.Logf("%d MB", taken/1e6)
	}
}

// The workbench reports the limits too and takes no more memory: what arrived stays on the
// screen.
func TestAHostileEndpointCostsTheWorkbenchLittle(t *testing.T) {
	for _, e := range endlessEndpoints {
		t.Run(e.name, func(t *testing.T) {
			s := start(t, "--no-check", e.start(t))
			if e.serve == nil {
				s.sees(`▌Torrent`)
			}
			idle := peak(t, s.cmd.Process.Pid)
			if e.serve == nil {
				s.types("hello\r")
			}
			s.sees(`--` + e.limit)
			taken := peak(t, s.cmd.Process.Pid)
			t.Logf("%d MB above %d MB", (taken-idle)/1e6, idle/1e6)
			if taken-idle > hostileMemory {
				t.Errorf("got %d MB, want at most %d MB", (taken-idle)/1e6, int64(hostileMemory)/1e6)
			}
		})
	}
}
