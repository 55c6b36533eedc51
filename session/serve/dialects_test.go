package serve

import (
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// rest adds an exchange of HTTP+JSON.
func (tp *tape) rest(op, verb, path, sent, raw string) {
	x := tp.line("request", 0, `,"dir":"out","call":{"agent":1,"op":"`+op+`","dialect":"v1.0-rest","binding":"HTTP+JSON","endpoint":"http://agent.example/base"},"head":{"method":"`+verb+`","url":"http://agent.example/base`+path+`"},"raw":`+text(sent), moment)
	tp.body(x, raw)
}

func TestHTTPJSONIsServed(t *testing.T) {
	t.Parallel()
	const message = `{"message":{"messageId":"mine","role":"ROLE_USER","parts":[{"text":"Go"}]}}`
	task := func(id, context, state string) string {
		return `{"id":"` + id + `","contextId":"` + context + `","status":{"state":"TASK_STATE_` + state + `"},"history":[{"messageId":"mine"}]}`
	}
	tp := newTape()
	tp.rest("send", "POST", "/message:send", message, `{"task":`+task("t", "c", "WORKING")+`}`)
	tp.rest("get", "GET", "/tasks/t?historyLength=1", "", task("t", "c", "COMPLETED"))
	tp.rest("push-set", "POST", "/tasks/t/pushNotificationConfigs", `{"url":"https://hook.example/1","id":"p"}`, `{"taskId":"t","id":"p","url":"https://hook.example/1","token":"•••"}`)
	tp.rest("list", "GET", "/tasks?pageToken=", "", `{"tasks":[`+task("t", "c", "COMPLETED")+`],"nextPageToken":"2"}`)
	tp.rest("list", "GET", "/tasks?pageToken=2", "", `{"tasks":[]}`)
	ts := tp.serve(t, Options{})
	do := func(verb, path, body, want string) string {
		t.Helper()
		req, _ := http.NewRequest(verb, ts.URL+path, strings.NewReader(body))
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		b, err := io.ReadAll(resp.Body)
		if !strings.Contains(string(b), want) || err != nil {
			t.Errorf("%s %s: got %d %s, %v, want %s", verb, path, resp.StatusCode, b, err, want)
		}
		return string(b)
	}
	do("POST", "/base/message:send", message, task("t", "c", "WORKING"))
	second := do("POST", "/base/message:send", strings.ReplaceAll(message, "mine", "yours"), `"messageId":"yours"`)
	_, id, _ := strings.Cut(second, `"id":"`)
	id, _, _ = strings.Cut(id, `"`)
	do("GET", "/base/tasks/"+url.PathEscape(id), "", `{"id":"`+id+`","contextId":"`)
	do("POST", "/base/tasks/"+id+"/pushNotificationConfigs", `{"url":"https://mine.example","id":"q"}`, `{"taskId":"`+id+`","id":"p","url":"https://mine.example","token":"•••"}`)
	do("GET", "/base/tasks?pageToken=2", "", `{"tasks":[]}`)
	do("GET", "/base/tasks", "", `"nextPageToken":"2"`)
	do("POST", "/base/tasks/"+id+":cancel", "{}", `"code":409,"status":"FAILED_PRECONDITION"`)
	do("GET", "/base/tasks/nobody", "", `"reason":"TASK_NOT_FOUND"`)
}

// A list over HTTP+JSON has its filter in the query, and bad values of it harm nobody.
func TestAListOverHTTPJSONIsMade(t *testing.T) {
	t.Parallel()
	f := forms["1.0 HTTP+JSON"]
	tp, x := f.streams()
	tp.end(x, "ended", "")
	ts := tp.serve(t, Options{})
	if _, _, err := ts.ask(t, f.other, f.message); err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]string{
		"": `"tasks":[{"id":"t"`, "?pageSize=-3": `"pageSize":1`, "?pageSize=x&pageToken=-1": `"totalSize":1`, "?contextId=c&status=TASK_STATE_INPUT_REQUIRED": `"id":"t"`,
		"?status=TASK_STATE_COMPLETED": `"tasks":[]`, "?pageToken=7": `"tasks":[]`,
	} {
		resp, err := http.Get(ts.URL + "/tasks" + query)
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if !strings.Contains(string(b), want) || err != nil {
			t.Errorf("%s: got %s, %v, want %s", query, b, err, want)
		}
	}
}

