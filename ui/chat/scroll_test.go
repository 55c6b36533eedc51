package chat

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/model"
	"parley/ui/canvas"
)

// long returns a conversation of n turns, each answered by one message.
func long(n int) *model.Conversation {
	conv := travel()
	conv.Turns = nil
	for i := range n {
		say(conv, i)
	}
	return conv
}

func say(conv *model.Conversation, i int) {
	answer := &a2a.Message{ID: fmt.Sprint(i), Role: a2a.RoleAgent, Parts: []a2a.Part{a2a.TextPart(fmt.Sprintf("answer %d", i))}}
	conv.Turns = append(conv.Turns, &model.Turn{
		ID: a2a.TurnID(i + 1), Conversation: conv, Record: a2a.RecordID(10 * i), Time: noon, Version: 1,
		Message: &a2a.Message{Parts: []a2a.Part{a2a.TextPart(fmt.Sprintf("question %d", i))}},
		Blocks: []*model.Block{{Version: 1, Entries: []model.Entry{
			{Kind: model.EntryMessage, Record: a2a.RecordID(10*i + 5), Message: answer, Time: noon},
		}}},
	})
	conv.Version++
}

func TestItFollowsAtTheEndAndCountsWhatIsNewAfterScrollingUp(t *testing.T) {
	conv := long(30)
	p := open(mono(), conv, 50, 12)
	if got := screen(p); !strings.Contains(got, "answer 29") {
		t.Fatalf("new pane: got another position, want its end:\n%s", got)
	}
	say(conv, 30)
	if got := screen(p); !strings.Contains(got, "answer 30") || p.Unseen() != 0 {
		t.Fatalf("pane at the end: got the old position, want the new end:\n%s", got)
	}
	p.Mouse(tea.MouseWheelMsg{Button: tea.MouseWheelUp}, 1, 1)
	before := p.Lines()[0]
	say(conv, 31)
	say(conv, 32)
	got := screen(p)
	if p.Lines()[0] != before || strings.Contains(got, "answer 32") {
		t.Fatalf("got another window after new entries, want the same:\n%s", got)
	}
	if note := p.Note(); !strings.HasPrefix(note, "4 new v") {
		t.Errorf("got note %q without the number of new entries, want it", note)
	}
	p.Mouse(tea.MouseClickMsg{Button: tea.MouseLeft}, 48, -1)
	if got = screen(p); !strings.Contains(got, "answer 32") || strings.Contains(p.Note(), "new v") {
		t.Errorf("click on the note: got another position, want the end:\n%s", got)
	}
	press(p, "pgup")
	say(conv, 33)
	press(p, "end")
	if got = screen(p); !strings.Contains(got, "answer 33") {
		t.Errorf("end key: got another position, want the end:\n%s", got)
	}
}

func TestChunksBelowDoNotMoveTheReader(t *testing.T) {
	conv, art := streaming()
	p := open(mono(), conv, 50, 8)
	for i := range 40 {
		chunk(conv, art, a2a.RecordID(100+i), fmt.Sprintf("line %d\n\n", i))
		settle(t, p)
	}
	press(p, "pgup", "pgup")
	before := append([]string(nil), p.Lines()...)
	for i := range 40 {
		chunk(conv, art, a2a.RecordID(200+i), fmt.Sprintf("more %d\n\n", i))
		settle(t, p)
		if n := len(before); strings.Join(p.Lines()[:n-1], "\n") != strings.Join(before[:n-1], "\n") {
			t.Fatalf("chunk %d moved the window, want the same lines:\n%s", i, screen(p))
		}
	}
	if note := p.Note(); !strings.HasPrefix(note, "40 new v") {
		t.Errorf("got note %q without the number of new chunks, want it", note)
	}
}

func TestEachConversationKeepsItsPlace(t *testing.T) {
	one, two := long(30), long(30)
	two.ID, two.Agent = 2, one.Agent
	p := open(mono(), one, 50, 12)
	press(p, "g")
	top := p.Lines()[0]
	p.Show(two.Agent, two)
	if got := screen(p); !strings.Contains(got, "answer 29") {
		t.Errorf("other conversation: got another position, want its end:\n%s", got)
	}
	p.Show(one.Agent, one)
	if p.Lines()[0] != top {
		t.Errorf("got another position in the first conversation, want the previous one:\n%s", screen(p))
	}
}

