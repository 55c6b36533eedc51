package markdown

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

func TestNothingIsMissingBeforeAJobLands(t *testing.T) {
	s := still()
	want := ""
	for _, word := range strings.Fields("alpha *beta* `gamma` délta 日本 [eps](http://e.example)") {
		s.Append([]byte(word + " "))
		want += word
		got := strings.NewReplacer(" ", "", "\n", "").Replace(plainText(s.Lines(9)))
		if got != want {
			t.Fatalf("got %q, want %q", got, want)
		}
	}
}

func TestTextThatComesAfterAJobContinuesItsLastRow(t *testing.T) {
	tests := []struct{ before, after, want string }{
		{"The *quick* br", "own fox", "The quick brown fox"},
		{"The *quick* ", "brown", "The quick brown"},
		{"The *quick*\n", "brown", "The quick\nbrown"},
		{"The *quick*", "\n\n*brown*", "The quick\n\n*brown*"},
		{"- an item", " goes on", "• an item goes on"},
		{"done\n\n*open*", " end", "done\n\nopen end"},
		{"twelve cells", " wrap here and there", "twelve cells wrap\nhere and there"},
	}
	for _, test := range tests {
		s := still()
		s.Append([]byte(test.before))
		settle(s, 20)
		s.Append([]byte(test.after))
		if got := plainText(s.Lines(20)); got != test.want {
			t.Errorf("%q then %q: got %q, want %q", test.before, test.after, got, test.want)
		}
	}
}

func TestLinesFitWhileJobsAreLate(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 5))
	s := still()
	text := strings.Join(corpus, "\n\n")
	for text != "" {
		n := min(1+rnd.IntN(60), len(text))
		s.Append([]byte(text[:n]))
		text = text[n:]
		w := 1 + rnd.IntN(90)
		checkRows(t, s.Lines(w), w, "corpus")
		if rnd.IntN(4) == 0 {
			if job, ok := s.Job(1 + rnd.IntN(90)); ok {
				s.Apply(job.Run())
			}
		}
		checkRows(t, s.Lines(w), w, "corpus")
	}
}

func TestAnotherWidthShowsEverythingAtOnce(t *testing.T) {
	s := still()
	text := document(8 << 10)
	s.Append([]byte(text))
	s.Close()
	settle(s, 80)
	squeeze := strings.NewReplacer(" ", "", "\n", "").Replace
	want := squeeze(plainText(s.Lines(200)))
	for _, w := range []int{30, 100, 12} {
		rows := s.Lines(w)
		checkRows(t, rows, w, "document")
		if !strings.Contains(squeeze(plainText(rows)), "compares") || len(squeeze(plainText(rows))) < len(want)*9/10 {
			t.Errorf("width %d: got incomplete text, want all of it", w)
		}
		settle(s, w)
		compare(t, "document", w, s.Lines(w), Render(dark(), text, w))
	}
}

func TestLinesCostNothingWhenNothingChanged(t *testing.T) {
	s := still()
	for rest := document(20 << 10); rest != ""; {
		n := min(200, len(rest))
		s.Append([]byte(rest[:n]))
		rest = rest[n:]
	}
	settle(s, 78)
	s.Lines(78)
	if n := testing.AllocsPerRun(100, func() { s.Lines(78) }); n != 0 {
		t.Errorf("got %v allocations per unchanged frame, want 0", n)
	}
}

func TestAChunkCostsTheSameHoweverLongTheTextIs(t *testing.T) {
	cost := func(size int) float64 {
		s := still()
		s.Append([]byte(document(size)))
		settle(s, 78)
		s.Lines(78)
		return testing.AllocsPerRun(200, func() {
			s.Append([]byte("a word more\n"))
			s.Lines(78)
		})
	}
	if short, long := cost(4<<10), cost(64<<10); long > short+2 {
		t.Errorf("got %v allocations per chunk in a long text, want at most 2 more than %v in a short one", long, short)
	}
}

func TestAnOpenCodeBlockGrowsWithoutRendering(t *testing.T) {
	s := still()
	s.Append([]byte("before\n\n```go\nfunc a() {}\n"))
	settle(s, 40)
	for range 500 {
		s.Append([]byte("func b() { re"))
		s.Append([]byte("turn 42 }\n"))
		if _, ok := s.Job(40); ok {
			t.Fatal("got a job for an open code block, want none")
		}
	}
	rows := s.Lines(40)
	if len(rows) != 503 || ansi.Strip(rows[502]) != "  func b() { return 42 }" {
		t.Fatalf("got %d rows, last %q, want 503 and the code's last line", len(rows), rows[len(rows)-1])
	}
	if strings.Contains(rows[502], dark().Number.On) {
		t.Error("got highlighted code before its end, want plain code")
	}
	s.Append([]byte("```"))
	given := settle(s, 40)
	rows = s.Lines(40)
	if len(rows) != 503 || ansi.Strip(rows[502]) != "  func b() { return 42 }" {
		t.Fatalf("closed block: got %d rows, last %q, want 503 and the code's last line", len(rows), rows[len(rows)-1])
	}
	if !strings.Contains(rows[502], dark().Number.On+"42") {
		t.Errorf("closed block: got %q, want highlighted code", rows[502])
	}
	// More text in the same open end, or a cut behind it, highlights no code again.
	s.Append([]byte("\nright after\n\nand on\n\n"))
	if again := settle(s, 40); given < 10000 || again > 200 {
		t.Errorf("got %d bytes rendered for the code and %d for the text behind it, want at least 10000 and at most 200", given, again)
	}
}

func TestAnOpenCodeBlockHighlightedWhenTheTextIsComplete(t *testing.T) {
	s := still()
	s.Append([]byte("```json\n{\"a\": 1}\n"))
	settle(s, 40)
	s.Close()
	settle(s, 40)
	if rows := s.Lines(40); !strings.Contains(rows[0], dark().Number.On+"1") {
		t.Errorf("got %q, want highlighted code", rows)
	}
}

func TestALongLineWithoutAnEndIsShown(t *testing.T) {
	s := still()
	for range 2000 {
		s.Append([]byte("lorem ipsum dolor "))
		s.Lines(40)
	}
	if got := len(strings.Fields(plainText(s.Lines(40)))); got != 6000 {
		t.Errorf("%d words, not 6000", got)
	}
}