func TestRedirectsAndRefusalsStayHere(t *testing.T) {
	t.Parallel()
	tp := newTape()
	x := tp.line("request", 0, `,"dir":"out","call":{"agent":1,"op":"card"},"head":{"method":"GET","url":"http://agent.example/old"}`, moment)
	tp.line("response", x, `,"dir":"in","head":{"status":301,"header":{"Location":["http://agent.example/new?k=v"]}}`, moment)
	tp.end(x, "ended", "")
	x = tp.send("message/send", "Go", "")
	tp.line("response", x, `,"dir":"in","head":{"status":401,"header":{"Www-Authenticate":["Bearer"]}}`, moment)
	tp.end(x, "ended", "")
	tp.answer("Go", "", "t", "c", "accepted")
	ts := tp.serve(t, Options{})
	ask := func(verb, path, token string) *http.Response {
		req, _ := http.NewRequest(verb, ts.URL+path, strings.NewReader(sendBody("1", "message/send", "Go", "")))
		if token != "" {
			req.Header.Set("Authorization", token)
		}
		resp, err := http.DefaultTransport.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		return resp
	}
	if resp := ask("GET", "/old", ""); resp.StatusCode != http.StatusMovedPermanently || resp.Header.Get("Location") != "/new?k=v" {
		t.Errorf("got %d %v, want the redirect to stay here", resp.StatusCode, resp.Header)
	}
	for _, c := range []struct {
		token string
		want  int
	}{{"Bearer x", 200}, {"", 401}, {"Bearer x", 200}, {"", 401}} {
		if resp := ask("POST", "/a2a", c.token); resp.StatusCode != c.want {
			t.Errorf("token %q: got %d, want %d", c.token, resp.StatusCode, c.want)
		}
	}
}

// Every body and every frame of the vectors, good and bad, is served byte for byte.
func TestVectorsAreServedByteForByte(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("../../a2a/testdata/vectors/*/*")
	if err != nil || len(paths) < 100 {
		t.Fatalf("got %d vectors, %v, want them all", len(paths), err)
	}
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !utf8.Valid(b) {
			continue // the tape writes text alone
		}
		for _, raw := range []string{string(b), "data: " + strings.ReplaceAll(string(b), "\n", "\ndata: ") + "\n\n"} {
			tp := newTape()
			x := tp.send("message/stream", "Go", "")
			tp.head(x, "text/event-stream", moment)
			tp.event(x, raw)
			tp.end(x, "ended", "")
			a := tp.load(t).Agents[0]
			f := readHTTP("POST", &url.URL{Path: "/a2a"}, []byte(goNow))
			done := a.match(&f)
			var got bytesSink
			(&playback{ctx: t.Context(), x: done.x, swap: done.swap, clock: realClock}).play(&got)
			if got.String() != raw {
				t.Errorf("%s: got %q\nwant %q", path, got.String(), raw)
			}
		}
	}
}

// bytesSink keeps what is written.
type bytesSink struct {
	nowhere
	strings.Builder
}

func (s *bytesSink) write(b []byte) error {
	s.Write(b)
	return nil
}

func TestAClientElsewhereGetsTheAddressThatItUsed(t *testing.T) {
	t.Parallel()
	ts := conversation().serve(t, Options{Listen: "0.0.0.0:0"})
	req, _ := http.NewRequest("GET", ts.Agents[0].Card, nil)
	req.Host = "build-host:8080"
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if b, err := io.ReadAll(resp.Body); !strings.Contains(string(b), `"url":"http://build-host:8080/a2a"`) {
		t.Errorf("got %s, %v, want the host of the request", b, err)
	}
}
