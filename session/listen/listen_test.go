package listen

import (
	"io"
	"net"
	"testing"
)

func TestConnectionsBeyondTheLimitAreClosed(t *testing.T) {
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := Limit(inner, 1)
	defer l.Close()
	accepted := make(chan net.Conn, 2)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			accepted <- c
		}
	}()
	dial := func() net.Conn {
		c, err := net.Dial("tcp", inner.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	dial()
	first := <-accepted
	if _, err := dial().Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("got %v, want the connection beyond the limit closed", err)
	}
	first.Close()
	first.Close() // makes room once
	dial()
	<-accepted
	if _, err := dial().Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("got %v, want no more room than for one", err)
	}
}

func TestNamesOfThisMachine(t *testing.T) {
	for host, want := range map[string]bool{
		"127.0.0.1:80": true, "[::1]:80": true, "[::1]": true, "localhost": true, "LOCALHOST.:80": true, "a.localhost:1": true, "": true,
		"ｌｏｃａｌｈｏｓｔ:80": true, "①②⑦.⓪.⓪.①:80": true, "localhost\u202e:80": false, "2130706433:80": false, "127.1": false,
		"evil.example:80": false, "192.168.0.1": false, "localhost.evil.example": false, "evillocalhost:80": false,
	} {
		if got := NamesLoopback(host); got != want {
			t.Errorf("%q: got %v, want %v", host, got, want)
		}
	}
}

func TestAddressesToListenAt(t *testing.T) {
	for text, want := range map[string]string{"": "127.0.0.1:0", ":80": "127.0.0.1:80", "[::]:1": "[::]:1", "0.0.0.0:0": "0.0.0.0:0", "①②⑦.⓪.⓪.①:80": "127.0.0.1:80"} {
		host, port, err := Split(text)
		if got := (&net.TCPAddr{IP: net.ParseIP(host), Port: port}).String(); err != nil || got != want {
			t.Errorf("%q: got %s, %v; want %s", text, got, err, want)
		}
	}
	for _, text := range []string{"80", "a:b", "a:70000", "a:-1", "a\u202e:80"} {
		if _, _, err := Split(text); err == nil {
			t.Errorf("%q: got no error, want one", text)
		}
	}
}
