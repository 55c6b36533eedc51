package jsonedit

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/internal/panetest"
	"parley/themes"
	"parley/ui/editor"
	"parley/ui/styles"
)

func open(d Draft) *Pane {
	p := New(styles.New(themes.Mono(), styles.Unicode()))
	p.SetSize(60, 12)
	p.Open(d)
	return p
}

func press(p *Pane, names ...string) (last Intent) {
	for _, n := range names {
		last = p.Key(panetest.Key(n))
	}
	return last
}

func screen(p *Pane) string { return panetest.Text(p.Lines()) }

func TestAMistakeIsToldWhileItIsWritten(t *testing.T) {
	p := open(Draft{Title: "data"})
	panetest.Sees(t, screen(p), "✓ an object with 0 members, 2 B", "alt+enter accepts it")
	press(p, "enter")
	p.Paste(tea.PasteMsg{Content: "\"ä\": 1.10,\r\n\"n\": 12345678901234567890,"})
	panetest.Sees(t, screen(p), "✕ line 3, column 26: a trailing comma")
	press(p, "alt+<")
	if in, ok := press(p, "alt+enter").(Refused); !ok || in.Why != "Line 3, column 26: a trailing comma." {
		t.Fatalf("alt+enter returned %v, want Refused", in)
	}
	if p.edit.Row != 2 || p.edit.Col != 25 {
		t.Errorf("cursor is at %d:%d, want 2:25", p.edit.Row, p.edit.Col)
	}
	press(p, "delete")
	panetest.Sees(t, screen(p), "✓ an object with 2 members")
	in, ok := press(p, "ctrl+s").(Done)
	if want := "{\n  \"ä\": 1.10,\n\"n\": 12345678901234567890\n}"; !ok || string(in.JSON) != want {
		t.Errorf("got JSON %q, want %q", in.JSON, want)
	}
}

func TestWhatIsNotTakenIsThereAgain(t *testing.T) {
	p := open(Draft{Title: "data"})
	press(p, "x")
	if in := press(p, "esc"); in != (Close{}) {
		t.Fatalf("esc returned %v, want Close", in)
	}
	p.Open(Draft{Title: "data"})
	if p.edit.Text() != "{x}" {
		t.Errorf("restored text is %q, want %q", p.edit.Text(), "{x}")
	}
	p.Open(Draft{Title: "metadata", Object: true})
	if p.edit.Text() != "" {
		t.Errorf("text for another title is %q, want none", p.edit.Text())
	}
	p.Open(Draft{Title: "metadata", Text: `{"a":}`, Object: true})
	if p.edit.Col != 5 {
		t.Errorf("cursor is at column %d, want 5, at the error", p.edit.Col)
	}
}

func TestMetadataIsAnObjectOrNothing(t *testing.T) {
	p := open(Draft{Title: "metadata", Object: true})
	panetest.Sees(t, screen(p), "empty: no value")
	if in, ok := press(p, "alt+enter").(Done); !ok || in.JSON != nil {
		t.Errorf("empty text returned %v, want Done without JSON", in)
	}
	p.Open(Draft{Title: "metadata", Text: `[1]`, Object: true})
	if in, ok := press(p, "alt+enter").(Refused); !ok || !strings.Contains(in.Why, "metadata must be an object") {
		t.Errorf("array returned %v, want Refused", in)
	}
}

func TestItIsLaidOutAndEditedElsewhere(t *testing.T) {
	p := open(Draft{Title: "data", Text: `{"a":[1,2.50]}`})
	press(p, "alt+l")
	if want := "{\n  \"a\": [\n    1,\n    2.50\n  ]\n}"; p.edit.Text() != want {
		t.Errorf("formatted text is %q, want %q", p.edit.Text(), want)
	}
	press(p, "alt+l")
	if p.edit.Text() != `{"a":[1,2.50]}` {
		t.Errorf("compacted text is %q, want %q", p.edit.Text(), `{"a":[1,2.50]}`)
	}
	if in := press(p, "alt+e"); in != (Edit{Text: `{"a":[1,2.50]}`}) {
		t.Errorf("alt+e returned %v, want Edit", in)
	}
	p.Edited("{\n\"b\": nul}\n")
	panetest.Sees(t, screen(p), "✕ line 2, column")
	if in, ok := press(p, "alt+l").(Refused); !ok || in.Why == "" {
		t.Errorf("alt+l on invalid JSON returned %v, want Refused", in)
	}
	press(p, "alt+<", "tab")
	if p.edit.Row != 1 {
		t.Errorf("tab moved to line %d, want 2", p.edit.Row+1)
	}
	p.Edited("[]")
	press(p, "tab")
	if p.edit.Text() != "[]" && strings.TrimSpace(p.edit.Text()) != "[]" {
		t.Errorf("tab in valid JSON resulted in %q, want only spaces added", p.edit.Text())
	}
}

func TestALargeTextIsCheckedWhenItIsTaken(t *testing.T) {
	p := open(Draft{Title: "data"})
	p.Edited("[" + strings.Repeat("1,\n", editor.LargeText/2) + "1]")
	press(p, "alt+<", "x")
	panetest.Sees(t, screen(p), "too large to check now; it is checked when you accept it")
	if in, ok := press(p, "alt+enter").(Refused); !ok || !strings.HasPrefix(in.Why, "Line 1, column 1") {
		t.Errorf("alt+enter returned %v, want Refused at line 1", in)
	}
}

func TestHostileTextIsDrawnInAnySize(t *testing.T) {
	p := open(Draft{Title: "metadata of \x1b[2J\u202e", Text: "{\"\x1b[2J\u202e\xff\x00\t" + strings.Repeat("語👩‍👩‍👧", 50) + "\n\r"})
	for w := range 13 {
		for h := range 9 {
			p.SetSize(7*w, h)
			panetest.Exact(t, p.Lines(), 7*w, h)
			panetest.Sanitized(t, append(p.Lines(), p.Title(), p.Note()))
			panetest.CursorInside(t, p.Cursor(), 7*w, h)
			p.Mouse(tea.MouseClickMsg{Button: tea.MouseLeft}, 3*w, h)
			p.Mouse(tea.MouseWheelMsg{Button: tea.MouseWheelUp}, 0, 0)
			press(p, "right", "down", "語")
		}
	}
}
