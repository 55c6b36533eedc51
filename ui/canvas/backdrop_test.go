package canvas

import (
	"strings"
	"testing"

	"parley/themes"
	"parley/ui/styles"
)

func TestABackdropKeepsWordsAndHairlinesAndNoAccent(t *testing.T) {
	st := styles.New(themes.Dark(), styles.Unicode())
	line := st.Hairline.S("│") + st.Waiting.Bold().S("needs you") + " and " + Select(st.Accent.S("here"), st) + st.Chip.S("{ }")
	got := Backdrop(line, st)
	want := st.Faint.On + st.Hairline.On + "│" + st.Faint.On + "needs you" + st.Faint.On + " and here" + strings.Repeat(st.Faint.On, 2) + "{ }" + st.Faint.On + reset
	if Width(got) != Width(line) {
		t.Errorf("backdrop: got %d columns, want %d", Width(got), Width(line))
	}
	if got != want {
		t.Errorf("backdrop:\n got %q\nwant %q", got, want)
	}
}

func TestABackdropWithoutColoursIsPlainText(t *testing.T) {
	st := styles.New(themes.Mono(), styles.ASCII())
	if got, want := Backdrop(st.Waiting.S("needs you")+" "+st.Chip.S("{ }"), st), "needs you { }"; got != want {
		t.Errorf("backdrop: got %q, want %q", got, want)
	}
}

func TestABackdropKeepsLinks(t *testing.T) {
	st := styles.New(themes.Dark(), styles.Unicode())
	link := "\x1b]8;;https://example.com\x1b\\here\x1b]8;;\x1b\\"
	if got := Backdrop(link, st); !strings.Contains(got, link) {
		t.Errorf("backdrop: got %q, want it to contain %q", got, link)
	}
}
