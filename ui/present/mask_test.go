package present

import (
	"fmt"
	"strings"
	"testing"

	"parley/themes"
	"parley/ui/canvas"
	"parley/ui/styles"
)

const (
	key   = "sk-ant-api03-Zq8rT2vW5yB1nM4kJ7hG0fD3sA6pL9oI"
	webID = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"
	uuid  = "91c2e0d4-77f1-4c1e-9d3a-0b1c2d3e4f50"
)

func newMask(glyphs styles.Glyphs) *Mask {
	m := NewMask("/srv/people/me")
	m.SetStyles(styles.New(themes.Dark(), glyphs))
	return m
}

func TestAMaskHidesCredentialsHomesAndLongIDs(t *testing.T) {
	m := newMask(styles.Unicode())
	for _, c := range []struct{ line, want string }{
		{"Before you go, see the map.", "Before you go, see the map."},
		{"saved in /home/ada/talks/x.json", "saved in ~/talks/x.json"},
		{"saved in /srv/people/me/x.json", "saved in ~/x.json"},
		{"/srv/people/mega and /srv/people/me", "/srv/people/mega and ~"},
		{"file:///home/ada/x and /Users/Ada.L/y", "file://~/x and ~/y"},
		{`C:\Users\ada\x`, `~\x`},
		{"https://example.com/home/news", "https://example.com/home/news"},
		{"the key is " + key + ".", "the key is •••."},
		{"Authorization: Bearer abc123def", "Authorization: •••"},
		{"see authorization  Bearer abc", "see authorization  Bearer abc"}, // no sign, no quotes: words
		{"│ X-Api-Key      abc123  masked", "│ X-Api-Key      •••     masked"},
		{"Authorization  Bearer abc", "Authorization  •••"},
		{`  password   "hunter2"`, `  password   "•••"`},
		{`{"client_secret":"s3cr","x":1}`, `{"client_secret":"•••","x":1}`},
		{"https://a.example/x?api_key=abcd1234&y=1", "https://a.example/x?api_key=•••&y=1"},
		{"https://ada:pw@a.example/x", "https://•••@a.example/x"},
		{`code "x", key "itinerary", Ticket: OS411`, `code "x", key "itinerary", Ticket: OS411`},
		{`taskId "` + uuid + `"`, `taskId "91c2…"`},
		{`taskId "` + uuid[:30] + "…", `taskId "91c2…`},
		{"task-" + uuid + "-a", "task-91c2…-a"},
		{"/a2a/tasks/" + uuid + "/x", "/a2a/tasks/91c2…/x"},
		{"trace 4bf92f3577b34da6a3ce929d0e0e4736", "trace 4bf9…"},
		{"TASK_STATE_INPUT_REQUIRED and SendStreamingMessageToAnAgentOfTheMesh", "TASK_STATE_INPUT_REQUIRED and SendStreamingMessageToAnAgentOfTheMesh"},
		{"docs/2026/some-folder/With1Digit/AndOneMoreFile2", "docs/2026/some-folder/With1Digit/AndOneMoreFile2"},
		{strings.Repeat("aB3", 20), "•••"},
		{"next page token: abc", "next page token: •••"},
	} {
		got := m.row(&canvas.Parts{"", c.line, ""})
		if strings.TrimRight(got, " ") != c.want {
			t.Errorf("%q: got %q, want %q", c.line, got, c.want)
		}
		if canvas.Width(got) != canvas.Width(c.line) {
			t.Errorf("%q: got %d cells, want %d", c.line, canvas.Width(got), canvas.Width(c.line))
		}
	}
}

