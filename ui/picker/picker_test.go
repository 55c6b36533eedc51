package picker

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/internal/attach"
	"parley/internal/panetest"
	"parley/themes"
	"parley/ui/styles"
)

var docs = filepath.Join(string(filepath.Separator), "home", "ann", "docs")

func listing() Listing {
	day := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	return Listing{Dir: docs, Entries: []attach.Entry{
		{Name: "sub", Folder: true, Modified: day},
		{Name: ".env", Size: 3, Modified: day},
		{Name: "map.png", Size: 1200, Modified: day, Media: "image/png"},
		{Name: "notes.md", Size: 8, Modified: day, Media: "text/markdown"},
	}}
}

func newPane(t *testing.T, l Listing) *Pane {
	t.Helper()
	p := New(styles.New(themes.Mono(), styles.Unicode()))
	p.SetSize(100, 24)
	in := p.Open(l.Dir, func(media string) bool { return media != "image/png" })
	if in != (Enter{Dir: l.Dir}) {
		t.Fatalf("got intent %v, want Enter of %s", in, l.Dir)
	}
	p.SetListing(l)
	return p
}

func press(p *Pane, names ...string) (last Intent) {
	for _, n := range names {
		last = p.Key(panetest.Key(n))
	}
	return last
}

func screen(p *Pane) string { return panetest.Text(p.Lines()) }

func chosen(in Intent) []string {
	c, _ := in.(Choose)
	return c.Paths
}

func TestFoldersAreEnteredAndFilesChosen(t *testing.T) {
	p := newPane(t, listing())
	panetest.Sees(t, screen(p), "parent folder", "sub/", "map.png", "⚑ image/png", "1.2 kB", "notes.md")
	if strings.Contains(screen(p), ".env") {
		t.Errorf("got a screen with hidden files, want them omitted:\n%s", screen(p))
	}
	if in := press(p, "enter"); in != (Enter{Dir: filepath.Join(docs, "sub")}) {
		t.Fatalf("got intent %v for enter, want Enter of sub", in)
	}
	panetest.Sees(t, screen(p), "parent folder")
	if in := press(p, "enter"); in != nil {
		t.Errorf("got intent %v for enter while a folder is read, want none", in)
	}
	p.SetListing(Listing{Dir: "/elsewhere", Entries: []attach.Entry{{Name: "late"}}})
	if strings.Contains(screen(p), "late") {
		t.Error("got the listing of a folder that was not requested, want it ignored")
	}
	p.SetListing(Listing{Dir: filepath.Join(docs, "sub")})
	if in := press(p, "left"); in != (Enter{Dir: docs}) {
		t.Fatalf("got intent %v for left, want Enter of %s", in, docs)
	}
	p.SetListing(listing())
	if e := p.selected(); e == nil || e.Name != "sub" {
		t.Errorf("got %v selected in the parent folder, want sub", e)
	}
	if got := chosen(press(p, "down", "enter")); !slices.Equal(got, []string{filepath.Join(docs, "map.png")}) {
		t.Errorf("got paths %q, want map.png", got)
	}
}

func TestWhatIsTypedNarrowsAndCanBeAPath(t *testing.T) {
	p := newPane(t, listing())
	press(p, "n", "t", "s")
	if got := chosen(press(p, "enter")); !slices.Equal(got, []string{filepath.Join(docs, "notes.md")}) {
		t.Errorf("got paths %q, want notes.md", got)
	}
	press(p, ".", "e")
	if got := chosen(press(p, "enter")); !slices.Equal(got, []string{filepath.Join(docs, ".env")}) {
		t.Errorf("got paths %q, want .env", got)
	}
	p.Paste(tea.PasteMsg{Content: "~/a\nb\x1b[2J"})
	if got := chosen(press(p, "enter")); !slices.Equal(got, []string{"~/a b"}) {
		t.Errorf("got paths %q, want %q", got, "~/a b")
	}
	p.Paste(tea.PasteMsg{Content: "no such thing"})
	panetest.Sees(t, screen(p), "no match; enter uses the text as a path")
	press(p, "backspace", "alt+.")
	if !p.hidden {
		t.Error("got hidden files omitted after alt+., want them listed")
	}
}

