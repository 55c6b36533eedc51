//go:build unix

package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"parley/internal/porttest"
	"parley/internal/tmux"
)

// A lasting agent keeps its tasks when it is restarted. A message streams the word "one" and works
// until it is released; then whoever is subscribed gets the word "two" and the end.
type lasting struct {
	t       *testing.T
	name    string
	port    *porttest.Port
	address string // of the port
	server  *http.Server
	release chan struct{} // closed to end the tasks

	mu       sync.Mutex
	tasks    map[string]string // context ids by task
	contexts []string          // of the messages, in order
	methods  []string
	bearer   string // of the newest call
}

func startLasting(t *testing.T, name string) *lasting {
	t.Helper()
	a := &lasting{t: t, name: name, port: porttest.Keep(t), release: make(chan struct{}), tasks: map[string]string{}}
	a.address = a.port.Address
	a.start()
	t.Cleanup(func() { a.server.Close() })
	return a
}

func (a *lasting) start() {
	a.t.Helper()
	a.server = &http.Server{Handler: a}
	go a.server.Serve(a.port.Listen())
}

func (a *lasting) requests() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.methods)
}

func (a *lasting) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		fmt.Fprintf(w, `{"name":%q,"description":"It takes its time.","version":"1","capabilities":{"streaming":true},"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],"skills":[{"id":"s","name":"S","description":"s","tags":["t"],"examples":["Take your time"]}],"supportedInterfaces":[{"url":"http://%s/rpc","protocolBinding":"JSONRPC","protocolVersion":"1.0"}]}`, a.name, a.address)
		return
	}
	q := struct {
		ID     json.RawMessage
		Method string
		Params struct {
			ID      string
			Message struct{ ContextID string }
		}
	}{}
	_ = json.NewDecoder(r.Body).Decode(&q)
	a.mu.Lock()
	a.methods, a.bearer = append(a.methods, q.Method), r.Header.Get("Authorization")
	task := q.Params.ID
	if task == "" {
		task = fmt.Sprintf("task-%s-%d", a.name, len(a.tasks)+1)
		a.contexts = append(a.contexts, q.Params.Message.ContextID)
		a.tasks[task] = q.Params.Message.ContextID
		if a.tasks[task] == "" {
			a.tasks[task] = "context-of-" + a.name
		}
	}
	context := a.tasks[task]
	a.mu.Unlock()
	ids := fmt.Sprintf(`"taskId":%q,"contextId":%q`, task, context)
	snapshot := func(state, artifacts string) string {
		return fmt.Sprintf(`"task":{"id":%q,"contextId":%q,"status":{"state":"TASK_STATE_%s"}%s}`, task, context, state, artifacts)
	}
	const one = `,"artifacts":[{"artifactId":"a","name":"words.md","parts":[{"text":"one"}]}]`
	w.Header().Set("Content-Type", "text/event-stream")
	put := func(result string) {
		fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{%s}}\n\n", q.ID, result)
		w.(http.Flusher).Flush()
	}
	chunk := func(text string, more string) {
		put(fmt.Sprintf(`"artifactUpdate":{%s,"artifact":{"artifactId":"a","name":"words.md","parts":[{"text":%q}]}%s}`, ids, text, more))
	}
	switch q.Method {
	case "SendStreamingMessage":
		put(snapshot("WORKING", ""))
		chunk("one", "")
	case "SubscribeToTask":
		put(snapshot("WORKING", one))
	default:
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{%s}}`, q.ID, strings.TrimPrefix(snapshot("WORKING", one), `"task":{`)[:len(strings.TrimPrefix(snapshot("WORKING", one), `"task":{`))-1])
		return
	}
	select {
	case <-a.release:
	case <-r.Context().Done():
		return
	}
	chunk(" and two", `,"append":true,"lastChunk":true`)
	put(fmt.Sprintf(`"statusUpdate":{%s,"status":{"state":"TASK_STATE_COMPLETED"}}`, ids))
}

// killable starts the program in a terminal and returns a function that kills it.
func killable(t *testing.T, w, h int, env []string, args ...string) (s *tmux.Session, kill func()) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "pid")
	inner := `echo $$ >` + file + `; exec "$@"`
	shell := []string{"sh", "-c", `sh -c '` + inner + `' sh "$@"; tput rmcup; stty sane; clear; echo "exit status $?"; exec sleep 1000`, "sh", program}
	s = tmux.Start(t, tmux.Options{Command: append(shell, args...), Env: env, W: w, H: h})
	return s, func() {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
		if err != nil {
			t.Fatal(err)
		}
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		s.WaitFor(`exit status`)
	}
}

// waitForWords waits until the screen shows the first word of a lasting agent, and a session file below
// state has it: the journal writes it a moment later.
func waitForWords(s *tmux.Session, state string) {
	s.WaitFor(`│ one`)
	s.WaitFunc("the word in a session file", func(string) bool {
		files, _ := filepath.Glob(filepath.Join(state, "parley", "sessions", "*.jsonl"))
		return slices.ContainsFunc(files, func(name string) bool {
			text, err := os.ReadFile(name)
			return err == nil && strings.Contains(string(text), "words.md")
		})
	})
}

// A session with two agents is killed in mid-stream. The start list offers it; nobody is contacted
// before the addresses are confirmed. Then the task that ran is finished, the next message continues
// the same context, and the new file has everything.
func TestASessionThatWasKilledGoesOn(t *testing.T) {
	t.Parallel()
	desk, bank := startLasting(t, "Desk"), startLasting(t, "Bank")
	state := t.TempDir()
	env := []string{"XDG_STATE_HOME=" + state}
	first, kill := killable(t, 120, 40, env, "http://"+desk.address, "http://"+bank.address)
	first.WaitFor(`❯ Take your time`)
	first.Keys("Enter")
	waitForWords(first, state)
	sessions := filepath.Join(state, "parley", "sessions")
	kill()
	bank.server.Close()
	bank.start() // while nobody talks to it

	s := parleyWith(t, 120, 40, append(env, "A2ACLI_BEARER=of-today-1234"))
	s.WaitFor(`was still working · resume · Take your time`)
	before := desk.requests()
	s.Keys("Enter")
	waitForAll(s, "go on with this session?", "http://"+desk.address+" ", "http://"+bank.address+" ",
		"bearer token from A2ACLI_BEARER", "no TLS", "1 open task")
	s.Keys("Escape") // it stays a recording
	s.WaitFor(`This stays a recording`)
	if now := desk.requests(); now != before {
		t.Errorf("got %d requests before the confirmation, want none", now-before)
	}
	find(s, "Go on with this session")
	s.WaitFor(`go on with this session\?`)
	s.Keys("Enter")
	s.WaitFor(`→ SubscribeTo`)
	s.WaitFunc("the subscription at the agent, with the credentials of today", func(string) bool {
		desk.mu.Lock()
		defer desk.mu.Unlock()
		return desk.bearer == "Bearer of-today-1234"
	})
	desk.server.Close() // in the middle
	desk.start()
	close(desk.release)
	s.WaitFor(`│ one and two`)
	s.WaitFor(`✓ completed`)
	s.Text("And again")
	s.Keys("Enter")
	s.WaitFunc("the second message", func(string) bool {
		desk.mu.Lock()
		defer desk.mu.Unlock()
		return len(desk.contexts) == 2
	})
	if got := desk.contexts[1]; got != "context-of-Desk" {
		t.Errorf("got context %q of the message after the kill, want that of the first answer", got)
	}
	s.WaitFor(`(?s)and two.*one and two`)
	s.Keys("C-c")
	s.WaitFor(`ctrl\+c again quits`)
	s.Keys("C-c")
	waitForExit(t, s, 0)

	files, _ := filepath.Glob(filepath.Join(sessions, "*.jsonl"))
	newest := ""
	for _, file := range files {
		if text, _ := os.ReadFile(file); strings.Contains(strings.SplitN(string(text), "\n", 2)[0], `"continues":`) {
			newest = file
		}
	}
	if newest == "" {
		t.Fatalf("got files %q, want one that continues another", files)
	}
	again := parleyWith(t, 120, 40, env, "open", newest)
	again.WaitFor(`(?s)Take your time.*one and two.*And again`)
	again.Keys("C-c", "C-c")
	waitForExit(t, again, 0)
	none := parleyWith(t, 120, 40, env)
	if screen := none.WaitFor(`Open the demo`); strings.Contains(screen, "interrupted") {
		t.Errorf("got an offer for a session that went on:\n%s", screen)
	}
}

// A session of the sheet goes on in place of the one on the screen, after a question; that one is in
// the list then, and goes on in its turn.
func TestASessionOfTheSheetGoesOn(t *testing.T) {
	t.Parallel()
	desk, bank := startLasting(t, "Desk"), startLasting(t, "Bank")
	state := t.TempDir()
	env := []string{"XDG_STATE_HOME=" + state}
	first, kill := killable(t, 120, 40, env, "http://"+desk.address)
	first.WaitFor(`❯ Take your time`)
	first.Keys("Enter")
	waitForWords(first, state)
	kill()
	close(desk.release)

	s := parleyWith(t, 120, 40, env, "http://"+bank.address)
	s.WaitFor(`❯ Take your time`)
	s.Text("Ask the bank")
	s.Keys("Enter")
	s.WaitFor(`│ one`)
	find(s, "Go on with a recorded session")
	s.WaitFor(`The session was interrupted`)
	s.Keys("r")
	s.WaitFor(`r again ends this session and goes on with the selected one; task \S+ of Bank continues`)
	s.Keys("r")
	if screen := waitForAll(s, "go on with this session?", desk.address); strings.Contains(screen, bank.address) {
		t.Errorf("got a confirmation of other addresses than %s:\n%s", desk.address, screen)
	}
	s.Keys("Enter")
	s.WaitFor(`│ one and two`)
	s.WaitFor(`✓ completed`)
	s.Text("/sessions")
	s.Keys("Enter")
	s.WaitFor(`Recorded in`)
	s.Keys("/")
	s.Text("bank")
	s.Keys("Enter")
	s.WaitFor(`1 of \d sessions`)
	s.Keys("r")
	s.WaitFor(`r again ends this session and goes on with the selected one\.`)
	s.Keys("r")
	waitForAll(s, "go on with this session?", bank.address)
	close(bank.release)
	s.Keys("Enter")
	s.WaitFor(`│ one and two`)
	s.Keys("C-c")
	s.WaitFor(`ctrl\+c again quits`)
	s.Keys("C-c")
	waitForExit(t, s, 0)
}

// killedSession records a session with an agent that is killed in mid-stream, and returns its file.
func killedSession(t *testing.T, state string, agent *lasting) (path string) {
	t.Helper()
	s, kill := killable(t, 120, 40, []string{"XDG_STATE_HOME=" + state}, "http://"+agent.address)
	s.WaitFor(`❯ Take your time`)
	s.Keys("Enter")
	waitForWords(s, state)
	kill()
	files, err := filepath.Glob(filepath.Join(state, "parley", "sessions", "*.jsonl"))
	if err != nil || len(files) != 1 {
		t.Fatalf("got recordings %q (%v), want one", files, err)
	}
	return files[0]
}

// Two Parleys do not go on with one session: the one that is confirmed second says so, and so does one
// that starts later. When the first is over, the session can go on again.
func TestOneParleyGoesOnWithASession(t *testing.T) {
	t.Parallel()
	desk, state := startLasting(t, "Desk"), t.TempDir()
	path, env := killedSession(t, state, desk), []string{"XDG_STATE_HOME=" + state}
	first, second := parleyWith(t, 120, 40, env, "resume", path), parleyWith(t, 120, 40, env, "resume", path)
	first.WaitFor(`go on with this session\?`)
	second.WaitFor(`go on with this session\?`)
	first.Keys("Enter")
	first.WaitFor(`→ SubscribeTo`)
	second.Keys("Enter")
	second.WaitFor(`This session cannot go on: `)
	second.Keys("q")
	waitForExit(t, second, 0)
	third := parleyWith(t, 200, 40, env, "resume", path)
	third.WaitFor(`cannot be opened: another Parley that runs records it or goes on with it; quit that one first\.`)
	third.WaitFor(`exit status [1-9]`)
	first.Keys("C-c", "C-c")
	screen := first.WaitFor(`exit status 0`)
	if said := regexp.MustCompile(`Recorded \d+ records: parley open (\S+)\nTask \S+ of Desk is still working: parley resume (\S+)\n`).FindStringSubmatch(screen); said == nil || said[1] != said[2] {
		t.Errorf("got no last lines about the recording and the task:\n%s", screen)
	} else {
		named := parleyWith(t, 120, 40, env, "resume", said[2])
		named.WaitFor(`go on with this session\?`)
		named.Keys("q", "q")
		waitForExit(t, named, 0)
	}
	again := parleyWith(t, 120, 40, env, "resume", path)
	again.WaitFor(`go on with this session\?`)
	again.Keys("q", "q")
	waitForExit(t, again, 0)
	files, _ := filepath.Glob(filepath.Join(state, "parley", "sessions", "*.jsonl"))
	if len(files) != 2 {
		t.Errorf("got files %q, want the session and one that continues it", files)
	}
}

// Where the disk does not take the new file, the session goes on without one, and says so.
func TestASessionGoesOnWithoutADisk(t *testing.T) {
	t.Parallel()
	desk, state := startLasting(t, "Desk"), t.TempDir()
	path := killedSession(t, state, desk)
	close(desk.release)
	const blocks = 4 // of 512 bytes
	if info, err := os.Stat(path); err != nil || info.Size() < 1024*blocks {
		t.Fatalf("got session %v, %v, want one that is larger than the disk", info, err)
	}
	s := tmux.Start(t, tmux.Options{
		Command: []string{"sh", "-c", fmt.Sprintf(`(ulimit -f %d; "$@"); echo "exit status $?"; exec sleep 1000`, blocks), "sh", program, "resume", path},
		Env:     []string{"XDG_STATE_HOME=" + state}, W: 120, H: 40,
	})
	s.WaitFor(`go on with this session\?`)
	s.Keys("Enter")
	s.WaitFor(`The session goes on, but`)
	s.WaitFor(`not recorded`)
	s.WaitFor(`│ one and two`)
	s.Text("And again")
	s.Keys("Enter")
	s.WaitFor(`(?s)one and two.*And again.*one and two`)
	s.Keys("C-c")
	s.WaitFor(`ctrl\+c again quits`)
	s.Keys("C-c")
	waitForExit(t, s, 0)
	if files, _ := filepath.Glob(filepath.Join(state, "parley", "sessions", "*.jsonl")); len(files) != 1 {
		t.Errorf("got files %q, want no part of a new one", files)
	}
}