// A word that is longer than a pane goes on in the next row, and so do the bars at the left edge.
func TestAMaskFollowsAWordIntoTheNextRow(t *testing.T) {
	m := newMask(styles.Unicode())
	for _, secret := range []string{key, webID, "/srv/people/me/talks", "/home/ada-lovelace/talks"} {
		for w := 12; w < 100; w++ {
			text := "the text before it is " + secret + " and the text behind it"
			var rows []string
			for _, row := range canvas.Wrap(text, w-2) {
				rows = append(rows, canvas.Fit("▌ "+row, w))
			}
			shown := ""
			for y, row := range m.Rows(Talk, rows) {
				if canvas.Width(row) != w {
					t.Fatalf("%d cells, row %d: got %q, want as many cells", w, y, row)
				}
				shown += strings.TrimRight(undecorated(row), " ")
			}
			for _, part := range []string{secret, secret[:len(secret)*2/3], "/srv/people/me", "ada-lovelace"} {
				if strings.Contains(shown, part) {
					t.Errorf("%d cells: got %q, want nothing of %q", w, shown, secret)
				}
			}
		}
	}
}

func TestWhatIsTypedStaysWhereItIs(t *testing.T) {
	m := newMask(styles.Unicode())
	for line, want := range map[string]string{
		"❯ /attach /home/ada/x":  "❯ /attach •••••••••/x",
		"❯ " + key[:30] + "|":    "❯ " + strings.Repeat("•", 30) + "|",
		"❯ the task is " + uuid:  "❯ the task is " + uuid,
		"❯ password: abcdef yes": "❯ password: •••••• yes",
	} {
		if got := m.Typed(Text, []string{line}, All)[0]; got != want {
			t.Errorf("%q: got %q, want %q", line, got, want)
		}
	}
}

// The rest of a sheet is masked as usual.
func TestOnlyTheRowOfTheCursorStaysWhereItIs(t *testing.T) {
	m := newMask(styles.Unicode())
	got := m.Typed(Overlay, []string{"/home/ada/x", "/home/ada/y"}, 1)
	if got[0] != "~/x        " || got[1] != "•••••••••/y" {
		t.Errorf("got %q, want the second row with every cell where it was", got)
	}
}

func TestAMaskOfASCIIHasNoOtherSigns(t *testing.T) {
	m := newMask(styles.ASCII())
	if got, want := m.Line("key: "+key+" "+uuid), "key: *** 91c2~"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := m.Typed(Text, []string{"> /home/ada/x"}, All)[0], "> *********/x"; got != want {
		t.Errorf("got %q where it is typed, want %q", got, want)
	}
}

// A frame costs the rows that changed.
func TestRowsThatDidNotChangeAreNotMaskedAgain(t *testing.T) {
	m := newMask(styles.Unicode())
	rows := make([]string, 60)
	for y := range rows {
		rows[y] = canvas.Fit(fmt.Sprintf("row %d of /home/ada", y), 80)
	}
	m.Rows(Wire, rows)
	if m.drawn != 60 {
		t.Errorf("got %d masked rows in the first frame, want 60", m.drawn)
	}
	m.drawn, rows[30] = 0, canvas.Fit("another", 80)
	if m.Rows(Wire, rows); m.drawn != 1 {
		t.Errorf("got %d masked rows after one changed, want it alone", m.drawn)
	}
}

func TestALinkToAHiddenAddressIsDropped(t *testing.T) {
	m := newMask(styles.Unicode())
	line := "\x1b]8;;https://a.example/?access_token=abcd\x1b\\the result\x1b]8;;\x1b\\"
	if got := m.row(&canvas.Parts{"", line, ""}); got != "the result" {
		t.Errorf("got %q, want the text alone", got)
	}
}

func FuzzMask(f *testing.F) {
	f.Add("▌ the key is "+key, "/home/ada", uuid)
	f.Fuzz(func(t *testing.T, above, line, below string) {
		m := newMask(styles.Unicode())
		rows := []string{canvas.Fit(canvas.SanitizeLine(above), 40), canvas.Fit(canvas.SanitizeLine(line), 40), canvas.Fit(canvas.SanitizeLine(below), 40)}
		for _, masked := range [][]string{m.Rows(Talk, rows), m.Typed(Talk, rows, 1), m.Typed(Talk, rows, All)} {
			for y, row := range masked {
				if got := canvas.Width(row); got != 40 {
					t.Errorf("row %d: got %d cells in %q for %q, want 40", y, got, row, rows[y])
				}
			}
		}
	})
}