func TestSeveralFilesAreMarked(t *testing.T) {
	p := newPane(t, listing())
	if in, ok := press(p, "tab").(Refused); !ok || !strings.Contains(in.Why, "folder") {
		t.Errorf("got %v for a folder, want a refusal to mark it", in)
	}
	press(p, "down", "tab", "tab")
	panetest.Sees(t, screen(p), "enter attaches 2 marked files")
	press(p, "tab")
	panetest.Sees(t, screen(p), "enter attaches 1 marked file")
	press(p, "tab")
	if got := chosen(press(p, "enter")); !slices.Equal(got, []string{filepath.Join(docs, "map.png"), filepath.Join(docs, "notes.md")}) {
		t.Errorf("got paths %q, want map.png and notes.md", got)
	}
	p.Open(docs, func(string) bool { return true })
	if len(p.marks) != 0 {
		t.Errorf("got %d marks after the pane was opened again, want none", len(p.marks))
	}
}

func TestAFolderThatCannotBeReadSaysSo(t *testing.T) {
	p := newPane(t, Listing{Dir: docs, Why: "There is no folder \x1b[2J."})
	panetest.Sees(t, screen(p), "There is no folder ⟨ESC⟩.")
	if in := press(p, "enter"); in != (Enter{Dir: filepath.Dir(docs)}) {
		t.Errorf("got intent %v, want Enter of the parent folder", in)
	}
	root := string(filepath.Separator)
	p = newPane(t, Listing{Dir: root})
	if in, ok := press(p, "left").(Refused); !ok || in.Why == "" {
		t.Errorf("got %v for left in the root, want a refusal", in)
	}
	if in, ok := press(p, "enter").(Refused); !ok || in.Why == "" {
		t.Errorf("got %v for enter in an empty root, want a refusal", in)
	}
}

func TestHostileNamesAreDrawnInAnySize(t *testing.T) {
	l := Listing{Dir: docs, More: true}
	for range 60 {
		l.Entries = append(l.Entries, attach.Entry{Name: "\x1b[2J\u202e語\xff\n" + strings.Repeat("👩‍👩‍👧", 30), Media: "\x1b[1m", Size: 1 << 40})
	}
	p := newPane(t, l)
	for w := range 13 {
		for h := 0; h < 26; h += 3 {
			p.SetSize(10*w, h)
			panetest.Exact(t, p.Lines(), 10*w, h)
			panetest.Sanitized(t, p.Lines())
			press(p, "down", "tab", "語")
			p.Mouse(tea.MouseClickMsg{Button: tea.MouseLeft}, 1, h)
			p.Mouse(tea.MouseWheelMsg{Button: tea.MouseWheelDown}, 1, h)
			p.Note()
			press(p, "backspace")
		}
	}
}

func TestNamesHaveTheRoomBeforeDates(t *testing.T) {
	l := listing()
	name := "quarterly-report-of-the-harbour.pdf"
	l.Entries = append(l.Entries, attach.Entry{Name: name, Size: 1 << 20, Modified: l.Entries[0].Modified, Media: "application/pdf"})
	p := newPane(t, l)
	for _, c := range []struct {
		w            int
		whole, dated bool
	}{{100, true, true}, {76, true, false}, {60, false, false}, {40, true, false}} {
		p.SetSize(c.w, 24)
		got := screen(p)
		if whole, dated := strings.Contains(got, name), strings.Contains(got, "2026-03-01"); whole != c.whole || dated != c.dated {
			t.Errorf("%d columns: got whole name %v and date %v, want %v and %v:\n%s", c.w, whole, dated, c.whole, c.dated, got)
		}
	}
}
