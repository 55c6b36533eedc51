package markdown

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

const program = "// greet says hello.\nfunc greet(name string) string {\n\treturn `hello\n  ` + name // tabs, and a text over two lines\n}\n\n\n" +
	"# no heading\n- no list\n| no | table |\n|---|---|\n```\nno fence\n```\n"

func goCode() *Stream { return NewCode(dark(), (&clock{}).now, "go") }

func TestCodeIsShownAsItComesAndHighlightedWhenItIsThere(t *testing.T) {
	s := goCode()
	for _, line := range strings.SplitAfter(program, "\n") {
		s.Append([]byte(line))
		if _, ok := s.Job(40); ok {
			t.Fatalf("got a job after %q, before the code is complete, want none", line)
		}
	}
	want := strings.ReplaceAll(strings.TrimRight(program, "\n"), "\t", "    ")
	if got := plainText(s.Lines(80)); got != want {
		t.Errorf("incomplete code: got\n%s\nwant\n%s", got, want)
	}
	s.Close()
	given := settle(s, 80)
	if given != len(strings.ReplaceAll(program, "\t", "    ")) {
		t.Errorf("got %d bytes highlighted, want %d", given, len(strings.ReplaceAll(program, "\t", "    ")))
	}
	rows := s.Lines(80)
	if got := plainText(rows); got != want {
		t.Errorf("highlighted code: got\n%s\nwant\n%s", got, want)
	}
	if !strings.Contains(rows[1], dark().Accent.S("func")) || !strings.Contains(rows[0], dark().Faint.S("// greet says hello.")) {
		t.Errorf("got %q, want highlighted rows", rows[:2])
	}
	s.Append([]byte("var more = 1\n"))
	if got := plainText(s.Lines(80)); got != want+"\nvar more = 1" {
		t.Errorf("got later code\n%s\nwant it behind the first", got)
	}
	s.Close()
	settle(s, 80)
	if rows := s.Lines(80); !strings.Contains(rows[len(rows)-1], dark().Accent.S("var")) {
		t.Errorf("got %q, want later code highlighted", rows[len(rows)-1])
	}
}

func TestCodeLooksTheSameHoweverItCame(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 7))
	for range 100 {
		w := 1 + rnd.IntN(60)
		whole, pieces := goCode(), goCode()
		whole.Append([]byte(program))
		for text := program; text != ""; {
			n := min(1+rnd.IntN(12), len(text))
			pieces.Append([]byte(text[:n]))
			text = text[n:]
			if rnd.IntN(5) == 0 {
				pieces.Close()
				settle(pieces, w)
			}
			checkRows(t, pieces.Lines(w), w, text)
		}
		for _, s := range []*Stream{whole, pieces} {
			s.Close()
			settle(s, w)
		}
		compare(t, program, w, pieces.Lines(w), whole.Lines(w))
	}
}

func TestHighlightingGivesUpWhenItTakesTooLong(t *testing.T) {
	c := &clock{}
	slow := func() time.Time {
		c.t = c.t.Add(maxHighlightTime / 10)
		return c.t
	}
	text := strings.Repeat("var x = \"text\"\n", 100)
	lines := Code(dark(), slow, "go", text)
	if got, want := plainText(lines), strings.TrimSuffix(text, "\n"); got != want {
		t.Fatalf("truncated code: got\n%s\nwant\n%s", got, want)
	}
	if !strings.Contains(lines[0], dark().Accent.S("var")) || strings.Contains(lines[99], dark().Accent.S("var")) {
		t.Errorf("got first row %q, last row %q, want only the first highlighted", lines[0], lines[99])
	}
}

func TestHostileCodeComesToAnEnd(t *testing.T) {
	for _, language := range []string{"go", "python", "html", "json", "c", "perl", "sh", "yaml"} {
		for _, unit := range []string{"/*\n", "'''\n", "<a ", "\"", "$(", "{", "- ", "\x1b[31m", "\u202e", "\xff", "<<A\n", "&", "s/"} {
			within(t, language, func() {
				s := NewCode(dark(), time.Now, language)
				s.Append([]byte(strings.Repeat(unit, 2000)))
				s.Close()
				settle(s, 40)
				checkRows(t, s.Lines(40), 40, unit)
			})
		}
	}
}

func TestLanguage(t *testing.T) {
	for _, c := range []struct{ mediaType, name, want string }{
		{"text/x-python", "", "python"}, {"text/x-go; charset=utf-8", "x.txt", "go"}, {"application/json", "", "json"},
		{"application/vnd.api+json", "", "json"}, {"image/svg+xml", "", "xml"}, {"application/x-sh", "", "sh"},
		{"text/x-java-source", "", "java"}, {"application/javascript", "", "javascript"}, {"application/toml", "", "toml"},
		{"text/plain", "main.rs", "rs"}, {"", "a/b/Main.JAVA", "java"}, {"", `c:\x\run.PS1`, "ps1"}, {"", "Dockerfile", "dockerfile"},
		{"", "Makefile", "makefile"}, {"application/octet-stream", "q.sql", "sql"}, {"", "x.tar.gz", ""}, {"text/plain", "notes.txt", ""},
		{"text/csv", "t.csv", ""}, {"", "", ""}, {"text", "", ""}, {"/", "/", ""}, {"text/\x1b[31m", "\x00.\xff", ""},
	} {
		if got := Language(c.mediaType, c.name); got != c.want {
			t.Errorf("Language(%q, %q) = %q, want %q", c.mediaType, c.name, got, c.want)
		}
	}
	for _, a := range aliases {
		if !slices.Contains(strings.Fields(languages), a.language) || lexerFor(a.language) == nil {
			t.Errorf("got no lexer for %s, want one", a.language)
		}
	}
}
