package chat

import (
	"slices"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
	"parley/session/problem"
)

func TestPartsStandWhereTheyCame(t *testing.T) {
	conv, art := streaming()
	p := open(mono(), conv, 60, 40)
	put := func(record a2a.RecordID, part a2a.Part) {
		art.Parts = append(art.Parts, model.PlacedPart{Offset: len(art.Text), Record: record, Part: part})
		art.Version++
		touch(conv)
	}
	picture := func(name string) a2a.Part {
		return a2a.Part{Kind: a2a.PartBytes, Filename: name, MediaType: "image/png", Encoded: "AAAA"}
	}
	for i, text := range []string{"Here is **London**:", "and here is *Oslo*:", ""} {
		if text != "" {
			chunk(conv, art, a2a.RecordID(100+2*i), text)
			p.Lines()
		}
		put(a2a.RecordID(101+2*i), picture(string(rune('a'+i))+".png"))
		p.Lines()
	}
	chunk(conv, art, 110, "\nThat is all.")
	settle(t, p)
	var got []string
	for _, line := range strings.Split(screen(p), "\n") {
		if rest, ok := strings.CutPrefix(line, "| : "); ok && !strings.Contains(line, "essay") {
			got = append(got, strings.Join(strings.Fields(rest), " "))
		}
	}
	want := "Here is London:|# a.png image/png - 3 B|and here is Oslo:|# b.png image/png - 3 B|# c.png image/png - 3 B|That is all."
	if strings.Join(got, "|") != want {
		t.Errorf("got parts %q, want %q\n%s", strings.Join(got, "|"), want, screen(p))
	}
	p.Focus()
	var records []a2a.RecordID
	for range 6 {
		records = append(records, p.Selected())
		press(p, "k")
	}
	if want := []a2a.RecordID{110, 105, 103, 102, 101, 100}; !slices.Equal(records, want) {
		t.Errorf("got records %v from below, want %v", records, want)
	}
	for i, at := range []model.Anchor{{Offset: 0}, {Offset: 19, Part: 1}, {Offset: 19}, {Offset: 38, Part: 2}, {Offset: 38, Part: 3}, {Offset: 38}} {
		at.Conversation, at.Turn, at.Entry = conv.ID, 1, 2
		if !p.SelectRecord(at) || p.line != i {
			t.Errorf("anchor %+v: got line %d, want %d", at, p.line, i)
		}
	}
	if got, ok := press(p, "y").(Copy); !ok || got.Text != "Here is **London**:\na.png\nand here is *Oslo*:\nb.png\nc.png\n\nThat is all." {
		t.Errorf("got copy %q, want texts and file names", got.Text)
	}
	whole := open(mono(), conv, 60, 40)
	settle(t, whole)
	if screen(whole) != screen(p) {
		t.Errorf("got screen drawn at once:\n%s\nwant the one drawn in steps:\n%s", screen(whole), screen(p))
	}
	art.Text, art.Spans, art.Parts = []byte("Other text."), []model.Span{{Record: 120}}, nil
	art.Reset++
	art.Version++
	touch(conv)
	settle(t, p)
	if got := screen(p); !strings.Contains(got, "Other text.") || strings.Contains(got, "Oslo") || strings.Contains(got, ".png") {
		t.Errorf("got the old text or no new one after a replacement, want the new text:\n%s", got)
	}
}

func TestWhatChangesInItsPlaceIsDrawnAgain(t *testing.T) {
	conv := travel()
	block := conv.Turns[0].Blocks[0]
	block.Task.State, block.Task.Prompt = a2a.StateWorking, nil
	block.Entries = append(block.Entries, model.Entry{Kind: model.EntryProblem, Record: 11, Problem: &problem.Problem{Sentence: "It does not stream."}})
	said := &block.Entries[len(block.Entries)-2]
	p := open(mono(), conv, 60, 40)
	screen(p)
	said.Message = &a2a.Message{ID: "m1", Parts: []a2a.Part{a2a.TextPart("Which dates, and how many bags?")}}
	block.Entries[len(block.Entries)-1].Problem = &problem.Problem{Sentence: "It was sent again."}
	touch(conv)
	if got := screen(p); !strings.Contains(got, "how many bags?") || !strings.Contains(got, "It was sent again.") {
		t.Errorf("got a screen without one of the two messages, want both:\n%s", got)
	}
}

