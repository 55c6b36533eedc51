package a2a_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"parley/a2a"
)

// status03 is one frame of a 0.3 stream.
func status03(state, final string) string {
	return `data: {"jsonrpc":"2.0","id":"id-1","result":{"kind":"status-update","taskId":"t1","contextId":"c1","status":{"state":"` + state + `"}` + final + `}}` + "\n\n"
}

// breaks are ways in which the connection of a chunked answer ends badly. The chunks so far are complete.
var breaks = map[string]func(net.Conn){
	"no last chunk": func(net.Conn) {},
	"reset":         func(c net.Conn) { _ = c.(*net.TCPConn).SetLinger(0) },
	"half a chunk":  func(c net.Conn) { _, _ = io.WriteString(c, "10\r\n: half") },
	"no chunk":      func(c net.Conn) { _, _ = io.WriteString(c, "here\r\n") },
	"half a trailer": func(c net.Conn) {
		_, _ = io.WriteString(c, "0\r\nX-Sum: 1")
	},
	"a broken trailer": func(c net.Conn) { _, _ = io.WriteString(c, "0\r\nno colon\r\n\r\n") },
}

// chunked serves frames as the chunks of an event stream whose connection then ends badly.
func chunked(t *testing.T, tp *tape, end func(net.Conn), frames ...string) string {
	t.Helper()
	return serveRaw(t, func(c net.Conn) {
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
		whole := 0
		for _, f := range frames {
			_, _ = fmt.Fprintf(c, "%x\r\n%s\r\n", len(f), f)
			if strings.HasSuffix(f, "\n\n") {
				whole++
			}
		}
		if err := tp.wait(a2a.KindEvent, whole); err != nil { // a reset may drop what was not read
			t.Error(err)
		}
		end(c)
	})
}

// A stream that reported the end of its task is complete, however its connection ends. Before that, and
// within another event, a break is a break.
func TestABreakAfterTheTaskIsOverLosesNothing(t *testing.T) {
	frame := func(s string) []string { return []string{status("WORKING"), status(s)} }
	for _, tt := range []struct {
		name     string
		dialect  a2a.DialectName
		frames   []string
		complete bool
	}{
		{"completed", a2a.V10, frame("COMPLETED"), true},
		{"failed", a2a.V10, frame("FAILED"), true},
		{"canceled", a2a.V10, frame("CANCELED"), true},
		{"rejected", a2a.V10, frame("REJECTED"), true},
		{"input required", a2a.V10, frame("INPUT_REQUIRED"), true},
		{"an artifact after it", a2a.V10, append(frame("COMPLETED"), `data: {"jsonrpc":"2.0","id":"id-1","result":{"artifactUpdate":{"taskId":"t1","contextId":"c1","artifact":{"artifactId":"a","parts":[{"text":"x"}]}}}}`+"\n\n"), true},
		{"a comment after it", a2a.V10, append(frame("COMPLETED"), ": beat\n"), true},
		{"auth required", a2a.V10, frame("AUTH_REQUIRED"), true},
		{"working after the credentials", a2a.V10, append(frame("AUTH_REQUIRED"), status("WORKING")), false},
		{"working", a2a.V10, frame("WORKING"), false},
		{"working again", a2a.V10, append(frame("INPUT_REQUIRED"), status("WORKING")), false},
		{"another event begins", a2a.V10, append(frame("COMPLETED"), `data: {"jsonrpc":"2.0","res`), false},
		{"0.3 and final", a2a.V03, []string{status03("working", `,"final":false`), status03("completed", `,"final":true`)}, true},
		{"0.2 and final", a2a.V02, []string{status03("input-required", `,"final":true`)}, true},
		{"0.3 without final", a2a.V03, []string{status03("completed", "")}, true},
		{"0.2 without final", a2a.V02, []string{status03("failed", "")}, true},
		{"0.3 asks without final", a2a.V03, []string{status03("input-required", "")}, true},
		{"0.3 asks for credentials without final", a2a.V03, []string{status03("auth-required", "")}, true},
		{"0.3 works without final", a2a.V03, []string{status03("working", "")}, false},
		{"0.3 and not final", a2a.V03, []string{status03("completed", `,"final":false`)}, false},
		{"0.3 and not final where 1.0 was asked", a2a.V10, []string{status03("completed", `,"final":false`)}, false},
		{"0.3 and final where 1.0 was asked", a2a.V10, []string{status03("completed", `,"final":true`)}, true},
		{"nothing", a2a.V10, nil, false},
	} {
		for how, end := range breaks {
			t.Run(tt.name+", "+how, func(t *testing.T) {
				t.Parallel()
				tp := newTape()
				url := chunked(t, tp, end, tt.frames...)
				c := a2a.NewClient(profile(tt.dialect, url), nil, options(tp, url))
				defer c.Close()
				o := c.Do(t.Context(), request(a2a.OpStream), a2a.Hooks{})
				tp.check(t)
				last := tp.records[len(tp.records)-1]
				if tt.complete && (o.Err != nil || o.End.Reason != a2a.Ended || o.End.Class != "" || last.End.Break == "" || strings.HasSuffix(last.End.Break, ".") || last.End.Detail == "") {
					t.Errorf("got answer %+v and end %+v, want a complete answer and its break", o, last.End)
				}
				if !tt.complete && (o.Err == nil || o.End.Reason != a2a.Cut || o.End.Break != "") {
					t.Errorf("got answer %+v, want a cut", o)
				}
			})
		}
	}
}

