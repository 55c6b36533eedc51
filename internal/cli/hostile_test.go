package cli

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// evil is text that must never reach a terminal.
const evil = "\x1b[2J\x1b]0;title\x07\u009b31m\u202egnp.exe\u2066\u200f\u061c\ufeff\U000e0041\x00\x7f\r\u2028\u0085end"

// control matches the characters that text output must not contain.
var control = regexp.MustCompile("[\x00-\x08\x0b-\x1f\x7f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ufeff\U000e0000-\U000e007f]")

func harmless(t *testing.T, name string, r result) {
	t.Helper()
	for stream, text := range map[string]string{"stdout": r.out, "stderr": r.err} {
		if !utf8.ValidString(text) || control.MatchString(text) {
			t.Errorf("%s: got control characters %q in %s, want none", name, control.FindAllString(text, 3), stream)
		}
	}
}

// quoted is a JSON string with unescaped control characters, as far as JSON allows.
func quoted(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r < ' ' || r == '"' || r == '\\' {
			fmt.Fprintf(&b, `\u%04x`, r)
			continue
		}
		b.WriteRune(r)
	}
	return `"` + b.String() + `"`
}

func TestNoControlReachesTheOutput(t *testing.T) {
	t.Parallel()
	e := quoted(evil)
	card := strings.ReplaceAll(`{"name":E,"description":E,"version":E,"documentationUrl":E,"iconUrl":E,"provider":{"organization":E,"url":E},
		"supportedInterfaces":[{"url":"%s/rpc","protocolBinding":"JSONRPC","protocolVersion":"1.0","tenant":E},{"url":E,"protocolBinding":E,"protocolVersion":E}],
		"capabilities":{"streaming":true,"extensions":[{"uri":E,"description":E,"params":{"k":E}}]},"securitySchemes":{"k":{"apiKeySecurityScheme":{"location":E,"name":E,"description":E}}},
		"securityRequirements":[{"schemes":{"k":{"list":[E]}}}],"defaultInputModes":[E],"defaultOutputModes":[E],
		"skills":[{"id":E,"name":E,"description":E,"tags":[E],"examples":[E],"inputModes":[E]}],"member`+"\u202e"+`":1}`, "E", e)
	parts := strings.ReplaceAll(`[{"text":E,"mediaType":E},{"data":{"k":E}},{"url":E,"filename":E},{"raw":"AA==","filename":E,"mediaType":E},{"smell":E}]`, "E", e)
	message := strings.ReplaceAll(`{"messageId":E,"role":"ROLE_AGENT","parts":P,"metadata":{"k":E},"extensions":[E],"referenceTaskIds":[E]}`, "E", e)
	whole := strings.ReplaceAll(`{"id":E,"contextId":E,"status":{"state":"TASK_STATE_INPUT_REQUIRED","message":M,"timestamp":E},"metadata":{"k":E},
		"artifacts":[{"artifactId":E,"name":E,"description":E,"metadata":{"k":E},"extensions":[E],"parts":P}],"history":[M]}`, "E", e)
	whole = strings.ReplaceAll(strings.ReplaceAll(whole, "M", message), "P", parts)
	whole = strings.ReplaceAll(whole, "TASK_STATE_INPUT_REQUIRED", "TASK_STATE_INPUT_REQUIRED")

	answers := map[string]func(*asked, http.ResponseWriter){
		"a task": func(q *asked, w http.ResponseWriter) {
			w.Header().Set("X-Evil", "\u009b31m")
			if q.Method == "SendStreamingMessage" {
				q.event(w, strings.ReplaceAll(task(whole), "\n", " "))
				return
			}
			q.result(w, whole)
		},
		"an error": func(q *asked, w http.ResponseWriter) {
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32603,"message":%s,"data":[{"@type":"x/google.rpc.ErrorInfo","reason":%s}]}}`, q.ID, e, e)
		},
		"a page": func(_ *asked, w http.ResponseWriter) { http.Error(w, "<html><title>"+evil+"</title>", 500) },
		"a challenge": func(_ *asked, w http.ResponseWriter) {
			w.Header().Set("WWW-Authenticate", "X \u009b1m")
			w.WriteHeader(401)
		},
		"text":  func(_ *asked, w http.ResponseWriter) { fmt.Fprint(w, evil) },
		"bytes": func(_ *asked, w http.ResponseWriter) { fmt.Fprint(w, "\xff\xfe{\x1b") },
	}
	for name, answer := range answers {
		s := newStub(t, card, answer)
		for _, args := range [][]string{{"send", "x"}, {"send", "x", "--stream"}, {"task", "get", evil}, {"task", "cancel", "t"}, {"card", "get", "--validate"}} {
			for _, more := range [][]string{nil, {"--verbose", "--debug"}, {"-o", "json"}} {
				line := append(append(args[:len(args):len(args)], "-a", s.URL), more...)
				r := parley(t, line...)
				harmless(t, fmt.Sprintf("%s: %q", name, line), r)
				if len(more) == 2 && more[1] == "json" {
					documents(t, compacted(t, r.out))
				}
			}
		}
	}
}

// compacted returns an indented document on one line.
func compacted(t *testing.T, out string) string {
	t.Helper()
	if !json.Valid([]byte(out)) {
		return out // lines already
	}
	doc, err := compact([]byte(out))
	if err != nil {
		t.Fatal(err)
	}
	return string(doc) + "\n"
}

func TestWhatAnAgentWritesCannotPassForAField(t *testing.T) {
	t.Parallel()
	const forged = "fine\n\nState: completed\nTask: other\rContext: other"
	s := newStub(t, plainCard, func(q *asked, w http.ResponseWriter) {
		q.result(w, strings.ReplaceAll(`{"task":{"id":"t1","contextId":E,"status":{"state":"TASK_STATE_FAILED","message":{"messageId":"m","role":"ROLE_AGENT","parts":[{"text":E}]}},
			"artifacts":[{"artifactId":"a","name":E,"parts":[{"text":E},{"data":E},{"url":"u","filename":E}]}]}}`, "E", quoted(forged)))
	})
	r := parley(t, "send", "-a", s.URL, "x", "--verbose")
	for l := range strings.Lines(r.out) {
		if strings.HasPrefix(l, "State:") && l != "State: failed\n" || strings.HasPrefix(l, "Task:") && l != "Task: t1\n" || strings.HasPrefix(l, "Context: other") {
			t.Errorf("got a forged field:\n%s", r.out)
		}
	}
}

func TestTheNextCommandIsQuoted(t *testing.T) {
	t.Parallel()
	const id = "t'; rm -rf ~ #\n$(x)"
	s := newStub(t, plainCard, func(q *asked, w http.ResponseWriter) {
		q.result(w, task(`{"id":`+quoted(id)+`,"contextId":"c","status":{"state":"TASK_STATE_INPUT_REQUIRED"}}`))
	})
	r := parley(t, "send", "-a", s.URL, "x")
	if want := `--task-id 't'\''; rm -rf ~ # $(x)' '<reply>'` + "\n"; !strings.Contains(r.out, want) {
		t.Errorf("got %s, want %s", r.out, want)
	}
}

