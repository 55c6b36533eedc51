package log_test

import (
	"reflect"
	"testing"

	"parley/a2a"
	"parley/internal/tape"
	"parley/session/log"
)

// forwarded returns the log of an exchange that passed through a tap.
func forwarded(sent, arrived a2a.HeadBytes, tapped *a2a.Tapped) *log.Log {
	f := tape.New()
	f.Call.Tapped = tapped
	f.Put(0, a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Call: f.Call, Head: &a2a.Head{Wire: sent}})
	f.Put(1, a2a.Record{Kind: a2a.KindHead, Dir: a2a.In, Call: f.Call, Head: &a2a.Head{Status: 200, Sent: arrived}})
	return f.State.Log
}

func TestWhatAClientSentIsComparedWithWhatArrived(t *testing.T) {
	const start = "POST /a2a HTTP/1.1\r\n"
	for _, c := range []struct {
		sent, arrived a2a.HeadBytes
		want          []log.HeadChange
	}{
		{start + "Host: a\r\nx: 1\r\n\r\n", start + "Host: a\r\nx: 1\r\n\r\n", nil},
		{start + "host: a\r\nX: 1\r\nY: 2\r\n\r\n", start + "Host: b\r\nx: 1\r\nZ: 3\r\n\r\n", []log.HeadChange{
			{Name: "host", Sent: "a", Arrived: "b"}, {Name: "Y", Sent: "2", Dropped: true}, {Name: "Z", Arrived: "3", Added: true},
		}},
		{start + "x: 1\r\nx: 2\r\n\r\n", "POST /b HTTP/1.1\r\nx: 1\r\n\r\n", []log.HeadChange{
			{Sent: "POST /a2a HTTP/1.1", Arrived: "POST /b HTTP/1.1"}, {Name: "x", Sent: "2", Dropped: true},
		}},
	} {
		got, ok := forwarded(c.sent, c.arrived, &a2a.Tapped{Tap: "desk"}).Forwarded(1)
		if !ok || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q and %q: got %+v, %v, want %+v", c.sent, c.arrived, got, ok, c.want)
		}
	}
	for name, l := range map[string]*log.Log{
		"no tap":            forwarded(start+"x: 1\r\n\r\n", start+"\r\n", nil),
		"HTTP/2":            forwarded("", "", &a2a.Tapped{}),
		"nothing went on":   forwarded(start+"x: 1\r\n\r\n", "", &a2a.Tapped{}),
		"no such exchange":  log.New(),
		"a head of garbage": forwarded("\r\n", "\r\n", &a2a.Tapped{}),
	} {
		if got, ok := l.Forwarded(1); ok && len(got) > 0 {
			t.Errorf("%s: got %+v, want no comparison", name, got)
		}
	}
}
