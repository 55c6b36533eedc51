package chat

import (
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
		t.Errorf("the end is not shown:\n%s", got)
	}
	if !strings.Contains(strings.Join(p.out.rows[2].out, "\n"), "MB before this; y copies all of it") {
		t.Error("nothing tells of the rest")
	}
	if drawn > 60_000 {
		t.Errorf("%d lines are drawn", drawn)
	}
	p.Focus()
	if p.Selected() != 123 {
		t.Errorf("the last line stands for record %d", p.Selected())
	}
	if got, ok := press(p, "y").(Copy); !ok || len(got.Text) != len(art.Text) {
		t.Error("y does not copy all of it")
	}
}

func TestPlainTextIsTheSameInAnyChunks(t *testing.T) {
	k := &ink{st: styles.New(themes.Mono(), styles.ASCII())}
	text := []byte("first line\r\nsecond 안녕하세요\n\n" + strings.Repeat("long ", 2000) + "\n\ttab\nend")
	var whole, grown prose
	whole.update(text, 0, false)
	want := strings.Join(whole.lines(k, 30), "\n")
	for i := range text {
		grown.update(text[:i+1], 0, true)
		grown.lines(k, 30)
	}
	if got := strings.Join(grown.lines(k, 30), "\n"); got != want {
		t.Errorf("%q is not %q", got, want)
	}
	grown.update([]byte("other"), 1, true)
	if got := grown.lines(k, 30); len(got) != 1 || got[0] != "other" {
		t.Errorf("replaced by %q", got)
	}
}
