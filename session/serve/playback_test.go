package serve

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"
)

// update is an event of a stream; the frame has an id and CRLF.
func update(n int, final bool) string {
	last, state := "false", "working"
	if final {
		last, state = "true", "completed"
	}
	return ": ping\r\nid: " + string(rune('0'+n)) + "\r\nretry: 10\r\ndata: {\"jsonrpc\":\"2.0\",\"id\":\"rec-1\",\r\ndata:  \"result\":{\"kind\":\"status-update\",\"taskId\":\"t\",\"contextId\":\"c\",\"final\":" + last + ",\"status\":{\"state\":\"" + state + "\"}}}\r\n\r\n"
}

// stream records a stream of so many events.
func stream(events int) (*tape, int) {
	tp := newTape()
	tp.card(`{"name":"Clerk","url":"http://agent.example/a2a","capabilities":{},"skills":[]}`)
	x := tp.send("message/stream", "Go", "")
	tp.head(x, "text/event-stream", moment)
	for i := range events {
		tp.event(x, update(i+1, false))
	}
	return tp, x
}

// want returns a recorded text with the JSON-RPC id of the test.
func want(recorded string) string { return strings.ReplaceAll(recorded, `"rec-1"`, `"client-17"`) }

var goNow = sendBody(`"client-17"`, "message/stream", "Go", "")

func TestAStreamIsSentByteForByte(t *testing.T) {
	t.Parallel()
	tp, x := stream(2)
	tp.event(x, update(3, true))
	tp.end(x, "ended", "")
	got, err := tp.serve(t, Options{}).post(t, goNow)
	if all := want(update(1, false) + update(2, false) + update(3, true)); got != all || err != nil {
		t.Errorf("got %q, %v\nwant %q", got, err, all)
	}
}

func TestACutComesAtTheSameByte(t *testing.T) {
	t.Parallel()
	tp, x := stream(4)
	torn := update(5, false)[:70]
	tp.line("event", x, `,"dir":"in","torn":true,"raw":`+text(torn), moment)
	tp.end(x, "cut", "unexpected EOF")
	got, err := tp.serve(t, Options{}).post(t, goNow)
	whole := want(update(1, false) + update(2, false) + update(3, false) + update(4, false) + torn)
	if got != whole || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("got %q, %v\nwant %q and a cut", got, err, whole)
	}
}

// A connection that broke after a complete answer breaks again.
func TestABreakAfterACompleteAnswerComesAgain(t *testing.T) {
	t.Parallel()
	tp, x := stream(1)
	tp.event(x, update(2, true))
	tp.line("end", x, `,"dir":"in","end":{"reason":"ended","detail":"unexpected EOF","break":"the connection broke after 99 bytes"}`, moment)
	got, err := tp.serve(t, Options{}).post(t, goNow)
	if all := want(update(1, false) + update(2, true)); got != all || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("got %q, %v\nwant %q and a cut", got, err, all)
	}
}

// A body that breaks before its declared length breaks as many bytes before it.
func TestABodyIsCutBeforeItsLength(t *testing.T) {
	t.Parallel()
	tp := newTape()
	x := tp.send("message/send", "Go", "")
	raw := taskBody(`"rec-1"`, "t", "c", "hello")
	tp.line("response", x, `,"dir":"in","head":{"status":502,"header":{"Content-Length":["500"],"Content-Type":["application/json"],"Set-Cookie":["•••"]}}`, moment)
	tp.line("body", x, `,"dir":"in","torn":true,"raw":`+text(raw[:60]), 0)
	tp.end(x, "cut", "connection reset by peer")
	got, err := tp.serve(t, Options{}).post(t, sendBody(`"client-17"`, "message/send", "Go", ""))
	if got != want(raw[:60]) || err == nil {
		t.Errorf("got %q, %v, want %q and a cut", got, err, want(raw[:60]))
	}
}

