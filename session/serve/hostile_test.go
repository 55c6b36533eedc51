package serve

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/a2a"
	"parley/a2a/jsontok"
)

func TestHostileFilesAreOneSentence(t *testing.T) {
	t.Parallel()
	header := `{"parley":"session","version":1}` + "\n"
	request := `{"id":1,"exchange":1,"kind":"request","time":"2026-03-01T12:00:00Z","call":{"agent":1,"op":"send","binding":"MQTT"},"head":{"url":"mqtt://b/t"}}` + "\n"
	for name, c := range map[string]struct{ text, want string }{
		"empty":      {"", "it is empty"},
		"foreign":    {"%PDF-1.7 \x00\xff", "it is not a recorded session"},
		"torn":       {header + `{"id":1,"kind":"req`, "it contains no answer of an agent"},
		"no records": {header, "it contains no answer of an agent"},
		"future":     {`{"parley":"session","version":99}` + "\n" + `{"id":1,"kind":"dream","of":{}}` + "\n", "Line 1 names format version 99"},
		"a broker":   {header + request, "gave no answer in this recording"},
	} {
		path := filepath.Join(t.TempDir(), "x.jsonl")
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(path, nil); err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got %v, want one sentence with %q", name, err, c.want)
		}
	}
	if _, err := Load(t.TempDir(), nil); err == nil {
		t.Error("a folder: got no error, want one")
	}
}

func TestClientsAreLimited(t *testing.T) {
	t.Parallel()
	ts := conversation().serve(t, Options{})
	resp, err := http.Post(ts.URL+"/a2a", "application/json", io.LimitReader(endless{}, maxBody+1))
	if err == nil {
		resp.Body.Close()
	}
	if err != nil || resp.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("got %v, %v, want 413 for a large body", resp, err)
	}
	req, _ := http.NewRequest("GET", ts.URL+"/.well-known/agent-card.json", nil)
	req.Host = "rebound.example"
	if resp, err = http.DefaultClient.Do(req); err != nil || resp.StatusCode != http.StatusForbidden {
		t.Errorf("got %v, %v, want 403 for the name of another host", resp, err)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

func FuzzRecording(f *testing.F) {
	f.Add(conversation().text.String(), `{"jsonrpc":"2.0","id":1,"method":"message/send","params":{"message":{"parts":[{"text":"x"}]}}}`)
	tp, _ := stream(2)
	f.Add(tp.text.String(), goNow)
	for _, form := range forms {
		tp, x := form.streams()
		tp.end(x, "ended", "")
		f.Add(tp.text.String(), form.in("1", form.plain, form.message))
		f.Add(tp.text.String(), atOnce(&form))
	}
	f.Add(`{"parley":"session","version":1}`+"\n"+`{"id":1,"kind":"request","call":{"agent":1,"op":"get"},"head":{"url":"::"}}`+"\n"+`{"id":2,"exchange":1,"kind":"end"}`, `{"method":"tasks/get","params":{"id":"1"}}`)
	f.Fuzz(func(t *testing.T, text, body string) {
		path := filepath.Join(t.TempDir(), "f.jsonl")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := Load(path, nil)
		if err != nil {
			return
		}
		for _, a := range s.Agents {
			a.card = a.placed(at)
			for range 2 {
				for _, path := range []string{"/", "/message:send", "/message:stream"} {
					facts := readHTTP("POST", &url.URL{Path: path}, []byte(body))
					done := a.match(&facts)
					if done.x == nil {
						continue
					}
					pb := &playback{ctx: t.Context(), x: done.x, swap: done.swap, kept: done.kept, task: done.task, last: done.last, clock: realClock, log: func(string) {}}
					if done.x.end == nil || done.x.end.End == nil || done.x.end.End.Reason != a2a.TimedOut {
						pb.play(nowhere{})
					}
				}
				for _, method := range []string{"tasks/cancel", "SubscribeToTask", "GetTask", "ListTasks"} {
					facts := readHTTP("POST", &url.URL{Path: "/"}, []byte(`{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":{"id":"t"}}`))
					if done := a.match(&facts); done.last != nil {
						done.last(true)
						done.last(false)
					}
				}
			}
		}
	})
}

// nowhere is a sink that takes everything.
type nowhere struct{}

func (nowhere) head(*exchange, int64) error  { return nil }
func (nowhere) write([]byte) error           { return nil }
func (nowhere) raw([]byte)                   {}
func (nowhere) sever(bool)                   {}
func (nowhere) end(http.Header, *a2a.Binary) {}

func FuzzRewrite(f *testing.F) {
	f.Add("data: {\"id\":\"a\",\r\ndata:\"taskId\":\"a\"}\r\n\r\n", "a", "longer")
	f.Add(`{"name":"tasks/a/pushNotificationConfigs/b","parent":"tasks/a","referenceTaskIds":["a"]}`, "a", `"\`)
	f.Fuzz(func(t *testing.T, src, from, to string) {
		s := &swap{ids: map[string]string{from: to}, rpcFrom: `"` + from + `"`, rpcTo: "1"}
		body := jsontok.Apply([]byte(src), s.edits([]byte(src)))
		if jsontok.Check([]byte(src)) == nil && jsontok.Check(body) != nil {
			t.Errorf("got %s from %s, want JSON", body, src)
		}
		if got := (&swap{}).frame([]byte(src)); string(got) != src {
			t.Errorf("got %q without ids, want %q", got, src)
		}
		frame := s.frame([]byte(src))
		if before, after := strings.Count(src, "\n"), strings.Count(string(frame), "\n"); before != after {
			t.Errorf("got %d lines from %d: %q", after, before, fmt.Sprint(src))
		}
		p := newPlacer(at)
		if card := p.Rewrite([]byte(src)); jsontok.Check([]byte(src)) == nil && jsontok.Check(card) != nil {
			t.Errorf("got %s from %s, want JSON", card, src)
		}
	})
}
