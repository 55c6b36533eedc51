package demo

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

// sabotage sends a prompt and returns everything that the agent answered.
func sabotage(t *testing.T, p *peer, prompt string) (*http.Response, []byte, error) {
	t.Helper()
	resp := p.post(p.words.stream, p.say(prompt, ""))
	body, err := raw(t, resp)
	return resp, body, err
}

// sound returns the events among the readable lines of a body.
func sound(body []byte) (good []event, bad int) {
	for line := range strings.SplitSeq(string(body), "\n") {
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			e, err := read(data)
			if err != nil {
				bad++
				continue
			}
			good = append(good, e)
		}
	}
	return good, bad
}

func TestCutsAreNoEnds(t *testing.T) {
	p := meet(t)["Saboteur"]
	for _, tc := range []struct {
		prompt string
		tail   string // of the body
	}{
		{"Cut the stream in the middle of an event", "Pick up bo"},
		{"Cut the stream between two events", "}}}"},
	} {
		_, body, err := sabotage(t, p, tc.prompt)
		if !errors.Is(err, io.ErrUnexpectedEOF) || !bytes.HasSuffix(body, []byte(tc.tail)) {
			t.Errorf("%s: got error %v after %q, want an unexpected EOF after %q", tc.prompt, err, body, tc.tail)
		}
		before, _ := sound(body)
		task := before[0].task
		if got := p.get(task); got.state != "working" || !strings.Contains(got.raw, "How to cut a rope") {
			t.Errorf("get: got %s, want state working with the first text", got.raw)
		}
		rest := p.events(p.post(p.words.subscribe, fmt.Sprintf(`{"id":%q}`, task)))
		if last(rest) != "completed" || !strings.Contains(texts(t, rest)["rest.md"], "after the cut") {
			t.Errorf("subscribe: got %v, want the rest of the task", rest)
		}
		if got := p.get(task); got.state != "completed" {
			t.Errorf("get after the rest: got %s, want state completed", got.raw)
		}
	}
	if _, _, err := sabotage(t, p, "Reset the connection"); err == nil {
		t.Error("reset: got a regular end, want an error")
	}
}

func TestOddEventsComeAmongSoundOnes(t *testing.T) {
	p := meet(t)["Saboteur"]
	for _, tc := range []struct {
		prompt string
		bad    int
		holds  []string
	}{
		{"Send a broken event and carry on", 2, []string{"no closing quote}", "this is no JSON", "polite about it"}},
		{"Go on after the end", 0, []string{"after the end.", "TASK_STATE_COMPLETED", "after all."}},
		{"Stop for twelve seconds in the middle", 0, []string{"How to", "polite about it", "TASK_STATE_COMPLETED"}},
		{"Misspell a state", 0, []string{`"TASK_STATE_IN_PROGRESS"`, "How to", "TASK_STATE_COMPLETED"}},
		{"Say things that nobody defined", 0, []string{"telegram", "TASK_STATE_DAYDREAMING", "burnt toast", "ROLE_UNDERSTUDY"}},
		{"Change your id in the middle", 0, []string{"somebody-else", "not-your-task"}},
		{"Glue two events together", 1, []string{`}}}}{"jsonrpc"`}},
		{"Write on my terminal", 0, []string{`\u001b]52;c;`, `\u202e`, "\u009b7m raw C1", "&#x1b;", `"error"`, `COMPLETED\u001b[31m`}},
		{"Speak Hangul and emoji", 0, []string{"끝났습니다", "안녕하세요", "👩🏾‍🔬"}},
	} {
		_, body, err := sabotage(t, p, tc.prompt)
		good, bad := sound(body)
		if err != nil || bad != tc.bad {
			t.Errorf("%s: got %d bad events and error %v, want %d", tc.prompt, bad, err, tc.bad)
		}
		for _, want := range tc.holds {
			if !bytes.Contains(body, []byte(want)) {
				t.Errorf("%s: got no %q in %s", tc.prompt, want, body)
			}
		}
		if got := p.get(good[0].task); got.state != "completed" {
			t.Errorf("%s: get: got %s, want state completed", tc.prompt, got.raw)
		}
	}
}

func TestTheForgetfulTaskHasLessThanItsStream(t *testing.T) {
	p := meet(t)["Saboteur"]
	_, body, err := sabotage(t, p, "Forget a line of what you wrote")
	good, bad := sound(body)
	streamed := texts(t, good)
	if err != nil || bad != 0 || !strings.Contains(streamed["first.md"], "carries something") || streamed["rest.md"] == "" {
		t.Fatalf("got stream %q, %v, want both documents", streamed, err)
	}
	got := p.get(good[0].task)
	if got.state != "completed" || strings.Contains(got.raw, "carries something") || strings.Contains(got.raw, "rest.md") {
		t.Errorf("get: got %s, want a completed task without what was streamed", got.raw)
	}
}

