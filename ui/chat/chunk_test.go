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

// torn is a conversation whose artifact holds text, which came in pieces of one to most
// bytes.
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

// marked returns what stands on the screen in the paint of the cursor's chunk.
func marked(p *Pane) string {
	on := p.ink.st.Mark.On
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

// letters are the letters and digits of a text, sorted.
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

// hidden returns a text with what is not drawn of it blanked.
func hidden(text string) string {
	return strings.ReplaceAll(text, "```go", strings.Repeat(" ", len("```go")))
}

func anchorOf(art *model.Artifact, i int) model.Anchor {
	return model.Anchor{Conversation: 1, Turn: 1, Block: 0, Entry: 2, Offset: art.Spans[i].Offset, Record: art.Spans[i].Record}
}

// Every chunk is found from its record, what it brought is marked and nothing else, and
// a click on that finds the record again.
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
						t.Fatalf("record %d is not found", id)
					}
					if got := p.Selected(); got != id {
						t.Errorf("record %d %q: the cursor stands on %d", id, text, got)
					}
					seen := marked(p)
					if letters(seen) != letters(drawn) { // in any order: cells stand side by side
						t.Errorf("record %d brought %q; marked is %q", id, text, seen)
					}
					clickMark(t, p, id, text)
				}
			})
		}
	}
}

// clickMark clicks on the first cell that is marked.
func clickMark(t *testing.T, p *Pane, id a2a.RecordID, text string) {
	t.Helper()
	on := p.ink.st.Mark.On
	for y, line := range p.Lines() {
		before, _, ok := strings.Cut(line, on)
		if !ok {
			continue
		}
		x := canvas.Width(before)
		got := p.Mouse(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft}, x, y)
		if got != (RevealRecord{Record: id}) {
			t.Errorf("a click on %q of record %d gives %v", text, id, got)
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
			t.Fatalf("step %d gives %v, want record %d", i, got, art.Spans[i].Record)
		}
		exact(t, p, 60, 12)
	}
	if got := press(p, "l"); got != nil {
		t.Errorf("behind the last chunk is %v", got)
	}
	for i := len(art.Spans) - 2; i >= 0; i-- {
		if got := press(p, "h"); got != (RevealRecord{Record: art.Spans[i].Record}) {
			t.Fatalf("back at %d is %v, want record %d", i, got, art.Spans[i].Record)
		}
	}
	if press(p, "j"); marked(p) != "" {
		t.Errorf("a line is pointed at and %q is still marked", marked(p))
	}
	line := p.Selected()
	if got := press(p, "l"); got != (RevealRecord{Record: line}) {
		t.Errorf("from a line of record %d the first step is %v", line, got)
	}
}

// A record that is seen at an artifact without having brought any of it marks none of it.
func TestOnlyWhatARecordBroughtIsMarked(t *testing.T) {
	conv, art := torn(leaflet, 30, rand.New(rand.NewPCG(5, 6)))
	p := open(dark(), conv, 60, 30)
	settle(t, p)
	p.Focus()
	end := anchorOf(art, 0)
	end.Record = 99
	if !p.SelectRecord(end) || marked(p) != "" {
		t.Errorf("marked is %q", marked(p))
	}
	stale := anchorOf(art, 0)
	stale.Offset = len(art.Text) + 100
	if !p.SelectRecord(stale) || marked(p) != "" {
		t.Errorf("an offset behind the text: marked is %q", marked(p))
	}
	press(p, "g")
	p.SelectRecord(model.Anchor{Conversation: 1, Turn: 1, Block: -1, Entry: -1, Record: 1})
	if got := press(p, "l"); got != nil {
		t.Errorf("a message has chunks: %v", got)
	}
}

// A text that grows is traced from where it grew.
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
				t.Fatalf("after %d chunks at %d the cursor is on %d, want %d", i, w, p.Selected(), art.Spans[k].Record)
			}
			from, to := spanOf(art, k)
			if got, want := letters(marked(p)), letters(hidden(leaflet + leaflet)[from:to]); got != want {
				t.Fatalf("after %d chunks at %d %q is marked, want %q %q\n%s", i, w, got, want, art.Text[from:to], screen(p))
			}
		}
	}
	lines, source := []string{}, []byte{}
	for i := range 5000 {
		lines = append(lines, fmt.Sprintf("line %d of many", i))
		source = append(source, lines[i]+"\n"...)
	}
	var tr tracing
	tr.trace(lines, source)
	grown := slices.Concat(lines, []string{"one line more"})
	source = append(source, "one line more\n"...)
	n := testing.AllocsPerRun(10, func() {
		tr.trace(lines, source)
		tr.trace(grown, source)
	})
	if n > 100 {
		t.Errorf("a line more costs %v allocations", n)
	}
}

// Texts that would be compared with themselves again and again, if anything were
// looked for without a bound.
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
			t.Errorf("%s: the cursor is on record %d", name, p.Selected())
		}
		exact(t, p, 60, 40)
	}
}
