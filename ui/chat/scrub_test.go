package chat

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"parley/a2a"
	"parley/internal/panetest"
	"parley/session/model"
)

// joined returns a text without white space.
func joined(text string) string { return strings.Join(strings.Fields(text), "") }

// h and l show the text after each chunk, no more, with what it added marked, and describe it.
func TestAnArtifactIsShownAsItWasAfterAChunk(t *testing.T) {
	conv, art := torn(leaflet, 60, rand.New(rand.NewPCG(2, 2)))
	p := open(dark(), conv, 100, 60)
	p.SetTimes(func(id a2a.RecordID) time.Time { return noon.Add(time.Duration(id) * time.Second) })
	settle(t, p)
	p.Focus()
	p.SelectRecord(anchorOf(art, 0))
	check := func(i int) {
		t.Helper()
		from, to := spanOf(art, i)
		a := p.row.body.(*artifact)
		body := a.scrub.draw(p.renderer, 90, 50)
		if got, want := joined(ansi.Strip(strings.Join(body, ""))), joined(string(art.Text[:to])); got != want {
			t.Fatalf("after chunk %d: got %q, want %q", i+1, got, want)
		}
		if got, want := joined(marked(p)), joined(string(art.Text[from:to])); got != want {
			t.Errorf("chunk %d: got %q marked, want %q", i+1, got, want)
		}
		panetest.Sees(t, screen(p), fmt.Sprintf("chunk %d of %d", i+1, len(art.Spans)), fmt.Sprintf("#%d", art.Spans[i].Record), "+1 s", fmt.Sprintf("+%d B", to-from))
	}
	for i := 1; i < len(art.Spans); i++ {
		press(p, "l")
		check(i)
	}
	for i := len(art.Spans) - 2; i > 0; i-- {
		press(p, "h")
		check(i)
	}
	if press(p, "j"); strings.Contains(screen(p), "chunk 2 of") || p.scrub != nil {
		t.Error("the artifact is still shown as it was, after the cursor moved")
	}
	settle(t, p)
	panetest.Sees(t, screen(p), "Nothing else is needed", fmt.Sprintf("%d parts", art.Count))
}

// replaced replaces the content of an artifact.
func replaced(c *model.Conversation, a *model.Artifact, record a2a.RecordID, text string) {
	a.Revisions = append(a.Revisions, model.Revision{Text: a.Text, Spans: a.Spans, Parts: a.Parts, Record: record})
	a.Text, a.Spans, a.Parts = nil, nil, nil
	a.Reset++
	chunk(c, a, record, text)
}

// Of a replaced text only what differs is marked, with what was there.
func TestAChunkThatReplacesShowsWhatItReplaced(t *testing.T) {
	conv, art := streaming()
	chunk(conv, art, 100, "The flight leaves ")
	chunk(conv, art, 101, "at 07:25 from Oslo.")
	replaced(conv, art, 102, "The flight leaves at 11:10 from Oslo.")
	chunk(conv, art, 103, " Be there early.")
	p := open(dark(), conv, 80, 30)
	settle(t, p)
	p.Focus()
	p.SelectRecord(anchorOf(art, 0))
	press(p, "h")
	panetest.Sees(t, screen(p), "chunk 2 of 4", "at 07:25 from Oslo.")
	if got := press(p, "l"); got != (RevealRecord{Record: 102}) {
		t.Errorf("got %v, want record 102", got)
	}
	panetest.Sees(t, screen(p), "chunk 3 of 4", "replaced 37 B by 37 B", "in place of", "− 07:25")
	if got := marked(p); got != "11:10" {
		t.Errorf("got %q marked, want what differs", got)
	}
	press(p, "l")
	if got := marked(p); got != " Be there early." {
		t.Errorf("got %q marked, want the new sentence", got)
	}
	if press(p, "l") != nil {
		t.Error("got a chunk after the last one")
	}
}

// The rows are exact at any size, with any text.
func TestHostileChunksAreDrawnInAnySize(t *testing.T) {
	conv, art := streaming()
	for i, text := range []string{"a\x1b[2J\tb", "\r\n", "\xff\xfe", strings.Repeat("長い行", 300), "\u202eabc\n\n\n", strings.Repeat("x\n", 5000), "👩‍👩‍👧", "end"} {
		chunk(conv, art, a2a.RecordID(100+i), text)
	}
	replaced(conv, art, 200, "")
	replaced(conv, art, 201, strings.Repeat("line\n", 3000))
	art.Parts = append(art.Parts, model.PlacedPart{Offset: len(art.Text), Record: 202, Part: a2a.Part{Kind: a2a.PartData, Data: []byte(`{"a":1}`)}})
	art.Version++
	touch(conv)
	for _, size := range []struct{ w, h int }{{100, 40}, {40, 12}, {12, 5}, {5, 2}, {1, 1}} {
		p := open(mono(), conv, size.w, size.h)
		settle(t, p)
		p.Focus()
		p.SelectRecord(anchorOf(art, 0))
		press(p, "h", "h", "h", "h", "h", "h", "h", "h", "h", "h", "h", "h")
		for range 14 {
			exact(t, p, size.w, size.h)
			press(p, "l")
		}
	}
}
