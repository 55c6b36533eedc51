package palette

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/internal/panetest"
	"parley/themes"
	"parley/ui/styles"
)

func open(entries ...Entry) *Palette {
	p := New(styles.New(themes.Mono(), styles.Unicode()))
	p.SetSize(60, 10)
	p.Open(List{Entries: entries, Hint: "what?", Else: func(text string) (string, bool) {
		if text == "refused" {
			return "an agent is opened by its URL", false
		}
		return "opens it as an agent", true
	}})
	return p
}

func press(p *Palette, keys ...string) Intent {
	var in Intent
	for _, k := range keys {
		in = p.Key(panetest.Key(k))
	}
	return in
}

func TestTypingRanksAndEnterChooses(t *testing.T) {
	p := open(Entry{Name: "Travel Desk", Value: 1}, Entry{Name: "Scribe", Value: 2}, Entry{Name: "Old Clerk", Value: 3})
	got, ok := press(p, "o", "c", "k", "enter").(Choose)
	if !ok || got.Entry.Value != 3 {
		t.Fatalf("chose %+v, want entry 3", got)
	}
}

func TestWhatCannotBeChosenSaysWhyAndStays(t *testing.T) {
	p := open(Entry{Name: "Cancel", Why: "nothing runs"}, Entry{Name: "Help", Value: 7})
	if in := press(p, "enter"); in != nil {
		t.Errorf("enter on a refused entry gave %+v, want nil", in)
	}
	panetest.Sees(t, panetest.Text(p.Lines()), "Not possible now: nothing runs")
	p.Type("canc")
	press(p, "enter", "e", "l", "space", "x")
	if p.Text() != "cancel x" {
		t.Errorf("got text %q, want what was typed before and after enter", p.Text())
	}
	if strings.Contains(panetest.Text(p.Lines()), "Not possible") {
		t.Error("got the reason beside another text, want it gone")
	}
	p.Type("")
	if in, ok := press(p, "down", "enter").(Choose); !ok || in.Entry.Value != 7 {
		t.Errorf("enter on the next entry gave %+v, want entry 7", in)
	}
}

// A long note or reason gives way to the name of the entry, and no word of a reason is cut where a space
// can be.
func TestANoteGivesWayToTheName(t *testing.T) {
	noted := open(Entry{Group: "command", Name: "Export the conversation as html", Note: "one page: conversation and wire side by side"})
	noted.SetSize(68, 10)
	panetest.Sees(t, panetest.Text(noted.Lines()), "Export the conversation as html  one page: conversatio…")
	p := open(Entry{Group: "command", Name: "Preview a file of this conversation", Why: "the conversation contains no file"})
	for w, want := range map[int]string{
		100: "command      Preview a file of this conversation the conversation contains no file",
		80:  "command      Preview a file of this conversation the conversation contains no …",
	} {
		p.SetSize(w, 10)
		panetest.Sees(t, strings.Join(strings.Fields(panetest.Text(p.Lines())), " "), strings.Join(strings.Fields(want), " "))
	}
}

// Two cells stand between a name and its note, which are two texts, whatever gives way.
func TestANameAndItsNoteDoNotRunTogether(t *testing.T) {
	p := open(Entry{Group: "command", Name: "Fill in the form of the question", Why: "No task here asks for data with a JSON schema."})
	for w := 60; w < 120; w++ {
		p.SetSize(w, 10)
		row := strings.TrimRight(strings.Split(panetest.Text(p.Lines()), "\n")[2], " ")
		if name, note, ok := strings.Cut(row, "  No task"); !ok || !strings.Contains(name, "Fill in the form") || strings.HasSuffix(note, " ") {
			t.Errorf("%d columns: got %q, want two cells between the name and the reason", w, row)
		}
	}
}

func TestTextThatNothingMatchesIsHandedOut(t *testing.T) {
	p := open(Entry{Name: "Help"})
	p.Paste(tea.PasteMsg{Content: "http://h:1/\ncard"})
	if in, ok := press(p, "enter").(Typed); !ok || in.Text != "http://h:1/ card" {
		t.Errorf("got %+v, want the pasted URL as one line", in)
	}
	if press(p, "esc") != (Close{}) {
		t.Error("esc did not return Close, want the finder closed")
	}
}

