package composer

import (
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/ui/action"
)

// commanded returns a composer with commands and the number of calls for them.
func commanded(w int) (c *Composer, asked *int) {
	asked = new(int)
	c = open(w, newTask)
	c.SetCommands(func() []Command {
		*asked++
		return []Command{
			{Word: "new", About: "New conversation"},
			{Word: "attach", Takes: "FILE", About: "Attach a file"},
			{Word: "agent", Takes: "NAME", About: "Go to an agent", Offers: func(arg string) []action.Offer {
				var out []action.Offer
				for _, name := range []string{"Travel Desk", "Scribe", "\x1b[2Jevil"} {
					if strings.HasPrefix(strings.ToLower(name), strings.ToLower(arg)) {
						out = append(out, action.Offer{Text: name, Note: "an agent"})
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
			t.Errorf("%q: got intent %v for enter, want %v", text, got, want)
		}
		if c.Value() != "" || c.Attached() != 1 {
			t.Errorf("%q: got text %q and %d parts after enter, want none and 1", text, c.Value(), c.Attached())
		}
		if press(c, "up"); strings.TrimSpace(c.Value()) != strings.TrimSpace(text) {
			t.Errorf("got text %q after up, want %q", c.Value(), text)
		}
	}
}

func TestWhatCannotBeRunIsSaidAndStays(t *testing.T) {
	for text, want := range map[string]string{
		"/foo":      "There is no command /foo; // at the beginning sends a slash.",
		"/etc/host": "There is no command /etc/host",
		"/foo bar":  "There is no command /foo",
		"/atach x":  "There is no command /atach; did you mean /attach?",
		"/attach":   "/attach needs more: /attach FILE",
		"/attach  ": "/attach needs more: /attach FILE",
		"/new now":  "/new takes no argument.",
		"/cancel":   "nothing runs here",
	} {
		c, _ := commanded(100)
		write(c, text)
		got, ok := press(c, "enter").(Refused)
		if !ok || !strings.Contains(got.Why, want) || c.Value() != text {
			t.Errorf("%q: got %+v for enter and text %q, want refusal %q and the text unchanged", text, got, c.Value(), want)
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
			t.Fatalf("%s: got intent %+v, want Send of the suggestion", by, sent)
		}
		c.SetGhost("")
		if press(c, "up"); c.Value() != "//new flight" || c.isCommand() || h.Len() != 1 {
			t.Errorf("%s: got text %q after up and %d entries, want two slashes and 1 entry", by, c.Value(), h.Len())
		}
		if again, _ := press(c, "enter").(Send); again.Draft.Text != "/new flight" {
			t.Errorf("%s: got intent %+v for enter, want Send of the same text", by, again)
		}
	}
}

func TestTwoSlashesSendOne(t *testing.T) {
	c, _ := commanded(60)
	write(c, "//etc/hosts")
	if got := screen(c); !strings.Contains(got, `enter sends "/etc/hosts"`) {
		t.Errorf("got a screen that does not say which text enter sends:\n%s", got)
	}
	if got, _ := press(c, "enter").(Send); got.Draft.Text != "/etc/hosts" {
		t.Fatalf("got intent %+v for enter, want Send with one slash", got)
	}
	if press(c, "up"); c.Value() != "//etc/hosts" {
		t.Errorf("got text %q after up, want //etc/hosts", c.Value())
	}
	c.SetDraft(Draft{})
	c.Restore(Draft{Text: "/etc/hosts"}) // could not be sent
	if got, _ := press(c, "enter").(Send); got.Draft.Text != "/etc/hosts" {
		t.Errorf("got intent %+v after Restore, want Send with one slash", got)
	}
}

// A pasted path or comment is not a command.
func TestAPastedSlashIsSentAsItIs(t *testing.T) {
	for _, text := range []string{"/usr/bin/env: no such file\nmore", "// Package a\npackage a", "/* c */", "/", "/newer"} {
		c, _ := commanded(60)
		c.Paste(text)
		if got, _ := press(c, "enter").(Send); got.Draft.Text != text {
			t.Errorf("%q: got intent %+v, want Send of the pasted text", text, got)
		}
	}
	c, _ := commanded(60)
	c.Paste("/theme mono")
	if got := press(c, "enter"); got != (Run{Word: "theme", Arg: "mono"}) {
		t.Errorf("got intent %v for a pasted command, want Run of theme", got)
	}
	write(c, "see ")
	c.Paste("/usr/bin")
	if c.Value() != "see /usr/bin" {
		t.Errorf("got text %q, want a paste within the text unchanged", c.Value())
	}
}

func TestWordsAreCompleted(t *testing.T) {
	for _, way := range []struct{ text, keys, want string }{
		{"/", "tab", "/agent "},
		{"/", "up enter", "/theme "}, // by the alphabet
		{"/ne", "tab", "/new"},
		{"/th", "tab", "/theme "},
		{"/th", "enter", "/theme "},
		{"/a", "down down tab", "/attach "},
		{"/a", "down down enter", "/attach "},
		{"/a", "up enter", "/cancel"}, // matches within a word come last, and up wraps around
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
			t.Errorf("%q %s: got text %q and intent %v, want %q and none", way.text, way.keys, c.Value(), got, way.want)
		}
	}
}

// Tab behind the word of a command stays in the field, whatever the command takes.
func TestTabBehindACompleteWordAddsASpace(t *testing.T) {
	for _, text := range []string{"/new", "/theme", "/attach", "/cancel"} {
		c, _ := commanded(60)
		write(c, text)
		if !c.Completes() {
			t.Errorf("%s: tab would leave the field, want it to add a space", text)
		}
		if press(c, "tab"); c.Value() != text+" " {
			t.Errorf("%s: got text %q after tab, want a space behind it", text, c.Value())
		}
		if c.Completes() {
			t.Errorf("%s: got something to complete behind the space, want tab to go on", text)
		}
	}
	c, _ := commanded(60)
	c.SetCommands(func() []Command { return []Command{{Word: "extended"}, {Word: "ext"}} })
	write(c, "/ext")
	if press(c, "tab"); c.Value() != "/ext " {
		t.Errorf("got text %q after tab, want the word that is complete", c.Value())
	}
	c.SetValue("/ext")
	if press(c, "down", "down", "tab"); c.Value() != "/extended" {
		t.Errorf("got text %q after tab on the longer word, want that", c.Value())
	}
}

// A word that could become several commands runs none of them, and says which they are.
func TestEnterOnAnIncompleteWordRunsNothing(t *testing.T) {
	for text, want := range map[string]string{
		"/a":  "/a can be /agent or /attach: down selects one.",
		"/":   "/ can be /agent, /attach, /cancel, /new or 1 more: down selects one.",
		"/e":  "/e can be /agent, /cancel, /new or /theme: down selects one.",
		"/ex": "There is no command /ex",
	} {
		c, _ := commanded(60)
		write(c, text)
		for range 2 {
			got, ok := press(c, "enter").(Refused)
			if !ok || !strings.Contains(got.Why, want) || c.Value() != text {
				t.Errorf("%q: got %+v and text %q, want %q and the text", text, got, c.Value(), want)
			}
		}
	}
}

func TestAnArgumentThatIsWrittenOutIsNotReplaced(t *testing.T) {
	c, _ := commanded(60)
	write(c, "/agent S")
	if got := press(c, "enter"); got != (Run{Word: "agent", Arg: "S"}) {
		t.Errorf("got intent %v for enter, want Run with the argument as typed", got)
	}
}

func TestTheListIsSeenUntilItIsClosed(t *testing.T) {
	c, _ := commanded(60)
	if c.Popup(20) != nil || c.Completes() {
		t.Error("got completions without a command, want none")
	}
	write(c, "/")
	if got := len(c.Popup(20)); got != 7 {
		t.Errorf("got %d rows of completions, want 7", got)
	}
	press(c, "down")
	if !slices.ContainsFunc(c.Popup(20), func(row string) bool { return strings.Contains(row, c.st.Selected.On) }) {
		t.Error("got no filled row in the list, want one: its keys act")
	}
	if c.Popup(2) != nil || len(c.Popup(4)) != 4 {
		t.Error("got a popup of another height in little room, want none in 2 rows and 4 rows in 4")
	}
	if press(c, "esc"); c.Popup(20) != nil || !c.Completes() {
		t.Error("got a popup after esc, want none until tab")
	}
	if write(c, "x"); c.Popup(20) != nil {
		t.Error("got a popup without completions, want none")
	}
	press(c, "backspace")
	press(c, "left") // before the slash
	if c.Popup(20) != nil {
		t.Error("got a popup with the cursor before the slash, want none")
	}
}

func TestForeignWordsInTheListAreHarmless(t *testing.T) {
	for _, w := range []int{1, 5, 12, 20, 80} {
		c, _ := commanded(w)
		write(c, "/agent ")
		for _, line := range c.Popup(20) {
			if strings.Contains(line, "\x1b[2J") {
				t.Errorf("%d columns: row has unsanitized escape sequences: %q", w, line)
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
		t.Errorf("got text %q after a click, want /attach", c.Value())
	}
	if c.PopupMouse(click, 4, 2, 20) {
		t.Error("got a click on a closed popup handled, want it ignored")
	}
	c.SetValue("/")
	if c.PopupMouse(tea.MouseWheelMsg{Button: tea.MouseWheelDown}, 4, 2, 20); c.slash.pick != 0 {
		t.Errorf("got offer %d selected by the wheel, want 0", c.slash.pick)
	}
	if c.PopupMouse(click, 59, 2, 20) || c.PopupMouse(click, 4, -1, 20) {
		t.Error("got a click beside the popup handled, want it ignored")
	}
}

// The commands are requested when a slash is typed, not at every key.
func TestCommandsAreAskedForOncePerCommand(t *testing.T) {
	c, asked := commanded(60)
	write(c, "a/b and more")
	if *asked != 0 {
		t.Errorf("got %d calls for the commands without a slash, want 0", *asked)
	}
	c.SetValue("")
	write(c, "/theme mono")
	for range 10 {
		c.Lines()
		c.Popup(20)
		c.ShortHelp()
	}
	if *asked != 1 {
		t.Errorf("got %d calls for the commands, want 1", *asked)
	}
}

func TestHistoryGoesPastACommand(t *testing.T) {
	c, _ := commanded(60)
	c.SetHistory(NewHistory("first", "/new"))
	press(c, "up")
	if c.Value() != "/new" || c.Listed() {
		t.Fatalf("got text %q after up, listed %v; want /new without completions", c.Value(), c.Listed())
	}
	if press(c, "up"); c.Value() != "first" {
		t.Errorf("got text %q after up, want first", c.Value())
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
					t.Fatalf("got text %q sent, want %q or without its first slash", in.Draft.Text, held)
				}
			case Refused:
				if c.Value() != held {
					t.Fatalf("got text %q after a refusal, want %q", c.Value(), held)
				}
			}
			keys /= 8
			c.SetSize(24, c.Height())
			exact(t, c, 24, c.Height())
			c.Popup(9)
		}
	})
}
