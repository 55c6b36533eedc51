package cli

import (
	"bytes"
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"parley/a2a"
	"parley/a2a/grpc"
	"parley/a2a/grpc/grpctest"
)

// served runs parley serve until the test ends and returns what it wrote to the ready file.
func served(t *testing.T, args ...string) (ready struct{ Agents []readyAgent }, stop func() result) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ready.json")
	text, stop := commandLine{args: append([]string{"serve", "--fast", "--ready-file", path}, args...)}.background(t, path)
	if err := json.Unmarshal(text, &ready); err != nil {
		t.Fatalf("got %s in the ready file: %v", text, err)
	}
	return ready, stop
}

// volatile are the parts of an output that differ from agent to agent.
var volatile = regexp.MustCompile(`127\.0\.0\.1:\d+`)

// Parley gets from a served recording what it got from the agent, in every dialect of the demo, cuts
// and garbage included.
func TestAServedRecordingAnswersAsItsAgentDid(t *testing.T) {
	t.Parallel()
	urls := demos(t)
	for agent, prompts := range map[string][]string{
		"Travel Desk": {"Book me a flight to Lisbon", "What is the weather in Oslo?"},
		"Scribe":      {"Write an essay on tides"},
		"Old Clerk":   {"Good morning"},
		"Saboteur": {
			"Send a broken event and carry on",
			"Go on after the end", "Misspell a state", "Glue two events together", "Forget a line of what you wrote", "Answer with an HTML error page",
		},
	} {
		for _, prompt := range prompts {
			t.Run(agent+"/"+prompt, func(t *testing.T) {
				dir := t.TempDir()
				file := filepath.Join(dir, "session.jsonl")
				before := parley(t, "send", "--stream", "--verbose", "--poll-interval", "20ms", "--timeout", "1m", "--record", file, "-a", urls[agent], prompt)
				ready, stop := served(t, file)
				defer stop()
				after := parley(t, "send", "--stream", "--verbose", "--poll-interval", "20ms", "--timeout", "1m", "-a", ready.Agents[0].URL, prompt)
				got, want := sameIDs(after.out), sameIDs(before.out)
				if got != want || after.code != before.code {
					t.Errorf("got exit %d\n%s\n%s\nwant exit %d\n%s\n%s", after.code, got, after.err, before.code, want, before.err)
				}
			})
		}
	}
}

// Over gRPC, messages, errors and cards are served as over HTTP.
func TestServeSpeaksGRPC(t *testing.T) {
	t.Parallel()
	agent := "grpc://" + grpctest.Start(t, grpcAgent).Address
	file := filepath.Join(t.TempDir(), "session.jsonl")
	before := parley(t, "send", "-a", agent, "--stream", "--record", file, "hello")
	ready, stop := served(t, file)
	defer stop()
	again := "grpc://" + ready.Agents[0].GRPC
	for _, ref := range []string{again, ready.Agents[0].URL} {
		after := parley(t, "send", "-a", ref, "--stream", "hello")
		if got, want := strings.Split(after.out, "Resume")[0], strings.Split(before.out, "Resume")[0]; ref == again && got != want || after.code != 0 {
			t.Errorf("%s: got exit %d\n%s%s\nwant\n%s", ref, after.code, after.out, after.err, want)
		}
	}
	if plain := parley(t, "send", "-a", again, "-o", "answer", "hello"); plain.code != 0 || plain.out != parley(t, "send", "-a", agent, "-o", "answer", "hello").out {
		t.Errorf("without a stream: got exit %d\n%s%s\nwant the answer of the agent", plain.code, plain.out, plain.err)
	}
	for want, args := range map[string][]string{
		"TaskNotFoundError": {"task", "get", "-a", again, "nobody"},
		"TaskNotCancelable": {"task", "cancel", "-a", again, "t1"},
		"Remote":            {"card", "get", again},
	} {
		if r := parley(t, args...); !strings.Contains(r.out+r.err, want) {
			t.Errorf("%q: got %d %s%s, want %q", args, r.code, r.out, r.err, want)
		}
	}
}

// A recorded error of gRPC has its code, and a broken call breaks after the same messages.
func TestServeBreaksCallsOfGRPC(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	format := grpc.NewFormat()
	message := func(kind, text string) *a2a.Binary {
		b, err := format.Rebuild(kind, []byte(text))
		if err != nil {
			t.Error(err)
		}
		return b
	}
	t.Cleanup(grpc.Serve(l, 1<<20, func(c a2a.IncomingCall) a2a.FlowEnd {
		switch request := c.Message(); {
		case strings.HasSuffix(c.Path(), "GetExtendedAgentCard"):
			card := `{"name":"Remote","description":"d","version":"1","capabilities":{"streaming":true},"skills":[],"supportedInterfaces":[{"url":"` + l.Addr().String() + `","protocolBinding":"GRPC","protocolVersion":"1.0"}]}`
			_ = c.Send(message(format.Answers(c.Path()), card).Bytes)
		case strings.HasSuffix(c.Path(), "GetTask"):
			return a2a.FlowEnd{Failure: message(a2a.KindStatus, `{"code":5,"message":"no such task"}`)}
		default:
			_ = c.Send(message(format.Answers(c.Path()), `{"task":{"id":"t1","contextId":"c1","status":{"state":"TASK_STATE_WORKING"}}}`).Bytes)
			if !bytes.Contains(request.Bytes, []byte("fail")) {
				c.Sever(false)
			}
			return a2a.FlowEnd{Failure: message(a2a.KindStatus, `{"code":8,"message":"come back tomorrow"}`)}
		}
		return a2a.FlowEnd{}
	}))
	dir := t.TempDir()
	failure := regexp.MustCompile(`(?m)^(Warning|Error).*(come back tomorrow|broke).*\n`)
	send := func(ref, prompt string, more ...string) string { // the task is polled afterwards, without an end
		r := commandLine{args: append([]string{"send", "-a", ref, "--stream", prompt}, more...), until: failure}.run(t)
		return failure.FindString(r.err)
	}
	for _, prompt := range []string{"fail", "break"} {
		file := filepath.Join(dir, prompt+".jsonl")
		before := send("grpc://"+l.Addr().String(), prompt, "--record", file)
		ready, stop := served(t, file)
		after := send("grpc://"+ready.Agents[0].GRPC, prompt)
		stop()
		if sameIDs(after) != sameIDs(before) || before == "" {
			t.Errorf("%s: got %s\nwant %s", prompt, after, before)
		}
	}
}