func TestGarbageAndLateLineEndsStay(t *testing.T) {
	t.Parallel()
	tp, x := stream(0)
	frames := []string{"data: {\"broken\": \r\n\r", "data: \"rec-1\"}\xff\n\n", "\x00\x01 no event\n\n"}
	tp.event(x, frames[0])
	tp.line("event", x, `,"dir":"in","sse":{"lateLF":true},"b64":"ZGF0YTogInJlYy0xIn3/Cgo="`, moment)
	tp.event(x, frames[2])
	tp.line("end", x, `,"dir":"in","end":{"reason":"ended"},"raw":": tail"`, moment)
	got, err := tp.serve(t, Options{}).post(t, goNow)
	if all := frames[0] + "\n" + frames[1] + frames[2] + ": tail"; got != all || err != nil {
		t.Errorf("got %q, %v\nwant %q", got, err, all)
	}
}

func TestAnUnknownEndIsACut(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		reason string
		final  bool
		cut    bool
	}{{"cancelled", false, true}, {"cancelled", true, false}, {"", false, true}, {"", true, false}} {
		tp, x := stream(1)
		tp.event(x, update(2, c.final))
		if c.reason != "" {
			tp.end(x, c.reason, "")
		}
		got, err := tp.serve(t, Options{}).post(t, goNow)
		if all := want(update(1, false) + update(2, c.final)); got != all || (err != nil) != c.cut {
			t.Errorf("%q, final %v: got %q, %v, want both events and cut %v", c.reason, c.final, got, err, c.cut)
		}
	}
}

func TestPausesAreThoseOfTheRecording(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		speed float64
		want  []time.Duration
	}{
		{1, []time.Duration{moment, moment, moment, moment}},
		{2, []time.Duration{moment / 2, moment / 2, moment / 2, moment / 2}},
		{0, nil},
	} {
		tp, x := stream(1)
		tp.line("event", x, `,"dir":"in","held":5000000000,"raw":`+text(update(2, true)), moment+5*time.Second) // the user had paused
		tp.end(x, "ended", "")
		ts := tp.serve(t, Options{Speed: c.speed})
		if _, err := ts.post(t, goNow); err != nil || !slices.Equal(ts.sleeps, c.want) {
			t.Errorf("speed %v: got %v, %v, want %v", c.speed, ts.sleeps, err, c.want)
		}
	}
}

func TestFaultsAreAdded(t *testing.T) {
	t.Parallel()
	one, two, three := want(update(1, false)), want(update(2, false)), want(update(3, true))
	for fault, c := range map[string]struct {
		want string
		cut  bool
	}{
		"cut:2":             {one + two, true},
		"duplicate":         {one + one + two + two + three + three, false},
		"reorder":           {two + one + three, false},
		"duplicate,cut:3":   {one + one + two, true},
		"stall:3s":          {one + two + three, false},
		"reorder,duplicate": {two + two + one + one + three + three, false},
	} {
		f, err := ParseFaults(fault)
		if err != nil {
			t.Fatal(err)
		}
		tp, x := stream(2)
		tp.event(x, update(3, true))
		tp.end(x, "ended", "")
		ts := tp.serve(t, Options{Faults: f})
		got, err := ts.post(t, goNow)
		if got != c.want || (err != nil) != c.cut {
			t.Errorf("%s: got %q, %v\nwant %q, cut %v", fault, got, err, c.want, c.cut)
		}
		if stalled := slices.Contains(ts.sleeps, 3*time.Second); stalled != (f.Stall > 0) {
			t.Errorf("%s: got pauses %v", fault, ts.sleeps)
		}
	}
	for _, bad := range []string{"cut", "cut:0", "cut:x", "stall:-1s", "fly", "duplicate:2", ","} {
		if _, err := ParseFaults(bad); err == nil {
			t.Errorf("%q: got no error, want one", bad)
		}
	}
}

func TestABrokenHeadIsSentAsItCame(t *testing.T) {
	t.Parallel()
	tp := newTape()
	x := tp.send("message/send", "Go", "")
	tp.line("response", x, `,"dir":"in","torn":true,"head":{"wire":"HTTP/1.1 2"}`, moment)
	tp.end(x, "cut", "")
	if got, err := tp.serve(t, Options{}).post(t, sendBody("1", "message/send", "Go", "")); err == nil {
		t.Errorf("got %q, want a head that HTTP does not allow", got)
	}
}
