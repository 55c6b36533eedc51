package markdown

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"parley/themes"
	"parley/ui/canvas"
	"parley/ui/styles"
)

// A clock that moves only on demand.
type clock struct{ t time.Time }

func (c *clock) now() time.Time { return c.t }

func mono() *styles.Styles { return styles.New(themes.Mono(), styles.ASCII()) }

func dark() *styles.Styles { return styles.New(themes.Dark(), styles.Unicode()) }

// still returns a Stream whose clock does not move, so that no Job is delayed.
func still() *Stream { return New(dark(), (&clock{}).now) }

// settle runs Jobs until there are none and returns how many bytes were rendered.
func settle(s *Stream, w int) (given int) {
	for {
		job, ok := s.Job(w)
		if !ok {
			return given
		}
		done := job.Run()
		given += done.renderedBytes
		s.Apply(done)
	}
}

// stream returns the rows of a text that arrived in random chunks, with Jobs at random moments,
// some of them overtaken by more chunks.
func stream(rnd *rand.Rand, text string, w int, closed bool) []string {
	s := still()
	var out *Result
	for len(text) > 0 {
		n := min(1+rnd.IntN(1+rnd.IntN(40)), len(text))
		s.Append([]byte(text[:n]))
		text = text[n:]
		if out != nil && rnd.IntN(2) == 0 {
			s.Apply(*out)
			out = nil
		}
		if rnd.IntN(3) == 0 {
			if job, ok := s.Job(w); ok {
				done := job.Run()
				out = &done
			}
		}
		if rnd.IntN(4) == 0 {
			s.Lines(1 + rnd.IntN(2*w))
		}
	}
	if out != nil {
		s.Apply(*out)
	}
	if closed {
		s.Close()
	}
	settle(s, w)
	return s.Lines(w)
}

// batch returns the rows of a text that arrived in one chunk.
func batch(text string, w int, closed bool) []string {
	s := still()
	s.Append([]byte(text))
	if closed {
		s.Close()
	}
	settle(s, w)
	return s.Lines(w)
}

func compare(t *testing.T, text string, w int, got, want []string) {
	t.Helper()
	for i := range max(len(got), len(want)) {
		g, x := "(nothing)", "(nothing)"
		if i < len(got) {
			g = got[i]
		}
		if i < len(want) {
			x = want[i]
		}
		if g != x {
			t.Fatalf("width %d, row %d:\n got %q\nwant %q\ntext %q", w, i, g, x, text)
		}
	}
}

// checkRows fails the test unless rows are drawable: narrow enough, one line each, and without
// escape sequences other than SGR and links to the web.
func checkRows(t *testing.T, rows []string, w int, text string) {
	t.Helper()
	for i, row := range rows {
		if canvas.Width(row) > w {
			t.Fatalf("row %d is %d cells wide, not %d: %q\ntext %q", i, canvas.Width(row), w, row, text)
		}
		if clean := canvas.SanitizeRendered(row); clean != row || strings.Contains(row, "\n") {
			t.Fatalf("row %d: got unsanitized %q, want clean text\ntext %q", i, row, text)
		}
	}
}

// plainText returns rows as text without escape sequences.
func plainText(rows []string) string {
	return ansi.Strip(strings.Join(rows, "\n"))
}

// corpus contains documents with each construct and each way in which it can end.
var corpus = []string{
	"",
	"word",
	"# Heading\n\nA paragraph\nof two lines.\n\nAnother, with *emphasis*, **strong**, `code` and ~~no~~.\n",
	"Setext\n======\n\nStill\n---\n\n***\n",
	"para\n# directly a heading\npara again\n- and a list\n",
	"- one\n- two\n\n- three\n\n  of three\n\nafter\n",
	"1. one\n2. two\n   - nested\n\n     para\n10. ten\n\n11) other list\n",
	"- [x] done\n- [ ] open\n- plain\n",
	"> quote\nlazy\n>\n> - list\n>   > inner\n\n> another\n",
	"```go\nfunc main() {}\n\n\n// x\n```\n\nafter\n\n```\nbare\n```\ntext\n",
	"~~~ python title=x\nprint(1)\n```\nstill\n~~~\n",
	"```js\nnever closed\n\n# not a heading\n",
	"- item\n\n  ```sh\n  ls -l\n  ```\n\n- next\n",
	"    indented\n\n    code\n\npara\n\n\tby tab\n",
	"| a | b |\n|---|:-:|\n| 1 | `x\\|y` |\n| 2 |\n\nafter\n",
	"| a | b |\n|---|---|\n| long cell with many words in it | another long cell with words |\n",
	"a | b\n- | -\n1 | 2\npara?\n",
	"<div>\n\nhtml & <b>x</b>\n</div>\n\npara <b>inline</b> <!-- c -->\n",
	"<!-- a comment\n\nwith blank\n-->\n\nafter\n",
	"[ref], [text][ref] and ![img][pic]\n\n[ref]: http://a.example \"t\"\n[pic]: <http://b.example/x y>\n\n[ref] again\n",
	"[late]\n\n- [late] too\n\n[other]\n\n> [late]: http://late.example\n",
	"[a]: http://x.example\n  indented continuation\n\n[a]\n",
	"[closed late]\n\n[closed late]: http://end.example",
	"![alt *text*](http://i.example/p.png) <http://auto.example> https://bare.example/x_y_z mail@x.example\n",
	"hard  \nbreak\\\nand soft\n\n\\* \\$ &amp; &copy; &#35; &nosuch; \\\n",
	"a\r\nb\rc\r\n\r\nd\r\n",
	"日本語のテキスト、とても長い行です。 emoji 👩‍👩‍👧 e\u0301 \u200b x\n\n- 日本\n",
	"* a\n+ b\n- c\n1. d\n\n\n\n\n2. e\n",
	"- a\n\n      code in item\n\n  para\n\n\n- b\n",
	"term\n: not a definition list\n\nterm2\n\n: x\n",
	"1. a\n\n1",
	"*not closed **either `nor this [or](this <or \"this\n",
}
