package ui

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
)

// sheetOf returns a part with a text file.
func sheetOf(name, text string) string {
	return `{"raw":"` + base64.StdEncoding.EncodeToString([]byte(text)) + `","filename":"` + name + `"}`
}

func TestAFileIsShownWholeAndGoesBackToWhereItWas(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.gave(sheetOf("flights.csv", "flight,seats\n"+strings.Repeat("OS 411,9\n", 200)))
		d.press("V")
		d.sees("flights.csv", "as table of 200 rows", "flight", "1  OS 411", "v as text")
		d.press("G", "y")
		d.sees("200  OS 411", "copied")
		d.press("w")
		d.sees("saved flights.csv, 1.8 kB")
		d.press("v")
		d.sees("as text", "flight,seats")
		d.press("esc")
		d.sees("conversation", "flights.csv")
		if strings.Contains(d.text(), "as table of") {
			t.Errorf("the preview is still open:\n%s", d.text())
		}
	})
}

func TestFilesArePreviewedByNameAndTheFinder(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.gave(sheetOf("a.json", `{"trip":{"to":"LHR"}}`), sheetOf("b.txt", "nothing but text"), `{"url":"https://files.example/c.pdf","filename":"c.pdf"}`)
		d.press("V")
		d.sees("preview", "a.json", "b.txt", "c.pdf")
		d.press("2")
		d.sees("nothing but text")
		d.press("q", "ctrl+p")
		d.write("preview a file")
		d.press("enter")
		d.press("1")
		d.sees("trip", `"LHR"`, "as tree")
	})
}

func TestTextIsPastedIntoThePreviewsSearchOnlyWhileItIsTyped(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.gave(sheetOf("a.txt", "one\ntwo\nthree\n"))
		d.press("V", "/")
		d.send(tea.PasteMsg{Content: "thr\x1b[2Jee"})
		d.sees("/ thr")
		d.press("ctrl+c", "esc")
		d.sees("as text")
	})
}

func TestWhatWasReplacedIsLookedAtCopiedAndSaved(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.gave(`{"text":"ready"}`)
		art := d.replaced("plan.md", "# The first plan", "# The second plan", "# The third plan")
		d.press("V")
		d.sees("plan.md, version 3 of 3", "The third plan")
		d.press("[", "[")
		d.sees("version 1 of 3", "The first plan")
		d.press("y")
		d.sees("copied")
		d.press("w")
		d.sees("saved plan, version 1.md")
		d.press("]")
		d.sees("version 2 of 3", "The second plan")
		if got := d.saved(); got != "plan, version 1.md" {
			t.Errorf("got files %s, want plan, version 1.md", got)
		}
		if len(art.Revisions) != 2 {
			t.Errorf("got %d revisions, want 2", len(art.Revisions))
		}
	})
}

// replaced plays a task whose artifact is replaced by one text after the other, and moves the
// cursor to it.
func (d *desk) replaced(name string, texts ...string) *model.Artifact {
	d.t.Helper()
	call := &a2a.Call{Agent: 1, Conversation: 1, Turn: 2, Op: a2a.OpStream, Dialect: a2a.V10}
	id := a2a.RecordID(d.model.state.Log.Len() + 1)
	var items []log.Item
	put := func(kind a2a.RecordKind, dir a2a.Direction, body string, in a2a.Input) {
		r := a2a.Record{ID: id + a2a.RecordID(len(items)), Exchange: id, Kind: kind, Dir: dir, Call: call, Time: d.clock, Raw: []byte(body)}
		it := log.Item{Record: r}
		if kind == a2a.KindEvent {
			in.Body, in.Stream, in.Status = r.Raw, true, 200
			it.Update = a2a.Decode(call, in)
		}
		items = append(items, it)
	}
	put(a2a.KindRequest, a2a.Out, `{}`, a2a.Input{})
	put(a2a.KindEvent, a2a.In, `{"jsonrpc":"2.0","id":1,"result":{"task":{"id":"t1","contextId":"c1","status":{"state":"TASK_STATE_WORKING"}}}}`, a2a.Input{})
	for _, text := range texts {
		put(a2a.KindEvent, a2a.In, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"result":{"artifactUpdate":{"taskId":"t1","contextId":"c1","append":false,"lastChunk":true,"artifact":{"artifactId":"a1","name":%q,"parts":[{"text":%q}]}}}}`, name, text), a2a.Input{})
	}
	put(a2a.KindEvent, a2a.In, `{"jsonrpc":"2.0","id":1,"result":{"statusUpdate":{"taskId":"t1","contextId":"c1","status":{"state":"TASK_STATE_COMPLETED"}}}}`, a2a.Input{})
	items = append(items, log.Item{Record: a2a.Record{ID: id + a2a.RecordID(len(items)), Exchange: id, Kind: a2a.KindEnd, Call: call, Time: d.clock, End: &a2a.End{Reason: a2a.Ended}}})
	d.send(batchMsg{Items: items})
	d.wait(100 * time.Millisecond)
	d.press("G")
	return d.model.state.Task(1, "t1").Artifacts[0]
}
