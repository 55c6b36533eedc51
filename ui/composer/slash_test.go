package composer

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// commanded is a composer that knows commands, and counts how often it asked for them.
func commanded(w int) (c *Composer, asked *int) {
	asked = new(int)
	c = open(w, newTask)
	c.SetCommands(func() []Command {
		*asked++
		return []Command{
			{Word: "new", About: "New conversation"},
			{Word: "attach", Takes: "FILE", About: "Attach a file"},
			{Word: "agent", Takes: "NAME", About: "Go to an agent", Offers: func(arg string) []Offer {
				var out []Offer
				for _, name := range []string{"Travel Desk", "Scribe", "\x1b[2Jevil"} {
					if strings.HasPrefix(strings.ToLower(name), strings.ToLower(arg)) {
						out = append(out, Offer{Text: name, Note: "an agent"})
					}
				}
				return out
			}},
			{Word: "theme", Takes: "[NAME]", About: "Next theme"},
			{Word: "cancel", About: "Cancel the running task", Why: "nothing runs here"},
		}
	})
	return c, asked
}

func write(c *Composer, text string) {
	for _, r := range text {
		c.Key(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

func TestACommandIsRunAndNotSent(t *testing.T) {
	for text, want := range map[string]Intent{
		"/new":               Run{Word: "new"},
		"/new  ":             Run{Word: "new"},
		"/theme":             Run{Word: "theme"},
		"/theme mono":        Run{Word: "theme", Arg: "mono"},
		"/agent Travel Desk": Run{Word: "agent", Arg: "Travel Desk"},
		"/attach a b.pdf ":   Run{Word: "attach", Arg: "a b.pdf"},
	} {
		c, _ := commanded(60)
		c.Attach(report)
		write(c, text)
		if got := press(c, "enter"); got != want {
			t.Errorf("%q gave %v, want %v", text, got, want)
		}
		if c.Value() != "" || c.Attached() != 1 {
			t.Errorf("%q left %q and %d parts", text, c.Value(), c.Attached())
		}
		if press(c, "up"); strings.TrimSpace(c.Value()) != strings.TrimSpace(text) {
			t.Errorf("up gave %q, want %q", c.Value(), text)
		}
	}
}

func TestWhatCannotBeRunIsSaidAndStays(t *testing.T) {
	for text, want := range map[string]string{
		"/foo":      "There is no command /foo; // at the beginning sends a slash.",
		"/etc/host": "There is no command /etc/host",
		"/foo bar":  "There is no command /foo",
		"/attach":   "/attach needs more: /attach FILE",
		"/attach  ": "/attach needs more: /attach FILE",
		"/new now":  "/new takes no argument.",
		"/cancel":   "nothing runs here",
	} {
		c, _ := commanded(100)
		write(c, text)
		got, ok := press(c, "enter").(Refused)
		if !ok || !strings.Contains(got.Why, want) || c.Value() != text {
			t.Errorf("%q: enter gave %+v and left %q", text, got, c.Value())
		}
	}
}

func TestASuggestionThatBeginsWithASlashIsNoCommand(t *testing.T) {
	for _, by := range []string{"enter", "right enter"} {
		c, _ := commanded(60)
		h := NewHistory()
		c.SetHistory(h)
		c.SetGhost("/new flight")
		sent, _ := press(c, strings.Fields(by)...).(Send)
		if sent.Draft.Text != "/new flight" {
			t.Fatalf("%s gave %+v", by, sent)
		}
		c.SetGhost("")
		if press(c, "up"); c.Value() != "//new flight" || c.commanding() || h.Len() != 1 {
			t.Errorf("%s: up gave %q of %d in the history", by, c.Value(), h.Len())
		}
		if again, _ := press(c, "enter").(Send); again.Draft.Text != "/new flight" {
			t.Errorf("%s: sent again it is %+v", by, again)
		}
	}
}

func TestTwoSlashesSendOne(t *testing.T) {
	c, _ := commanded(60)
	write(c, "//etc/hosts")
	if got := screen(c); !strings.Contains(got, `enter sends "/etc/hosts"`) {
		t.Errorf("it is not said:\n%s", got)
	}
	if got, _ := press(c, "enter").(Send); got.Draft.Text != "/etc/hosts" {
		t.Fatalf("enter gave %+v", got)
	}
	if press(c, "up"); c.Value() != "//etc/hosts" {
		t.Errorf("up gave %q", c.Value())
	}
	c.SetDraft(Draft{})
	c.Restore(Draft{Text: "/etc/hosts"}) // it was not accepted
	if got, _ := press(c, "enter").(Send); got.Draft.Text != "/etc/hosts" {
		t.Errorf("sent again: %+v", got)
	}
}

// Nobody who pastes a path or a comment asks for a command.
func TestAPastedSlashIsSentAsItIs(t *testing.T) {
	for _, text := range []string{"/usr/bin/env: no such file\nmore", "// Package a\npackage a", "/* c */", "/", "/newer"} {
		c, _ := commanded(60)
		c.Paste(text)
		if got, _ := press(c, "enter").(Send); got.Draft.Text != text {
			t.Errorf("%q was sent as %+v", text, got)
		}
	}
	c, _ := commanded(60)
	c.Paste("/theme mono")
	if got := press(c, "enter"); got != (Run{Word: "theme", Arg: "mono"}) {
		t.Errorf("a pasted command gave %v", got)
	}
	write(c, "see ")
	c.Paste("/usr/bin")
	if c.Value() != "see /usr/bin" {
		t.Errorf("in the middle it became %q", c.Value())
	}
}

func TestWordsAreCompleted(t *testing.T) {
	for _, way := range []struct{ text, keys, want string }{
		{"/", "tab", "/new"},
		{"/th", "tab", "/theme "},
		{"/th", "enter", "/theme "},
		{"/a", "down down tab", "/agent "},
		{"/a", "down down enter", "/agent "},
		{"/a", "up enter", "/cancel"}, // what has it somewhere comes last, and up goes round
		{"/agent tr", "tab", "/agent Travel Desk"},
		{"/agent ", "down down enter", "/agent Scribe"},
		{"/th", "esc", "/th"},
		{"/th", "esc tab", "/th"}, // shows the list again
		{"/th", "esc tab tab", "/theme "},
	} {
		c, _ := commanded(60)
		write(c, way.text)
		var got Intent
		for _, k := range strings.Fields(way.keys) {
			got = press(c, k)
		}
		if c.Value() != way.want || got != nil {
			t.Errorf("%q %s: %q, want %q, and %v", way.text, way.keys, c.Value(), way.want, got)
		}
	}
}

func TestAnArgumentThatIsWrittenOutIsNotReplaced(t *testing.T) {
	c, _ := commanded(60)
	write(c, "/agent S")
	if got := press(c, "enter"); got != (Run{Word: "agent", Arg: "S"}) {
		t.Errorf("enter gave %v", got)
	}
}

func TestTheListIsSeenUntilItIsClosed(t *testing.T) {
	c, _ := commanded(60)
	if c.Popup(20) != nil || c.Completes() {
		t.Error("a list without a command")
	}
	write(c, "/")
	if got := len(c.Popup(20)); got != 7 {
		t.Errorf("%d rows", got)
	}
	if c.Popup(2) != nil || len(c.Popup(4)) != 4 {
		t.Error("it does not fit into little room")
	}
	if press(c, "esc"); c.Popup(20) != nil || !c.Completes() {
		t.Error("esc does not close it")
	}
	if write(c, "x"); c.Popup(20) != nil {
		t.Error("a list of nothing")
	}
	press(c, "backspace")
	press(c, "left") // before the slash
	if c.Popup(20) != nil {
		t.Error("a list although the cursor is elsewhere")
	}
}

func TestForeignWordsInTheListAreHarmless(t *testing.T) {
	for _, w := range []int{1, 5, 12, 20, 80} {
		c, _ := commanded(w)
		write(c, "/agent ")
		for _, line := range c.Popup(20) {
			if strings.Contains(line, "\x1b[2J") {
				t.Errorf("%d: %q", w, line)
			}
		}
		press(c, "up", "enter") // the last one
		c.SetSize(w, c.Height())
		exact(t, c, w, c.Height())
	}
}

func TestAClickTakesAnOffer(t *testing.T) {
	c, _ := commanded(60)
	write(c, "/")
	click := tea.MouseClickMsg{Button: tea.MouseLeft}
	if !c.PopupMouse(click, 4, 2, 20) || c.Value() != "/attach " {
		t.Errorf("the click made %q", c.Value())
	}
	if c.PopupMouse(click, 4, 2, 20) {
		t.Error("a click on a list that is not there")
	}
	c.SetValue("/")
	if c.PopupMouse(tea.MouseWheelMsg{Button: tea.MouseWheelDown}, 4, 2, 20); c.slash.pick != 0 {
		t.Error("the wheel chooses nothing")
	}
	if c.PopupMouse(click, 59, 2, 20) || c.PopupMouse(click, 4, -1, 20) {
		t.Error("a click beside it is taken")
	}
}

// The commands are asked for when a slash is written, not at every key.
func TestCommandsAreAskedForOncePerCommand(t *testing.T) {
	c, asked := commanded(60)
	write(c, "a/b and more")
	if *asked != 0 {
		t.Errorf("asked %d times without a slash", *asked)
	}
	c.SetValue("")
	write(c, "/theme mono")
	for range 10 {
		c.Lines()
		c.Popup(20)
		c.ShortHelp()
	}
	if *asked != 1 {
		t.Errorf("asked %d times", *asked)
	}
}

func TestHistoryGoesPastACommand(t *testing.T) {
	c, _ := commanded(60)
	c.SetHistory(NewHistory("first", "/new"))
	press(c, "up")
	if c.Value() != "/new" || c.Listed() {
		t.Fatalf("up gave %q, listed %v", c.Value(), c.Listed())
	}
	if press(c, "up"); c.Value() != "first" {
		t.Errorf("up gave %q", c.Value())
	}
}

func FuzzCommandsNeverPanicAndLoseNothing(f *testing.F) {
	for _, text := range []string{"/", "//", "/ ", "/theme\u00a0x", "/th\x00", "/\u202e", "/agent\n\n", "/agent \xff"} {
		f.Add(text, uint(3))
	}
	names := []string{"tab", "enter", "up", "down", "esc", "left", "backspace", "right"}
	f.Fuzz(func(t *testing.T, text string, keys uint) {
		c, _ := commanded(24)
		c.SetValue(text)
		for range 6 {
			held := c.Value()
			in := press(c, names[keys%8])
			switch in := in.(type) {
			case Send:
				if want := strings.TrimPrefix(held, "/"); in.Draft.Text != held && in.Draft.Text != want {
					t.Fatalf("%q was sent as %q", held, in.Draft.Text)
				}
			case Refused:
				if c.Value() != held {
					t.Fatalf("%q became %q", held, c.Value())
				}
			}
			keys /= 8
			c.SetSize(24, c.Height())
			exact(t, c, 24, c.Height())
			c.Popup(9)
		}
	})
}
