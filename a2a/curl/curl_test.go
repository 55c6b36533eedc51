package curl_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"reflect"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/a2a/curl"
)

// A visit is a request that a server got.
type visit struct {
	method, uri, host string
	header            http.Header
	body              []byte
}

// visited starts a server that records its requests.
func visited(t *testing.T) (*httptest.Server, *[]visit) {
	t.Helper()
	var seen []visit
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		seen = append(seen, visit{r.Method, r.RequestURI, r.Host, r.Header, body})
		_, _ = io.WriteString(w, "{}")
	}))
	t.Cleanup(s.Close)
	return s, &seen
}

// recorded sends a request unchanged and returns its record.
func recorded(t *testing.T, r a2a.RawRequest) a2a.Record {
	t.Helper()
	var records []a2a.Record
	trace := a2a.Trace{Now: time.Now, Put: func(r a2a.Record, _ a2a.Update) a2a.RecordID {
		records = append(records, r)
		return a2a.RecordID(len(records))
	}}
	c := a2a.NewClient(a2a.Profile{Dialect: a2a.V10}, nil, a2a.Options{Trace: trace, NewID: func() string { return "1" }})
	defer c.Close()
	if out := c.Raw(t.Context(), a2a.Call{}, r, a2a.Hooks{}); out.End.Reason == a2a.Refused {
		t.Fatalf("got a refused request: %s; want it sent", out.End.Sentence)
	}
	return records[0]
}

// environment returns the variables of a line.
func environment(r *a2a.Record, line string) []string {
	env := []string{"PATH=/usr/local/bin:/usr/bin:/bin"}
	for _, gone := range r.Redactions {
		name := strings.TrimPrefix(strings.TrimPrefix(gone.Name, "header "), "query ")
		name = "A2A_" + strings.ToUpper(strings.NewReplacer("-", "_", " ", "_", ".", "_").Replace(name))
		if gone.Name == "in the body" {
			name = "A2A_SECRET"
		}
		if strings.Contains(line, name) {
			env = append(env, name+"="+gone.Original)
		}
	}
	return env
}

const auth = "Bearer it's \"hush\" $HOME"

// requests are those that a line must repeat.
func requests(url string) map[string]a2a.RawRequest {
	plain := http.Header{"Content-Type": {"application/json"}, "User-Agent": {"parley"}, "Accept": {"application/json"}}
	with := func(more http.Header) http.Header {
		h := plain.Clone()
		for name, values := range more {
			h[name] = values
		}
		return h
	}
	post := func(body string) a2a.RawRequest {
		return a2a.RawRequest{Method: "POST", URL: url + "/rpc", Header: plain, Body: []byte(body)}
	}
	every := make([]byte, 512)
	for i := range every {
		every[i] = byte(i)
	}
	long := strings.Repeat("long body that no argument can hold, ", 8000)
	return map[string]a2a.RawRequest{
		"JSON":           post(`{"jsonrpc":"2.0","id":"1","method":"GetTask","params":{"id":"t"}}`),
		"quotes":         post(`{"text":"it's \"quoted\" 'twice' $HOME ` + "`id`" + ` \\ \n !! # & ; | > <"}`),
		"pretty":         post("{\n  \"a\": 1\n}\n"),
		"tabs":           post("{\n\t\"a\": 1,\r\n\t\"b\": \"100 %\\n\"\n}"),
		"every byte":     post(string(every)),
		"NUL":            post("\x00"),
		"escape codes":   post("{\"a\":\"\x1b[2J\u009b31m\u202e\"}"),
		"not UTF-8":      post("{\"a\":\"\xff\xfe\"}"),
		"text":           post("héllo, 世界 👩‍🚀"),
		"an at":          post("@/etc/passwd"),
		"a dash":         post("-n\x01"),
		"a line break":   post("\n"),
		"only line ends": post("\n\n\n"),
		"a percentage":   post("%s %d %% \\n"),
		"long":           post(long),
		"long, binary":   post(long + "\x00" + long),
		"GET":            {URL: url + "/tasks/t%2F1?x=a%20b&y[]={1..3}&z='", Header: plain},
		"dots in a path": {URL: url + "/a/../b/./c/..", Header: plain},
		"DELETE":         {Method: "DELETE", URL: url + "/tasks/t/pushNotificationConfigs/c", Header: plain},
		"GET with body":  {Method: "GET", URL: url + "/", Header: plain, Body: []byte("{}")},
		"odd method":     {Method: "FOO'BAR", URL: url + "/", Header: plain},
		"bare":           {Method: "POST", URL: url + "/", Body: []byte("x")},
		"odd headers": {Method: "POST", URL: url + "/", Body: []byte("x"), Header: http.Header{
			"X-Twice": {"one", "two"}, "X-Empty": {""}, "X-Odd": {`it's "$HOME" \ !!`}, "X-Tab": {"a\tb"}, "Host": {"other.example"}}},
		"secrets": {Method: "POST", URL: url + "/?token=hush-one&x=1&api_key=hush-two", Body: []byte(
			`{"jsonrpc":"2.0","id":"1","method":"CreateTaskPushNotificationConfig","params":{"taskId":"t","url":"http://w","token":"push-hush-hush",` +
				`"authentication":{"scheme":"Bearer","credentials":"cred-hush-hush"}}}`),
			Header: with(http.Header{"Authorization": {auth}, "Cookie": {"a=b"}, "X-Secret": {"s'1"}, "Accept": {"text/event-stream, application/json"}})},
		"a secret in a binary body": {Method: "POST", URL: url + "/", Body: []byte("\x00 " + auth + "\x00 tail"),
			Header: with(http.Header{"Authorization": {auth}})},
	}
}

