package action_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/internal/panetest"
	"parley/ui/action"
	"parley/ui/keys"
)

// do returns what runs an action in a test: it returns its name.
func do(name string) func() string { return func() string { return name } }

// newTable returns a table of the actions, whose refusals are their reasons.
func newTable(rows ...action.Action[string]) *action.Table[string] {
	return action.New(func(why string) string { return "refused: " + why }, rows...)
}

// words returns keys as the footer or the help shows them; those that are disabled in brackets.
func words(all []key.Binding) string {
	var out []string
	for _, b := range all {
		text := b.Help().Key + " " + b.Help().Desc
		if !b.Enabled() {
			text = "(" + text + ")"
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

func TestAPressRunsTheFirstPossibleAction(t *testing.T) {
	t.Parallel()
	first, second := action.State{}, action.State{}
	table := newTable(
		action.Action[string]{Row: action.Row{Keys: []string{"x", "f2"}, Does: "cut", Now: func() action.State { return first }}, Run: do("cut")},
		action.Action[string]{Row: action.Row{Keys: []string{"x"}, Does: "cross out", Now: func() action.State { return second }}, Run: do("cross out")},
		action.Action[string]{Row: action.Row{Keys: []string{"1", "2", "3"}, Shown: "1-3", Does: "show tab"}, Press: action.Digit(func(n int) string { return fmt.Sprint("tab ", n) })},
		action.Action[string]{Row: action.Row{Does: "say nothing"}, Run: do("nothing")},
	)
	for _, c := range []struct {
		first, second action.State
		press, want   string
		done          bool
	}{
		{press: "x", want: "cut", done: true},
		{press: "f2", want: "cut", done: true},
		{first: action.State{Idle: true, Foot: -1}, press: "x", want: "cut", done: true},
		{first: action.State{Off: true}, press: "x", want: "cross out", done: true},
		{first: action.State{Off: true, Why: "Nothing is marked."}, press: "x", want: "refused: Nothing is marked.", done: true},
		{first: action.State{Off: true}, second: action.State{Off: true}, press: "x"},
		{press: "2", want: "tab 2", done: true},
		{press: "alt+x"},
		{press: "ctrl+c"},
	} {
		first, second = c.first, c.second
		if got, done := table.Press(panetest.Key(c.press)); got != c.want || done != c.done {
			t.Errorf("%s with %+v and %+v: got %q, %v, want %q, %v", c.press, c.first, c.second, got, done, c.want, c.done)
		}
		if got := table.Key(panetest.Key(c.press)); got != c.want {
			t.Errorf("%s: got %q from Key, want %q", c.press, got, c.want)
		}
	}
}

func TestAClickAsksTheConditionsOfTheKey(t *testing.T) {
	t.Parallel()
	state := action.State{}
	table := newTable(
		action.Action[string]{Row: action.Row{ID: "cut", Keys: []string{"x"}, Does: "cut text", Now: func() action.State { return state }}, Run: do("cut")},
		action.Action[string]{Row: action.Row{ID: "tab", Keys: []string{"1", "2"}, Does: "show tab"}, Press: action.Digit(func(int) string { return "tab" })},
	)
	for _, c := range []struct {
		state action.State
		id    action.ID
		want  string
	}{
		{action.State{}, "cut", "cut"},
		{action.State{Off: true}, "cut", ""},
		{action.State{Off: true, Why: "Nothing is marked."}, "cut", "refused: Nothing is marked."},
		{action.State{}, "tab", ""},
		{action.State{}, "nothing", ""},
	} {
		state = c.state
		if got := table.Do(c.id); got != c.want {
			t.Errorf("%s with %+v: got %q, want %q", c.id, c.state, got, c.want)
		}
	}
}

// The digits of a keypad have codes of their own.
func TestANumberIsTheDigitOfTheKey(t *testing.T) {
	t.Parallel()
	table := newTable(action.Action[string]{Row: action.Row{Keys: []string{"2", "alt+2"}, Shown: "1-9", Does: "show tab"}, Press: action.Digit(func(n int) string { return fmt.Sprint("tab ", n) })})
	for _, msg := range []tea.KeyPressMsg{{Code: '2', Text: "2"}, {Code: '2', Mod: tea.ModAlt}, {Code: tea.KeyKp2, Text: "2"}} {
		if got := table.Key(msg); got != "tab 2" {
			t.Errorf("%v: got %q, want tab 2", msg, got)
		}
	}
}

// While another action has the first key, the footer names a key that works, unless settings took it.
func TestTheFooterNamesAKeyThatWorks(t *testing.T) {
	t.Parallel()
	busy := true
	cancel := func() action.State { return action.State{Off: !busy} }
	table := newTable(
		action.Action[string]{Row: action.Row{Keys: []string{"esc"}, Does: "cancel", Foot: 1, Now: cancel}, Run: do("cancel")},
		action.Action[string]{Row: action.Row{Keys: []string{"esc", "f5"}, Does: "close", Foot: 2, Now: func() action.State {
			if busy {
				return action.State{Does: "hide", Shown: "f5"}
			}
			return action.State{}
		}}, Run: do("close")},
	)
	check := func(want string) {
		t.Helper()
		if got := words(table.ShortHelp()); got != want {
			t.Errorf("got footer %q, want %q", got, want)
		}
	}
	check("esc cancel, f5 hide")
	busy = false
	check("esc close")
	busy = true
	sections := []keys.Section{{Name: "wire", Scope: keys.InPane, Map: table.KeyMap()}}
	if _, problems := keys.Remap(sections, []keys.Choice{{Action: "wire.close", Press: []string{"q"}}}); problems != nil {
		t.Fatal(problems)
	}
	check("esc cancel, q hide")
}

func TestHelpAndFooterSayHowActionsStand(t *testing.T) {
	t.Parallel()
	state := action.State{}
	rows := []action.Action[string]{
		{Row: action.Row{Keys: []string{"f"}, Does: "follow", Foot: 2, Now: func() action.State { return state }}, Run: do("follow")},
		{Row: action.Row{Keys: []string{"pgdown", "space"}, Shown: "pgdn", Does: "page down"}, Run: do("page")},
		{Row: action.Row{Keys: []string{"esc"}, Does: "clear", Foot: 3, Passing: true, Now: func() action.State { return action.State{Off: true} }}, Run: do("clear")},
		{Row: action.Row{Keys: []string{"enter"}, Does: "open", Foot: 1}, Run: do("open")},
	}
	still, live := newTable(slices.Clone(rows)...), newTable(slices.Clone(rows)...).Live()
	for _, c := range []struct {
		state             action.State
		short, full, live string
	}{
		{action.State{}, "enter open, f follow", "f follow, pgdn page down, enter open", "f follow, pgdn page down, enter open"},
		{action.State{Does: "stay"}, "enter open, f stay", "f follow, pgdn page down, enter open", "f stay, pgdn page down, enter open"},
		{action.State{Off: true}, "enter open", "f follow, pgdn page down, enter open", "(f follow), pgdn page down, enter open"},
		{action.State{Idle: true}, "enter open", "f follow, pgdn page down, enter open", "(f follow), pgdn page down, enter open"},
		{action.State{Foot: 4, Does: "choose"}, "enter open, f choose", "f follow, pgdn page down, enter open", "f choose, pgdn page down, enter open"},
		{action.State{Foot: -1}, "enter open", "f follow, pgdn page down, enter open", "f follow, pgdn page down, enter open"},
	} {
		state = c.state
		if got := words(still.ShortHelp()); got != c.short {
			t.Errorf("%+v: got footer %q, want %q", c.state, got, c.short)
		}
		if got := words(slices.Concat(still.FullHelp()...)); got != c.full {
			t.Errorf("%+v: got help %q, want %q", c.state, got, c.full)
		}
		if got := words([]key.Binding{still.Standing("follow")}) + ", pgdn page down, enter open"; got != c.live || words([]key.Binding{still.Standing("none")}) != "( )" {
			t.Errorf("%+v: got standing %q, want as in %q", c.state, got, c.live)
		}
		if got := words(slices.Concat(live.FullHelp()...)); got != c.live {
			t.Errorf("%+v: got live help %q, want %q", c.state, got, c.live)
		}
	}
}

func TestAnotherTableHasTheKeysForAWhile(t *testing.T) {
	t.Parallel()
	typing, typed := false, ""
	input := newTable(action.Action[string]{Row: action.Row{Keys: []string{"enter"}, Does: "keep", Foot: 1}, Run: do("keep")})
	table := newTable(action.Action[string]{Row: action.Row{Keys: []string{"enter"}, Does: "open", Foot: 1}, Run: do("open")}).
		While(func() bool { return typing }, input, func(msg tea.KeyPressMsg) string { typed += msg.Text; return "typed" })
	for _, c := range []struct {
		typing      bool
		press, want string
	}{{false, "enter", "open"}, {false, "x", ""}, {true, "enter", "keep"}, {true, "x", "typed"}} {
		typing = c.typing
		if got := table.Key(panetest.Key(c.press)); got != c.want {
			t.Errorf("%s while typing is %v: got %q, want %q", c.press, c.typing, got, c.want)
		}
	}
	if typed != "x" {
		t.Errorf("got %q typed, want x", typed)
	}
	if got := words(table.ShortHelp()); got != "enter keep" {
		t.Errorf("got footer %q while typing, want that of the input", got)
	}
	typing = false
	if got := words(table.ShortHelp()); got != "enter open" {
		t.Errorf("got footer %q, want that of the table", got)
	}
}

// The keys of an input are changed with those of its pane, under the name of the pane.
func TestSettingsChangeTheKeysOfAnotherTable(t *testing.T) {
	t.Parallel()
	typing := false
	input := newTable(
		action.Action[string]{Row: action.Row{Keys: []string{"enter"}, Does: "keep text", Foot: 1}, Run: do("keep")},
		action.Action[string]{Row: action.Row{Keys: []string{"esc"}, Does: "leave", Fixed: true}, Run: do("leave")},
	)
	table := newTable(action.Action[string]{Row: action.Row{Keys: []string{"enter"}, Does: "open"}, Run: do("open")}).
		While(func() bool { return typing }, input, nil)
	sections := []keys.Section{{Name: "sessions", Scope: keys.InSheet, Map: table.KeyMap()}}
	if _, problems := keys.Remap(sections, []keys.Choice{{Action: "sessions.keep-text", Press: []string{"ctrl+s"}}}); problems != nil {
		t.Fatal(problems)
	}
	var names []string
	for _, c := range keys.Actions(sections) {
		names = append(names, c.Action)
	}
	if got := strings.Join(names, " "); got != "sessions.open sessions.keep-text" {
		t.Errorf("got actions %s, want open and keep-text", got)
	}
	if got := table.Key(panetest.Key("enter")); got != "open" {
		t.Errorf("got %q, want the keys of the pane itself kept", got)
	}
	typing = true
	if got := table.Key(panetest.Key("ctrl+s")) + words(table.ShortHelp()); got != "keepctrl+s keep text" {
		t.Errorf("got %q, want ctrl+s to keep the text", got)
	}
}

// Settings change the keys of a row once, and every text, the footer and the help follow.
func TestSettingsChangeTheKeysOfARow(t *testing.T) {
	t.Parallel()
	const mark action.ID = "mark-record"
	table := newTable(
		action.Action[string]{Row: action.Row{ID: mark, Keys: []string{"m"}, Does: "mark record", Foot: 1}, Run: do("mark")},
		action.Action[string]{Row: action.Row{Keys: []string{"esc"}, Does: "end search", Fixed: true}, Run: do("end")},
	)
	sections := []keys.Section{{Name: "wire", Scope: keys.InPane, Map: table.KeyMap()}}
	if got := keys.Actions(sections); len(got) != 1 || got[0].Action != "wire.mark-record" {
		t.Errorf("got actions %v, want wire.mark-record alone", got)
	}
	if _, problems := keys.Remap(sections, []keys.Choice{{Action: "wire.mark-record", Press: []string{"alt+m", "f12"}}}); problems != nil {
		t.Fatal(problems)
	}
	for press, want := range map[string]string{"m": "", "alt+m": "mark", "f12": "mark", "esc": "end"} {
		if got := table.Key(panetest.Key(press)); got != want {
			t.Errorf("%s: got %q, want %q", press, got, want)
		}
	}
	if got := keys.Name(table.Of(mark)) + ", " + words(table.ShortHelp()) + ", " + words(slices.Concat(table.FullHelp()...)); got != "alt+m, alt+m mark record, alt+m mark record, esc end search" {
		t.Errorf("got %q, want alt+m everywhere", got)
	}
	if got := table.Of("mark-recrod"); got.Enabled() || keys.Name(got) != "" {
		t.Errorf("got keys %v of no action, want none", got)
	}
}

// Keys that follow those of another table work while something is on; the help has them always.
func TestATableFollowsAnother(t *testing.T) {
	t.Parallel()
	focused := false
	line := newTable(action.Action[string]{Row: action.Row{Keys: []string{"h"}, Does: "go back", Foot: 1}, Run: do("back")})
	table := newTable(
		action.Action[string]{Row: action.Row{Keys: []string{"P"}, Does: "play", Foot: 2}, Run: do("play")},
		action.Action[string]{Row: action.Row{Keys: []string{"h"}, Does: "hide", Now: func() action.State { return action.State{Off: focused} }}, Run: do("hide")},
	).Then(func() bool { return focused }, line)
	for _, c := range []struct {
		focused     bool
		press, want string
		footer      string
	}{{false, "h", "hide", "P play"}, {true, "h", "back", "h go back, P play"}, {true, "P", "play", "h go back, P play"}, {true, "x", "", "h go back, P play"}} {
		focused = c.focused
		if got, done := table.Press(panetest.Key(c.press)); got != c.want || done != (c.want != "") {
			t.Errorf("%s with the focus %v: got %q, want %q", c.press, c.focused, got, c.want)
		}
		if got := words(table.ShortHelp()); got != c.footer {
			t.Errorf("got footer %q with the focus %v, want %q", got, c.focused, c.footer)
		}
	}
	if groups := table.FullHelp(); len(groups) != 2 || words(groups[1]) != "h go back" {
		t.Errorf("got groups %v, want those of both tables", groups)
	}
}

// An action that has other words in another mode stays one action of the settings.
func TestSettingsChangeAnActionInAllModes(t *testing.T) {
	t.Parallel()
	searching := false
	table := newTable(action.Action[string]{Row: action.Row{Keys: []string{"enter"}, Does: "send"}, Run: do("send")}).
		While(func() bool { return searching }, newTable(action.Action[string]{Row: action.Row{ID: "send", Keys: []string{"enter"}, Does: "accept message"}, Run: do("accept")}), nil)
	keys.Remap([]keys.Section{{Name: "writing", Map: table.KeyMap()}}, []keys.Choice{{Action: "writing.send", Press: []string{"f12"}}})
	for _, c := range []struct {
		searching   bool
		press, want string
	}{{false, "f12", "send"}, {true, "f12", "accept"}, {true, "enter", ""}} {
		searching = c.searching
		if got := table.Key(panetest.Key(c.press)); got != c.want {
			t.Errorf("%s while searching is %v: got %q, want %q", c.press, c.searching, got, c.want)
		}
	}
}

// The finder has the words of the moment, and the reasons also of what is possible but in vain.
func TestTheFinderListsActionsThatHaveAName(t *testing.T) {
	t.Parallel()
	state, name := action.State{}, "Mark the record"
	table := newTable(
		action.Action[string]{Row: action.Row{Keys: []string{"m"}, Does: "mark", Named: func() string { return name }, Also: []string{"bookmark"}, Now: func() action.State { return state }}, Run: do("mark")},
		action.Action[string]{Row: action.Row{Keys: []string{"j"}, Does: "down"}, Run: do("down")},
		action.Action[string]{Row: action.Row{ID: "bytes", Name: "Show the bytes", Passing: true}, Run: do("bytes")},
		action.Action[string]{Row: action.Row{Keys: []string{"1"}, Does: "show tab", Name: "Show a tab"}, Press: action.Digit(func(int) string { return "tab" })},
	)
	listed := func() string {
		var out []string
		for _, c := range table.Commands() {
			out = append(out, strings.Join(append([]string{keys.Name(c.Keys), c.Name, fmt.Sprint(c.Off), c.Why, c.Run()}, c.Also...), "|"))
		}
		return strings.Join(out, "\n")
	}
	for _, c := range []struct {
		state      action.State
		name, want string
	}{
		{action.State{}, "Mark the record", "m|Mark the record|false||mark|bookmark\n"},
		{action.State{Why: "it is marked"}, "Unmark the record", "m|Unmark the record|false|it is marked|mark|bookmark\n"},
		{action.State{Off: true, Why: "there is no record"}, "Mark it", "m|Mark it|true|there is no record|mark|bookmark\n"},
		{action.State{}, "", ""},
	} {
		state, name = c.state, c.name
		if got := listed(); got != c.want+"|Show the bytes|false||bytes" {
			t.Errorf("%+v: got %q, want %q", c.state, got, c.want)
		}
	}
	if got, done := table.Press(tea.KeyPressMsg{}); done || len(table.KeyMap()) != 3 {
		t.Errorf("got %q of no key, and settings of %v, want an action without keys left out", got, table.KeyMap())
	}
}

// A pane has the actions of its parts, and says in its own way what they return.
func TestAPaneHasTheActionsOfAPart(t *testing.T) {
	t.Parallel()
	table := newTable(action.As(func(n int) string { return fmt.Sprint("got ", n) },
		action.Action[int]{Row: action.Row{Keys: []string{"x"}, Does: "cut", Foot: 1}, Run: func() int { return 7 }},
		action.Action[int]{Row: action.Row{Keys: []string{"1", "2"}, Shown: "1-2", Does: "show tab"}, Press: action.Digit(func(n int) int { return n })},
	)...)
	for press, want := range map[string]string{"x": "got 7", "2": "got 2", "y": ""} {
		if got := table.Key(panetest.Key(press)); got != want {
			t.Errorf("%s: got %q, want %q", press, got, want)
		}
	}
	if got := words(slices.Concat(table.FullHelp()...)) + "; " + words(table.ShortHelp()); got != "x cut, 1-2 show tab; x cut" {
		t.Errorf("got help and footer %q, want those of the part", got)
	}
}

// What comes before an overlay is a part of the table: it has its keys, also those that the user
// chooses later.
func TestTheFirstActionsHaveTheKeysOfTheTable(t *testing.T) {
	t.Parallel()
	table := newTable(
		action.Action[string]{Row: action.Row{ID: "help", Keys: []string{"f1"}, Does: "show help", First: true}, Run: do("help")},
		action.Action[string]{Row: action.Row{Keys: []string{"f2"}, Does: "show card"}, Run: do("card")},
	)
	first := table.First()
	keys.Remap([]keys.Section{{Name: "everywhere", Map: table.KeyMap()}}, []keys.Choice{{Action: "everywhere.help", Press: []string{"f12"}}})
	for press, want := range map[string]string{"f12": "help", "f1": "", "f2": ""} {
		if got := first.Key(panetest.Key(press)); got != want {
			t.Errorf("%s: got %q, want %q", press, got, want)
		}
	}
}

func TestTheActionThatWouldRunAsks(t *testing.T) {
	t.Parallel()
	off := true
	table := newTable(
		action.Action[string]{Row: action.Row{Keys: []string{"e"}, Does: "look", Now: func() action.State { return action.State{Off: off} }}, Run: do("look")},
		action.Action[string]{Row: action.Row{Keys: []string{"e"}, Does: "edit", Asks: true}, Run: do("edit")},
	)
	for _, c := range []struct {
		off   bool
		press string
		want  bool
	}{{true, "e", true}, {false, "e", false}, {true, "x", false}} {
		off = c.off
		if of, asks := table.Asks(panetest.Key(c.press)); asks != c.want || asks && of.Help().Desc != "edit" {
			t.Errorf("%+v: got %q, %t", c, of.Help().Desc, asks)
		}
	}
}

// What is refused is refused at the first press, and no footer names it.
func TestWhatIsRefusedDoesNotAsk(t *testing.T) {
	t.Parallel()
	why := ""
	table := newTable(action.Action[string]{
		Row: action.Row{Keys: []string{"E"}, Does: "resend", Foot: 1, Asks: true, Now: func() action.State { return action.State{Why: why} }}, Run: do("resend"),
	})
	for _, c := range []struct {
		why    string
		asks   bool
		footer string
	}{{"", true, "E resend"}, {"there is no turn here", false, ""}} {
		why = c.why
		if _, asks := table.Asks(panetest.Key("E")); asks != c.asks || words(table.ShortHelp()) != c.footer {
			t.Errorf("%q: got asks %t and footer %q, want %t and %q", c.why, asks, words(table.ShortHelp()), c.asks, c.footer)
		}
	}
}

func TestOneActionIsLiveInAHelpThatIsNot(t *testing.T) {
	t.Parallel()
	off := func() action.State { return action.State{Off: true, Does: "nothing"} }
	table := newTable(
		action.Action[string]{Row: action.Row{Keys: []string{"a"}, Does: "act", Now: off}, Run: do("a")},
		action.Action[string]{Row: action.Row{Keys: []string{"b"}, Does: "break", Live: true, Now: off}, Run: do("b")},
	)
	if got, want := words(table.FullHelp()[0]), "a act, (b nothing)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// A reason does not stop the action unless it is off: a press says more than the finder does.
func TestAnActionWithAReasonMayRun(t *testing.T) {
	t.Parallel()
	table := newTable(action.Action[string]{Row: action.Row{Keys: []string{"x"}, Does: "cut", Now: func() action.State { return action.State{Idle: true, Why: "nothing is marked"} }}, Run: do("says what to mark")})
	if got := table.Key(panetest.Key("x")); got != "says what to mark" {
		t.Errorf("got %q, want what the action says", got)
	}
}

// The help of what lies under the cursor says why an action is not possible now.
func TestTheHelpExplainsWhatIsNotPossible(t *testing.T) {
	t.Parallel()
	state := func(s action.State) func() action.State { return func() action.State { return s } }
	line := newTable(action.Action[string]{Row: action.Row{Keys: []string{"h"}, Does: "go back", Now: state(action.State{Off: true, Why: "it is the first"})}, Run: do("back")})
	table := newTable(
		action.Action[string]{Row: action.Row{Keys: []string{"a"}, Does: "act"}, Run: do("a")},
		action.Action[string]{Row: action.Row{Keys: []string{"b"}, Does: "break", Now: state(action.State{Why: "nothing is open"})}, Run: do("b")},
		action.Action[string]{Row: action.Row{Keys: []string{"c"}, Does: "clear", Now: state(action.State{Idle: true})}, Run: do("c")},
		action.Action[string]{Row: action.Row{Keys: []string{"d"}, Does: "drop", Now: state(action.State{Off: true})}, Run: do("d")},
	).Then(func() bool { return false }, line)
	all, why := table.Explained()
	if got, want := words(all), "a act, (b break), (c clear), d drop, (h go back)"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := fmt.Sprint(why), "map[break:nothing is open clear:nothing to do now go back:it is the first]"; got != want {
		t.Errorf("got reasons %s, want %s", got, want)
	}
}
