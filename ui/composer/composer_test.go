package composer

import (
	"strings"
	"testing"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"parley/internal/panetest"
	"parley/session/model"
	"parley/themes"
	"parley/ui/styles"
)

var (
	answer  = TargetChoice{Kind: TargetAnswer, Label: "reply to task 91c2", Note: "same task and context", Short: "reply", Target: model.Target{Conversation: 1, TaskID: "91c2e0d4"}}
	newTask = TargetChoice{Kind: TargetNew, Label: "new task in ctx 7f3a", Short: "new task", Target: model.Target{Conversation: 1}}
	fork    = TargetChoice{Kind: TargetFork, Label: "fork of turn 2", Short: "fork", Why: "the turn has no answer yet"}
	away    = TargetChoice{Kind: TargetNew, Label: "new task", Short: "new task", Why: "Travel Desk is not reachable"}
)

func open(w int, targets ...TargetChoice) *Composer {
	c := New(styles.New(themes.Mono(), styles.ASCII()))
	c.SetTargets(targets, 0)
	c.SetSize(w, c.Height())
	c.Focus()
	return c
}

// press presses keys by their names: "a", "enter", "ctrl+t", "alt+enter", "up".
func press(c *Composer, names ...string) Intent {
	var last Intent
	for _, name := range names {
		last = c.Key(panetest.Key(name))
	}
	return last
}

// screen returns the rows as plain text.
func screen(c *Composer) string { return ansi.Strip(strings.Join(c.Lines(), "\n")) }

func exact(t *testing.T, c *Composer, w, h int) {
	t.Helper()
	panetest.Exact(t, c.Lines(), w, h)
}

func TestEnterSendsWhatIsShownToTheTargetShown(t *testing.T) {
	c := open(60, answer, newTask)
	c.Paste("10 to 17 October")
	if got := screen(c); !strings.Contains(got, "reply to task 91c2") || !strings.Contains(got, "10 to 17 October") {
		t.Fatalf("got a screen without the target and the text:\n%s", got)
	}
	got, ok := press(c, "enter").(Send)
	if !ok || got.Draft.Text != "10 to 17 October" || got.Target.TaskID != "91c2e0d4" || got.Ghost {
		t.Fatalf("got intent %+v for enter, want Send of the text to task 91c2e0d4", got)
	}
	if !c.Empty() {
		t.Errorf("got text %q after enter, want none", c.Value())
	}
}

func TestBlankTextIsNotSent(t *testing.T) {
	c := open(60, newTask)
	if got := press(c, "enter", "space", "alt+enter", "enter"); got != nil {
		t.Errorf("got intent %+v for enter on a blank text, want none", got)
	}
	if c.Value() != " \n" {
		t.Errorf("got text %q, want the blank text to stay", c.Value())
	}
}

func TestTargetKeyStepsThroughWhatIsPossible(t *testing.T) {
	c := open(80, answer, fork, newTask)
	if got := screen(c); !strings.Contains(got, "ctrl+t new task") || strings.Contains(got, "fork") {
		t.Errorf("got a target line without the new task, or with the fork:\n%s", got)
	}
	for _, want := range []int{2, 0, 2} {
		if got := press(c, "ctrl+t"); got != (Retarget{Index: want}) || c.Selected() != want {
			t.Fatalf("got intent %v for ctrl+t, want Retarget to %d", got, want)
		}
	}
	if got := press(c, "x", "enter").(Send); got.Target.TaskID != "" {
		t.Errorf("got target %+v, want the new task", got.Target)
	}
}

func TestWhenNothingCanBeSentTheLineSaysWhyAndTheTextStays(t *testing.T) {
	for _, c := range []*Composer{open(60, away), open(60)} {
		got := press(c, "h", "i", "enter")
		refused, ok := got.(Refused)
		if !ok || refused.Why == "" {
			t.Fatalf("got intent %+v for enter, want a refusal with its reason", got)
		}
		if !refused.Shown {
			t.Error("got a reason that is not told as shown, want no second place to say it")
		}
		if c.Value() != "hi" || !strings.Contains(screen(c), refused.Why) {
			t.Errorf("got text %q, want %q to stay and the reason on the screen:\n%s", c.Value(), "hi", screen(c))
		}
		if press(c, "ctrl+t") != nil {
			t.Error("got a target for ctrl+t, want none")
		}
	}
}

