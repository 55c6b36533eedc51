package chat

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"parley/a2a"
	"parley/session/model"
	"parley/themes"
	"parley/ui/styles"
)

// lit returns the text on the screen on the ground of the newest chunk.
func lit(p *Pane) string {
	var out []string
	for _, line := range p.Lines() {
		parts := strings.Split(line, p.renderer.st.NewChunk.On)
		for _, part := range parts[1:] {
			text, _, _ := strings.Cut(part, styles.Reset)
			out = append(out, ansi.Strip(text))
		}
	}
	return strings.Join(out, " ")
}

// newest returns an open pane on a growing text, and the record that is new, which the caller sets.
func newest(st *styles.Styles) (p *Pane, conv *model.Conversation, art *model.Artifact, id *a2a.RecordID) {
	conv, art = streaming()
	id = new(a2a.RecordID)
	p = open(st, conv, 60, 30)
	p.SetNewChunk(func(r a2a.RecordID) bool { return r == *id })
	return p, conv, art, id
}

// The newest chunk is on its ground as long as it is new, also before and after its text is rendered.
func TestTheNewestChunkIsLit(t *testing.T) {
	p, conv, art, id := newest(dark())
	for i, c := range []struct{ text, lit string }{
		{"# London", "London"}, {", 10 to", "10 to"}, {" 17 October\n\nThree ways", "17 October Three ways"},
		{" to get **there", "to get **there"}, {"**, and", "and"}, {"\n", ""}, {" -- \n\n", ""}, {"1. naïve 日本橋", "1. naïve 日本橋"},
		{"\n\n```\nfunc main", "func main"}, {"() {\n```\n", ""}, {"\u200b\n", ""}, {"\x1b[31mred", "red"}, {"x", "x"},
	} {
		*id = a2a.RecordID(100 + i)
		chunk(conv, art, *id, c.text)
		for _, when := range []string{"at once", "rendered"} {
			if got := lit(p); letters(got) != letters(c.lit) {
				t.Errorf("%q, %s: got %q lit, want %q", c.text, when, got, c.lit)
			}
			settle(t, p)
			p.dirty = true
		}
		exact(t, p, 60, 30)
	}
	if *id = 0; lit(p) != "" {
		t.Errorf("got %q lit of a chunk that is no longer new, want nothing", lit(p))
	}
}

// What is lit is never more than the newest chunk, however the text is cut.
func TestNothingElseThanTheNewestChunkIsLit(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, most := range []int{1, 7, 90, 400} {
		for _, w := range []int{60, 24} {
			t.Run(fmt.Sprintf("%d runes at %d", most, w), func(t *testing.T) {
				p, conv, art, id := newest(dark())
				p.SetSize(w, 60)
				some := 0
				for i, rest := 0, []rune(leaflet); len(rest) > 0; i++ {
					n := min(1+rng.IntN(most), len(rest))
					*id = a2a.RecordID(100 + i)
					chunk(conv, art, *id, string(rest[:n]))
					if got, all := letters(lit(p)), letters(string(rest[:n])); len(got) > len(all) || len(got) == len(all) && got != all {
						t.Errorf("got the letters %q lit of %q, want no more", got, string(rest[:n]))
					} else if got != "" {
						some++
					}
					if rest = rest[n:]; i%3 == 0 {
						settle(t, p)
					}
				}
				if some == 0 {
					t.Error("got no chunk lit, want some")
				}
			})
		}
	}
}

// A text that is scrolled away, is over, or was drawn in styles without grounds is not lit.
func TestWhatIsNotLit(t *testing.T) {
	p, conv, art, id := newest(dark())
	*id = 100
	chunk(conv, art, 99, strings.Repeat("word\n\n", 100))
	chunk(conv, art, 100, "the end")
	if got := lit(p); !strings.Contains(got, "the end") {
		t.Fatalf("got %q lit, want the end of a long chunk", got)
	}
	p.list.ScrollTo(0, 0)
	if p.dirty = true; strings.Contains(lit(p), "the end") {
		t.Error("got the end lit above the window's end, want it below")
	}
	p.list.End()
	chunk(conv, art, 100, strings.Repeat("word ", 2000))
	if got := lit(p); got != "" {
		t.Errorf("got %d bytes lit of a chunk that fills the window, want none", len(got))
	}
	chunk(conv, art, 100, "short")
	art.Live = false
	art.Version++
	touch(conv)
	if got := lit(p); got != "" {
		t.Errorf("got %q lit of an artifact that is complete, want nothing", got)
	}
	for name, st := range map[string]*styles.Styles{
		"mono": mono(), "ascii": styles.New(themes.Dark(), styles.ASCII()), "16 colours": styles.New(themes.Dark().In(themes.Indexes16), styles.Unicode()),
	} {
		if st.NewChunk.On != "" {
			t.Errorf("%s: got a ground, want none", name)
		}
	}
}

func TestEndOf(t *testing.T) {
	lines := []string{"one two", "", "\x1b[1mthree\x1b[m four.  "}
	for text, want := range map[string][]int{
		"four": {6}, " four.": {6}, "e four": {4}, "three four": {0}, "two\n\n**three** four": {0, -1, 4}, "ne two three four": {0, -1, 1},
		"zero one two three four": {0, -1, 0}, "five": {-1}, "x four": {6}, "": {-1}, "...": {-1},
	} {
		if got := endOf(lines, text); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
	if got := endOf(nil, "x"); got != nil {
		t.Errorf("got %v of no line, want nothing", got)
	}
}

// The sign of what works turns in the head of a turn and at the step that runs, and stands still for an empty
// one.
func TestTheSpinnerTurnsInTheConversation(t *testing.T) {
	conv, art := streaming()
	chunk(conv, art, 100, "x")
	p := open(dark(), conv, 60, 30)
	for _, sign := range []string{"⣾", "⣽", "‖"} {
		p.SetSpinner(sign)
		if got := screen(p); !strings.Contains(got, sign+" working") {
			t.Errorf("got no %s at the state, want it:\n%s", sign, got)
		}
	}
	p.SetSpinner("")
	if got := screen(p); !strings.Contains(got, "● working") {
		t.Errorf("got no sign that stands still, want it:\n%s", got)
	}
	conv.Turns[0].Pending = false
	touch(conv)
	if p.SetSpinner("⣾"); strings.Contains(screen(p), "⣾") {
		t.Errorf("got a spinner in a turn that is over, want none:\n%s", screen(p))
	}
}

// The cost of a frame with a chunk that is lit does not depend on the text before it.
func BenchmarkLightNewChunk(b *testing.B) {
	for _, size := range []int{1 << 10, 1 << 20} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			p, conv, art, id := newest(dark())
			*id = 101
			chunk(conv, art, 100, strings.Repeat("some words of a text\n\n", size/22))
			chunk(conv, art, 101, "and the newest")
			settle(b, p)
			p.Lines()
			b.ReportAllocs()
			for b.Loop() {
				p.draw()
			}
		})
	}
}