// The same holds for an answer without a stream whose document is whole.
func TestABreakAfterAWholeDocumentLosesNothing(t *testing.T) {
	t.Parallel()
	const message = `{"jsonrpc":"2.0","id":"id-1","result":{"message":{"messageId":"m","role":"ROLE_AGENT","parts":[{"text":"x"}]}}}`
	failed := `{"jsonrpc":"2.0","id":"id-1","error":{"code":-32603,"message":"no"}}`
	working := strings.Replace(taskAnswer, "COMPLETED", "WORKING", 1)
	for _, tt := range []struct {
		body     string
		op       a2a.Op
		complete bool
	}{
		{taskAnswer, a2a.OpSend, true}, {taskAnswer + "\n", a2a.OpGet, true}, {message, a2a.OpSend, true}, {message, a2a.OpStream, true},
		{working, a2a.OpSend, false}, {failed, a2a.OpSend, false}, {taskAnswer[:len(taskAnswer)-1], a2a.OpSend, false}, {"", a2a.OpSend, false},
	} {
		for how, head := range map[string]string{
			"no last chunk": "Transfer-Encoding: chunked\r\n\r\n" + fmt.Sprintf("%x\r\n%s\r\n", max(len(tt.body), 1), tt.body),
			"a short body":  "Content-Length: 9999\r\n\r\n" + tt.body,
		} {
			if tt.body == "" && how == "no last chunk" {
				continue
			}
			url := serveRaw(t, func(c net.Conn) {
				_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"+head)
			})
			tp := newTape()
			o, _ := do(t, tp, url, tt.op)
			if tt.complete != (o.End.Reason == a2a.Ended) || tt.complete != (o.End.Break != "") || tt.complete && o.Err != nil {
				t.Errorf("%.80s, %s: got answer %+v, want it complete: %v", tt.body, how, o, tt.complete)
			}
			for _, r := range tp.of(a2a.KindBody) {
				if tt.complete && r.Torn {
					t.Errorf("%.80s, %s: got a torn body, want a whole one", tt.body, how)
				}
			}
		}
	}
}

