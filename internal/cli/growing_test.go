package cli

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"parley/a2a"
)

// growth is an artifact update of the stub's task.
func growth(id string, more bool, parts string) string {
	return fmt.Sprintf(`{"artifactUpdate":{"taskId":"t1","contextId":"c1","append":%t,"artifact":{"artifactId":%q,"parts":[%s]}}}`, more, id, parts)
}

func TestAGrowingArtifactIsPrintedOnce(t *testing.T) {
	t.Parallel()
	s := newStub(t, streamCard, func(q *asked, w http.ResponseWriter) {
		q.event(w, task(working))
		q.event(w, growth("a", false, `{"text":"one"}`))
		q.event(w, growth("a", true, `{"text":" and two\n"}`))
		q.event(w, growth("a", true, `{"text":"\nthree\r"}`))
		q.event(w, growth("a", true, `{"text":"\nfour"},{"data":{"n":1}},{"text":"five"}`))
		q.event(w, growth("b", false, `{"text":"other"}`))
		q.event(w, growth("a", true, `{"text":"six"}`))
		q.event(w, growth("a", false, `{"text":"seven"}`))
		q.event(w, status("COMPLETED"))
	})
	r := parley(t, "send", "-a", s.URL, "x", "--stream")
	want := `Task: t1
Context: c1
State: working
Artifact: a
Text:
  one and two
  
  three
  four

Data:
  {
    "n": 1
  }

Text:
  five

Artifact: b
Text:
  other

Artifact: a
Change: append
Text:
  six

Artifact: a
Change: replace
Text:
  seven

Task: t1
Context: c1
State: completed
Resume: `
	if !strings.HasPrefix(r.out, want) || r.code != 0 {
		t.Errorf("got exit %d and output\n%s\nwant it to begin\n%s", r.code, r.out, want)
	}
}

// However a text is cut into chunks, the output is that of the whole text.
func FuzzChunksPrintTheWholeText(f *testing.F) {
	f.Add("one\n\ntwo", 3, 4)
	f.Add("a\r\nb\x1b[2J", 2, 3)
	f.Add("", 0, 0)
	f.Fuzz(func(t *testing.T, text string, x, y int) {
		text = strings.ToValidUTF8(text, "?")
		cut := func(n int) int {
			n = max(0, min(n, len(text)))
			for n < len(text) && n > 0 && text[n]&0xc0 == 0x80 {
				n--
			}
			return n
		}
		x, y = cut(x), cut(y)
		if x > y {
			x, y = y, x
		}
		var whole, parts page
		event := func(s string, more bool) *a2a.Event {
			return &a2a.Event{Kind: a2a.EventArtifact, TaskID: "t", Append: more, Artifact: &a2a.Artifact{Key: "a", Name: "a", Parts: []a2a.Part{a2a.TextPart(s)}}}
		}
		whole.event(event(text, false), "")
		var g growing
		for i, s := range []string{text[:x], text[x:y], text[y:]} {
			g.chunk(&parts, event(s, i > 0), strings.Repeat("a", min(i, 1)))
		}
		g.end(&parts)
		if whole.b.String() != parts.b.String() {
			t.Errorf("got %q of chunks, want %q", parts.b.String(), whole.b.String())
		}
	})
}

func TestTheAnswerAloneIsTheTextOfTheArtifacts(t *testing.T) {
	t.Parallel()
	grows := func(q *asked, w http.ResponseWriter) {
		q.event(w, task(working))
		q.event(w, growth("a", false, `{"text":"red \u001b[31m"}`))
		q.event(w, growth("a", true, `{"text":"and blue"},{"data":{"n":1}}`))
		q.event(w, growth("b", false, `{"text":"second\n"}`))
		q.event(w, status("COMPLETED"))
	}
	s := newStub(t, streamCard, grows)
	for _, stream := range []bool{false, true} {
		for _, c := range []struct {
			flags []string
			want  string
		}{
			{nil, "red ␛[31mand blue\nsecond\n"},
			{[]string{"--raw"}, "red \x1b[31mand bluesecond\n"},
		} {
			args := append([]string{"send", "-a", s.URL, "x", "-o", "answer"}, c.flags...)
			if stream {
				args = append(args, "--stream")
			}
			want := c.want
			if c.flags != nil {
				want = "red \x1b[31mand bluesecond\n"
			}
			r := parley(t, args...)
			if r.out != want || r.code != 0 {
				t.Errorf("%v: got exit %d and %q, want %q", args, r.code, r.out, want)
			}
			for _, field := range []string{"Task: t1\nContext: c1\nState: completed\nResume: parley send", "Data:\n"} {
				if !strings.Contains(r.err, field) {
					t.Errorf("%v: got standard error %q, want %q in it", args, r.err, field)
				}
			}
		}
	}
}