func TestExactMatchesStandBeforeRecentOnesAndThoseBeforeTheRest(t *testing.T) {
	p := open(Entry{Name: "Next theme", Word: "theme", Value: 1}, Entry{Name: "Theme park", Value: 2}, Entry{Name: "Theme", Value: 3}, Entry{Name: "Ask", First: true, Value: 4})
	first := func(text string, want int) {
		t.Helper()
		p.Open(p.shown)
		p.Type(text)
		if in, ok := press(p, "enter").(Choose); !ok || in.Entry.Value != want {
			t.Errorf("%q: got %+v, want entry %d", text, in, want)
		}
	}
	first("theme p", 2)
	first("the", 2)   // chosen lately
	first("theme", 3) // its name is exactly that
	first("the", 3)
	first("", 4)
	p.Open(p.shown)
	if in := press(p, "down", "enter").(Choose); in.Entry.Value != 3 {
		t.Errorf("got %+v below what needs the user, want the entry chosen last", in)
	}
}

// finds checks which values a text finds, in their order.
func finds(t *testing.T, p *Palette, text string, want ...any) {
	t.Helper()
	p.Type(text)
	var got []any
	for _, e := range p.Found() {
		got = append(got, e.Value)
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q finds %v, want %v", text, got, want)
	}
}

func TestWholeWordsStandBeforeBeginningsOfWordsAndThoseBeforeParts(t *testing.T) {
	p := open(
		Entry{Name: "Unlist", Value: "part"}, Entry{Name: "Listen", Value: "beginning"}, Entry{Name: "Show the list of tasks", Value: "word"},
		Entry{Name: "Log", Note: "list of all", Value: "note"}, Entry{Name: "Tasks", Also: []string{"list"}, Value: "synonym"}, Entry{Name: "List", Value: "name"},
		Entry{Name: "Loud insulting stone", Value: "letters"},
	)
	finds(t, p, "list", "name", "synonym", "word", "note", "beginning", "part")
	finds(t, p, "LIST", "name", "synonym", "word", "note", "beginning", "part")
	finds(t, p, "lis", "beginning", "word", "synonym", "name", "note", "part")
	finds(t, p, "lis to") // no entry has both
	finds(t, p, "loinst", "letters")
}

func TestEveryWordOfATextMustMatchSomewhere(t *testing.T) {
	p := open(
		Entry{Name: "stream numbers", Note: "trpc · 2 turns", Value: 1}, Entry{Name: "stream words", Note: "go · 1 turn", Value: 2},
		Entry{Name: "trpc", Value: 3}, Entry{Name: "Sign in to the agent", Also: []string{"log in"}, Value: 4}, Entry{Name: "日本語の話", Note: "İstanbul", Value: 5},
	)
	finds(t, p, "trpc stream", 1)
	finds(t, p, "stream trpc", 1)
	finds(t, p, "stream", 1, 2)
	finds(t, p, "log in", 4)
	finds(t, p, "agent sign", 4)
	finds(t, p, "本", 5)
	finds(t, p, "trpc words")
}

func TestWhatIsNotPossibleStandsLast(t *testing.T) {
	p := open(Entry{Name: "Cancel", Why: "nothing runs", Value: 1}, Entry{Name: "Canceled tasks", Value: 2}, Entry{Name: "Uncancel", Value: 3})
	finds(t, p, "cancel", 2, 3, 1)
	p.shown.Typed = func(string) (Entry, bool, bool) { return Entry{Name: "Open it", Value: 9}, false, true }
	finds(t, p, "cancel", 2, 3, 9, 1)
	p.shown.Typed = func(string) (Entry, bool, bool) {
		return Entry{Name: "Record 9", Why: "there is none", Value: 9}, true, true
	}
	finds(t, p, "cancel", 2, 3, 1, 9)
}

func TestMoreEntriesMoveNeitherTheTextNorTheSelection(t *testing.T) {
	p := open(Entry{Name: "one task", Value: 1}, Entry{Name: "two tasks", Value: 2}, Entry{Name: "other", Value: 3})
	p.Type("task")
	press(p, "down")
	p.SetEntries([]Entry{{Name: "task", Value: 0}, {Name: "one task", Value: 1}, {Name: "hidden task", Hidden: true, Value: 4}, {Name: "two tasks", Value: 2}})
	if in, ok := press(p, "enter").(Choose); !ok || in.Entry.Value != 2 || p.Text() != "task" {
		t.Errorf("got %+v with text %q, want the entry that was selected", in, p.Text())
	}
	finds(t, p, "", 2, 0, 1) // one is only there to be found
}

func TestATypoMatchesNothingAndSuggestsTheNearest(t *testing.T) {
	p := open(Entry{Name: "Subscribe to the task", Value: 1}, Entry{Name: "Scribe", Value: 2}, Entry{Name: "Old Clerk", Value: 3})
	p.shown.Else = func(string) (string, bool) { return "an agent is opened by its URL", false }
	p.Type("scirbe")
	if in := press(p, "enter"); in != nil {
		t.Errorf("got %+v for a typo, want nothing", in)
	}
	panetest.Sees(t, panetest.Text(p.Lines()), "nothing matches; did you mean Scribe? down selects it")
	if in, ok := press(p, "down", "enter").(Choose); !ok || in.Entry.Value != 2 {
		t.Errorf("got %+v, want the nearest entry", in)
	}
	p.Type("zzzzzz")
	panetest.Sees(t, panetest.Text(p.Lines()), "nothing matches; an agent is opened by its URL")
}

