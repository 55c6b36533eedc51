package engine

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
	"parley/session/sessiontest"
)

// If an agent ends its stream with a completed task and then reports the task as failed, the
// conversation shows the contradiction too.
func TestACheckThatTellsOtherwiseIsShown(t *testing.T) {
	t.Parallel()
	forEachDialect(t, func(t *testing.T, g *sessiontest.EventWriter) {
		s := newStation(t, g, func(_ *station, method string, q inquiry, say func(string), fail func(int)) {
			task := q.named("t")
			switch {
			case method == "stream":
				say(g.Whole(task, "here", a2a.StateWorking))
				say(g.Chunk(task, "here", "the result"))
				say(g.Tells(task, "here", a2a.StateCompleted))
			case method == "get" && q.History != nil:
				say(strings.Replace(g.Finished(task, "here", "the result"), g.State(a2a.StateCompleted), g.State(a2a.StateFailed), 1))
			default:
				fail(-32001)
			}
		})
		d := newHarness(t, func(o *options) { o.CheckStreams = true })
		turn, _ := d.sendText(model.Target{Agent: d.openAgent(s.URL)}, "go", model.SendOptions{})
		d.until("the check", func(it log.Item) bool {
			return it.Record.Kind == a2a.KindEnd && it.Record.Call != nil && it.Record.Call.Check
		})
		task := turn.Blocks[0].Task
		if c := task.Contradiction; c == nil || c.State != a2a.StateFailed || task.State != a2a.StateCompleted || turn.Pending {
			t.Errorf("got task %s, contradiction %+v; want completed, failed and the turn over\n%s", task.State, c, d.log())
		}
		d.finish()
	})
}

// waitForCheck waits for the check of a stream and returns its request.
func (d *harness) waitForCheck() a2a.ExchangeID {
	d.t.Helper()
	return d.until("the check", func(it log.Item) bool {
		return it.Record.Kind == a2a.KindEnd && it.Record.Call != nil && it.Record.Call.Check
	}).Record.Exchange
}

// A large answer is compared like a small one, and where nothing is compared the reason is
// given.
func TestTheCheckOfALongStreamSaysWhatItComparedAndWhatNot(t *testing.T) {
	t.Parallel()
	const chunks, size = 48, 64 << 10 // 3 MiB
	text := func(i int) string { return strings.Repeat(fmt.Sprintf("%015d ", i), size/16) }
	var whole strings.Builder
	for i := range chunks {
		whole.WriteString(text(i))
	}
	all := whole.String()
	for _, tt := range []struct {
		name, fetched   string
		limit           int64
		code            int
		finding, reason string
	}{
		{name: "equal", fetched: all},
		{name: "another last byte", fetched: all[:len(all)-1] + "x", finding: fmt.Sprintf("byte %d is the first that differs", len(all)-1)},
		{name: "short", fetched: all[:2<<20], finding: fmt.Sprintf("has %d bytes, %d were streamed", 2<<20, len(all))},
		{name: "exceeds the limit", fetched: all, limit: 1 << 20, reason: "the answer exceeds the limit"},
		{name: "an error", code: -32001, reason: "the agent answered with an error"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := &sessiontest.EventWriters[slices.IndexFunc(sessiontest.EventWriters, func(g sessiontest.EventWriter) bool { return g.Dialect == a2a.V10 })]
			s := newStation(t, g, func(_ *station, method string, q inquiry, say func(string), fail func(int)) {
				task := q.named("t")
				switch {
				case method == "stream":
					say(g.Whole(task, "here", a2a.StateWorking))
					for i := range chunks {
						say(fmt.Sprintf(`{"artifactUpdate":{"taskId":%q,"contextId":"here","append":%v,"lastChunk":%v,"artifact":{"artifactId":"a","parts":[{"text":%q}]}}}`,
							task, i > 0, i == chunks-1, text(i)))
					}
					say(g.Tells(task, "here", a2a.StateCompleted))
				case tt.code != 0:
					fail(tt.code)
				default:
					say(g.Finished(task, "here", tt.fetched))
				}
			})
			d := newHarness(t, func(o *options) {
				o.CheckStreams = true
				o.Client = func(string) a2a.Options {
					var co a2a.Options
					co.Limits[a2a.LimitAnswer] = tt.limit
					return co
				}
			})
			d.sendText(model.Target{Agent: d.openAgent(s.URL)}, "go", model.SendOptions{})
			x := d.waitForCheck()
			found := ""
			for _, id := range d.state.Log.Exchange(x) {
				for _, f := range d.state.Log.At(id).Findings {
					if f.Rule == "TASK-010" {
						found += f.Message
					}
				}
			}
			if !strings.Contains(found, tt.finding) || (found == "") != (tt.finding == "") {
				t.Errorf("got finding %q, want %q\n%.2000s", found, tt.finding, d.log())
			}
			why := d.state.Log.Unchecked(x)
			if why != tt.reason {
				t.Errorf("got unchecked reason %q, want %q", why, tt.reason)
			}
		})
	}
}
