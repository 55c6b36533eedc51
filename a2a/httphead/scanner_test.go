package httphead

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"
)

// scanned feeds pieces to a scanner of responses and returns the message, and what belongs to none.
func scanned(method string, pieces ...string) (m Message, rest string) {
	s := scanner{limit: 1 << 16}
	first := s.begin(method)
	for _, p := range pieces {
		rest += string(s.scan([]byte(p)))
	}
	return *first, rest
}

func TestHeadsAreKeptAsTheyCome(t *testing.T) {
	const rest = "HTTP/1.1 200 OK\r\nX: next\r\n\r\n"
	for _, tt := range []struct {
		name, method, head, body, trailer, fault string
		last                                     bool // the connection can carry nothing else
	}{
		{name: "length", head: "HTTP/1.1 200 OK\r\ncontent-LENGTH: 5\r\nb: 1\r\na: 2\r\nb: 3\r\n\r\n", body: "hello"},
		{name: "bare line feeds", head: "HTTP/1.1 200 OK\nContent-Length:2\n\n", body: "ab"},
		{name: "informational", head: "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n"},
		{name: "no body for HEAD", method: "HEAD", head: "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n"},
		{name: "304", head: "HTTP/1.1 304 Not Modified\r\nContent-Length: 99\r\n\r\n"},
		{name: "chunks", head: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", body: "5;x=y\r\nhello\r\nA\r\n0123456789\r\n0\r\n", trailer: "\r\n"},
		{name: "trailer", head: "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\nTrailer: X\r\n\r\n", body: "1\r\na\r\n000\r\n", trailer: "x-Sum: 1\r\nX-sum: 2\r\n\r\n"},
		{name: "chunks of a coding", head: "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", body: "1\r\na\r\n0\r\n", trailer: "\r\n"},
		{name: "chunks in a second line", head: "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n", body: "1\r\na\r\n0\r\n", trailer: "\r\n"},
		{name: "a coding without chunks", head: "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\nContent-Length: 1\r\n\r\n", body: "ab", last: true},
		{name: "chunks of HTTP/1.0, which are none", head: "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", body: "1\r\na\r\n0\r\n\r\n", last: true},
		{name: "until the end", head: "HTTP/1.1 200 OK\r\n\r\n", body: "anything\r\n\r\n", last: true},
		{name: "folded", head: "HTTP/1.1 200 OK\r\nA: b\r\n  c\r\nContent-Length: 0\r\n\r\n"},
		{name: "control characters", head: "HTTP/1.1 200 OK\r\nA: \x01\x1b[2J\r\nContent-Length: 0\r\n\r\n"},
		{name: "no HTTP", head: "SSH-2.0-OpenSSH\r\n\r\n", body: "x", last: true},
		{name: "bad chunk", head: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", body: "5\r\nhello\r\nxyz\r\n",
			fault: `"xyz" is not the length of a chunk`, last: true},
		{name: "chunk too long", head: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", body: "5\r\nhello world",
			fault: "a chunk is longer than its length", last: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			all := tt.head + tt.body + tt.trailer + rest
			for cut := 0; cut <= len(all); cut++ {
				m, after := scanned(tt.method, all[:cut], all[cut:])
				if string(m.Head) != tt.head || !m.Complete {
					t.Fatalf("cut at %d: got head %q (complete %v), want %q", cut, m.Head, m.Complete, tt.head)
				}
				if string(m.Trailer) != tt.trailer {
					t.Fatalf("cut at %d: got trailer %q, want %q", cut, m.Trailer, tt.trailer)
				}
				if !strings.HasPrefix(m.Fault, tt.fault) || tt.fault == "" && m.Fault != "" {
					t.Fatalf("cut at %d: got fault %q, want %q", cut, m.Fault, tt.fault)
				}
				if want := map[bool]string{true: "", false: rest}[tt.last]; after != want {
					t.Fatalf("cut at %d: got %q after it, want %q", cut, after, want)
				}
			}
		})
	}
}

func TestLongHeadsAreKeptUpToTheLimit(t *testing.T) {
	s := scanner{limit: 100}
	m := s.begin("GET")
	head := "HTTP/1.1 200 OK\r\nA: " + strings.Repeat("x", 500) + "\r\n\r\n"
	s.scan([]byte(head))
	if string(m.Head) != head[:100] || m.Omitted != len(head)-100 || !m.Complete {
		t.Errorf("got %d bytes, %d omitted, complete %v; want 100, %d, true", len(m.Head), m.Omitted, m.Complete, len(head)-100)
	}
}

func TestServersTakeHeadsInOrder(t *testing.T) {
	heads := []string{"POST /a HTTP/1.1\r\nhost: x\r\nContent-Length: 3\r\n\r\n", "POST /b HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", "GET /c HTTP/1.1\r\n\r\n"}
	c := Server(nil, 1<<16)
	c.in.scan([]byte(heads[0] + "abc" + "\r\n" + heads[1] + "1\r\nx\r\n0\r\n\r\n" + heads[2]))
	for _, want := range heads {
		if m := c.Next().Received(); string(m.Head) != want || !m.Complete {
			t.Errorf("got head %q (complete %v), want %q", m.Head, m.Complete, want)
		}
	}
	if c.Next() != nil {
		t.Error("got one request more than was sent")
	}
}

