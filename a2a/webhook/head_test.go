package webhook

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
)

// answer reads an answer from a connection and returns its status.
func answer(t *testing.T, conn net.Conn) int {
	t.Helper()
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatalf("got no answer: %v", err)
	}
	resp.Body.Close()
	return resp.StatusCode
}

func TestHeadsAreHandedOnAsTheyCame(t *testing.T) {
	p := newPost(t, nil)
	h := p.Register(false)
	line, token := "POST /push/"+h.Key+"?b=2&a=1 HTTP/1.1\r\n", "x-A2A-notification-TOKEN:"+h.Token+"\r\n"
	chunked := "transfer-ENCODING: chunked\r\n"
	for _, tt := range []struct{ name, head, body, trailer string }{
		{"order and spelling", line + "zeta: 1\r\n" + token + "host: localhost\r\nALPHA:  two \r\nzeta: 3\r\ncontent-length: 2\r\n\r\n", "{}", ""},
		{"chunks", line + "Host: localhost\r\n" + token + chunked + "\r\n", "2\r\n{}\r\n0\r\n", "\r\n"},
		{"a trailer that nothing announced", line + token + "Host: localhost\r\n" + chunked + "\r\n", "1;x=y\r\n{\r\n1\r\n}\r\n0\r\n", "x-Sum: 12\r\nX-sum: 13\r\n\r\n"},
		{"bare line feeds", strings.ReplaceAll(line+"Host: localhost\r\n"+token+"Content-Length: 2\r\n\r\n", "\r", ""), "{}", ""},
		{"a folded line", line + "Host: localhost\r\nA: b\r\n\t c\r\n" + token + "Content-Length: 2\r\n\r\n", "{}", ""},
		{"bytes that are not UTF-8", line + "Host: localhost\r\nA: \xe9\r\n" + token + "Content-Length: 2\r\n\r\n", "{}", ""},
		{"20 kB", line + "Host: localhost\r\nA: " + strings.Repeat("x", 20<<10) + "\r\n" + token + "Content-Length: 2\r\n\r\n", "{}", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			conn := p.speak("")
			for range 2 { // on one connection, in pieces and whole
				all := tt.head + tt.body + tt.trailer
				for _, piece := range []string{all[:len(all)/3], all[len(all)/3:]} {
					if _, err := io.WriteString(conn, piece); err != nil {
						t.Fatal(err)
					}
				}
				status := answer(t, conn)
				c := p.call()
				if status != http.StatusOK || c.Verdict != Accepted || string(c.Body) != "{}" {
					t.Fatalf("got status %d and verdict %q with body %q, want 200 and %q", status, c.Verdict, c.Body, Accepted)
				}
				if m := c.Message; string(m.Head) != tt.head || string(m.Trailer) != tt.trailer || m.Omitted != 0 {
					t.Errorf("got head\n%q and trailer %q, want\n%q and %q", m.Head, m.Trailer, tt.head, tt.trailer)
				}
			}
		})
	}
}

func TestHeadsThatAreRefusedAreAnsweredAndHandedOn(t *testing.T) {
	p := newPost(t, nil)
	h := p.Register(false)
	line := "POST /push/" + h.Key + " HTTP/1.1\r\n"
	for _, tt := range []struct {
		name, head, rest string
		status           int
		hook             bool
	}{
		{"NUL", line + "Host: localhost\r\nA: b\x00c\r\n\r\n", "", 400, true},
		{"no host", line + "A: b\r\n\r\n", "", 400, true},
		{"two hosts", line + "Host: a\r\nHost: b\r\nContent-Length: 2\r\n\r\n", "{}", 400, true},
		{"a space before a colon", line + "Host : localhost\r\n\r\n", "", 400, true},
		{"no colon", line + "Host: localhost\r\nnonsense\r\n\r\n", "", 400, true},
		{"another transfer coding", line + "Host: localhost\r\nTransfer-Encoding: gzip\r\n\r\n", "", 501, true},
		{"an expectation that nobody meets", line + "Host: localhost\r\nExpect: the best\r\nContent-Length: 2\r\n\r\n", "{}", 417, true},
		{"a version to come", "POST / HTTP/3.7\r\nHost: localhost\r\n\r\n", "", 505, false},
		{"not a request line", "nonsense\r\nHost: localhost\r\n\r\n", "", 400, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			conn := p.speak(tt.head + tt.rest)
			status := answer(t, conn)
			conn.Close()
			c := p.call()
			if status != tt.status || c.Verdict != Head || c.Status() != status || (c.Hook == h) != tt.hook {
				t.Errorf("got status %d, verdict %q with status %d, webhook %v; want status %d, webhook %v", status, c.Verdict, c.Status(), c.Hook, tt.status, tt.hook)
			}
			if string(c.Message.Head) != tt.head || !c.Message.Complete {
				t.Errorf("got head %q, want %q", c.Message.Head, tt.head)
			}
		})
	}
	if !p.delivers(h) {
		t.Error("got a refusal of the next delivery, want it accepted")
	}
}

func TestAHeadOfMegabytesIsAnsweredAndCounted(t *testing.T) {
	p := newPost(t, nil)
	h := p.Register(false)
	head := "POST /push/" + h.Key + " HTTP/1.1\r\nHost: localhost\r\nA: " + strings.Repeat("x", 2<<20) + "\r\n\r\n"
	conn := p.speak(head) // all of it is written before the answer is read
	if status := answer(t, conn); status != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("got status %d, want %d", status, http.StatusRequestHeaderFieldsTooLarge)
	}
	conn.Close()
	c := p.call()
	m := c.Message
	if c.Verdict != Head || c.Status() != http.StatusRequestHeaderFieldsTooLarge || c.Hook != h || string(m.Head) != head[:maxKept] || m.Omitted != len(head)-maxKept {
		t.Errorf("got verdict %q with status %d, %d bytes of the head and %d omitted; want %d kept of %d", c.Verdict, c.Status(), len(m.Head), m.Omitted, maxKept, len(head))
	}
}

func TestWhoSpeaksHTTP2IsToldSo(t *testing.T) {
	p := newPost(t, nil)
	const preface = "PRI * HTTP/2.0\r\n\r\n"
	conn := p.speak(preface + "SM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00")
	if status := answer(t, conn); status != http.StatusHTTPVersionNotSupported {
		t.Errorf("got status %d, want %d", status, http.StatusHTTPVersionNotSupported)
	}
	if _, err := io.Copy(io.Discard, conn); err != nil && !errors.Is(err, syscall.ECONNRESET) {
		t.Error(err)
	}
	if c := p.call(); c.Verdict != Version || string(c.Message.Head) != preface {
		t.Errorf("got verdict %q with head %q, want %q", c.Verdict, c.Message.Head, Version)
	}
	h := p.Register(false)
	if !p.delivers(h) || p.call().Verdict != Accepted {
		t.Error("preface has two calls, want one")
	}
}
