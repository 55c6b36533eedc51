package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"parley/a2a"
)

func TestSizesAreReadAsTheyAreWritten(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{
		"64MB": 64_000_000, "64 mb": 64_000_000, "1GiB": 1 << 30, "1.5GB": 1_500_000_000, "500kB": 500_000, "1000": 1000, "7 B": 7,
		"1k": 1000, "0": a2a.NoLimit, "0 MB": a2a.NoLimit,
	} {
		var n int64
		if err := (sizeValue{&n, a2a.LimitCard}).Set(text); err != nil || n != want {
			t.Errorf("Set(%q): got %d, %v, want %d", text, n, err, want)
		}
	}
	for _, text := range []string{"", "MB", "-1", "-1MB", "1 bit", "many", "1e99", "NaN", "Inf", "0.5", "64 M B", "9999999999GB"} {
		n := int64(5)
		if err := (sizeValue{&n, a2a.LimitCard}).Set(text); err == nil || n != 5 {
			t.Errorf("Set(%q): got %d and no error", text, n)
		}
	}
	for n, want := range map[int64]string{0: "16MB", a2a.NoLimit: "0", 1 << 30: "1GiB", 1500: "1500", 2_000_000_000: "2GB"} {
		if got := (sizeValue{&n, a2a.LimitCard}).String(); got != want {
			t.Errorf("String of %d: got %q, want %q", n, got, want)
		}
	}
}

// A limit is a flag, a variable and a setting; an invalid one is reported in one sentence.
func TestALimitIsAFlagAndASetting(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"name":"`+strings.Repeat("x", 100_000))
	}))
	t.Cleanup(server.Close)
	get := []string{"card", "get", "-a", server.URL}
	says := "an agent card of more than 1 kB; Parley stopped reading there. --max-card raises the limit."
	for name, line := range map[string]commandLine{
		"flag":     {args: append([]string{"card", "get", "--max-card", "1kB"}, get[2:]...)},
		"variable": {args: get, env: []string{"PARLEY_MAX_CARD=1000"}},
	} {
		if r := line.run(t); r.code == 0 || !strings.Contains(r.err, says) {
			t.Errorf("%s: got exit %d, want a failure with %q\n%s", name, r.code, says, r.err)
		}
	}
	r := parley(t, "card", "get", "-a", server.URL, "--max-card", "much")
	if r.code != 2 || !strings.Contains(r.err, "--max-card") || !strings.Contains(r.err, "a size such as 64MB") {
		t.Errorf("got exit %d, want 2 and an example of a size\n%s", r.code, r.err)
	}
}

// A limit that counts things takes a number.
func TestALimitOfThingsIsANumber(t *testing.T) {
	t.Parallel()
	var n int64
	v := sizeValue{&n, a2a.LimitItems}
	if got := v.String(); got != "5000" || v.Type() != "number" {
		t.Errorf("got default %q of type %q, want the number 5000", got, v.Type())
	}
	r := parley(t, "card", "get", "-a", "http://127.0.0.1:1", "--max-items", "much")
	if r.code != 2 || !strings.Contains(r.err, "--max-items") || !strings.Contains(r.err, "a number such as 5000") {
		t.Errorf("got exit %d, want 2 and an example of a number\n%s", r.code, r.err)
	}
}

// The task ends well, but not all that its stream brought was read: status 1, after all that came.
func TestAStreamWithTooManyArtifactsIsPrintedAndFails(t *testing.T) {
	t.Parallel()
	agent := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		result := func(result string) string { return `{"jsonrpc":"2.0","id":1,"result":` + result + `}` }
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "application/json")
		switch {
		case r.Method == http.MethodGet:
			_, _ = fmt.Fprintf(w, `{"protocolVersion":"0.3.0","name":"Many","description":"x","url":"http://%s/","version":"1","preferredTransport":"JSONRPC",`+
				`"capabilities":{"streaming":true},"defaultInputModes":["text"],"defaultOutputModes":["text"],"skills":[]}`, r.Host)
		case strings.Contains(string(body), "tasks/get"):
			_, _ = io.WriteString(w, result(`{"kind":"task","id":"t","contextId":"c","status":{"state":"completed"},"artifacts":[{"artifactId":"z","parts":[{"kind":"text","text":"the end"}]}]}`))
		default:
			w.Header().Set("Content-Type", "text/event-stream")
			_, err := io.WriteString(w, "data: "+result(`{"kind":"task","id":"t","contextId":"c","status":{"state":"working"}}`)+"\n\n")
			for i := 0; err == nil; i++ {
				_, err = fmt.Fprintf(w, "data: %s\n\n", result(fmt.Sprintf(`{"kind":"artifact-update","taskId":"t","contextId":"c","artifact":{"artifactId":"a%d","parts":[{"kind":"text","text":"text %d"}]}}`, i, i)))
			}
		}
	}))
	t.Cleanup(agent.Close)
	const says = "began more than 20 artifacts, messages, tasks, contexts and changes of state in one stream; Parley stopped reading there and kept what came. --max-items raises the limit."
	for format, wants := range map[string][]string{"text": {"text 0", "text 16", "the end"}, "json": {`"text 16"`, `"TASK_STATE_COMPLETED"`, `{"error":{"code":"A2ACLI_ERR_INTERNAL","message":"`}} {
		r := parley(t, "send", "-a", agent.URL, "--stream", "-o", format, "--max-items", "20", "hi")
		if r.code != 1 || !strings.Contains(r.out+r.err, says) {
			t.Errorf("%s: got exit %d, want 1 and %q\n%s", format, r.code, says, r.err)
		}
		for _, want := range wants {
			if !strings.Contains(r.out, want) {
				t.Errorf("%s: got no %q, want it\n%s", format, want, r.out)
			}
		}
		if strings.Contains(r.out, "text 25") {
			t.Errorf("%s: got an artifact beyond the limit", format)
		}
	}
}

