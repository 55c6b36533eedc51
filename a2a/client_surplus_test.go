package a2a_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"

	"parley/a2a"
)

const surplusToken = "token-that-is-after-the-answer"

// serveRequests reads the requests of a connection and calls answer for each, with its number on the
// connection. The connection ends when answer returns false.
func serveRequests(t *testing.T, secure *tls.Config, answer func(w io.Writer, r *http.Request, nth int) bool) string {
	t.Helper()
	u := serveConns(t, func(c net.Conn) {
		if secure != nil {
			c = tls.Server(c, secure)
		}
		r := bufio.NewReader(c)
		for nth := 1; ; nth++ {
			req, err := http.ReadRequest(r)
			if err != nil {
				return
			}
			body, _ := io.ReadAll(req.Body)
			req.Body = io.NopCloser(bytes.NewReader(body))
			if !answer(c, req, nth) {
				return
			}
		}
	})
	if secure != nil {
		u = "https" + strings.TrimPrefix(u, "http")
	}
	return u
}

// whole is a complete answer of HTTP/1.1.
func whole(body string) string {
	return fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
}

// What comes in the same bytes as an answer is a record of its own behind the end, without secrets, and
// changes nothing of the outcome. No library prints it.
func TestWhatComesAfterAnAnswerIsARecord(t *testing.T) {
	t.Parallel()
	var printed bytes.Buffer
	before := log.Writer()
	log.SetOutput(&printed)
	defer log.SetOutput(before)
	secure := quietTLS(t, nil).TLS.Clone()
	secure.NextProtos = nil
	for _, tt := range []struct {
		name, answer, surplus, record string
		secure, closes                bool
	}{
		{name: "text", answer: whole(taskAnswer), surplus: "You are " + surplusToken + "\x1b[2J", record: "You are •••\x1b[2J"},
		{name: "over TLS", answer: whole(taskAnswer), surplus: "You are " + surplusToken, record: "You are •••", secure: true},
		{name: "then closed", answer: whole(taskAnswer), surplus: "You are " + surplusToken, record: "You are •••", closes: true},
		{name: "HTTP/1.0", answer: strings.Replace(whole(taskAnswer), "1.1", "1.0", 1), surplus: "x", record: "x", closes: true},
		{name: "asked to close", answer: strings.Replace(whole(taskAnswer), "\r\n", "\r\nConnection: close\r\n", 1), surplus: "x", record: "x"},
		{name: "chunks", answer: "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n" + chunkedAnswer + "\r\n", surplus: "x", record: "x"},
		{name: "another answer", answer: whole(taskAnswer), surplus: "HTTP/1.1 200 OK\r\nSet-Cookie: id=of-somebody\r\nX-Echo: " + surplusToken + "\r\n\r\nyes",
			record: "HTTP/1.1 200 OK\r\nSet-Cookie: •••\r\nX-Echo: •••\r\n\r\nyes"},
		{name: "a member", answer: whole(taskAnswer), surplus: `{"password":"of-somebody"}`, record: `{"password":"•••"}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var with *tls.Config
			if tt.secure {
				with = secure
			}
			u := serveRequests(t, with, func(w io.Writer, _ *http.Request, _ int) bool {
				_, _ = io.WriteString(w, tt.answer+tt.surplus)
				return !tt.closes
			})
			o, tp := call(t, u, func(o *a2a.Options) { o.Bearer, o.Servers.Insecure = surplusToken, true })
			if o.Err != nil || o.End.Reason != a2a.Ended || o.TaskID != "t1" {
				t.Fatalf("got answer %+v, want the task", o)
			}
			last := tp.records[len(tp.records)-1]
			if last.Kind != a2a.KindSurplus || last.Exchange != o.Exchange || last.Dir != a2a.In || len(tp.of(a2a.KindSurplus)) != 1 {
				t.Fatalf("got last record %+v, want a surplus of exchange %d", last, o.Exchange)
			}
			if string(last.Raw) != tt.record || last.Omitted != 0 {
				t.Errorf("got record %.200q (%d omitted), want %.200q", last.Raw, last.Omitted, tt.record)
			}
			if masked := strings.Contains(tt.record, a2a.Mask); masked != (len(last.Redactions) > 0) {
				t.Errorf("got redactions %+v, want some: %v", last.Redactions, masked)
			}
		})
	}
	if printed.Len() > 0 {
		t.Errorf("got %q in the global log, want nothing", printed.String())
	}
}

// Of a large surplus the beginning is kept. How much of it came depends on whether the agent paused.
func TestALargeSurplusHasALimit(t *testing.T) {
	t.Parallel()
	const kept, sent = 4 << 20, 6 << 20
	u := serveRequests(t, nil, func(w io.Writer, _ *http.Request, _ int) bool {
		_, _ = io.WriteString(w, whole(taskAnswer)+strings.Repeat("x", sent))
		return false
	})
	o, tp := call(t, u, nil)
	if o.Err != nil || o.TaskID != "t1" {
		t.Fatalf("got answer %+v, want the task", o)
	}
	last := tp.records[len(tp.records)-1]
	n := len(last.Raw)
	if last.Kind != a2a.KindSurplus || strings.Trim(string(last.Raw), "x") != "" || n == 0 || n > kept || last.Omitted > 0 && n < kept || n+last.Omitted > sent {
		t.Errorf("got %s record of %d bytes %.100q, %d omitted; want at most %d of %d", last.Kind, n, last.Raw, last.Omitted, kept, sent)
	}
}

// A Content-Length that is too short divides a body anywhere: nothing of a secret is in either part.
func TestASecretThatASurplusCompletesIsMasked(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`{"jsonrpc":"2.0","id":"id-1","result":{"task":{"id":"t1","status":{"state":"TASK_STATE_COMPLETED"}},"x":"` + surplusToken + `"}}`,
		`{"jsonrpc":"2.0","id":"id-1","result":{"task":{"id":"t1","status":{"state":"TASK_STATE_COMPLETED"}},"password":"` + surplusToken + `"}}`,
	} {
		from := strings.Index(body, surplusToken)
		for at := from; at <= from+len(surplusToken); at++ {
			u := serveRequests(t, nil, func(w io.Writer, _ *http.Request, _ int) bool {
				_, _ = io.WriteString(w, whole(body[:at])+body[at:])
				return false
			})
			_, tp := call(t, u, func(o *a2a.Options) {
				if !strings.Contains(body, "password") {
					o.Bearer = surplusToken
				}
			})
			for _, r := range tp.records {
				for n := 4; n < len(surplusToken); n++ { // shorter pieces prove nothing
					if piece := surplusToken[len(surplusToken)-n:]; r.Kind == a2a.KindSurplus && bytes.Contains(r.Raw, []byte(piece)) {
						t.Fatalf("cut at %d: got %q in record %q, want it masked", at-from, piece, r.Raw)
					}
				}
			}
		}
	}
}

// An answer that nobody asked for is never that to the next request, whenever it comes: with the answer
// before it, or while the connection is idle.
func TestASurplusNeverAnswersTheNextRequest(t *testing.T) {
	t.Parallel()
	for _, late := range []bool{false, true} {
		t.Run(fmt.Sprint("late ", late), func(t *testing.T) {
			var wait sync.WaitGroup
			defer wait.Wait()
			over := make(chan bool)
			u := serveRequests(t, nil, func(w io.Writer, r *http.Request, nth int) bool {
				if nth > 1 {
					t.Errorf("got request %d on a connection with a surplus, want it on another one", nth)
				}
				body, _ := io.ReadAll(r.Body)
				id := regexp.MustCompile(`id-\d+`).FindString(string(body))
				mine := whole(strings.ReplaceAll(taskAnswer, "t1", "of-"+id))
				evil := whole(strings.ReplaceAll(taskAnswer, "t1", "evil"))
				if !late {
					_, _ = io.WriteString(w, mine+evil)
					return true
				}
				_, _ = io.WriteString(w, mine)
				wait.Go(func() { <-over; _, _ = io.WriteString(w, evil) })
				return true
			})
			tp := newTape()
			c := a2a.NewClient(profile(a2a.V10, u), nil, options(tp, u))
			defer c.Close()
			for i := range 3 {
				id := fmt.Sprintf("of-id-%d", i+1)
				ctx, cancel := context.WithTimeout(t.Context(), limit)
				o := c.Do(ctx, request(a2a.OpGet), a2a.Hooks{})
				cancel()
				if o.Err != nil || o.TaskID != id {
					t.Fatalf("got task %q (%v), want %q", o.TaskID, o.Err, id)
				}
				if late {
					over <- true
				}
				if err := tp.wait(a2a.KindSurplus, i+1); err != nil {
					t.Fatal(err)
				}
			}
			tp.check(t)
			for i, r := range tp.of(a2a.KindSurplus) {
				if want := tp.of(a2a.KindRequest)[i].ID; r.Exchange != want || !bytes.Contains(r.Raw, []byte("evil")) {
					t.Errorf("got surplus %q of exchange %d, want that of %d", r.Raw, r.Exchange, want)
				}
			}
		})
	}
}

// A surplus that comes with what ends without a body, and with a redirect.
func TestASurplusOfAnswersWithoutABody(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]string{
		"204": "HTTP/1.1 204 No Content\r\n\r\n", "304": "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n",
		"401": "HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n", "redirect": "HTTP/1.1 307 Temporary Redirect\r\nLocation: /again\r\nContent-Length: 0\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			u := serveRequests(t, nil, func(w io.Writer, r *http.Request, _ int) bool {
				if r.URL.Path == "/again" {
					answer = whole(taskAnswer)
				}
				_, _ = io.WriteString(w, answer+"{}")
				return true
			})
			_, tp := call(t, u, nil)
			all := tp.of(a2a.KindSurplus)
			if len(all) != len(tp.of(a2a.KindRequest)) || string(all[0].Raw) != "{}" {
				t.Errorf("got %d surpluses of %d exchanges, want one of each", len(all), len(tp.of(a2a.KindRequest)))
			}
		})
	}
}
