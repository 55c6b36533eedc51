package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// tapped runs parley tap without a screen until stop is called, and returns the addresses of the taps
// in their order.
func tapped(t *testing.T, args ...string) (urls []string, stop func() result) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ready.json")
	text, stop := commandLine{args: append([]string{"tap", "--headless", "--ready-file", path}, args...)}.background(t, path)
	var ready struct{ Taps []readyTap }
	if err := json.Unmarshal(text, &ready); err != nil {
		t.Fatalf("got %s in the ready file: %v", text, err)
	}
	for _, r := range ready.Taps {
		urls = append(urls, r.URL)
	}
	return urls, stop
}

// Every agent of the demo answers through a tap as it answers directly, and the session has the
// conversations of the client.
func TestWhatPassesATapIsRecorded(t *testing.T) {
	t.Parallel()
	direct := demos(t)
	file := filepath.Join(t.TempDir(), "tapped.jsonl")
	prompts := map[string]string{"Travel Desk": "What is the weather in Oslo?", "Scribe": "Write an essay on tides", "Old Clerk": "Good morning"}
	var args []string
	var names []string
	for name := range prompts {
		args, names = append(args, "--to", direct[name], "--name", name), append(names, name)
	}
	urls, stop := tapped(t, append(args, "--record", file)...)
	for i, name := range names {
		want := parley(t, "send", "--stream", "-a", direct[name], prompts[name])
		got := parley(t, "send", "--stream", "-a", urls[i], prompts[name])
		if sameIDs(got.out) != sameIDs(want.out) || got.code != want.code {
			t.Errorf("%s: got exit %d\n%s%s\nwant exit %d\n%s", name, got.code, got.out, got.err, want.code, want.out)
		}
	}
	r := stop()
	if r.code != 0 {
		t.Errorf("got exit %d, want 0\n%s%s", r.code, r.out, r.err)
	}
	for _, want := range []string{"Tap: Travel Desk  " + urls[0][:4], "in front of", "· stream · completed ·", "records: parley open " + file} {
		if !strings.Contains(r.out+r.err, want) {
			t.Errorf("got no %q in\n%s%s", want, r.out, r.err)
		}
	}
	text := parley(t, "export", file, "--as", "md", "--out", "-")
	for name, prompt := range prompts {
		if !strings.Contains(text.out, prompt) || !strings.Contains(text.out, name) {
			t.Errorf("got no conversation with %s in the recorded session\n%s%s", name, text.out, text.err)
		}
	}
}

// relayAgent returns an agent that asks the next one for each message: it loses the extensions that
// its caller asks for, and passes the caller's credential on.
func relayAgent(t *testing.T, next func() string) *httptest.Server {
	return agentOf(t, "Planner", func(req *http.Request, params json.RawMessage) string {
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":7,"method":"SendMessage","params":%s}`, params)
		out, err := http.NewRequest(http.MethodPost, next()+"/a2a", strings.NewReader(body))
		if err != nil {
			t.Error(err)
			return "failed"
		}
		out.Header.Set("Content-Type", "application/json")
		out.Header.Set("Accept", "application/json")
		out.Header.Set("A2A-Version", "1.0")
		out.Header.Set("Authorization", req.Header.Get("Authorization"))
		answer, err := http.DefaultClient.Do(out)
		if err != nil {
			t.Error(err)
			return "failed"
		}
		defer answer.Body.Close()
		_, _ = io.Copy(io.Discard, answer.Body)
		return "planned"
	})
}

// agentOf returns an agent of 1.0 over JSON-RPC that answers each message with a text.
func agentOf(t *testing.T, name string, answer func(*http.Request, json.RawMessage) string) *httptest.Server {
	t.Helper()
	var ids atomic.Int32
	mux := http.NewServeMux()
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	mux.HandleFunc("GET /.well-known/agent-card.json", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"name":%q,"description":"x","version":"1","supportedInterfaces":[{"url":"%s/a2a","protocolBinding":"JSONRPC","protocolVersion":"1.0"}],
			"capabilities":{"extensions":[{"uri":"https://ext.example/trace"}]},"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],
			"securitySchemes":{"b":{"httpAuthSecurityScheme":{"scheme":"Bearer"}}},"skills":[{"id":"s","name":"s","description":"s","tags":["s"]}]}`, name, s.URL)
	})
	mux.HandleFunc("POST /a2a", func(w http.ResponseWriter, req *http.Request) {
		var call struct {
			ID     json.RawMessage
			Params json.RawMessage
		}
		if err := json.NewDecoder(req.Body).Decode(&call); err != nil {
			t.Error(err)
		}
		text := answer(req, call.Params)
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"message":{"messageId":"%s-%d","role":"ROLE_AGENT","parts":[{"text":%q}]}}}`, call.ID, name, ids.Add(1), text)
	})
	return s
}

