package chat

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"parley/a2a"
	"parley/session/model"
	"parley/ui/canvas"
	"parley/ui/styles"
)

const leaflet = `# London, 10 to 17 October

Three flights have seats left for the dates that you asked for; prices are
**per person**, with one bag included.

| Flight | Departs | Arrives | Seats |
|---|---|---|---|
| OS 411 | 10 Oct 07:25 | 10 Oct 08:50 | 9 |
| BA 763 | 10 Oct 11:10 | 10 Oct 12:35 | 2 |

1. Fares are held until *midnight* in Vienna, 16:30 in 東京 and 日本橋 too.
2. See the [terms](https://example.com/terms) of ` + "`OS 411`" + `.

` + "```go\nfunc main() {\n\tprintln(\"naïve café\")\n}\n```" + `

Nothing else is needed; the task completes by itself.
`

// torn returns a conversation whose artifact consists of text, received in pieces of one to
// most bytes.
func torn(text string, most int, rng *rand.Rand) (*model.Conversation, *model.Artifact) {
	conv, art := streaming()
	runes := []rune(text)
	for i := 0; len(runes) > 0; i++ {
		n := min(1+rng.IntN(most), len(runes))
		chunk(conv, art, a2a.RecordID(100+i), string(runes[:n]))
		runes = runes[n:]
	}
	art.Live = false
	art.Version++
	touch(conv)
	return conv, art
}

// marked returns the text on the screen in the paint of the cursor's chunk.
func marked(p *Pane) string {
	on := p.renderer.st.Mark.On
	var out []string
	for _, line := range p.Lines() {
		for {
			_, rest, ok := strings.Cut(line, on)
			if !ok {
				break
			}
			text, after, _ := strings.Cut(rest, styles.Reset)
			out, line = append(out, text), after
		}
	}
	return strings.Join(out, " ")
}

// letters returns the letters and digits of a text, sorted.
func letters(text string) string {
	var out []rune
	for _, r := range ansi.Strip(text) {
		if inWord(r) {
			out = append(out, r)
		}
	}
	slices.Sort(out)
	return string(out)
}

// hidden returns a text in which blanks replace what is not drawn.
func hidden(text string) string {
	return strings.ReplaceAll(text, "```go", strings.Repeat(" ", len("```go")))
}

func anchorOf(art *model.Artifact, i int) model.Anchor {
	return model.Anchor{Conversation: 1, Turn: 1, Block: 0, Entry: 2, Offset: art.Spans[i].Offset, Record: art.Spans[i].Record}
}

// SelectRecord highlights exactly the text of the record's chunk, and a click on it selects the
// record.
func TestChunksAndTheirTextFindEachOther(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, most := range []int{3, 12, 80, 400} {
		for _, w := range []int{100, 44} {
			t.Run(fmt.Sprintf("%d runes at %d", most, w), func(t *testing.T) {
				conv, art := torn(leaflet, most, rng)
				p := open(dark(), conv, w, 60)
				settle(t, p)
				p.Focus()
				for i := range art.Spans {
					from, to := spanOf(art, i)
					text, id := string(art.Text[from:to]), art.Spans[i].Record
					drawn := hidden(leaflet)[from:to]
					if !p.SelectRecord(anchorOf(art, i)) {
						t.Fatalf("SelectRecord did not find record %d, want it selected", id)
					}
					if got := p.Selected(); got != id {
						t.Errorf("record %d %q: got record %d under the cursor, want the same", id, text, got)
					}
					seen := marked(p)
					if letters(seen) != letters(drawn) { // in any order: cells are side by side
						t.Errorf("record %d: want %q marked, got %q", id, text, seen)
					}
					clickMark(t, p, id, text)
				}
			})
		}
	}
}

// clickMark clicks on the first marked cell.
func clickMark(t *testing.T, p *Pane, id a2a.RecordID, text string) {
	t.Helper()
	on := p.renderer.st.Mark.On
	for y, line := range p.Lines() {
		before, _, ok := strings.Cut(line, on)
		if !ok {
			continue
		}
		x := canvas.Width(before)
		got := p.Mouse(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft}, x, y)
		if got != (RevealRecord{Record: id}) {
			t.Errorf("click on %q of record %d: got intent %v, want its record", text, id, got)
		}
		return
	}
}

