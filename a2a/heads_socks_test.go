package a2a_test

import (
	"encoding/binary"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"parley/a2a"
)

// socks serves SOCKS5 without credentials (RFC 1928) and counts its connections.
func socks(t *testing.T) (address string, made *atomic.Int32) {
	t.Helper()
	made = new(atomic.Int32)
	at := serveConns(t, func(here net.Conn) {
		target, ok := socksTarget(here)
		if !ok {
			return
		}
		there, err := net.Dial("tcp", target)
		if err != nil {
			_, _ = here.Write([]byte{5, 5, 0, 1, 0, 0, 0, 0, 0, 0}) // refused
			return
		}
		made.Add(1)
		_, _ = here.Write([]byte{5, 0, 0, 1, 0, 0, 0, 0, 0, 0})
		var back sync.WaitGroup
		back.Go(func() { _, _ = io.Copy(here, there); _ = here.Close() })
		_, _ = io.Copy(there, here)
		_ = there.Close()
		back.Wait()
	})
	return strings.TrimPrefix(at, "http://"), made
}

// socksTarget reads a greeting and a connect request, and returns the target.
func socksTarget(c net.Conn) (target string, ok bool) {
	read := func(n int) []byte {
		b := make([]byte, n)
		if _, err := io.ReadFull(c, b); err != nil {
			return nil
		}
		return b
	}
	greeting := read(2)
	if greeting == nil || greeting[0] != 5 || read(int(greeting[1])) == nil {
		return "", false
	}
	if _, err := c.Write([]byte{5, 0}); err != nil {
		return "", false
	}
	request := read(4)
	if request == nil || request[1] != 1 {
		return "", false
	}
	host := ""
	switch request[3] {
	case 1:
		host = net.IP(read(4)).String()
	case 4:
		host = net.IP(read(16)).String()
	case 3:
		size := read(1)
		if size == nil {
			return "", false
		}
		host = string(read(int(size[0])))
	}
	port := read(2)
	if port == nil {
		return "", false
	}
	return net.JoinHostPort(host, strconv.Itoa(int(binary.BigEndian.Uint16(port)))), true
}

// Through a SOCKS5 proxy, heads of plain HTTP are exact; inside TLS they cannot be read, and
// the record says why.
func TestHeadsBehindASOCKSProxyAreExactOrSaidToBeRebuilt(t *testing.T) {
	t.Parallel()
	const head = "HTTP/1.1 200 Quite fine\r\nx-Zeta: 1\r\nContent-type:application/json\r\nALPHA:  two  \r\ntransfer-encoding: chunked\r\n\r\n"
	for _, scheme := range []string{"socks5", "socks5h"} {
		address, made := socks(t)
		through := func(o *a2a.Options) {
			o.Servers.Insecure, o.Proxy = true, http.ProxyURL(&url.URL{Scheme: scheme, Host: address})
		}
		t.Run(scheme+" plain", func(t *testing.T) {
			u, requests := serveScript(t, []string{head + chunkedAnswer + "\r\n"})
			o, tp := call(t, u, through)
			if o.Err != nil || made.Load() != 1 {
				t.Fatalf("got error %v and %d proxy connections, want 1", o.Err, made.Load())
			}
			h := headOf(t, tp, 0)
			if string(h.Wire) != head || h.Rebuilt != "" {
				t.Errorf("got head %q (%s), want %q", h.Wire, h.Rebuilt, head)
			}
			if sent := requests(); len(sent) != 1 || h.Sent == "" || !strings.HasPrefix(sent[0], string(h.Sent)) {
				t.Errorf("agent got %q, record has %q", sent, h.Sent)
			}
		})
		t.Run(scheme+" TLS", func(t *testing.T) {
			o, tp := call(t, quietTLS(t, nil).URL, through)
			if o.Err != nil || made.Load() != 2 {
				t.Fatalf("got error %v and %d proxy connections, want 2", o.Err, made.Load())
			}
			h := headOf(t, tp, 0)
			if h.Wire != "" || !strings.Contains(h.Rebuilt, "TLS inside a SOCKS proxy's connection") || h.Header.Get("Content-Type") == "" {
				t.Errorf("got head %q (%s), %v, want it rebuilt", h.Wire, h.Rebuilt, h.Header)
			}
		})
	}
}

// A SOCKS proxy that cannot connect is named, with its reason, and nothing was sent.
func TestASOCKSProxyThatCannotConnectIsNamed(t *testing.T) {
	t.Parallel()
	address, _ := socks(t)
	o, _ := call(t, "http://127.0.0.1:1/rpc", func(o *a2a.Options) {
		o.Proxy = http.ProxyURL(&url.URL{Scheme: "socks5", Host: address})
	})
	if want := "The proxy " + address + " did not connect to 127.0.0.1:1 (connection refused)"; o.End.Reason != a2a.Refused || !strings.Contains(o.End.Sentence, want) {
		t.Errorf("got %+v, want %q", o.End, want)
	}
}