// It holds for JSON lines, and for a content coding that breaks: its end is missing, or wrong.
func TestABreakOfLinesAndOfACodingAfterTheTaskIsOverLosesNothing(t *testing.T) {
	t.Parallel()
	line := func(s string) string {
		return strings.TrimSpace(strings.TrimPrefix(status(s), "data: ")) + "\n"
	}
	packed := func(text string) (head, body string) {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, _ = io.WriteString(z, text)
		_ = z.Flush()
		return "Content-Type: text/event-stream\r\nContent-Encoding: gzip\r\n", b.String()
	}
	for name, answer := range map[string]func(text, line string) (head, body string){
		"lines": func(_, line string) (string, string) {
			return "Content-Type: application/x-ndjson\r\nContent-Length: 9999\r\n", line
		},
		"lines in chunks": func(_, line string) (string, string) {
			return "Content-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n", fmt.Sprintf("%x\r\n%s\r\n", len(line), line)
		},
		"gzip without end": func(text, _ string) (string, string) { return packed(text) },
		"gzip with a wrong end": func(text, _ string) (string, string) {
			head, body := packed(text)
			return head, body + "\x03\x00no checksum"
		},
		"gzip with garbage": func(text, _ string) (string, string) {
			head, body := packed(text)
			return head, body + "\xff\xff\xff\xff"
		},
	} {
		for state, complete := range map[string]bool{"COMPLETED": true, "INPUT_REQUIRED": true, "WORKING": false} {
			head, body := answer(status("WORKING")+status(state), line("WORKING")+line(state))
			url := serveRaw(t, func(c net.Conn) {
				_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\n"+head+"\r\n"+body)
			})
			tp := newTape()
			o, _ := do(t, tp, url, a2a.OpStream)
			if complete != (o.End.Reason == a2a.Ended) || complete != (o.End.Break != "") || complete && o.Err != nil || o.Events != 2 {
				t.Errorf("%s, %s: got answer %+v, want 2 events, complete: %v", name, state, o, complete)
			}
			if strings.HasPrefix(name, "gzip") && complete && o.End.Break != "its content coding gzip broke" {
				t.Errorf("%s, %s: got break %q, want the content coding", name, state, o.End.Break)
			}
		}
	}
}

func TestAResetOfHTTP2AfterTheTaskIsOverLosesNothing(t *testing.T) {
	t.Parallel()
	tp := newTape()
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		stream(status("COMPLETED"))(w, r)
		if err := tp.wait(a2a.KindEvent, 1); err != nil {
			t.Error(err)
		}
		panic(http.ErrAbortHandler)
	}))
	s.EnableHTTP2, s.Config.ErrorLog = true, discardLog()
	s.StartTLS()
	defer s.Close()
	o := options(tp, s.URL)
	o.Servers.Insecure = true
	c := a2a.NewClient(profile(a2a.V10, s.URL), nil, o)
	defer c.Close()
	out := c.Do(t.Context(), request(a2a.OpStream), a2a.Hooks{})
	tp.check(t)
	if out.Err != nil || out.End.Break == "" || !strings.Contains(out.End.Detail, "INTERNAL_ERROR") || tp.records[1].Head.Proto != "HTTP/2.0" {
		t.Errorf("got answer %+v over %s, want a complete answer and the reset", out, tp.records[1].Head.Proto)
	}
}

// What the user or a limit cuts is told as such, also after the end of the task.
func TestACutOfTheUsersOwnStaysOne(t *testing.T) {
	t.Parallel()
	tp := newTape()
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		stream(status("COMPLETED"))(w, r)
		<-r.Context().Done()
	}).URL
	c := a2a.NewClient(profile(a2a.V10, url), nil, options(tp, url))
	defer c.Close()
	control := &a2a.Control{}
	control.Cut(1)
	o := c.Do(t.Context(), request(a2a.OpStream), a2a.Hooks{Control: control})
	if o.End.Reason != a2a.Cut || o.End.Class != a2a.ClassSevered {
		t.Errorf("got end %+v, want class %q", o.End, a2a.ClassSevered)
	}
}