func TestTheCursorMovesByEntryAndInsideAnArtifactByLineAndRevealsTheChunk(t *testing.T) {
	p := open(mono(), travel(), 80, 40)
	settle(t, p)
	p.Focus()
	var records []a2a.RecordID
	var last a2a.RecordID
	for range 30 {
		if got, ok := press(p, "k").(RevealRecord); ok && got.Record != last {
			records = append(records, got.Record)
			last = got.Record
		}
	}
	if got := fmt.Sprint(records); got != "[9 8 7 6 5 10 1]" {
		t.Errorf("moving up: got records %s", got)
	}
	if got := press(p, "enter"); got != (RevealRecord{Record: 1, Open: true}) {
		t.Errorf("enter: got %v, want record 1 opened", got)
	}
	if got, ok := press(p, "y").(Copy); !ok || got.Text != "Book me a flight to London" {
		t.Errorf("y: got %v, want the message", got)
	}
}

func TestSelectRecordScrollsToWhatTheRecordBuilt(t *testing.T) {
	conv, art := streaming()
	for i := range 60 {
		chunk(conv, art, a2a.RecordID(100+i), fmt.Sprintf("paragraph %d of the essay\n\n", i))
	}
	p := open(mono(), conv, 50, 10)
	settle(t, p)
	for _, i := range []int{0, 30, 59, 7} {
		offset := art.Spans[i].Offset
		if !p.SelectRecord(model.Anchor{Conversation: 1, Turn: 1, Block: 0, Entry: 2, Offset: offset}) {
			t.Fatalf("SelectRecord did not find record %d, want it selected", 100+i)
		}
		settle(t, p)
		if got := p.Selected(); got != a2a.RecordID(100+i) {
			t.Errorf("record %d: got record %d under the cursor, want the same", 100+i, got)
		}
		marked := ""
		for _, line := range p.Lines() {
			if strings.HasPrefix(line, mono().Held.On) {
				marked += line
			}
		}
		if !strings.Contains(marked, fmt.Sprintf("paragraph %d of", i)) {
			t.Errorf("record %d: got %q marked, want its paragraph, in\n%s", 100+i, marked, screen(p))
		}
	}
	if !p.SelectRecord(model.Anchor{Conversation: 1, Turn: 1, Block: -1, Entry: -1}) || p.Selected() != 1 {
		t.Errorf("anchor of the user's message: got record %d, want 1", p.Selected())
	}
	if !p.SelectRecord(model.Anchor{Conversation: 1, Turn: 1, Block: 0, Entry: 0}) {
		t.Error("SelectRecord did not find a state, want it selected")
	}
	if p.SelectRecord(model.Anchor{Conversation: 9, Turn: 1}) || p.SelectRecord(model.Anchor{Conversation: 1, Turn: 77}) {
		t.Error("SelectRecord found a record of another conversation or turn, want none")
	}
}

func TestALongMessageIsScrolledThroughLineByLine(t *testing.T) {
	conv := long(3)
	conv.Turns[1].Blocks[0].Entries[0].Message.Parts[0].Text = strings.Repeat("word\n\n", 100)
	p := open(mono(), conv, 40, 10)
	p.Focus()
	seen := map[string]bool{}
	for range 260 {
		press(p, "k")
		settle(t, p)
		for _, line := range p.Lines() {
			seen[line] = true
		}
	}
	if got := screen(p); !strings.Contains(got, "question 0") {
		t.Fatalf("k did not reach the top, want the first line:\n%s", got)
	}
	for range 260 {
		press(p, "j")
	}
	if got := screen(p); !strings.Contains(got, "answer 2") {
		t.Errorf("j did not reach the end, want the last line:\n%s", got)
	}
}

