package record

import (
	"net/http"
	"strings"
	"testing"

	"parley/a2a"
	"parley/internal/tape"
)

const (
	sentHead     = "GET /a2a?key=••• HTTP/1.1\r\nHost: x\r\nauthorization: •••\r\n\r\n"
	receivedHead = "HTTP/1.1 103 Early\r\nlink: </a>\r\n\r\nHTTP/1.1 200 Quite fine\r\nzeta: 1\r\nALPHA:2\r\ntransfer-encoding: chunked\r\n\r\n"
)

// exactHeads returns a tape with an exchange whose heads have their wire bytes.
func exactHeads() *tape.Tape {
	f := tape.New()
	f.Put(0, a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Head: &a2a.Head{
		Method: "GET", URL: "http://x/a2a?key=•••", Header: http.Header{"Host": {"x"}, "Authorization": {"•••"}},
	}, Redactions: []a2a.Redaction{{Name: "query key", Size: 8, Original: "url-word"}, {Name: "header Authorization", Size: 6, Original: "Bearer"}}})
	f.Put(1, a2a.Record{Kind: a2a.KindHead, Dir: a2a.In, Head: &a2a.Head{
		Status: 200, Proto: "HTTP/1.1", Header: http.Header{"Zeta": {"1"}, "Alpha": {"2"}}, Wire: receivedHead, Sent: sentHead,
	}})
	f.Put(1, a2a.Record{Kind: a2a.KindEnd, Dir: a2a.In, End: &a2a.End{Reason: a2a.Ended, Trailer: &a2a.Head{Wire: "x-Sum: 12\r\n\r\n"}}})
	return f
}

func TestHeadsAreShownAsTheyCrossedTheWire(t *testing.T) {
	v := openView(exactHeads(), 2, 60, 30)
	v.SetTab(Headers)
	text := screen(v)
	at := 0
	for _, want := range []string{
		"GET /a2a?key=••• HTTP/1.1", "Host ", "authorization ", "masked 6 B", "HTTP/1.1 103 Early", "link ", "HTTP/1.1 200 Quite fine",
		"zeta ", "ALPHA ", "transfer-encoding ", "after the body", "x-Sum ",
	} {
		i := strings.Index(text[at:], want)
		if i < 0 {
			t.Fatalf("no %q in this order, want it:\n%s", want, text)
		}
		at += i
	}
	if strings.Contains(text, "net/http") {
		t.Errorf("got an exact head marked as rebuilt, want no mark:\n%s", text)
	}
}

// Behind a tap, the head that the client sent is compared with the one that arrived.
func TestWhatArrivedIsComparedWithWhatTheClientSent(t *testing.T) {
	f := exactHeads()
	request := &f.State.Log.At(1).Record
	request.Call.Tapped = &a2a.Tapped{Tap: "desk", Changed: []string{"the URL of the webhook"}}
	request.Head.Wire = "GET /a2a?key=••• HTTP/1.1\r\nHost: 127.0.0.1:4100\r\nauthorization: •••\r\nX-Trace: \x1b[2J1\r\n\r\n"
	v := openView(f, 1, 60, 40)
	v.SetTab(Headers)
	text := screen(v)
	for _, want := range []string{"What the client sent, and what arrived at the agent:", "- Host: 127.0.0.1:4100", "+ Host: x", "- X-Trace: ", "the tap changed the URL of the webhook"} {
		if !strings.Contains(text, want) {
			t.Errorf("got no %q, want it:\n%s", want, text)
		}
	}
	if strings.Contains(text, "authorization: ") || strings.Contains(text, "\x1b[2J") {
		t.Errorf("got a field that did not change, or an escape sequence:\n%s", text)
	}
}

func TestTheRawTabHasTheBytesOfHeads(t *testing.T) {
	for id, want := range map[a2a.RecordID]string{1: sentHead, 2: receivedHead} {
		v := openView(exactHeads(), id, 60, 30)
		v.SetTab(Raw)
		if text := screen(v); !strings.Contains(text, "␍␊") {
			t.Errorf("record %d: got no line ends in the raw tab, want them:\n%s", id, text)
		}
		if got := press(v, "y"); got != (Copy{Text: want, What: "record " + v.number()}) {
			t.Errorf("record %d: y returned %#v, want the bytes of the head", id, got)
		}
	}
}