// A cut comes after the same byte. The task is polled afterwards, without an end.
func TestAServedRecordingIsCutAtTheSameByte(t *testing.T) {
	t.Parallel()
	cut := regexp.MustCompile(`The connection broke after \d+ bytes`)
	file := filepath.Join(t.TempDir(), "session.jsonl")
	send := func(ref string, more ...string) string {
		r := commandLine{args: append([]string{"send", "--stream", "-a", ref, "Cut the stream in the middle of an event"}, more...), until: cut}.run(t)
		return cut.FindString(r.err)
	}
	want := send(demos(t)["Saboteur"], "--record", file)
	ready, stop := served(t, file)
	defer stop()
	if got := send(ready.Agents[0].URL); got != want || want == "" {
		t.Errorf("got %q, want %q", got, want)
	}
}

// sameIDs returns an output without addresses, and with the ids that a client made in place of the
// names in their order.
func sameIDs(out string) string {
	names := map[string]string{}
	out = volatile.ReplaceAllString(out, "AGENT")
	return regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`).ReplaceAllStringFunc(out, func(id string) string {
		if names[id] == "" {
			names[id] = "id-" + string(rune('a'+len(names)))
		}
		return names[id]
	})
}

func TestServeSaysWhatItServesAndEnds(t *testing.T) {
	t.Parallel()
	urls := demos(t)
	dir := t.TempDir()
	for i, prompt := range []string{"Good morning", "Stamp this form, please"} {
		if r := parley(t, "send", "--record", filepath.Join(dir, string(rune('a'+i))+".jsonl"), "-a", urls["Old Clerk"], prompt); r.code != 0 {
			t.Fatal(r.err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "c.jsonl"), []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	ready, stop := served(t, dir)
	if len(ready.Agents) != 2 || ready.Agents[0].Name != "Old Clerk" || ready.Agents[0].URL == ready.Agents[1].URL {
		t.Errorf("got %+v, want an agent of each session", ready)
	}
	if r := parley(t, "send", "-a", ready.Agents[0].URL, "something else"); r.code != 0 {
		t.Errorf("got %+v, want the next answer in order", r)
	}
	if r := parley(t, "send", "-a", ready.Agents[0].URL, "one more"); r.code == 0 || !strings.Contains(r.err, "The recording has no further message, and none with this text.") {
		t.Errorf("got %+v, want a miss", r)
	}
	r := stop()
	for _, want := range []string{"Agent: Old Clerk  http://127.0.0.1:", "“Good morning”", "“Stamp this form, please”", "Rule: ", "Session: "} {
		if !strings.Contains(r.out, want) {
			t.Errorf("got %s, want %q", r.out, want)
		}
	}
	for _, want := range []string{"c.jsonl is not served", "next in order", "no further message"} {
		if !strings.Contains(r.err, want) {
			t.Errorf("got %s, want %q", r.err, want)
		}
	}
	if r.code != 0 {
		t.Errorf("got exit %d, want 0", r.code)
	}
}

func TestServeRefusesWhatItCannotServe(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	empty := filepath.Join(dir, "empty.jsonl")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for want, args := range map[string][]string{
		"it is empty":                   {empty},
		"There is no file ":             {filepath.Join(dir, "nothing")},
		"no session that can be served": {t.TempDir()},
		"takes one session file":        {},
		"--fault has no":                {empty, "--fault", "fly"},
		"--speed must be more than 0":   {empty, "--speed", "-1"},
	} {
		if r := parley(t, append([]string{"serve"}, args...)...); r.code == 0 || !strings.Contains(r.err, want) {
			t.Errorf("%q: got exit %d %s, want %q", args, r.code, r.err, want)
		}
	}
	good := filepath.Join(dir, "good.jsonl")
	parley(t, "send", "--record", good, "-a", demos(t)["Old Clerk"], "Good morning")
	for want, args := range map[string][]string{
		"is not host:port":  {"--listen", "here"},
		"cannot listen":     {"--listen", "203.0.113.1:80"},
		"cannot be written": {"--ready-file", filepath.Join(dir, "no", "such")},
	} {
		if r := parley(t, append([]string{"serve", good}, args...)...); r.code == 0 || !strings.Contains(r.err, want) {
			t.Errorf("%q: got exit %d %s, want %q", args, r.code, r.err, want)
		}
	}
}