func TestSearchGoesRoundInBothDirections(t *testing.T) {
	conv := long(30)
	p := open(mono(), conv, 50, 12)
	p.Focus()
	press(p, "/")
	if !p.Typing() || p.Cursor() == nil {
		t.Fatal("/ did not open the search, want a line with a cursor")
	}
	press(p, "a", "n", "s", "w", "e", "r", "space", "1", "7")
	if got := screen(p); !strings.Contains(got, "/ answer 17") {
		t.Errorf("got a screen without the typed query, want it:\n%s", got)
	}
	if got := press(p, "enter"); got != (RevealRecord{Record: 175}) {
		t.Errorf("enter: got %v, want record 175", got)
	}
	press(p, "/")
	p.Paste("QUESTION 2")
	press(p, "enter")
	for _, step := range []struct {
		key  string
		want a2a.RecordID
	}{{"n", 210}, {"N", 200}, {"N", 20}, {"N", 290}} {
		if got := press(p, step.key); got != (RevealRecord{Record: step.want}) {
			t.Errorf("%s: got %v, want record %d", step.key, got, step.want)
		}
	}
	press(p, "/", "z", "z", "enter")
	if got := screen(p); !strings.Contains(got, `Nothing here contains "zz".`) {
		t.Errorf("got no sentence that nothing was found, want it:\n%s", got)
	}
	press(p, "/", "esc")
	if p.Typing() {
		t.Error("got an open search after esc, want it closed")
	}
}

func TestStepsOfATaskAtWorkAreFoldedToTheLastOnes(t *testing.T) {
	conv, _ := streaming()
	b := conv.Turns[0].Blocks[0]
	b.Entries = b.Entries[:2]
	p := open(mono(), conv, 60, 40)
	for i := range 20 {
		b.Entries = append(b.Entries, model.Entry{Kind: model.EntryMessage, Record: a2a.RecordID(20 + i), Message: &a2a.Message{
			ID: fmt.Sprint(i), Parts: []a2a.Part{a2a.TextPart(fmt.Sprintf("step %d.", i))}}})
		touch(conv)
		settle(t, p)
	}
	if got := screen(p); strings.Contains(got, "step 15.") || !strings.Contains(got, "16 earlier steps\n| + step 16.\n| + step 17.\n| + step 18.\n| * step 19.") {
		t.Fatalf("got a screen without the folded steps, want it:\n%s", got)
	}
	p.Focus()
	for range 3 {
		press(p, "k")
	}
	press(p, "space")
	if got := screen(p); !strings.Contains(got, "step 0.") || strings.Contains(got, "earlier steps") {
		t.Errorf("got unfolded steps without the first one, want it:\n%s", got)
	}
}

// counter counts how often a body is drawn.
type counter struct {
	body
	drawn *int
}

func (c counter) draw(k *renderer, w int) drawing {
	*c.drawn++
	return c.body.draw(k, w)
}

func TestAChunkRedrawsNothingButItsArtifact(t *testing.T) {
	conv, art := streaming()
	p := open(mono(), conv, 80, 60)
	p.Lines()
	counts := make([]int, len(p.out.rows))
	for i, r := range p.out.rows {
		if _, ok := r.body.(*artifact); !ok {
			r.body = counter{r.body, &counts[i]}
		}
	}
	// The row's body must still be a head.
	for i, r := range p.out.rows {
		if c, ok := r.body.(counter); ok {
			if _, isHead := c.body.(*head); isHead {
				r.body = c.body
				before := r.rev
				defer func() {
					if r.rev != before {
						t.Errorf("head of row %d was redrawn, want the cached lines", i)
					}
				}()
			}
		}
	}
	for i := range 50 {
		chunk(conv, art, a2a.RecordID(100+i), "some more words\n\n")
		p.Lines()
	}
	for i, n := range counts {
		if n > 0 {
			t.Errorf("row %d was drawn %d times, want 0", i, n)
		}
	}
}