func TestTheLineSendsTheSameBytes(t *testing.T) {
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("there is no curl")
	}
	for _, shell := range shells(t) {
		s, seen := visited(t)
		for name, request := range requests(s.URL) {
			t.Run(shell+" "+name, func(t *testing.T) {
				*seen = nil
				rec := recorded(t, request)
				line := curl.Command(&rec, "")
				for _, gone := range rec.Redactions {
					if strings.Contains(line, gone.Original) && gone.Original != "a=b" {
						t.Errorf("got line %q, want secret %q masked", line, gone.Original)
					}
				}
				run(t, shell, line, environment(&rec, line))
				if len(*seen) != 2 {
					t.Fatalf("server got %d requests, want 2:\n%s", len(*seen), line)
				}
				want, got := (*seen)[0], (*seen)[1]
				if !reflect.DeepEqual(got, want) {
					t.Errorf("%.2000s\ngot\n%.2000s\nwant\n%.2000s", line, show(got), show(want))
				}
			})
		}
	}
}

func show(v visit) string {
	return fmt.Sprintf("%s %s %s %q %q", v.method, v.uri, v.host, v.header, v.body)
}

func shells(t *testing.T) []string {
	t.Helper()
	var list []string
	for _, name := range []string{"sh", "bash", "dash", "zsh", "ksh"} {
		if path, err := exec.LookPath(name); err == nil {
			list = append(list, path)
		}
	}
	if len(list) == 0 {
		t.Skip("there is no shell")
	}
	return list
}

// run passes a line to a shell as standard input, which has no length limit, and returns its
// output.
func run(t *testing.T, shell, line string, env []string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), shell)
	cmd.Stdin, cmd.Env = strings.NewReader(line+"\n"), env
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil || stderr.Len() > 0 {
		t.Fatalf("got error %v and output %q, want none of\n%.2000s", err, &stderr, line)
	}
	return string(out)
}

// This test needs no curl: a shell function of that name prints its arguments.
func TestAShellReadsTheLineAsItIsMeant(t *testing.T) {
	rec := a2a.Record{Kind: a2a.KindRequest, Raw: []byte("it's\n\x00" + a2a.Mask + "100%"), Head: &a2a.Head{
		Method: "PATCH", URL: "https://agent.example/a?key=" + a2a.Mask + "&b=$HOME",
		Header: http.Header{"Authorization": {a2a.Mask}, "Accept": {"text/event-stream"}, "User-Agent": {"parley"}, "Content-Type": {"a/b"}},
	}, Redactions: []a2a.Redaction{
		{Name: "query key", SHA256: "1"}, {Name: "header Authorization", SHA256: "2"},
		{Name: "push token", Offset: 6, Length: len(a2a.Mask), SHA256: "3"},
	}}
	line := curl.Command(&rec, "")
	want := "<-sS><-N><-X><PATCH><https://agent.example/a?key=k'1&b=$HOME><-H><Accept: text/event-stream>" +
		"<-H><Authorization: Bearer b><-H><Content-Type: a/b><-H><User-Agent: parley><--data-binary><@->it's\n\x00p\"1100%"
	for _, shell := range shells(t) {
		got := run(t, shell, "curl() { for a; do printf '<%s>' \"$a\"; done; cat; }\n"+line,
			[]string{"PATH=/usr/bin:/bin", "A2A_KEY=k'1", "A2A_AUTHORIZATION=Bearer b", `A2A_PUSH_TOKEN=p"1`})
		if got != want {
			t.Errorf("%s: got arguments\n%q\nof\n%s\nwant\n%q", shell, got, line, want)
		}
	}
}

