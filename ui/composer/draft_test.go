package composer

import (
	"encoding/json"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
)

var (
	report = a2a.Part{Kind: a2a.PartBytes, Filename: "report.pdf", MediaType: "application/pdf", Content: make([]byte, 12_000)}
	dates  = a2a.DataPart(json.RawMessage(`{"from":"10 October"}`))
	link   = a2a.Part{Kind: a2a.PartURL, URL: "https://user:pass@files.example/a.png", MediaType: "image/png"}
)

func TestADraftComesBackAsItWas(t *testing.T) {
	c := open(60, newTask)
	want := Draft{Text: "see\nboth", Parts: []a2a.Part{report, dates}, Secret: true}
	want.Options.Async = true
	c.SetDraft(want)
	got := c.Draft()
	if got.Text != want.Text || len(got.Parts) != 2 || !got.Secret || !got.Options.Async {
		t.Fatalf("got draft %+v, want the one that was set", got)
	}
	c.Detach(0)
	if len(got.Parts) != 2 || got.Parts[0].Filename != "report.pdf" || len(want.Parts) != 2 || c.Attached() != 1 {
		t.Error("got a changed copy of the draft after Detach, want it unchanged")
	}
	c.SetDraft(Draft{})
	if !c.Empty() || c.Draft().Secret || c.Draft().Options.Async {
		t.Errorf("got draft %+v, want an empty one", c.Draft())
	}
}

func TestEnterSendsWhatGoesWithTheText(t *testing.T) {
	c := open(60, newTask)
	c.SetGhost("London")
	c.Attach(report)
	if strings.Contains(screen(c), "London") {
		t.Errorf("got a suggestion although a file is attached, want none:\n%s", screen(c))
	}
	got, ok := press(c, "enter").(Send)
	if parts := got.Draft.Message(); !ok || got.Ghost || len(parts) != 1 || parts[0].Filename != "report.pdf" {
		t.Fatalf("got intent %+v, want Send of the file alone", got)
	}
	if !c.Empty() {
		t.Error("got a file after Send, want an empty composer")
	}
	c.Attach(dates)
	c.Paste("these")
	got, _ = press(c, "enter").(Send)
	if parts := got.Draft.Message(); len(parts) != 2 || parts[0].Text != "these" || parts[1].Kind != a2a.PartData {
		t.Errorf("got intent %+v, want Send of text and data", got)
	}
}

func TestWhatIsClearedComesBackWithAllThatWentWithIt(t *testing.T) {
	c := open(60, newTask)
	c.Attach(report)
	c.Paste("read it")
	if !c.Clear() || !c.Empty() {
		t.Fatal("got a draft after Clear, want none")
	}
	press(c, "up")
	if d := c.Draft(); d.Text != "read it" || len(d.Parts) != 1 {
		t.Errorf("got draft %+v after up, want the text and its file", d)
	}
	press(c, "down")
	if !c.Empty() {
		t.Errorf("got draft %+v after down, want an empty one", c.Draft())
	}
}

func TestTheHistoryKeepsNoSecret(t *testing.T) {
	h := NewHistory("old")
	c := open(60, answer)
	c.SetHistory(h)
	c.SetDraft(Draft{Text: "hunter2", Secret: true})
	press(c, "enter")
	c.SetDraft(Draft{Text: "hunter3", Secret: true})
	c.Clear()
	if press(c, "up"); c.Value() != "old" {
		t.Errorf("got text %q after up, want old: the history stores no secret", c.Value())
	}
}

func TestChipsSayWhatGoesWithTheTextAndAreTakenAway(t *testing.T) {
	c := open(80, newTask)
	for _, p := range []a2a.Part{report, dates, link} {
		c.Attach(p)
	}
	c.SetSize(80, c.Height())
	exact(t, c, 80, 6)
	got := screen(c)
	for _, want := range []string{"report.pdf application/pdf - 12 kB", "data JSON - 21 B", "files.example/a.png image/png"} {
		if !strings.Contains(got, want) {
			t.Errorf("got a screen without %q:\n%s", want, got)
		}
	}
	if strings.Contains(got, "pass") {
		t.Errorf("got a screen with the password of a URL, want it masked:\n%s", got)
	}
	row := strings.Split(got, "\n")[4]
	if in := c.Mouse(tea.MouseClickMsg{Button: tea.MouseLeft}, len(strings.TrimRight(row, " "))-1, 4); in != (Detached{Name: "data"}) {
		t.Fatalf("got intent %v for a click on the mark, want Detached of data", in)
	}
	if in := c.Mouse(tea.MouseClickMsg{Button: tea.MouseLeft}, 5, 4); in != (Change{Index: 0}) || c.Attached() != 2 {
		t.Errorf("got intent %v and %d parts for a click on the name, want Change of part 0 and 2 parts", in, c.Attached())
	}
	if in := press(c, "alt+x"); in == nil || c.Attached() != 1 || c.draft.Parts[0].Filename != "report.pdf" {
		t.Errorf("got intent %v and %d parts after alt+x, want only the report", in, c.Attached())
	}
	press(c, "alt+x")
	if in := press(c, "alt+x"); in != nil {
		t.Errorf("got intent %v for alt+x without parts, want none", in)
	}
}

func TestManyAndHostileChipsFit(t *testing.T) {
	for _, w := range []int{0, 1, 5, 20, 80} {
		c := open(w, newTask)
		for range 100 {
			c.Attach(a2a.Part{Kind: a2a.PartBytes, Filename: "\x1b[2J../../" + strings.Repeat("👩‍👩‍👧‍👦", 700), MediaType: "\u202e" + strings.Repeat("x", 500)})
		}
		c.Attach(a2a.Part{})
		c.SetSize(w, c.Height())
		exact(t, c, w, 7)
		for _, line := range c.Lines() {
			if strings.ContainsFunc(sgr.ReplaceAllString(strings.ReplaceAll(line, "\u200d", ""), ""), unshowable) {
				t.Errorf("row has control characters: %q", line)
			}
		}
		if w == 80 && !strings.Contains(screen(c), "and 98 more parts") {
			t.Errorf("got a screen that does not count the other 98 parts:\n%s", screen(c))
		}
		c.SetSize(w, 3) // no room for them
		exact(t, c, w, 3)
	}
}