func TestTheCursorStepsFromChunkToChunk(t *testing.T) {
	conv, art := torn(leaflet, 30, rand.New(rand.NewPCG(5, 6)))
	p := open(mono(), conv, 60, 12)
	settle(t, p)
	p.Focus()
	p.SelectRecord(anchorOf(art, 0))
	for i := 1; i < len(art.Spans); i++ {
		if got := press(p, "l"); got != (RevealRecord{Record: art.Spans[i].Record}) {
			t.Fatalf("l, step %d: got %v, want record %d", i, got, art.Spans[i].Record)
		}
		exact(t, p, 60, 12)
	}
	if got := press(p, "l"); got != nil {
		t.Errorf("l after the last chunk: got %v, want nil", got)
	}
	for i := len(art.Spans) - 2; i >= 0; i-- {
		if got := press(p, "h"); got != (RevealRecord{Record: art.Spans[i].Record}) {
			t.Fatalf("h to span %d: got %v, want record %d", i, got, art.Spans[i].Record)
		}
	}
	if press(p, "j"); marked(p) != "" {
		t.Errorf("after j, got %q marked, want nothing", marked(p))
	}
	line := p.Selected()
	if got := press(p, "l"); got != (RevealRecord{Record: line}) {
		t.Errorf("first l on a line of record %d: got %v, want that record", line, got)
	}
}

// A record without text of the artifact highlights nothing.
func TestOnlyWhatARecordBroughtIsMarked(t *testing.T) {
	conv, art := torn(leaflet, 30, rand.New(rand.NewPCG(5, 6)))
	p := open(dark(), conv, 60, 30)
	settle(t, p)
	p.Focus()
	end := anchorOf(art, 0)
	end.Record = 99
	if !p.SelectRecord(end) || marked(p) != "" {
		t.Errorf("anchor of a record without text: got %q marked, want nothing", marked(p))
	}
	stale := anchorOf(art, 0)
	stale.Offset = len(art.Text) + 100
	if !p.SelectRecord(stale) || marked(p) != "" {
		t.Errorf("offset beyond the text: got %q marked, want nothing", marked(p))
	}
	press(p, "g")
	p.SelectRecord(model.Anchor{Conversation: 1, Turn: 1, Block: -1, Entry: -1, Record: 1})
	if got := press(p, "l"); got != nil {
		t.Errorf("l on a message: got %v, want nil", got)
	}
}

// Of a growing text only the new part is traced.
func TestATracingGoesOnWhereTheTextGrew(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	for _, w := range []int{100, 44} {
		conv, art := torn(leaflet, 40, rng)
		art.Live = true
		p := open(dark(), conv, w, 120)
		settle(t, p)
		p.Focus()
		for i, piece := range slices.Collect(slices.Chunk([]rune(leaflet), 10)) {
			chunk(conv, art, a2a.RecordID(9000+i), string(piece))
			settle(t, p)
			k := len(art.Spans) - 1 - rng.IntN(20)
			if p.SelectRecord(anchorOf(art, k)); p.Selected() != art.Spans[k].Record {
				t.Fatalf("%d chunks, width %d: got record %d under the cursor, want %d", i, w, p.Selected(), art.Spans[k].Record)
			}
			from, to := spanOf(art, k)
			if got, want := letters(marked(p)), letters(hidden(leaflet + leaflet)[from:to]); got != want {
				t.Fatalf("%d chunks, width %d: got %q marked, want %q for %q\n%s", i, w, got, want, art.Text[from:to], screen(p))
			}
		}
	}
	lines, source := []string{}, []byte{}
	for i := range 5000 {
		lines = append(lines, fmt.Sprintf("line %d of many", i))
		source = append(source, lines[i]+"\n"...)
	}
	var tr tracer
	tr.trace(lines, source)
	grown := slices.Concat(lines, []string{"one line more"})
	source = append(source, "one line more\n"...)
	n := testing.AllocsPerRun(10, func() {
		tr.trace(lines, source)
		tr.trace(grown, source)
	})
	if n > 100 {
		t.Errorf("got %v allocations per appended line, want at most 100", n)
	}
}

// Texts that an unlimited search would compare with themselves again and again.
func TestTracingLooksNoFurtherThanALineCanBe(t *testing.T) {
	for name, text := range map[string]string{
		"entities":  strings.Repeat("&#97;&#98;c ", 20_000),
		"long rows": "| " + strings.Repeat("a | ", 900) + "\n|" + strings.Repeat("---|", 900) + "\n" + strings.Repeat("| "+strings.Repeat("a | ", 900)+"\n", 100),
		"rows":      "| " + strings.Repeat("a | ", 200) + "\n|" + strings.Repeat("---|", 200) + "\n" + strings.Repeat("| "+strings.Repeat("a | ", 200)+"\n", 300),
		"one word":  strings.Repeat("aa", 300_000),
		"pipes":     strings.Repeat(strings.Repeat("a|", 2000)+"\n", 100),
	} {
		conv, art := streaming()
		chunk(conv, art, 100, text)
		p := open(mono(), conv, 60, 40)
		settle(t, p)
		p.Focus()
		if p.SelectRecord(anchorOf(art, 0)); p.Selected() != 100 {
			t.Errorf("%s: got record %d under the cursor, want 100", name, p.Selected())
		}
		exact(t, p, 60, 40)
	}
}