func TestTheLineIsReadable(t *testing.T) {
	head := &a2a.Head{Method: "POST", URL: "http://127.0.0.1:1/rpc", Header: http.Header{
		"Content-Type": {"application/json"}, "Accept": {"text/event-stream, application/json"}, "User-Agent": {"parley"}, "Host": {"127.0.0.1:1"},
		"Content-Length": {"13"}, "Authorization": {a2a.Mask}}}
	rec := a2a.Record{Kind: a2a.KindRequest, Raw: []byte(`{"a":"it is"}`), Head: head, Redactions: []a2a.Redaction{{Name: "header Authorization"}}}
	want := `curl -sS -N 'http://127.0.0.1:1/rpc' \
  -H 'Accept: text/event-stream, application/json' \
  -H "Authorization: $A2A_AUTHORIZATION" \
  -H 'Content-Type: application/json' \
  -H 'User-Agent: parley' \
  --data-binary '{"a":"it is"}'`
	if got := curl.Command(&rec, ""); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	rec.Kind = a2a.KindBody
	if got := curl.Command(&rec, ""); got != "" {
		t.Errorf("got line %s for a body, want none", got)
	}
}

func TestHeadersComeAsTheyWereSent(t *testing.T) {
	m := a2a.Mask
	rec := a2a.Record{Kind: a2a.KindRequest, Raw: []byte("{}"), Head: &a2a.Head{Method: "POST", URL: "http://h/", Header: http.Header{
		"Accept": {"a"}, "Content-Type": {"c"}, "User-Agent": {"u"}, "Host": {"h"}, "Content-Length": {"2"}, "X-Twice": {m, "two"}, "X-Late": {"1"}, "A2a-Version": {"1.0"}}},
		Redactions: []a2a.Redaction{{Name: "header X-Twice"}}}
	sent := a2a.HeadBytes("POST / HTTP/1.1\r\nHost: h\r\nUser-Agent: u\r\nContent-Length: 2\r\nx-TWICE: " + m + "\r\nContent-Type: c\r\nTransfer-Encoding: none\r\n" +
		"A2A-Version: 1.0\r\nX-Twice: two\r\nAccept: a\r\n\r\n")
	want := `curl -sS 'http://h/' \
  -H 'User-Agent: u' \
  -H "x-TWICE: $A2A_X_TWICE" \
  -H 'Content-Type: c' \
  -H 'A2A-Version: 1.0' \
  -H 'X-Twice: two' \
  -H 'Accept: a' \
  -H 'X-Late: 1' \
  --data-binary '{}'`
	if got := curl.Command(&rec, sent); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestMasksOfAURLGetTheirOwnVariables(t *testing.T) {
	m := a2a.Mask
	rec := a2a.Record{Kind: a2a.KindRequest, Head: &a2a.Head{Method: "GET", Header: http.Header{"Accept": {"a"}, "User-Agent": {"b"}, "X": {"y", m, m, m}},
		URL: "http://me:" + m + "@h/" + m + "/p?a%5Bkey%5D=" + m + "&token=" + m + "#" + m}, Redactions: []a2a.Redaction{
		{Name: "password in the URL", SHA256: "1"}, {Name: "query a[key]", SHA256: "2"}, {Name: "query token", SHA256: "3"}, {Name: "in the URL", SHA256: "4"},
		{Name: "header X", SHA256: "5"}, {Name: "header X", SHA256: "6"}, {Name: "header X", SHA256: "5"},
	}}
	want := `curl -sS 'http://me:'"$A2A_PASSWORD"'@h/'"$A2A_SECRET"'/p?a%5Bkey%5D='"$A2A_A_KEY_"'&token='"$A2A_TOKEN"'#` + m + `' \
  -H 'Accept: a' \
  -H 'User-Agent: b' \
  -H 'X: y' \
  -H "X: $A2A_X" \
  -H "X: $A2A_X_2" \
  -H "X: $A2A_X"`
	if got := curl.Command(&rec, ""); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A session file may contain anything; the line of its record must be a request and nothing
// more.
func TestAHostileRecordRunsNothing(t *testing.T) {
	for _, evil := range []string{"-o/tmp/x", "'; touch x; '", "$(touch x)", "`touch x`", "@/etc/passwd", "\n touch x\n", "a\x00b", "\xff", a2a.Mask, ""} {
		rec := a2a.Record{Kind: a2a.KindRequest, Raw: []byte(evil), Head: &a2a.Head{Method: evil, URL: "http://h/" + evil, Header: http.Header{evil: {evil}, "X-Odd": {evil}}},
			Redactions: []a2a.Redaction{{Name: "header X-Odd"}, {Name: "header " + evil}, {Name: evil}, {Name: evil, Offset: -1, Length: 9}, {Name: evil, Offset: 1, Length: 1 << 40}}}
		line := curl.Command(&rec, a2a.HeadBytes("POST / HTTP/1.1\r\n"+evil+": "+evil+"\r\n\r\n"))
		if strings.ContainsAny(line, "\x00\x1b") {
			t.Errorf("%q: got line %q, want it without control characters", evil, line)
		}
		for _, shell := range shells(t) {
			got := run(t, shell, "cd /nowhere 2>/dev/null; touch() { echo touched; }; curl() { printf '<%s>' \"$@\"; cat >/dev/null; }\n"+line, []string{"PATH=/usr/bin:/bin"})
			if strings.Contains(got, "touched") || strings.Contains(got, "<-H><@") || strings.HasPrefix(got, "<-sS><-o") {
				t.Errorf("%q: got output %s of\n%s", evil, got, line)
			}
		}
	}
	for _, head := range []*a2a.Head{nil, {}, {URL: "-o/tmp/x"}, {URL: "@file"}, {URL: "file:///etc/passwd"}} {
		if line := curl.Command(&a2a.Record{Kind: a2a.KindRequest, Head: head}, ""); line != "" {
			t.Errorf("got line %s for head %+v, want none", line, head)
		}
	}
}

func FuzzCommand(f *testing.F) {
	f.Add("POST", "http://a/?x="+a2a.Mask, "X-A", "it's", []byte("{}"), 0, 3)
	f.Add("", "https://a", "", "", []byte("\x00%\\-"), -1, 9)
	f.Fuzz(func(t *testing.T, method, url, name, value string, body []byte, offset, length int) {
		rec := a2a.Record{Kind: a2a.KindRequest, Raw: body, Head: &a2a.Head{Method: method, URL: url, Header: http.Header{name: {value, value}}},
			Redactions: []a2a.Redaction{{Name: "query x"}, {Name: "header " + name}, {Name: "body", Offset: offset, Length: length}}}
		line := curl.Command(&rec, "")
		for _, r := range line {
			if r < ' ' && r != '\n' || r == 0x7f || 0x80 <= r && r < 0xa0 || r == '\u202e' || r == '\uFEFF' {
				t.Fatalf("got character %q in line %q, want it escaped", r, line)
			}
		}
		if unquoted := outside(line); strings.ContainsAny(unquoted, "`<>&#*?~") {
			t.Fatalf("got unquoted %q of line %q", unquoted, line)
		}
	})
}

// outside returns the text outside of quotes.
func outside(line string) string {
	var b strings.Builder
	var in []byte // open quotes
	for i := 0; i < len(line); i++ {
		c, open := line[i], byte(0)
		if len(in) > 0 {
			open = in[len(in)-1]
		}
		switch {
		case open == '\'' && c == open, open == '"' && c == open, open == ')' && c == open:
			in = in[:len(in)-1]
		case open == '\'':
		case open == '"' && strings.HasPrefix(line[i:], "$("):
			in = append(in, ')')
			i++
		case open == '"':
		case c == '\'' || c == '"':
			in = append(in, c)
		case c == '\\':
			i++
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