func TestTheAnswerWithoutArtifactsIsTheMessage(t *testing.T) {
	t.Parallel()
	const asks = `{"id":"t1","contextId":"c1","status":{"state":"TASK_STATE_INPUT_REQUIRED","message":{"messageId":"m","role":"ROLE_AGENT","parts":[{"text":"When?"}]}}}`
	for answer, want := range map[string]string{
		task(asks): "When?\n",
		`{"message":{"messageId":"m","contextId":"c1","role":"ROLE_AGENT","parts":[{"text":"hi"}]}}`: "hi\n",
	} {
		s := newStub(t, plainCard, func(q *asked, w http.ResponseWriter) { q.result(w, answer) })
		r := commandLine{args: []string{"send", "-a", s.URL, "x"}, env: []string{"A2ACLI_OUTPUT=answer"}}.run(t)
		if r.out != want || r.code != 0 || !strings.Contains(r.err, "Context: c1\n") {
			t.Errorf("got exit %d, %q and %q, want %q", r.code, r.out, r.err, want)
		}
	}
}

func TestTheAnswerIsRefusedWhereThereIsNone(t *testing.T) {
	t.Parallel()
	s := newStub(t, plainCard, done)
	if r := parley(t, "card", "get", "-a", s.URL, "-o", "answer"); r.code != 2 || !strings.Contains(r.err, "neither text nor json") {
		t.Errorf("got exit %d and %q, want 2", r.code, r.err)
	}
	if r := (commandLine{args: []string{"card", "get", "-a", s.URL}, env: []string{"A2ACLI_OUTPUT=answer"}}).run(t); r.code != 0 || !strings.HasPrefix(r.out, "Name: Stub") {
		t.Errorf("got exit %d and %q, want a card: the setting is for other commands", r.code, r.out)
	}
	if r := parley(t, "send", "-a", s.URL, "x", "--raw"); r.code != 2 || !strings.Contains(r.err, "--raw needs --output answer") {
		t.Errorf("got exit %d and %q, want 2", r.code, r.err)
	}
}

// says returns a status of a working task with a message.
func says(id, text string) string {
	quoted, _ := json.Marshal(text)
	return fmt.Sprintf(`{"statusUpdate":{"taskId":"t1","contextId":"c1","status":{"state":"TASK_STATE_WORKING","message":{"messageId":%q,"role":"ROLE_AGENT","parts":[{"text":%s}]}}}}`, id, quoted)
}

// speaker is an agent that streams its text in status messages.
func speaker(t *testing.T) *stub {
	t.Helper()
	return newStub(t, streamCard, func(q *asked, w http.ResponseWriter) {
		q.event(w, task(working))
		for i, text := range []string{"Looking at it", "Asking", "Hello", "!", " It\n", "goes", " on.", "Two words", "\x1b[2J"} {
			q.event(w, says(fmt.Sprint("m", i), text))
		}
		q.event(w, status("COMPLETED"))
	})
}

// A text that comes in status messages is one text, with its task and state behind it. In JSON each event stays its
// own.
func TestATextInStatusMessagesIsPrintedOnce(t *testing.T) {
	t.Parallel()
	s := speaker(t)
	const ids = "\nTask: t1\nContext: c1\nState: working\n"
	message := func(text string) string { return "Message: agent\nText:\n  " + text + "\n" + ids }
	want := ids[1:] + message("Looking at it") + message("Asking") + message("Hello! It\n  goes on.") + message("Two words") + message("␛[2J")
	if r := parley(t, "send", "-a", s.URL, "x", "--stream"); !strings.HasPrefix(r.out, want) || r.code != 0 {
		t.Errorf("got exit %d and output\n%s\nwant it to begin\n%s", r.code, r.out, want)
	}
	r := parley(t, "send", "-a", s.URL, "x", "--stream", "-o", "json")
	if n := strings.Count(r.out, `"messageId"`); n != 9 || r.code != 0 {
		t.Errorf("got exit %d and %d messages in JSON, want 9:\n%s", r.code, n, r.out)
	}
}

// Where a task says nothing else, its newest text is the answer.
func TestATextInStatusMessagesIsTheAnswer(t *testing.T) {
	t.Parallel()
	s := newStub(t, streamCard, func(q *asked, w http.ResponseWriter) {
		q.event(w, task(working))
		for i, text := range []string{"Looking at it", "Hello", "!", " It\n", "goes", " on."} {
			q.event(w, says(fmt.Sprint("m", i), text))
		}
		q.event(w, status("COMPLETED"))
	})
	if r := parley(t, "send", "-a", s.URL, "x", "--stream", "-o", "answer"); r.out != "Hello! It\ngoes on.\n" || r.code != 0 {
		t.Errorf("got exit %d and answer %q, want the text", r.code, r.out)
	}
	if r := parley(t, "send", "-a", s.URL, "x", "--stream", "-o", "answer", "--raw"); r.out != "Hello! It\ngoes on." || r.code != 0 {
		t.Errorf("got exit %d and answer %q with --raw, want the text as it came", r.code, r.out)
	}
}