func TestNarrowPanesWrapWhatCarriesMeaning(t *testing.T) {
	conv := travel()
	task := conv.Tasks[0]
	task.Poll = &log.Signal{After: 30 * time.Second, Attempt: 12}
	for w := 20; w <= 44; w++ {
		p := open(mono(), conv, w, 60)
		exact(t, p, w, 60)
		words := strings.Join(strings.Fields(strings.NewReplacer("|", "", ":", "").Replace(screen(p))), " ")
		for _, want := range []string{
			"Travel Desk task 91c2 - 3.1 s", "itinerary.md 3 parts - 147 B - none lost", "needs you task 91c2",
			"next poll in 30 s, attempt 12", "+ submitted", "+ working 2.4 s", "? input-required",
		} {
			if !strings.Contains(words, want) {
				t.Errorf("%d columns: got a screen without %q, want it:\n%s", w, want, screen(p))
			}
		}
	}
	task.Transitions[0].Word = strings.Repeat("dreaming", 8)
	block := conv.Turns[0].Blocks[0]
	block.Entries[0].State.State, block.Entries[0].State.Word = a2a.StateOther, strings.Repeat("dreaming", 8)
	block.Task.Artifacts[0].Name = strings.Repeat("name", 20)
	p := open(mono(), conv, 24, 60)
	for _, line := range strings.Split(screen(p), "\n") {
		if (strings.Contains(line, "dreaming") || strings.Contains(line, "namename")) && !strings.HasSuffix(line, "~") {
			t.Errorf("got shortened line %q, want an ellipsis at its end", line)
		}
	}
}

func TestAMessageThatRepeatsAnArtifactIsFolded(t *testing.T) {
	conv, art := streaming()
	conv.Tasks[0].Artifacts = append(conv.Tasks[0].Artifacts, art)
	chunk(conv, art, 100, "The tide comes in and goes out.\n")
	block := conv.Turns[0].Blocks[0]
	block.Entries = append(block.Entries, model.Entry{Kind: model.EntryMessage, Record: 101, Message: &a2a.Message{
		ID: "m", Parts: []a2a.Part{a2a.TextPart("The tide comes in and goes out.")},
	}})
	touch(conv)
	p := open(mono(), conv, 60, 30)
	if got := screen(p); strings.Count(got, "The tide") != 1 || !strings.Contains(got, "repeats essay.md") {
		t.Errorf("got a screen without the folded repetition, want it:\n%s", got)
	}
	p.Focus()
	press(p, "space")
	if got := screen(p); strings.Count(got, "The tide") != 2 {
		t.Errorf("got no repeated text in the unfolded message, want it:\n%s", got)
	}
}

func TestATaskWithoutAnIDIsSaidToHaveNone(t *testing.T) {
	conv := travel()
	conv.Tasks[0].ID = ""
	if got := screen(open(mono(), conv, 80, 30)); strings.Count(got, "a task without an id") != 2 {
		t.Errorf("got another number of tasks without an id, want two:\n%s", got)
	}
}

func TestOfManyStatesTheNewestAreShown(t *testing.T) {
	conv := travel()
	block := conv.Turns[0].Blocks[0]
	for i := range 1000 {
		tr := model.Transition{State: []a2a.State{a2a.StateWorking, a2a.StateSubmitted}[i%2], Time: noon.Add(time.Duration(i) * time.Millisecond)}
		block.Entries = append(block.Entries, model.Entry{Kind: model.EntryState, State: tr})
	}
	p := open(mono(), conv, 80, 60)
	got := screen(p)
	if !strings.Contains(got, "983 earlier states") || strings.Count(got, "submitted")+strings.Count(got, "working") != 20 {
		t.Errorf("got no number of earlier states, or more than 20 states, want both limits:\n%s", got)
	}
}

func TestAPartIsDrawnOnce(t *testing.T) {
	conv, art := streaming()
	p := open(mono(), conv, 60, 40)
	for i := range 50 {
		chunk(conv, art, a2a.RecordID(100+i), "word ")
		art.Parts = append(art.Parts, model.PlacedPart{Offset: len(art.Text), Part: a2a.DataPart([]byte(`{"a":1}`))})
		p.Lines()
	}
	row := p.out.rows[len(p.out.rows)-1].body.(*artifact)
	first := row.content.runs[1].chip.lines
	chunk(conv, art, 200, "more")
	p.Lines()
	if again := row.content.runs[1].chip.lines; len(first) != 1 || &first[0] != &again[0] {
		t.Error("a chunk drew the chip before it again, want the cached lines")
	}
	p.SetStyles(dark())
	if p.Lines(); &first[0] == &row.content.runs[1].chip.lines[0] {
		t.Error("SetStyles left the lines of a chip as they were, want new ones")
	}
}

func TestWhatTheUserSaidElsewhereIsNotTheAgents(t *testing.T) {
	conv := travel()
	block := conv.Turns[0].Blocks[0]
	block.Entries = append(block.Entries, model.Entry{Kind: model.EntryMessage, Message: &a2a.Message{
		ID: "u", Role: a2a.RoleUser, Parts: []a2a.Part{a2a.TextPart("And a hotel, please.")},
	}})
	if got := screen(open(mono(), conv, 80, 40)); !strings.Contains(got, "| you  from the task's history\n| And a hotel, please.") {
		t.Errorf("got a screen without the user's message from the history, want it:\n%s", got)
	}
}