func TestAServerSeesTheTrailerOfARequestThatItHas(t *testing.T) {
	c := Server(nil, 1<<16)
	c.in.scan([]byte("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n"))
	x := c.Next()
	c.in.scan([]byte("a\r\n0\r\nx-Sum: 1\r\n\r\n"))
	if got := string(x.Received().Trailer); got != "x-Sum: 1\r\n\r\n" {
		t.Errorf("got trailer %q, want %q", got, "x-Sum: 1\r\n\r\n")
	}
}

func TestFields(t *testing.T) {
	head := []byte("HTTP/1.1 200 OK\r\nA : b \r\nc:d\r\n e\r\nno colon\r\nEmpty:\r\n\r\nbody: 1\r\n")
	var got [][2]string
	for _, f := range Fields(head, false) {
		got = append(got, [2]string{f.Key(), f.Value})
	}
	want := [][2]string{{"A ", "b"}, {"C", "d\r\n e"}, {"", "no colon"}, {"Empty", ""}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got fields %q, want %q", got, want)
	}
}

// FuzzScanner checks that a scanner returns the same bytes however they are divided, and that
// net/http finds the same head.
func FuzzScanner(f *testing.F) {
	f.Add([]byte("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nA: b\r\n\r\nrest"), 7, 30)
	f.Add([]byte("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcHTTP/1.1"), 20, 40)
	f.Add([]byte("HTTP/1.0 200\n\n"), 1, 2)
	f.Add([]byte("HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\nHTTP"), 1, 2)
	f.Add([]byte("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nabc"), 1, 2)
	f.Add([]byte("HTTP/1.1 204 OK\r\nContent-Length: 2\r\n\r\nabc"), 1, 2)
	f.Add([]byte("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n0\n\nabc"), 1, 2)
	f.Add([]byte("\r\n\r\n\x00\x16"), 1, 2)
	f.Fuzz(func(t *testing.T, b []byte, i, j int) {
		i = min(max(i, 0), len(b))
		j = min(max(j, i), len(b))
		whole, after := scanned("GET", string(b))
		parts, afterParts := scanned("GET", string(b[:i]), string(b[i:j]), string(b[j:]))
		bytewise, after1 := scanner{limit: 1 << 16}, ""
		m := bytewise.begin("GET")
		for k := range b {
			after1 += string(bytewise.scan(b[k : k+1]))
		}
		for _, other := range []Message{parts, *m} {
			if !bytes.Equal(whole.Head, other.Head) || !bytes.Equal(whole.Trailer, other.Trailer) ||
				whole.Complete != other.Complete || whole.Omitted != other.Omitted || (whole.Fault == "") != (other.Fault == "") {
				t.Fatalf("got\n%+v\nfrom the parts, want the same as from the whole\n%+v", other, whole)
			}
		}
		if after != afterParts || after != after1 {
			t.Fatalf("got %q and %q after the parts, want the same as after the whole: %q", afterParts, after1, after)
		}
		if len(whole.Head)+whole.Omitted <= 1<<16 && !bytes.HasPrefix(b, whole.Head) {
			t.Fatalf("got head %q, want a prefix of %q", whole.Head, b)
		}
		if joined := bytes.Join(Split(whole.Head), nil); !bytes.Equal(joined, whole.Head) {
			t.Fatalf("got %q from the joined heads, want %q", joined, whole.Head)
		}
		for _, f := range Fields(whole.Final(), false) {
			if f.At > len(f.Line) || !bytes.HasPrefix(f.Line[f.At:], []byte(f.Value)) {
				t.Fatalf("got field %+v, want its value in its line at %d", f, f.At)
			}
		}
		agree(t, b, &whole, after)
	})
}

// agree checks that the scanner finds a head where net/http finds it, and that what it finds after the
// message is nothing that net/http reads as a part of it.
func agree(t *testing.T, b []byte, m *Message, after string) {
	r := bytes.NewReader(b)
	br := bufio.NewReader(r)
	resp, err := http.ReadResponse(br, nil)
	if err != nil || resp.StatusCode < 200 || m.Omitted > 0 {
		return
	}
	read := len(b) - r.Len() - br.Buffered()
	if !m.Complete || len(m.Head) != read {
		t.Fatalf("got a head of %d bytes (complete %v), net/http reads %d", len(m.Head), m.Complete, read)
	}
	_, err = io.Copy(io.Discard, resp.Body)
	read = len(b) - r.Len() - br.Buffered()
	if err == nil && after != "" && read != len(b)-len(after) {
		t.Fatalf("got a message of %d bytes, net/http reads %d", len(b)-len(after), read)
	}
}