func TestOfAnArtifactOnlyTheEndIsDecoratedAgain(t *testing.T) {
	conv, art := streaming()
	p := open(mono(), conv, 80, 60)
	for i := range 300 {
		chunk(conv, art, a2a.RecordID(100+i), fmt.Sprintf("paragraph %d\n\n", i))
	}
	settle(t, p)
	r := p.out.rows[len(p.out.rows)-1]
	before := append([]string(nil), r.Lines(80)...)
	chunk(conv, art, 500, "the end")
	p.Lines()
	keep := r.unchangedLines(r.body.draw(p.renderer, 78), 80)
	if total := len(r.bodyLines); total < 500 || total-keep > 6 {
		t.Errorf("got %d of %d lines decorated again, want at most 6", total-keep, total)
	}
	for i := range 500 {
		if r.out[r.bodyStart+i] != before[r.bodyStart+i] {
			t.Fatalf("line %d changed though its text did not, want the same line", i)
		}
	}
}

func TestTheIncrementalEdgeEqualsADrawingFromScratch(t *testing.T) {
	conv, art := streaming()
	p := open(dark(), conv, 50, 30)
	for i := range 60 {
		chunk(conv, art, a2a.RecordID(100+i), []string{"# head", "ing\n", "\n- item **bo", "ld** text\n", "\n```go\nfunc x() {}\n", "```\n\n", "a | b\n-|-\n1 | 2\n\n"}[i%7])
		if i%13 == 0 {
			art.Live = !art.Live
		}
		if i%3 == 0 {
			settle(t, p)
		}
		p.Lines()
		r := p.out.rows[len(p.out.rows)-1]
		got := strings.Join(r.Lines(50), "\n")
		again := *r
		again.w, again.out, again.bodyLines = -1, nil, nil
		if want := strings.Join(again.Lines(50), "\n"); got != want {
			t.Fatalf("chunk %d: got lines\n%s\nwant\n%s", i, got, want)
		}
	}
}

func TestAnUnchangedPaneDrawsNothing(t *testing.T) {
	p := open(dark(), travel(), 100, 60)
	settle(t, p)
	p.Lines()
	if n := testing.AllocsPerRun(100, func() { p.Lines() }); n > 0 {
		t.Errorf("got %v allocations per unchanged frame, want 0", n)
	}
}

func TestAlignFindsTheSourceOfEachLine(t *testing.T) {
	source := []byte("# Title\n\nSome **bold** words here.\n\n- first item\n- second item\n")
	lines := []string{"Title", "", "Some bold words", "here.", "", "• first item", "• second item"}
	for i, want := range []string{"Title", "", "Some", "here", "", "first", "second"} {
		at := new(tracer).trace(lines, source)[i].from
		if want != "" && !strings.HasPrefix(string(source[at:]), want) {
			t.Errorf("line %d: got source at %q", i, source[at:])
		}
	}
}

func TestSelectedRowsAreMarkedAndStayExact(t *testing.T) {
	p := open(dark(), travel(), 60, 30)
	settle(t, p)
	p.Focus()
	marked := 0
	for _, line := range p.Lines() {
		if strings.Contains(line, dark().Selected.On) && canvas.Width(line) == 60 && !strings.Contains(line, "{ }") && !strings.Contains(line, "map.png") {
			marked++
		}
	}
	if marked != 1 {
		t.Errorf("got %d rows marked, want 1", marked)
	}
	p.Blur()
	exact(t, p, 60, 30)
}

func TestAChunkLooksAtTheEndOfItsArtifactOnly(t *testing.T) {
	conv, art := streaming()
	p := open(dark(), conv, 100, 30)
	chunk(conv, art, 100, essay(100_000))
	settle(t, p)
	p.Lines()
	var r *row
	for _, shown := range p.out.rows {
		if _, ok := shown.body.(*artifact); ok {
			r = shown
		}
	}
	for i := range 3 {
		before, all := r.mark, len(r.bodyLines)
		chunk(conv, art, a2a.RecordID(101+i), "some more words ")
		p.Lines()
		if known := r.mark.Unchanged(before); all < 1000 || known < all-10 {
			t.Errorf("chunk %d: of %d lines got %d unchanged, want all but 10", i, all, known)
		}
	}
}
