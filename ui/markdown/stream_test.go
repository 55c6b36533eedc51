package markdown

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func TestStreamedEqualsBatchForTheCorpus(t *testing.T) {
	whole := strings.Join(corpus, "\n")
	for _, text := range append([]string{whole}, corpus...) {
		for _, w := range []int{1, 2, 7, 24, 80} {
			want := Render(dark(), text, w)
			checkRows(t, want, w, text)
			for seed := range 5 {
				compare(t, text, w, stream(pieces(100*w+seed), text, w, true), want)
			}
		}
	}
}

func TestStreamedEqualsBatchForRandomText(t *testing.T) {
	for seed := range rounds(t, 400) {
		rnd := rand.New(rand.NewPCG(uint64(seed), 3))
		text := hostile(rnd)
		w := 8 + rnd.IntN(70)
		want := batch(text, w, true)
		checkRows(t, want, w, text)
		compare(t, text, w, stream(pieces(seed), text, w, true), want)

		prefix := text[:rnd.IntN(len(text)+1)]
		want = batch(prefix, w, false)
		checkRows(t, want, w, prefix)
		compare(t, prefix, w, stream(pieces(seed), prefix, w, false), want)
	}
}

// pieces returns a way to divide a text, a different one for each seed.
func pieces(seed int) *rand.Rand { return rand.New(rand.NewPCG(uint64(seed), 4)) }

func rounds(t *testing.T, n int) int {
	if testing.Short() {
		return n / 10
	}
	return n
}

// hostile returns random Markdown: fragments whose meaning changes with one character more or
// less.
func hostile(rnd *rand.Rand) string {
	starts := []string{
		"", "", "", "", "# ", "## ", "- ", "* ", "+ ", "1. ", "2) ", "> ", ">", "  ", "    ", "   ", "\t",
		"```", "```go", "~~~", "````", "---", "===", "***", "| ", "[a]: ", "[b]: <", "[", "<div>", "</div>", "<!-- ", "-->",
		"<script>", "- [ ] ", "- [x] ", "      ", "  - ", "   1. ", "|-|-|", "-:", ": ", "10. ", "\\", "&#",
	}
	words := []string{
		"foo", "*bar*", "**b", "`c`", "[a]", "[b][a]", "[x](http://y.example)", "![i](u)", "|", " | ", "-", "_e_", "&amp;", "&#27;[31m",
		"http://z.example/q", "<b>", "\\", "~~s~~", "日本", "é", "\x1b[31m", "\xff", "\u202e", "  ", "\"t\"", "b]: c", "`", "***", "\r", "[a]: http://q",
	}
	var b strings.Builder
	for range 1 + rnd.IntN(14) {
		for range 1 + rnd.IntN(2) {
			b.WriteString(starts[rnd.IntN(len(starts))])
		}
		for range rnd.IntN(5) {
			b.WriteString(words[rnd.IntN(len(words))])
			if rnd.IntN(2) == 0 {
				b.WriteByte(' ')
			}
		}
		b.WriteString([]string{"\n", "\n", "\n", "\n\n", "\n\n", "\r\n", "\n \n", "\n\n\n"}[rnd.IntN(8)])
	}
	return b.String()
}