// Between three agents, a header that is dropped and a credential that is passed on are named by
// Parley alone, and the credential is stored nowhere.
func TestAChainNamesWhatAHopLosesAndPassesOn(t *testing.T) {
	t.Parallel()
	const secret = "Bearer caller-token-0815-4711"
	desk := agentOf(t, "Desk", func(*http.Request, json.RawMessage) string { return "booked" })
	var next atomic.Value
	planner := relayAgent(t, func() string { return next.Load().(string) })
	dir := t.TempDir()
	file, found := filepath.Join(dir, "chain.jsonl"), filepath.Join(dir, "findings.jsonl")
	urls, stop := tapped(t, "--to", planner.URL, "--to", desk.URL, "--name", "planner", "--name", "desk", "--record", file, "--findings", found, "--fail-on", "finding:warning")
	next.Store(urls[1])
	for _, url := range urls { // the cards say what the agents declare
		answer, err := http.Get(url + "/.well-known/agent-card.json")
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
	}
	req, err := http.NewRequest(http.MethodPost, urls[0]+"/a2a", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"m1","role":"ROLE_USER","parts":[{"text":"plan me a trip"}]}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json", "A2A-Version": "1.0", "Authorization": secret, "A2A-Extensions": "https://ext.example/trace", "User-Agent": "desk-client/3.1",
	} {
		req.Header.Set(name, value)
	}
	answer, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(answer.Body)
	answer.Body.Close()
	if !strings.Contains(string(body), "planned") {
		t.Fatalf("got %s, want the answer of the planner", body)
	}
	r := stop()
	if r.code != int(statusGate) {
		t.Errorf("got exit %d, want %d for the findings\n%s%s", r.code, statusGate, r.out, r.err)
	}
	for _, want := range []string{"HOP-001", "HOP-004", "desk-client/3.1 → planner", "  #", "planner → desk"} {
		if !strings.Contains(r.out, want) {
			t.Errorf("got no %q in\n%s%s", want, r.out, r.err)
		}
	}
	for _, path := range []string{file, found} {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "caller-token") {
			t.Errorf("got the credential in %s", filepath.Base(path))
		}
	}
	if all := r.out + r.err; strings.Contains(all, "caller-token") {
		t.Errorf("got the credential in what was printed\n%s", all)
	}
}

func TestTapSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for want, args := range map[string][]string{
		"in front of which agent":       nil,
		"cannot be started":             {"--to", "http://"},
		"is none of delay":              {"--to", "http://127.0.0.1:1", "--fault", "explode"},
		"\"fly\" is no operation":       {"--to", "http://127.0.0.1:1", "--fault", "cut:1@fly"},
		"more of --name or --listen":    {"--to", "http://127.0.0.1:1", "--name", "a", "--name", "b"},
		"is not host:port":              {"--to", "http://127.0.0.1:1", "--listen", "127.0.0.1"},
		"there is a tap named":          {"--to", "http://127.0.0.1:1", "--name", "a", "--to", "http://127.0.0.1:2", "--name", "a"},
		"the tap names no agent":        {"--config", file("lacks.toml", "[[tap]]\nname = \"a\"\n")},
		"the fault of the tap is wrong": {"--config", file("fault.toml", "[[tap]]\nto = \"http://127.0.0.1:1\"\nfault = \"stall\"\n")},
		"takes its agents behind --to":  {"http://127.0.0.1:1"},
		"--fail-on is none of":          {"--to", "http://127.0.0.1:1", "--fail-on", "x"},
	} {
		r := parley(t, append([]string{"tap", "--headless"}, args...)...)
		if got := r.out + r.err; r.code == 0 || !strings.Contains(got, want) {
			t.Errorf("%q: got exit %d and %s, want a failure with %q", args, r.code, got, want)
		}
	}
}

// The flags of a tap have no variables, and a tap that cannot be started leaves no session.
func TestATapThatCannotStartLeavesNothing(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	env := []string{"XDG_STATE_HOME=" + state, "PARLEY_NAME=from-a-variable", "PARLEY_TO=http://127.0.0.1:2", "A2ACLI_LISTEN=127.0.0.1:1"}
	r := commandLine{args: []string{"tap", "--headless", "--to", "http://127.0.0.1:1", "--listen", "nonsense"}, env: env}.run(t)
	if r.code != 2 || !strings.Contains(r.err, `"nonsense" is not host:port`) || strings.Contains(r.out+r.err, "from-a-variable") {
		t.Errorf("got exit %d, want 1 and what is wrong with the address\n%s%s", r.code, r.out, r.err)
	}
	busy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	if r = (commandLine{args: []string{"tap", "--headless", "--to", "http://127.0.0.1:1", "--listen", busy.Addr().String()}, env: env}).run(t); r.code != 2 || !strings.Contains(r.err, "cannot listen at "+busy.Addr().String()) {
		t.Errorf("got exit %d, want 2 and that the port is in use\n%s%s", r.code, r.out, r.err)
	}
	if left, _ := filepath.Glob(filepath.Join(state, "parley", "sessions", "*.jsonl")); len(left) > 0 {
		t.Errorf("got %q, want no session", left)
	}
	if r = (commandLine{args: []string{"tap", "--headless"}, env: env}).run(t); r.code != 2 || !strings.Contains(r.err, "in front of which agent") {
		t.Errorf("got exit %d, want 2: no variable names an agent\n%s%s", r.code, r.out, r.err)
	}
}

// Faults are injected for the clients of a tap.
func TestATapInjectsFaults(t *testing.T) {
	t.Parallel()
	urls, stop := tapped(t, "--to", demos(t)["Scribe"], "--fault", "unavailable:7s@get,cut:3@stream")
	r := parley(t, "send", "--stream", "-a", urls[0], "Write an essay on tides", "--timeout", "1m")
	out := stop()
	if r.code == 0 && !strings.Contains(out.err, "cuts the connection after 3 events") {
		t.Errorf("got exit %d, want a stream that was cut\n%s\n%s", r.code, r.out+r.err, out.err)
	}
	if !strings.Contains(out.out, "injects unavailable:7s@get, cut:3@stream") {
		t.Errorf("got %s, want the faults", out.out)
	}
}