func TestTheTypedTextIsAnEntry(t *testing.T) {
	p := open(Entry{Name: "Travel Desk", Also: []string{"http://desk:81/"}, Value: 1}, Entry{Name: "Pin endpoint http://desk:82 as 0.3", Value: 2}, Entry{Name: "Pin dialect v0.3", Value: 3})
	p.shown.Typed = func(text string) (Entry, bool, bool) {
		return Entry{Name: "Open " + text + " as an agent", Value: 9}, strings.Contains(text, "://"), strings.Contains(text, ".") || strings.Contains(text, "://")
	}
	for text, want := range map[string]int{"http://desk:81": 1, "http://desk:82": 9, "v0.3": 3, "desk.example": 9} {
		p.Type(text)
		panetest.Sees(t, panetest.Text(p.Lines()), "Open "+text+" as an agent")
		if in, ok := press(p, "enter").(Choose); !ok || in.Entry.Value != want {
			t.Errorf("%q: got %+v, want entry %d", text, in, want)
		}
	}
}

func TestTheSelectionIsAlwaysInTheWindow(t *testing.T) {
	var many []Entry
	for i := range 1000 {
		many = append(many, Entry{Group: "agent", Name: fmt.Sprintf("agent %d", i), Value: i})
	}
	p := open(many...)
	for range 500 {
		press(p, "down")
	}
	if !strings.Contains(strings.Join(p.Lines(), "\n"), "agent 500") {
		t.Errorf("got no agent 500 on the screen, want it:\n%s", strings.Join(p.Lines(), "\n"))
	}
	for range 600 {
		press(p, "up")
	}
	if in := press(p, "enter").(Choose); in.Entry.Value != 0 {
		t.Errorf("at the top got %+v, want entry 0", in)
	}
}

func FuzzPalette(f *testing.F) {
	f.Add("안녕 \x1b[31mred\x1b]52;c;x\a \u202egnp", "한", 40, 8)
	f.Add("👩‍👩‍👧 family", "f", 3, 1)
	f.Add("\xff\xfe", "\xff", 0, 0)
	f.Fuzz(func(t *testing.T, name, typed string, w, h int) {
		w, h = w&255, h&63
		p := open(Entry{Group: name, Name: name, Note: name, Value: 1}, Entry{Name: "Help", Why: name})
		p.SetSize(w, h)
		for _, r := range typed {
			p.Key(tea.KeyPressMsg{Code: r, Text: string(r)})
		}
		panetest.Exact(t, p.Lines(), w, h)
		p.Key(panetest.Key("enter"))
		p.Key(panetest.Key("down"))
		p.Key(panetest.Key("enter"))
		panetest.Exact(t, p.Lines(), w, h)
	})
}

func TestAWordBehindASlashIsTheEntryOfThatWord(t *testing.T) {
	p := open(Entry{Name: "Show a file whole", Word: "preview", Value: 1}, Entry{Name: "Previous / next", Word: "prev", Value: 2}, Entry{Name: "Help", Word: "help", Value: 3})
	for text, want := range map[string]Choose{
		"/preview":     {Entry: Entry{Value: 1}},
		"/prev":        {Entry: Entry{Value: 2}},
		"/previ":       {Entry: Entry{Value: 1}},
		"/prev  a  b ": {Entry: Entry{Value: 2}, Arg: "a  b"},
		"/help me":     {Entry: Entry{Value: 3}, Arg: "me"},
		"Previous /":   {Entry: Entry{Value: 2}},
	} {
		p.Type(text)
		if in, ok := press(p, "enter").(Choose); !ok || in.Entry.Value != want.Entry.Value || in.Arg != want.Arg {
			t.Errorf("%q: got %+v, want the command with its argument", text, in)
		}
	}
}

func TestATextThatIsNotTakenStaysAndSaysWhatIs(t *testing.T) {
	p := open(Entry{Name: "Help"})
	p.Type("refused")
	if in := press(p, "enter"); in != nil {
		t.Errorf("enter on a text that is refused gave %+v, want nil", in)
	}
	if s := strings.Join(p.Lines(), "\n"); !strings.Contains(s, "nothing matches; an agent is opened") {
		t.Errorf("got rows\n%s\nwant what enter would do", s)
	}
}
