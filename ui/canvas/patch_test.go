package canvas

import (
	"strings"
	"testing"
)

func TestAPatchedLineKeepsItsColumns(t *testing.T) {
	red := func(s string) string { return "\x1b[31m" + s + reset }
	for _, c := range []struct {
		name, line string
		patches    []Patch
		want       string
	}{
		{"nothing", "as it is", nil, "as it is"},
		{"the end of the line", "see /home/me/x", []Patch{{4, 12, "~"}}, "see ~/x       "},
		{"a column behind", "/home/me/x  12 B", []Patch{{0, 8, "~"}}, "~/x         12 B"},
		{"painted", "see " + red("/home/me") + "/x  12 B", []Patch{{4, 12, "~"}}, "see " + "\x1b[31m~" + reset + "/x         12 B"},
		{"in two colours", "a" + red("bc") + "d", []Patch{{0, 3, "*"}}, "*\x1b[31m" + reset + "d  "},
		{"wider", "abc", []Patch{{1, 2, "***"}}, "a*c"},
		{"several", "aaaa bbbb  c", []Patch{{0, 4, "*"}, {5, 9, "*"}}, "* *        c"},
		{"wide runes", "漢字  x", []Patch{{0, 6, "*"}}, "*     x"},
	} {
		got := Patched(c.line, c.patches)
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
		if Width(got) != Width(c.line) {
			t.Errorf("%s: got %d cells, want %d as before", c.name, Width(got), Width(c.line))
		}
	}
}

func TestALinkIsDroppedAndItsTextStays(t *testing.T) {
	link := func(address string) string { return "\x1b]8;;" + address + "\x1b\\text\x1b]8;;\x1b\\" }
	line := link("https://a.example/?token=x") + " " + link("https://b.example")
	got := WithoutLinks(line, func(a string) bool { return strings.Contains(a, "token") })
	if want := "text " + link("https://b.example"); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Whatever a line has, a patch neither changes its width nor breaks its sequences.
func FuzzPatched(f *testing.F) {
	f.Add("see \x1b[31m/home/me\x1b[m/x  12 B", uint8(4), uint8(12), "~")
	f.Fuzz(func(t *testing.T, s string, from, to uint8, text string) {
		line, text := SanitizeRendered(s), SanitizeLine(text)
		line, _, _ = strings.Cut(line, "\n")
		plain := Plain(line)
		starts := []int{}
		for i := range plain {
			starts = append(starts, i)
		}
		if len(starts) < 2 {
			return
		}
		a, b := starts[int(from)%len(starts)], starts[int(to)%len(starts)]
		if a >= b || Width(plain[:a])+Width(plain[a:b])+Width(plain[b:]) != Width(plain) {
			return // the patch would divide a cluster
		}
		if Width(plain[:a])+Width(text)+Width(plain[b:]) != Width(plain[:a]+text+plain[b:]) {
			return // the text would join its neighbours
		}
		if got := Patched(line, []Patch{{a, b, text}}); Width(got) != Width(line) {
			t.Errorf("%q with %q for bytes %d to %d: got %d cells, want %d", line, text, a, b, Width(got), Width(line))
		}
	})
}
