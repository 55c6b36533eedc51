package bench

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
	"parley/themes"
	"parley/ui/chat"
	"parley/ui/styles"
)

// A talk is a state with one open stream, and its chat pane.
type talk struct {
	state *model.State
	call  *a2a.Call
	last  a2a.RecordID
	pane  *chat.Pane
}

func newTalk() *talk {
	t := &talk{
		state: model.NewState(),
		call:  &a2a.Call{Agent: 1, Conversation: 1, Turn: 1, Op: a2a.OpStream, Dialect: a2a.V10, Binding: a2a.BindingJSONRPC},
	}
	t.apply(log.Item{Record: a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Raw: []byte(
		`{"jsonrpc":"2.0","id":"c41f-1","method":"SendStreamingMessage",` +
			`"params":{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"hello"}]}}}`)}})
	t.pane = chat.New(styles.New(themes.Dark(), styles.Unicode()), time.Now)
	t.pane.SetSize(100, 60)
	t.pane.Show(t.state.Agent(1), t.state.Conversation(1))
	return t
}

// follow applies n items of the stream.
func (t *talk) follow(items []log.Item, n int) {
	for i := range n {
		t.apply(items[i%len(items)])
	}
}

// apply applies an item as the next one of the stream.
func (t *talk) apply(it log.Item) {
	t.last++
	r := &it.Record
	r.ID, r.Exchange, r.Call, r.Time = t.last, 1, t.call, time.Now()
	t.state.Apply(it)
}

// essay is the agent's text, in chunks as of a language model: headings, paragraphs and lists.
func essay(b *testing.B) (items []log.Item) {
	b.Helper()
	text := "## The tide\n\nIt *comes* and it goes, and `code` stays where it was put. More words follow, as they do.\n\n- one\n- two\n\n"
	for len(text) > 0 {
		n := min(len(text), 18)
		words, err := json.Marshal(text[:n])
		if err != nil {
			b.Fatal(err)
		}
		data := strings.Replace(fmt.Sprintf(chunk, `"c41f-1"`), `"London, 10 to 17 October, one bag. "`, string(words), 1)
		items = append(items, log.Item{
			Record: a2a.Record{Kind: a2a.KindEvent, Dir: a2a.In, Raw: []byte("data: " + data + "\n\n"), Data: []byte(data)},
			Update: a2a.Decode(nil, a2a.Input{Body: []byte(data), Stream: true}),
		})
		text = text[n:]
	}
	return items
}

// BenchmarkAppend measures the way of chunks from the feed to the rows of the conversation:
// each chunk is applied and drawn alone, as if it had its own frame. ui/markdown measures the
// rendering in the background. The floor appends the item and the text.
func BenchmarkAppend(b *testing.B) {
	items := essay(b)
	for _, before := range []int{1_000, 30_000} {
		b.Run(fmt.Sprintf("apply-and-rows-%d", before), func(b *testing.B) {
			t := newTalk()
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if i%before == 0 || i%32 == 0 {
					b.StopTimer()
					if i%before == 0 { // so that there are never more than twice as many
						t = newTalk()
						t.follow(items, before)
					}
					t.draw()
					b.StartTimer()
				}
				t.apply(items[i%len(items)])
				t.pane.Lines()
			}
		})
	}
	b.Run("apply", func(b *testing.B) {
		t := newTalk()
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			t.apply(items[i%len(items)])
		}
	})
	b.Run("floor", func(b *testing.B) {
		var kept []log.Item
		var text []byte
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			it := items[i%len(items)]
			it.Record.Time = time.Now()
			kept = append(kept, it)
			text = append(text, it.Update.Events[0].Artifact.Parts[0].Text...)
		}
		if len(kept) == 0 || len(text) == 0 {
			b.Fatal("got no items or no text")
		}
	})
}

// draw renders all rows and runs the background jobs.
func (t *talk) draw() {
	t.pane.Lines()
	for _, job := range t.pane.Jobs() {
		t.pane.Apply(job.Run())
	}
	t.pane.Lines()
}
