package check_test

import (
	"fmt"
	"runtime"
	"testing"
	"weak"

	"parley/a2a"
	"parley/session/check"
	"parley/session/log"
)

// A tape makes the items of a stream of agent 1.
type tape struct{ items []log.Item }

func (p *tape) put(kind a2a.RecordKind, events ...a2a.Event) *tape {
	r := a2a.Record{ID: a2a.RecordID(len(p.items) + 1), Exchange: 1, Kind: kind, Call: &a2a.Call{Agent: 1, Conversation: 1, Turn: 1, Op: a2a.OpStream}}
	p.items = append(p.items, log.Item{Record: r, Update: a2a.Update{Events: events}})
	return p
}

func (p *tape) chunk(text string) *tape {
	return p.put(a2a.KindEvent, a2a.Event{Kind: a2a.EventArtifact, TaskID: "t", ContextID: "c", Append: true,
		Artifact: &a2a.Artifact{Key: "a", Parts: []a2a.Part{a2a.TextPart(text)}}})
}

func (p *tape) signal() *tape {
	p.items = append(p.items, log.Item{Signal: &log.Signal{Kind: log.SignalBytes}})
	return p
}

// counter counts the records that it checks.
type counter map[a2a.RecordID]int

func (c counter) Check(r *a2a.Record, _ *a2a.Update, known *a2a.Fold) []a2a.Finding {
	c[r.ID]++
	if known == nil {
		return nil
	}
	return []a2a.Finding{{Rule: fmt.Sprint("TEST-", known.Artifacts("t"))}}
}

// Verdicts stay as they are while other items are prepared, however many there are.
func TestAVerdictStaysWithItsItem(t *testing.T) {
	p := (&tape{}).put(a2a.KindRequest)
	for i := range 1000 {
		p.chunk(fmt.Sprint(i))
	}
	check.New(nil).Prepare(p.items)
	for i, it := range p.items[1:] {
		v := it.Verdict
		if len(v.Rulings) != 1 || v.Rulings[0].Record != nil || v.Rulings[0].Effect != log.EffectOwn || v.Rulings[0].Turn != 1 || v.Subject != "t" {
			t.Fatalf("item %d: got verdict %+v, want one own event of turn 1 about task t", i, v)
		}
		if d := v.Rulings[0].Deltas; len(d) != 1 || d[0].Parts[0].Text != fmt.Sprint(i) {
			t.Fatalf("item %d: got changes %+v, want its own text", i, d)
		}
	}
}

// An event of many artifacts needs more room than others get at a time.
func TestAVerdictMayHaveManyChanges(t *testing.T) {
	const many = 1000
	whole := &a2a.Task{ID: "t"}
	for i := range many {
		whole.Artifacts = append(whole.Artifacts, a2a.Artifact{Key: fmt.Sprint(i), Parts: []a2a.Part{a2a.TextPart("x")}})
	}
	p := (&tape{}).put(a2a.KindRequest).chunk("before").put(a2a.KindEvent, a2a.Event{Kind: a2a.EventTask, TaskID: "t", Task: whole}).chunk("after")
	check.New(nil).Prepare(p.items)
	news := 0
	for _, d := range p.items[2].Verdict.Rulings[0].Deltas {
		if d.Kind == a2a.DeltaArtifactNew {
			news++
		}
	}
	if news != many || p.items[3].Verdict.Rulings[0].Deltas[0].Parts[0].Text != "after" {
		t.Errorf("got %d new artifacts, then %+v; want %d, then the text of the last chunk", news, p.items[3].Verdict, many)
	}
}

// Each record is checked once, with the tasks before it; signals are left as they are.
func TestARecordIsCheckedOnceWithTheTasksBeforeIt(t *testing.T) {
	saw := counter{}
	stage, p := check.New(saw), (&tape{}).put(a2a.KindRequest).signal().chunk("one").chunk("two")
	stage.Prepare(p.items)
	stage.Prepare(p.items)
	for _, c := range []struct {
		item  int
		found string
	}{{0, "[]"}, {2, "[TEST-0]"}, {3, "[TEST-1]"}} {
		rules := []string{}
		for _, f := range p.items[c.item].Findings {
			rules = append(rules, f.Rule)
		}
		if got := fmt.Sprint(rules); got != c.found || saw[p.items[c.item].Record.ID] != 1 {
			t.Errorf("item %d: got findings %s of %d checks, want %s of one", c.item, got, saw[p.items[c.item].Record.ID], c.found)
		}
	}
	if p.items[1].Verdict != nil || len(saw) != 3 {
		t.Errorf("got %d checked records and verdict %v on a signal, want 3 and none", len(saw), p.items[1].Verdict)
	}
	skipped := (&tape{}).put(a2a.KindRequest).chunk("skipped").items[1]
	skipped.Record.ID = 5
	stage.Skip(&skipped)
	text := ""
	stage.Known(1, func(known *a2a.Fold) {
		for _, part := range known.Artifact("t", "a").Parts {
			text += part.Text
		}
	})
	if saw[5] != 1 || text != "onetwo" {
		t.Errorf("got %d checks of a skipped record and text %q, want one, and the text before it", saw[5], text)
	}
	stage.Known(2, func(*a2a.Fold) { t.Error("an agent without records has tasks") })
}

// A plain chunk takes no memory of its own but what the fold needs for its text.
func TestAPlainChunkAllocatesNothingForItsVerdict(t *testing.T) {
	ahead, atOnce := check.New(nil), check.New(nil)
	items := (&tape{}).put(a2a.KindRequest).chunk("a").items
	for _, stage := range []*check.Stage{ahead, atOnce} {
		stage.Prepare(items[:1])
		items[0].Verdict = nil
	}
	chunk := items[1:]
	kept := testing.AllocsPerRun(10_000, func() { chunk[0].Verdict = nil; ahead.Prepare(chunk) })
	judged := testing.AllocsPerRun(10_000, func() { atOnce.Judge(&chunk[0]) })
	if kept > judged+0.1 {
		t.Errorf("got %.2f allocations for a chunk that is prepared, want those of one that is judged, %.2f", kept, judged)
	}
}

// What was prepared is gone when its consumer has taken it: the newest item keeps none before it.
func TestAnItemKeepsNoneBeforeIt(t *testing.T) {
	stage, p := check.New(nil), (&tape{}).put(a2a.KindRequest)
	stage.Prepare(p.items)
	var first weak.Pointer[log.Item]
	var newest []log.Item
	for i := range 20 {
		from := len(p.items)
		p.items = make([]log.Item, from, from+100)
		for range 100 {
			p.chunk("x")
		}
		newest = p.items[from:]
		if stage.Prepare(newest); i == 0 {
			first = weak.Make(&newest[0])
		}
	}
	runtime.GC()
	if first.Value() != nil {
		t.Error("an item is in memory that nobody needs")
	}
	runtime.KeepAlive(newest)
}