func TestTheStallIsLongEnoughToBeMarked(t *testing.T) {
	_, scene, found := strings.Cut(string(saboteur), "-- scene stall --\n")
	scene, _, _ = strings.Cut(scene, "\n-- ")
	if !found || !strings.Contains(scene, "\npause 12s\n") { // the tests play without pauses
		t.Errorf("got scene %q, want a pause of 12 s", scene)
	}
}

func TestAnswersThatAreNoStreams(t *testing.T) {
	p := meet(t)["Saboteur"]
	for _, tc := range []struct {
		prompt    string
		status    int
		mediaType string
		holds     string
	}{
		{"Answer with an HTML error page", 500, "text/html; charset=utf-8", "<title>500 Something"},
		{"Answer with a result and an error at once", 200, "application/json", `},"error":{`},
		{"Answer a stream call with plain JSON", 200, "application/json", `"TASK_STATE_COMPLETED"`},
		{"Ask me for a password", 401, "application/json", `"Not authenticated"`},
	} {
		for _, method := range []string{p.words.stream, p.words.send} {
			resp := p.post(method, p.say(tc.prompt, ""))
			body, err := raw(t, resp)
			if err != nil || resp.StatusCode != tc.status || resp.Header.Get("Content-Type") != tc.mediaType ||
				!bytes.Contains(body, []byte(tc.holds)) {
				t.Errorf("%s %s: got status %d, type %s, body %s, error %v, want %d %s with %q", method, tc.prompt, resp.StatusCode, resp.Header.Get("Content-Type"), body, err, tc.status, tc.mediaType, tc.holds)
			}
			if tc.mediaType == "application/json" && !json.Valid(body) {
				t.Errorf("%s: got body %s, want JSON", tc.prompt, body)
			}
		}
	}
}

func TestEveryLineEndIsThere(t *testing.T) {
	resp, body, err := sabotage(t, meet(t)["Saboteur"], "Use every line end there is")
	if err != nil || resp.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatal(err)
	}
	for _, want := range []string{"\xef\xbb\xbf: a byte", "}\r\n\r\ndata: ", "}\r\rdata: {\n", "\ndata:{", "retry: 2500\nid: 1\nevent: odd\n"} {
		if !bytes.Contains(body, []byte(want)) {
			t.Errorf("got no %q in %q", want, body)
		}
	}
	if !bytes.HasSuffix(body, []byte("}}}}")) {
		t.Errorf("got body end %q, want }}}}", body[len(body)-40:])
	}
}

func TestTheHugeEventIsOneEvent(t *testing.T) {
	_, body, err := sabotage(t, meet(t)["Saboteur"], "Send twelve megabytes in one event")
	good, bad := sound(body)
	if err != nil || bad != 0 || len(body) < 12<<20 || last(good) != "completed" {
		t.Errorf("got %d bytes, %d bad events, error %v, want 12 MiB without bad events", len(body), bad, err)
	}
}

func TestRestartChangesTheCard(t *testing.T) {
	p := meet(t)["Saboteur"]
	_, body, err := sabotage(t, p, "Restart yourself")
	good, _ := sound(body)
	if err == nil || len(good) == 0 {
		t.Fatalf("got %q, %v, want an error after the first event", body, err)
	}
	for { // ends with the test's own time limit
		resp, err := http.Get(p.url + p.words.cardPath)
		if err != nil {
			continue
		}
		_ = resp.Body.Close()
		break
	}
	p.fetchCard()
	if p.card["version"] != "1.1.0" {
		t.Errorf("got card version %v, want 1.1.0", p.card["version"])
	}
	if got := p.get(good[0].task); !strings.Contains(got.raw, "TASK_NOT_FOUND") {
		t.Errorf("get after the restart: got %s, want task not found", got.raw)
	}
}

func TestEverySabotageIsTested(t *testing.T) {
	tested := []string{"Cut the stream in", "Cut the stream between", "Reset", "Fall silent", "twelve seconds", "Restart", "Send a broken",
		"Go on after", "Misspell", "Forget a line", "Say things", "Change your id", "Glue", "Write on my", "Speak Hangul", "HTML", "result and an error", "plain JSON",
		"password", "every line end", "twelve megabytes"}
	prompts := strings.Join(examples(meet(t)["Saboteur"].card), "\n")
	for _, name := range tested {
		if !strings.Contains(prompts, name) {
			t.Errorf("got no example %q", name)
		}
	}
	if got := strings.Count(prompts, "\n") + 1; got != len(tested) {
		t.Errorf("got %d examples, %d of them tested", got, len(tested))
	}
}