func TestGhostIsTakenByOneKeyAndSentByEnterAlone(t *testing.T) {
	for _, take := range []string{"right", "ctrl+e", "end"} {
		c := open(60, answer)
		c.SetGhost("London")
		if got := screen(c); !strings.Contains(got, `enter sends "London"`) || !strings.Contains(got, "> London") {
			t.Fatalf("got a screen without the suggestion:\n%s", got)
		}
		if press(c, take); c.Value() != "London" {
			t.Errorf("got text %q after %s, want London", c.Value(), take)
		}
		if strings.Contains(screen(c), "enter sends") {
			t.Errorf("got a suggestion after it was accepted, want none:\n%s", screen(c))
		}
	}
	c := open(60, answer)
	c.SetGhost("London")
	got, _ := press(c, "enter").(Send)
	if got.Draft.Text != "London" || !got.Ghost || got.Target.TaskID != "91c2e0d4" {
		t.Errorf("got intent %+v for enter, want Send of the suggestion", got)
	}
}

// A suggestion is what enter or a key does with it: there is none while nothing can be sent.
func TestNoGhostStandsBelowThatNothingCanBeSent(t *testing.T) {
	held := TargetChoice{Kind: TargetNew, Label: "new task", Short: "new task", Why: "the card says 9.9"}
	for _, targets := range [][]TargetChoice{{held}, {held, answer}, nil} {
		c := open(60, targets...)
		c.SetGhost("London")
		if got := screen(c); strings.Contains(got, "London") {
			t.Errorf("got a suggestion that cannot be followed:\n%s", got)
		}
		if press(c, "right"); c.Value() != "" {
			t.Errorf("got text %q after right, want none", c.Value())
		}
		press(c, "L")
		if got := screen(c); strings.Contains(got, "London") {
			t.Errorf("got the rest of a suggestion that cannot be followed:\n%s", got)
		}
	}
}

func TestGhostCompletesWhatBeginsIt(t *testing.T) {
	c := open(60, answer)
	c.SetGhost("London to Oslo")
	press(c, "L", "o")
	if press(c, "right"); c.Value() != "London to Oslo" {
		t.Errorf("got text %q after right, want the whole suggestion", c.Value())
	}
	c.SetValue("Paris")
	if press(c, "right"); c.Value() != "Paris" {
		t.Errorf("got text %q after right, want Paris", c.Value())
	}
	c.SetValue("London")
	press(c, "left")
	if press(c, "right"); c.Value() != "London" {
		t.Errorf("got text %q after right within the text, want London", c.Value())
	}
}

func TestClearedAndSentTextsComeBackWithUp(t *testing.T) {
	c := open(60, newTask)
	c.SetHistory(NewHistory("first", "second"))
	c.SetValue("draft")
	if !c.Clear() || !c.Empty() {
		t.Fatalf("got text %q after Clear, want none", c.Value())
	}
	for _, step := range []struct{ key, want string }{
		{"up", "draft"}, {"up", "second"}, {"up", "first"}, {"up", "first"},
		{"down", "second"}, {"down", "draft"}, {"down", ""}, {"down", ""},
	} {
		if press(c, step.key); c.Value() != step.want {
			t.Fatalf("got text %q after %s, want %q", c.Value(), step.key, step.want)
		}
	}
	c.SetValue("new")
	press(c, "enter")
	if press(c, "up"); c.Value() != "new" {
		t.Errorf("got text %q after up, want the sent text", c.Value())
	}
}

func TestUpInsideATextMovesTheCursorAndKeepsADraft(t *testing.T) {
	c := open(60, newTask)
	c.SetHistory(NewHistory("old"))
	c.SetValue("one\ntwo")
	if press(c, "up"); c.Value() != "one\ntwo" {
		t.Fatalf("got text %q after up in the last line, want the same text", c.Value())
	}
	if press(c, "up"); c.Value() != "old" {
		t.Fatalf("got text %q after up in the first line, want old", c.Value())
	}
	if press(c, "down"); c.Value() != "one\ntwo" {
		t.Errorf("got text %q after down, want the draft", c.Value())
	}
}

func TestRestoreKeepsWhatWasWrittenMeanwhile(t *testing.T) {
	c := open(60, newTask)
	c.Restore(Draft{Text: "refused"})
	if c.Value() != "refused" {
		t.Errorf("got text %q, want the restored one", c.Value())
	}
	c.SetValue("newer")
	if c.Restore(Draft{Text: "refused"}); c.Value() != "newer" {
		t.Errorf("got text %q after Restore, want the newer draft", c.Value())
	}
}

func TestNewLineKeys(t *testing.T) {
	for _, name := range []string{"alt+enter", "shift+enter", "ctrl+j"} {
		c := open(60, newTask)
		if got := press(c, "a", name, "b"); got != nil || c.Value() != "a\nb" {
			t.Errorf("%s: got intent %v and text %q, want a line end", name, got, c.Value())
		}
	}
}

