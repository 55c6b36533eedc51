package chat

import (
	"slices"
	"strings"
	"testing"

	"parley/a2a"
	"parley/themes"
	"parley/ui/styles"
)

func TestOfAnEnormousTextTheEndIsDrawnAndTheRestIsToldOf(t *testing.T) {
	conv, art := streaming()
	p := open(mono(), conv, 60, 12)
	drawn := 0
	for i := range 24 {
		chunk(conv, art, a2a.RecordID(100+i), strings.Repeat("some text of a line\n", 6000)+"part "+string(rune('a'+i))+"\n")
		p.Lines()
		drawn = max(drawn, len(p.out.rows[len(p.out.rows)-1].out))
	}
	if got := screen(p); !strings.Contains(got, "part x") {
		t.Errorf("got a screen without the end of the text, want it:\n%s", got)
	}
	if !strings.Contains(strings.Join(p.out.rows[2].out, "\n"), "MB before this; V shows all of it") {
		t.Error("got rows that do not say that the beginning is hidden, want the hint")
	}
	if drawn > 60_000 {
		t.Errorf("got %d lines drawn, want at most 60,000", drawn)
	}
	p.Focus()
	if p.Selected() != 123 {
		t.Errorf("last line: got record %d under the cursor, want 123", p.Selected())
	}
	if got, ok := press(p, "y").(Copy); !ok || len(got.Text) != len(art.Text) {
		t.Error("y did not copy the text, want all of it")
	}
}

func TestPlainTextIsTheSameInAnyChunks(t *testing.T) {
	k := &renderer{settings: &settings{st: styles.New(themes.Mono(), styles.ASCII())}}
	text := []byte("first line\r\nsecond 안녕하세요\n\n" + strings.Repeat("long ", 2000) + "\n\ttab\nend")
	var whole, grown prose
	whole.update(text, 0, false)
	want := strings.Join(whole.lines(k, 30), "\n")
	for i := range text {
		grown.update(text[:i+1], 0, true)
		grown.lines(k, 30)
	}
	if got := strings.Join(grown.lines(k, 30), "\n"); got != want {
		t.Errorf("got lines %q, want %q", got, want)
	}
	grown.update([]byte("other"), 1, true)
	if got := grown.lines(k, 30); len(got) != 1 || got[0] != "other" {
		t.Errorf("replaced text: got lines %q, want other", got)
	}
}

// Dropping the beginning of a text must not wrap the rest again.
func TestAnEnormousTextIsWrappedOnce(t *testing.T) {
	k := &renderer{settings: &settings{st: styles.New(themes.Mono(), styles.ASCII())}}
	for name, unit := range map[string]string{"lines": "some words of a line\r\n", "one line": "some words of a line "} {
		t.Run(name, func(t *testing.T) {
			var p plain
			var text []byte
			given, wrapped := 0, 0
			for n := 0; len(text) < 4*plainWindow; n++ {
				text = append(text, strings.Repeat(unit, 1+n%50)...)
				p.text = text
				from := p.at
				got := p.lines(k, 40)
				if p.at < from {
					t.Fatalf("at %d bytes: the text is wrapped again from %d on, want from %d", len(text), p.at, from)
				}
				wrapped += p.at - from
				if p.from > given {
					given = p.from
					fresh := plain{text: text[p.from:]}
					if want := fresh.lines(k, 40); !slices.Equal(got, want) {
						t.Fatalf("text from %d on: got %d rows, want %d", p.from, len(got), len(want))
					}
				}
			}
			if given == 0 || wrapped > len(text) {
				t.Errorf("got %d bytes dropped, want more than 0; got %d bytes wrapped, want at most %d", given, wrapped, len(text))
			}
		})
	}
}