// A text of megabytes is not copied with its document, and is printed like a short one: indented around it, with
// unsafe characters as escapes.
func TestALongTextIsPrintedLikeAShortOne(t *testing.T) {
	t.Parallel()
	printed := func(version, text string) string {
		part, _ := json.Marshal(text)
		task := fmt.Sprintf(`{"kind":"task","id":"t","contextId":"c","status":{"state":"completed"},"artifacts":[{"artifactId":"a","parts":[{"kind":"text","text":%s}]}],"metadata":{"k":[]}}`, part)
		member := `"protocolVersion":"0.3.0","url":"%s","preferredTransport":"JSONRPC"`
		if version == "1.0" {
			task = fmt.Sprintf(`{"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_COMPLETED"},"artifacts":[{"artifactId":"a","parts":[{"text":%s}]}],"metadata":{"k":[]}}}`, part)
			member = `"supportedInterfaces":[{"url":"%s","protocolBinding":"JSONRPC","protocolVersion":"1.0"}]`
		}
		agent := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			if r.Method == http.MethodGet {
				_, _ = fmt.Fprintf(w, `{"name":"A","description":"x","version":"1",`+member+`,"capabilities":{},"defaultInputModes":["text"],"defaultOutputModes":["text"],"skills":[]}`, "http://"+r.Host+"/")
				return
			}
			body, _ := io.ReadAll(r.Body)
			var asked struct{ ID json.RawMessage }
			_ = json.Unmarshal(body, &asked)
			_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, asked.ID, task)
		}))
		defer agent.Close()
		r := parley(t, "send", "-a", agent.URL, "-o", "json", "hi")
		if r.code != 0 {
			t.Fatalf("got exit %d, want 0\n%s", r.code, r.err)
		}
		return r.out
	}
	const unsafe = "größe \u202e\x1b[31m\"\\ \n漢😀\u2028<b>"
	for _, version := range []string{"0.3", "1.0"} {
		short, long := printed(version, unsafe), printed(version, strings.Repeat(unsafe, 20_000))
		inside := func(doc string) (before, text, after string) {
			i, j := strings.Index(doc, `"text": "`)+len(`"text": "`), strings.LastIndex(doc, "\"\n          }")
			return doc[:i], doc[i:j], doc[j:]
		}
		b1, t1, a1 := inside(short)
		b2, t2, a2 := inside(long)
		if b1 != b2 || a1 != a2 || t2 != strings.Repeat(t1, 20_000) || strings.ContainsAny(long, "\u202e\x1b\u2028") {
			t.Errorf("%s: got a document of %d bytes that is not the short one with its text repeated:\n%s", version, len(long), short)
		}
	}
}

// A command without a screen has no limit for streams unless the user sets one.
func TestACommandHasNoLimitForStreams(t *testing.T) {
	t.Parallel()
	var none, some a2a.Limits
	some[a2a.LimitStream] = 5
	none, some = withoutStreamLimit(none), withoutStreamLimit(some)
	if none.Of(a2a.LimitStream) < 1<<60 || some.Of(a2a.LimitStream) != 5 || none.Of(a2a.LimitEvent) != a2a.LimitEvent.Bytes() {
		t.Errorf("got limits %v and %v", none, some)
	}
}

// Every size is either refused, or written in a form that reads as the same size.
func FuzzSize(f *testing.F) {
	for _, text := range []string{"64MB", "1 GiB", "0", "1.5k", "-1", "1e3", "NaN", "0x10", "\u0661MB", "1__0"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var n, again int64
		if (sizeValue{&n, a2a.LimitCard}).Set(text) != nil {
			return
		}
		if n <= 0 && n != a2a.NoLimit {
			t.Fatalf("Set(%q): got %d", text, n)
		}
		if err := (sizeValue{&again, a2a.LimitCard}).Set(sizeValue{&n, a2a.LimitCard}.String()); err != nil || again != n {
			t.Errorf("Set(%q): got %d, and of its text %d, %v", text, n, again, err)
		}
	})
}
