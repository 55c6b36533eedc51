package engine

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"parley/a2a"
	"parley/session/log"
)

// post writes the bytes of a request to the host of a webhook and returns the status of
// the answer.
func (h hook) post(t *testing.T, request string) int {
	t.Helper()
	u, err := url.Parse(h.URL)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := net.Dial("tcp", u.Host)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, request); err != nil {
		t.Fatal(err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	return resp.StatusCode
}

// path returns the path of the webhook's URL.
func (h hook) path() string { return h.URL[strings.Index(h.URL, "/push/"):] }

func TestTheHeadOfADeliveryIsRecordedAsItCame(t *testing.T) {
	t.Parallel()
	a := agent(t, pusher)
	var n atomic.Int32
	d := newHarness(t, func(o *options) { // a token long enough to be searched for
		o.NewID = func() string { return fmt.Sprintf("an-id-of-some-length-%d", n.Add(1)) }
	})
	task, h := d.startWithWebhook(a)
	body := taskDelivery(task.ID, "TASK_STATE_COMPLETED", "the text")
	size := fmt.Sprintf("%X", len(body))
	status := h.post(t, "POST "+h.path()+" HTTP/1.1\r\nzeta: 1\r\nhost: localhost\r\nTRANSFER-encoding: chunked\r\nzeta: 2\r\nx-a2a-NOTIFICATION-token: "+h.Token+
		"\r\ncontent-type: application/json\r\n\r\n"+size+"\r\n"+body+"\r\n0\r\nx-Sum: 12\r\nx-Token-echo: "+h.Token+"\r\n\r\n")
	it := d.waitForDelivery()
	want := "POST " + h.path() + " HTTP/1.1\r\nzeta: 1\r\nhost: localhost\r\nTRANSFER-encoding: chunked\r\nzeta: 2\r\nx-a2a-NOTIFICATION-token: •••\r\ncontent-type: application/json\r\n\r\n"
	if head := it.Record.Head; status != 200 || string(head.Wire) != want || head.Rebuilt != "" {
		t.Errorf("got status %d, head %q (%s); want 200, %q", status, head.Wire, head.Rebuilt, want)
	}
	if trailer := d.state.Log.Trailer(it.Record.ID); trailer == nil || string(trailer.Wire) != "x-Sum: 12\r\nx-Token-echo: •••\r\n\r\n" {
		t.Errorf("got trailer %+v, want the masked fields", trailer)
	}
	if strings.Contains(d.journalText(), h.Token) {
		t.Errorf("the journal contains the token:\n%s", d.journalText())
	}
}

func TestADeliveryWithARefusedHeadIsRecordedWithTheReason(t *testing.T) {
	t.Parallel()
	a := agent(t, pusher)
	d := newHarness(t, nil)
	_, h := d.startWithWebhook(a)
	for _, tt := range []struct {
		name, head, sentence string
		status               int
	}{
		{"NUL", "POST " + h.path() + " HTTP/1.1\r\nHost: localhost\r\nX-A2A-Notification-Token: " + h.Token + "\r\na: \x00\r\n\r\n", "the header a contains a control character (U+0000)", 400},
		{"no host", "POST " + h.path() + " HTTP/1.1\r\na: b\r\n\r\n", "it has no Host header", 400},
		{"TLS", "\x16\x03\x01\x00\x05hello\r\n\r\n", "speaks TLS", 400},
		{"2 MB", "POST " + h.path() + " HTTP/1.1\r\nHost: localhost\r\na: " + strings.Repeat("x", 2<<20) + "\r\n\r\n", "more than the 64 kB that Parley reads", 431},
	} {
		status := h.post(t, tt.head)
		it := d.waitForDelivery()
		end := d.endOf(it.Record.ID)
		if status != tt.status || it.Fate != log.FateRefused || !strings.Contains(end.Sentence, tt.sentence) {
			t.Errorf("%s: got status %d, fate %v, end %q; want %d, refused, %q", tt.name, status, it.Fate, end.Sentence, tt.status, tt.sentence)
		}
		wire := strings.ReplaceAll(string(it.Record.Head.Wire), "•••", h.Token)
		if !strings.HasPrefix(tt.head, wire) || len(wire)+it.Record.Head.Omitted != len(tt.head) || strings.Contains(d.journalText(), h.Token) {
			t.Errorf("%s: got head %.300q and %d omitted bytes; want the beginning of the request without the token", tt.name, wire, it.Record.Head.Omitted)
		}
		if it.Record.Call.Agent == 0 && tt.name != "TLS" {
			t.Errorf("%s: got a record without an agent, want one that names it", tt.name)
		}
	}
}

// endOf returns the end of an exchange.
func (d *harness) endOf(x a2a.ExchangeID) *a2a.End {
	d.t.Helper()
	ids := d.state.Log.Exchange(x)
	if len(ids) == 0 {
		d.t.Fatalf("the log has no exchange %d\n%s", x, d.log())
	}
	return d.state.Log.At(ids[len(ids)-1]).Record.End
}
