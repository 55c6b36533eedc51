package record

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/internal/panetest"
	"parley/internal/tape"
	"parley/themes"
	"parley/ui/action"
	"parley/ui/styles"
)

// booking returns a tape with seven records: a request with secrets, the response's head, two
// states with an artifact between them, one with findings, an answer with JSON in a text, and
// the end.
func booking() *tape.Tape {
	f := tape.New()
	f.Put(0, a2a.Record{
		Kind: a2a.KindRequest, Dir: a2a.Out,
		Raw: []byte(`{"method":"SendStreamingMessage","params":{"token":"•••","message":{"parts":[{"text":"Book me a flight"}]}}}`),
		Head: &a2a.Head{Method: "POST", URL: "http://127.0.0.1:4711/a2a?key=•••", Proto: "HTTP/1.1", Header: http.Header{
			"Content-Type": {"application/json"}, "Authorization": {"•••"}, "Cookie": {"a=1; b=•••; c=•••"},
		}},
		Redactions: []a2a.Redaction{
			{Name: "in the body", Offset: 51, Length: len(a2a.Mask), Size: 9, Original: "body-word"},
			{Name: "query key", Size: 8, Original: "url-word"},
			{Name: "header Authorization", Size: 17, Original: "Bearer the-secret"},
			{Name: "header Cookie", Size: 3, Original: "one"}, {Name: "header Cookie", Size: 3, Original: "two"},
		},
	})
	f.Put(41, a2a.Record{Kind: a2a.KindHead, Dir: a2a.In, Head: &a2a.Head{
		Status: 200, Proto: "HTTP/1.1", Header: http.Header{"Content-Type": {"text/event-stream"}, "Set-Cookie": {"x=•••", "y=2"}},
		Timing: &a2a.Timing{DNS: time.Millisecond, Connect: 3 * time.Millisecond, TLS: 12 * time.Millisecond, Sent: 17 * time.Millisecond, FirstByte: 40 * time.Millisecond, Remote: "127.0.0.1:4711"},
	}, Redactions: []a2a.Redaction{{Name: "header Set-Cookie", Size: 7, Hash: "3fa9"}}})
	f.Event(2, `{"jsonrpc":"2.0","id":"1","result":{"statusUpdate":{"taskId":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING"}}}}`)
	f.Event(2100, `{"jsonrpc":"2.0","id":"1","result":{"artifactUpdate":{"taskId":"t","contextId":"c","artifact":{"artifactId":"a","name":"fares","parts":[{"text":"{\"OS 411\":9,\"BA 763\":2}"}]}}}}`)
	f.Event(91, `{"jsonrpc":"2.0","id":"1","result":{"statusUpdate":{"taskId":"t","contextId":"c","status":{"state":"TASK_STATE_COMPLETED","timestamp":"2026-11-20T14:02:07"}}}}`,
		a2a.Finding{Rule: "ART-002", Severity: a2a.Error, Offset: 30, Pointer: "/result/statusUpdate/taskId", Message: "Something is wrong with the task", Fix: "send the right one"},
		a2a.Finding{Rule: "TEST-001", Severity: a2a.Info, Offset: -1, Message: "As a whole"})
	f.End(1, a2a.Ended)
	return f
}

func openView(f *tape.Tape, id a2a.RecordID, w, h int) *View {
	v := New(styles.New(themes.Mono(), styles.Unicode()), func() bool { return true })
	v.NameFold(actionsOf(v).Of(FoldText))
	v.SetLog(f.State.Log)
	v.SetSize(w, h)
	v.Show(f.State.Log.At(id))
	return v
}

// actionsOf returns the actions of a view as one table.
func actionsOf(v *View) *action.Table[Intent] {
	refuse := func(why string) Intent { return Say{"Not available now: " + why + "."} }
	return action.New(refuse, slices.Concat(v.CopyActions(), v.TabActions(), v.ReadActions())...)
}

// press presses keys by name while the view has the keys. Keys that the view does not use move
// the cursor.
func press(v *View, names ...string) (last Intent) {
	for _, name := range names {
		in, used := actionsOf(v).Press(panetest.Key(name))
		last = in
		switch {
		case used:
		case name == "j":
			v.Move(1)
		case name == "k":
			v.Move(-1)
		case name == "G", name == "g":
			v.End(name == "G")
		}
	}
	return last
}

func screen(v *View) string { return strings.TrimRight(panetest.Text(v.Lines(true)), "\n") }

func exact(t *testing.T, v *View, w, h int) {
	t.Helper()
	panetest.Exact(t, v.Lines(true), w, h)
}

func has(t *testing.T, v *View, wants ...string) {
	t.Helper()
	panetest.Sees(t, screen(v), wants...)
}

func hasNot(t *testing.T, v *View, words ...string) {
	t.Helper()
	got := screen(v)
	for _, word := range words {
		if strings.Contains(got, word) {
			t.Errorf("got %q on the screen, want none:\n%s", word, got)
		}
	}
}