func TestEditorGetsTheWholeText(t *testing.T) {
	c := open(60, newTask)
	text := strings.Repeat("line\n", 5000)
	c.Paste(text)
	if got := press(c, "alt+e"); got != (Edit{Text: text}) {
		t.Error("got another text for the editor, want the whole one")
	}
}

func TestKeysThatMeanSomethingElseAreNotTakenByTheTextarea(t *testing.T) {
	for _, name := range []string{"ctrl+n", "ctrl+p", "ctrl+t", "ctrl+g", "ctrl+x", "ctrl+v", "esc", "tab"} {
		c := open(60, newTask)
		c.SetValue("ab\ncd")
		before := c.at()
		if press(c, name); c.Value() != "ab\ncd" || c.at() != before {
			t.Errorf("%s: got text %q and cursor %v, want both unchanged", name, c.Value(), c.at())
		}
	}
}

func TestItGrowsWithTheTextAndScrollsAfterEightRows(t *testing.T) {
	c := open(40, newTask)
	for lines, want := range map[int]int{0: 3, 1: 4, 7: 10, 8: 10, 30: 10} {
		c.SetValue("x" + strings.Repeat("\nx", lines))
		if got := c.Height(); got != want {
			t.Errorf("%d line ends: got height %d, want %d", lines, got, want)
		}
		c.SetSize(40, c.Height())
		exact(t, c, 40, want)
		if cur := c.Cursor(); cur == nil || cur.Y != min(want-1, 2+lines) || cur.X != 3 {
			t.Errorf("%d line ends: got cursor %+v, want it behind the text", lines, cur)
		}
	}
}

func TestCursorFollowsWideAndCombinedCharacters(t *testing.T) {
	for text, x := range map[string]int{"": 2, "abc": 5, "안녕": 6, "e\u0301": 3, "a\tb": 5, "日本語テキスト": 16} {
		c := open(40, newTask)
		c.Paste(text)
		if cur := c.Cursor(); cur.X != x || cur.Y != 2 {
			t.Errorf("%q: got cursor %d,%d, want column %d of row 2", text, cur.X, cur.Y, x)
		}
	}
	c := open(40, newTask)
	c.Blur()
	if c.Cursor() != nil {
		t.Error("got a cursor without the focus, want none")
	}
}

func TestClickPutsTheCursorUnderTheMouse(t *testing.T) {
	c := open(40, newTask)
	c.SetValue("hello\n안녕 world\nend")
	c.SetSize(40, c.Height())
	for _, at := range []struct{ x, y, wantX, wantY int }{
		{4, 2, 4, 2}, {2, 3, 2, 3}, {3, 3, 2, 3}, {4, 3, 4, 3}, {39, 4, 5, 4}, {0, 2, 2, 2}, {9, 3, 9, 3},
	} {
		c.Mouse(tea.MouseClickMsg{Button: tea.MouseLeft}, at.x, at.y)
		if cur := c.Cursor(); cur.X != at.wantX || cur.Y != at.wantY {
			t.Errorf("click at %d,%d: got cursor %d,%d, want %d,%d", at.x, at.y, cur.X, cur.Y, at.wantX, at.wantY)
		}
	}
	c.Mouse(tea.MouseWheelMsg{Button: tea.MouseWheelUp}, 3, 3)
	c.Mouse(tea.MouseClickMsg{Button: tea.MouseLeft}, 3, 0)
	c.Mouse(tea.MouseClickMsg{Button: tea.MouseLeft}, -1, 99)
}

func TestHelpNamesOnlyKeysThatAct(t *testing.T) {
	c := open(60, newTask)
	if names := enabled(c.ShortHelp()); names != "new line commands attach file open editor" {
		t.Errorf("empty: got keys %q, want no key that sends", names)
	}
	c.SetTargets([]TargetChoice{answer, newTask}, 0)
	c.SetGhost("London")
	if names := enabled(c.ShortHelp()); names != "send accept suggestion new line commands attach file change target open editor" {
		t.Errorf("with a suggestion: got keys %q, want those that send and accept it", names)
	}
	c.SetTargets([]TargetChoice{away}, 0)
	c.SetValue("x")
	if names := enabled(c.ShortHelp()); names != "new line attach file open editor" {
		t.Errorf("without a reachable agent: got keys %q, want no key that sends", names)
	}
	if len(c.FullHelp()) == 0 {
		t.Error("got no full help, want columns of keys")
	}
}

func enabled(bindings []key.Binding) string {
	var names []string
	for _, b := range bindings {
		if b.Enabled() {
			names = append(names, b.Help().Desc)
		}
	}
	return strings.Join(names, " ")
}