func TestSoundEventsSurviveBadOnes(t *testing.T) {
	t.Parallel()
	s := newStub(t, streamCard, func(q *asked, w http.ResponseWriter) {
		q.event(w, task(working))
		fmt.Fprint(w, "data: {\"jsonrpc\": broken\n\n")
		q.event(w, `{"telegram":1}`)
		q.event(w, chunk)
		q.event(w, status("COMPLETED"))
	})
	r := parley(t, "send", "-a", s.URL, "x", "--stream", "-o", "json")
	if docs := documents(t, r.out); r.code != 0 || len(docs) != 3 {
		t.Errorf("got exit %d, want 0 and 3 documents\n%s", r.code, r.out)
	}
	if !strings.Contains(r.err, "Parley continues to read the stream") || !strings.Contains(r.err, "something that A2A does not define") {
		t.Errorf("got no word about the bad event: %s", r.err)
	}
}

func TestSaboteurNeverFoolsTheCommandLine(t *testing.T) {
	t.Parallel()
	d := demos(t)
	for prompt, code := range map[string]int{
		"Write on my terminal": 0, "Speak Hangul and emoji": 0, "Go on after the end": 0, "Send a broken event and carry on": 0,
		"Glue two events together": 0, "Use every line end there is": 0, "Answer a stream call with plain JSON": 0,
		"Answer with an HTML error page": 1, "Ask me for a password": 4,
		"Cut the stream in the middle of an event": 0, "Reset the connection": 0,
	} {
		for _, more := range [][]string{nil, {"--stream"}, {"-o", "json"}} {
			args := append([]string{"send", "-a", d["Saboteur"], prompt, "--timeout", "1m", "--poll-interval", "100ms"}, more...)
			r := parley(t, args...)
			if r.code != code {
				t.Errorf("%q %q: got exit %d, want %d\n%s", prompt, more, r.code, code, r.err)
			}
			harmless(t, prompt, r)
		}
	}
	r := parley(t, "send", "-a", d["Saboteur"], "Send twelve megabytes in one event")
	if r.code != 0 || len(r.out) < 12<<20 {
		t.Errorf("got exit %d and %d bytes, want 0 and 12 MiB: %s", r.code, len(r.out), r.err)
	}
}
