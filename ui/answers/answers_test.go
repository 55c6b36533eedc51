package answers

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/internal/panetest"
	"parley/session/model"
	"parley/themes"
	"parley/ui/looks"
	"parley/ui/styles"
)

func TestMain(m *testing.M) { panetest.Main(m) }

// answer returns a turn whose task made an artifact of chunks. Its ids and times are made of n.
func answer(n int, state a2a.State, metadata string, chunks ...string) *model.Turn {
	c := &model.Conversation{Agent: &model.Agent{}}
	task := &model.Task{ID: fmt.Sprintf("task-%d-x", n), ContextID: fmt.Sprintf("context-%d", n), Metadata: json.RawMessage(metadata), Conversation: c}
	a := &model.Artifact{Key: fmt.Sprintf("artifact-%d", n), Name: "report", Task: task}
	for _, s := range chunks {
		a.Text = append(a.Text, s...)
	}
	a.Chunks = len(chunks)
	return &model.Turn{ID: a2a.TurnID(n), Conversation: c, Blocks: []*model.Block{{Task: task, Entries: []model.Entry{
		{Kind: model.EntryState, State: model.Transition{State: a2a.StateWorking, Time: time.Unix(int64(n), 0)}},
		{Kind: model.EntryMessage, Message: &a2a.Message{ID: fmt.Sprintf("message-%d", n), Parts: []a2a.Part{
			a2a.TextPart(fmt.Sprintf("see task-%d-x of 2026-11-%02dT10:00:00.%dZ and 0a000000-0000-0000-0000-%012d", n, n, n, n)),
			a2a.DataPart(json.RawMessage(metadata)),
		}}},
		{Kind: model.EntryArtifact, Artifact: a},
		{Kind: model.EntryState, State: model.Transition{State: state}},
	}}}}
}

func compared(a, b *model.Turn) Document { return Turns(model.NewState(), a, b) }

func TestHostileAnswersAreDrawnInAnySize(t *testing.T) {
	p := New(styles.New(themes.Mono(), styles.Unicode()))
	bad := "\x1b[31mred\x1b]0;title\x07\u202e" + strings.Repeat("界", 300) + "\r\nnext\x00\xff\n+ plus\n--- minus\n@@ -1 +1 @@"
	c := compared(answer(1, a2a.StateCompleted, `{"\u001b[2J":"\u202e"}`, bad), answer(2, a2a.StateCompleted, `{`, bad+"!"))
	c.First = append(c.First, "http://h/\x1b[31m"+strings.Repeat("x", 200))
	for _, size := range [][2]int{{0, 0}, {1, 1}, {8, 3}, {20, 5}, {80, 24}, {200, 60}} {
		p.SetSize(size[0], size[1])
		p.SetDocument(c)
		for _, k := range []string{"n", "N", "G", "pgup", "g", "j"} {
			p.Key(panetest.Key(k))
			rows := p.Lines()
			panetest.Exact(t, rows, size[0], size[1])
			panetest.Sanitized(t, rows)
		}
	}
}

func TestKeysGoToTheDifferences(t *testing.T) {
	p := New(styles.New(themes.Mono(), styles.Unicode()))
	p.SetSize(80, 20)
	p.SetDocument(compared(answer(1, a2a.StateCompleted, "", "a\nb\nc\nd"), answer(2, a2a.StateCompleted, "", "a\nB\nc\nD")))
	panetest.Sees(t, panetest.Text(p.Lines()), "The answers differ in 4 lines.", "-   b", "+   B", "Ids, times")
	at := func() string { return p.rows[p.List.At].text }
	if at() != "  b" {
		t.Errorf("got the cursor on %q, want the first difference", at())
	}
	if p.Key(panetest.Key("n")); at() != "  d" {
		t.Errorf("got the cursor on %q after n, want the second difference", at())
	}
	if p.Key(panetest.Key("N")); at() != "  b" {
		t.Errorf("got the cursor on %q after N, want the first difference", at())
	}
	in, is := p.Key(panetest.Key("y")).(Copy)
	if !is || !strings.Contains(in.Text, "-   b\n+   B\n") {
		t.Errorf("got %+v, want a copy of the comparison", in)
	}
	if _, is := p.Key(panetest.Key("esc")).(Close); !is {
		t.Error("esc did not close the pane")
	}
}

// The cursor begins at the first difference although the size comes later, and stays on its line
// when the width changes.
func TestTheCursorStaysOnItsLine(t *testing.T) {
	p := New(styles.New(themes.Mono(), styles.Unicode()))
	long := strings.Repeat("long words ", 20) + "\n"
	p.SetDocument(compared(answer(1, a2a.StateCompleted, "", long, "same\nfirst"), answer(2, a2a.StateCompleted, "", long, "same\nsecond")))
	for _, w := range []int{120, 40, 80} {
		p.SetSize(w, 20)
		if got := p.rows[p.List.At]; got.text != "  first" || got.mark != '-' {
			t.Errorf("got the cursor on %+v at width %d, want the first difference", got, w)
		}
	}
}

// Each side begins with the name of its agent, in the colour that the agent has in all panes.
func TestASideHasTheColourOfItsAgent(t *testing.T) {
	st := styles.New(themes.Dark(), styles.Unicode())
	p := New(st)
	p.SetSize(100, 24)
	a, b := answer(1, a2a.StateCompleted, `{}`, "x"), answer(2, a2a.StateCompleted, `{}`, "y")
	a.Conversation.Agent, b.Conversation.Agent = &model.Agent{ID: 1, Ref: "one"}, &model.Agent{ID: 4, Ref: "four"}
	p.SetDocument(compared(a, b))
	rows := p.Lines()
	for i, want := range []string{looks.Tag(st, 1).Bold().S("one"), looks.Tag(st, 4).Bold().S("four")} {
		if !strings.Contains(rows[i], want) {
			t.Errorf("got side %q, want %q in it", rows[i], want)
		}
	}
	panetest.Sees(t, panetest.Text(rows), "- one · ", "+ four · ")
}
