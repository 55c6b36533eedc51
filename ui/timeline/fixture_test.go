package timeline

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/internal/panetest"
	"parley/internal/tape"
	"parley/themes"
	"parley/ui/styles"
)

// A recording contains streams.
type recording struct{ *tape.Tape }

func newRecording() *recording { return &recording{tape.New()} }

// open begins a stream: its request and the head of the response.
func (f *recording) open(ms int, op a2a.Op) a2a.ExchangeID {
	call := *f.Call
	call.Op = op
	method := "SendStreamingMessage"
	if op == a2a.OpSubscribe {
		call.TaskID, method = "t", "SubscribeToTask"
	}
	f.Call = &call
	f.Put(ms, a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Head: &a2a.Head{Method: "POST", URL: "http://127.0.0.1:4711/a2a"},
		Raw: []byte(`{"jsonrpc":"2.0","id":"1","method":"` + method + `","params":{"message":{"messageId":"m1","role":"ROLE_USER","parts":[{"text":"hi"}]}}}`)})
	f.Put(41, a2a.Record{Kind: a2a.KindHead, Dir: a2a.In, Head: &a2a.Head{Status: 200, Proto: "HTTP/1.1",
		Header: map[string][]string{"Content-Type": {"text/event-stream"}}, Timing: &a2a.Timing{FirstByte: 40 * time.Millisecond}}})
	return f.Exchange
}

func (f *recording) event(ms int, data string) a2a.RecordID {
	return f.Event(ms, `{"jsonrpc":"2.0","id":"1","result":`+data+`}`)
}

func (f *recording) status(ms int, word string) a2a.RecordID {
	return f.event(ms, fmt.Sprintf(`{"statusUpdate":{"taskId":"t","contextId":"c","status":{"state":"TASK_STATE_%s"}}}`, word))
}

func (f *recording) chunk(ms int, key, name, text string) a2a.RecordID {
	return f.event(ms, fmt.Sprintf(`{"artifactUpdate":{"taskId":"t","contextId":"c","append":true,"artifact":{"artifactId":%q,"name":%q,"parts":[{"text":%q}]}}}`, key, name, text))
}

// booking returns a stream with a pause of two seconds, without its end.
func booking() *recording {
	f := newRecording()
	f.open(0, a2a.OpStream)
	f.status(2, "SUBMITTED")
	f.status(210, "WORKING")
	for i := range 12 {
		f.chunk(20+i, "itinerary", map[bool]string{true: "itinerary.md"}[i == 0], strings.Repeat("London ", 4))
	}
	f.chunk(2100, "itinerary", "", "and back")
	f.chunk(91, "fares", "fares.json", "OS 411")
	f.chunk(30, "itinerary", "", "at last")
	return f
}

func show(f *recording, st *styles.Styles, w, h int) *View {
	v := New(st)
	v.SetLog(f.State.Log)
	v.SetNow(f.Now)
	v.SetSize(w, h)
	v.Show(a2a.RecordID(f.State.Log.Len()))
	return v
}

func dark() *styles.Styles { return styles.New(themes.Dark(), styles.Unicode()) }
func mono() *styles.Styles { return styles.New(themes.Mono(), styles.ASCII()) }

func screen(v *View) string { return panetest.Text(v.Lines(true)) + "\n" }

func exact(t testing.TB, v *View) {
	t.Helper()
	panetest.Exact(t, v.Lines(true), v.w, v.h)
}