// The head of a request becomes exact when its answer arrives.
func TestASentHeadIsShownWhenItIsKnown(t *testing.T) {
	f := tape.New()
	f.Put(0, a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Head: &a2a.Head{Method: "GET", URL: "http://x/", Header: http.Header{"Host": {"x"}}}})
	v := openView(f, 1, 60, 30)
	v.SetTab(Headers)
	if text := screen(v); !strings.Contains(text, "The head as Parley made it") {
		t.Errorf("got no mark on a generated head before the answer, want one:\n%s", text)
	}
	f.Put(1, a2a.Record{Kind: a2a.KindHead, Dir: a2a.In, Exchange: 1, Head: &a2a.Head{Status: 200, Proto: "HTTP/1.1", Wire: receivedHead, Sent: "GET / HTTP/1.1\r\nhOST: x\r\n\r\n"}})
	if text := screen(v); !strings.Contains(text, "hOST") || strings.Contains(text, "The head as Parley made it") {
		t.Errorf("got no sent head after the answer, want it:\n%s", text)
	}
}

func TestUserPropertiesAreShownInTheirOrder(t *testing.T) {
	f := tape.New()
	f.Put(0, a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Head: &a2a.Head{Method: "PUBLISH", URL: "mqtt://h/n/a2a/v1/agent/request/A", Header: http.Header{
		"zeta": {"first", "third"}, "beta": {"second"}}, Order: []string{"zeta", "beta", "zeta"}}})
	v := openView(f, 1, 60, 30)
	v.SetTab(Headers)
	text := screen(v)
	first, second, third := strings.Index(text, "first"), strings.Index(text, "second"), strings.Index(text, "third")
	if first < 0 || second < first || third < second {
		t.Errorf("got properties in another order:\n%s", text)
	}
}

func TestRebuiltHeadsSaySo(t *testing.T) {
	f := tape.New()
	f.Put(0, a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Head: &a2a.Head{Method: "GET", URL: "http://x/"}})
	f.Put(1, a2a.Record{Kind: a2a.KindHead, Dir: a2a.In, Head: &a2a.Head{Status: 200, Proto: "HTTP/2.0", Rebuilt: "HTTP/2, decoded"}})
	v := openView(f, 2, 60, 30)
	v.SetTab(Headers)
	if text := screen(v); strings.Count(text, "HTTP/2, decoded.") != 2 {
		t.Errorf("got other marks, want both heads marked as rebuilt:\n%s", text)
	}
}

func TestTheHeadOfADeliveryIsShownAsItCame(t *testing.T) {
	const head = "POST /push/k HTTP/1.1\r\nzeta: 1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n"
	for _, tt := range []struct {
		name, wire, body string
		omitted          int
		want, not        string
	}{
		{"whole", head, "{}", 0, "transfer-encoding", "ended inside this head"},
		{"torn body", head, `{"a`, 0, "transfer-encoding", "ended inside this head"},
		{"torn head", head[:40], "", 0, "ended inside this head", "were not recorded"},
		{"long head", head[:40], "", 2_000_000, "2 MB more came but were not recorded", "ended inside this head"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := tape.New()
			f.Put(0, a2a.Record{Kind: a2a.KindDelivery, Dir: a2a.In, Torn: tt.name != "whole", Raw: []byte(tt.body),
				Call: &a2a.Call{Op: a2a.OpDelivery, Delivery: &a2a.DeliveryFacts{}},
				Head: &a2a.Head{Method: "POST", URL: "http://x/push/k", Proto: "HTTP/1.1", Header: http.Header{"Host": {"x"}, "Zeta": {"1"}}, Wire: a2a.HeadBytes(tt.wire), Omitted: tt.omitted}})
			f.Put(1, a2a.Record{Kind: a2a.KindEnd, Dir: a2a.Out, Head: &a2a.Head{Status: 200, Proto: "HTTP/1.1", Rebuilt: "head not recorded"}, End: &a2a.End{Reason: a2a.Ended}})
			v := openView(f, 1, 70, 30)
			v.SetTab(Headers)
			text := screen(v)
			if !strings.Contains(text, "POST /push/k HTTP/1.1") || !strings.Contains(text, tt.want) || strings.Contains(text, tt.not) || !strings.Contains(text, "head not recorded.") {
				t.Errorf("want %q and not %q in\n%s", tt.want, tt.not, text)
			}
		})
	}
}

func TestARequestThatWasSentTwiceIsShownTwice(t *testing.T) {
	f := tape.New()
	f.Put(0, a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Head: &a2a.Head{Method: "GET", URL: "http://x/"}})
	const sent = "GET / HTTP/1.1\r\nhOST: x\r\n\r\n"
	f.Put(1, a2a.Record{Kind: a2a.KindHead, Dir: a2a.In, Head: &a2a.Head{Status: 200, Proto: "HTTP/1.1", Wire: receivedHead, Sent: sent, Earlier: sent}})
	v := openView(f, 1, 90, 30)
	v.SetTab(Headers)
	if text := screen(v); strings.Count(text, "hOST") != 2 || !strings.Contains(text, "sent again:") {
		t.Errorf("got other heads, want the head twice with a reason:\n%s", text)
	}
}
