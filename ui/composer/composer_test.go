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

// press types words of keys: "a", "enter", "ctrl+t", "alt+enter", "up".
func press(c *Composer, names ...string) Intent {
	var last Intent
	for _, name := range names {
		last = c.Key(panetest.Key(name))
	}
	return last
}

// screen returns what is seen, without its looks.
func screen(c *Composer) string { return ansi.Strip(strings.Join(c.Lines(), "\n")) }

func exact(t *testing.T, c *Composer, w, h int) {
	t.Helper()
	panetest.Exact(t, c.Lines(), w, h)
}

func TestEnterSendsWhatIsShownToTheTargetShown(t *testing.T) {
	c := open(60, answer, newTask)
	c.Paste("10 to 17 October")
	if got := screen(c); !strings.Contains(got, "reply to task 91c2") || !strings.Contains(got, "10 to 17 October") {
		t.Fatalf("screen says:\n%s", got)
	}
	got, ok := press(c, "enter").(Send)
	if !ok || got.Draft.Text != "10 to 17 October" || got.Target.TaskID != "91c2e0d4" || got.Ghost {
		t.Fatalf("enter gave %+v", got)
	}
	if !c.Empty() {
		t.Errorf("still holds %q", c.Value())
	}
}

func TestBlankTextIsNotSent(t *testing.T) {
	c := open(60, newTask)
	if got := press(c, "enter", "space", "alt+enter", "enter"); got != nil {
		t.Errorf("enter gave %+v", got)
	}
	if c.Value() != " \n" {
		t.Errorf("holds %q", c.Value())
	}
}

func TestTargetKeyStepsThroughWhatIsPossible(t *testing.T) {
	c := open(80, answer, fork, newTask)
	if got := screen(c); !strings.Contains(got, "ctrl+t new task") || strings.Contains(got, "fork") {
		t.Errorf("the line offers something else:\n%s", got)
	}
	for _, want := range []int{2, 0, 2} {
		if got := press(c, "ctrl+t"); got != (Retarget{Index: want}) || c.Selected() != want {
			t.Fatalf("ctrl+t gave %v, want %d", got, want)
		}
	}
	if got := press(c, "x", "enter").(Send); got.Target.TaskID != "" {
		t.Errorf("sent to %+v", got.Target)
	}
}

func TestWhenNothingCanBeSentTheLineSaysWhyAndTheTextStays(t *testing.T) {
	for _, c := range []*Composer{open(60, away), open(60)} {
		got := press(c, "h", "i", "enter")
		refused, ok := got.(Refused)
		if !ok || refused.Why == "" {
			t.Fatalf("enter gave %+v", got)
		}
		if c.Value() != "hi" || !strings.Contains(screen(c), "cannot send: "+refused.Why) {
			t.Errorf("holds %q, shows\n%s", c.Value(), screen(c))
		}
		if press(c, "ctrl+t") != nil {
			t.Error("ctrl+t found a target")
		}
	}
}

func TestGhostIsTakenByOneKeyAndSentByEnterAlone(t *testing.T) {
	for _, take := range []string{"right", "ctrl+e", "end"} {
		c := open(60, answer)
		c.SetGhost("London")
		if got := screen(c); !strings.Contains(got, `enter sends "London"`) || !strings.Contains(got, "> London") {
			t.Fatalf("ghost is not offered:\n%s", got)
		}
		if press(c, take); c.Value() != "London" {
			t.Errorf("%s took %q", take, c.Value())
		}
		if strings.Contains(screen(c), "enter sends") {
			t.Errorf("ghost is still offered:\n%s", screen(c))
		}
	}
	c := open(60, answer)
	c.SetGhost("London")
	got, _ := press(c, "enter").(Send)
	if got.Draft.Text != "London" || !got.Ghost || got.Target.TaskID != "91c2e0d4" {
		t.Errorf("enter sent %+v", got)
	}
}

func TestGhostCompletesWhatBeginsIt(t *testing.T) {
	c := open(60, answer)
	c.SetGhost("London to Oslo")
	press(c, "L", "o")
	if press(c, "right"); c.Value() != "London to Oslo" {
		t.Errorf("right made %q", c.Value())
	}
	c.SetValue("Paris")
	if press(c, "right"); c.Value() != "Paris" {
		t.Errorf("right made %q", c.Value())
	}
	c.SetValue("London")
	press(c, "left")
	if press(c, "right"); c.Value() != "London" {
		t.Errorf("right in the middle made %q", c.Value())
	}
}

func TestClearedAndSentTextsComeBackWithUp(t *testing.T) {
	c := open(60, newTask)
	c.SetHistory(NewHistory("first", "second"))
	c.SetValue("draft")
	if !c.Clear() || !c.Empty() {
		t.Fatalf("Clear left %q", c.Value())
	}
	for _, step := range []struct{ key, want string }{
		{"up", "draft"}, {"up", "second"}, {"up", "first"}, {"up", "first"},
		{"down", "second"}, {"down", "draft"}, {"down", ""}, {"down", ""},
	} {
		if press(c, step.key); c.Value() != step.want {
			t.Fatalf("%s gave %q, want %q", step.key, c.Value(), step.want)
		}
	}
	c.SetValue("new")
	press(c, "enter")
	if press(c, "up"); c.Value() != "new" {
		t.Errorf("up gave %q", c.Value())
	}
}

func TestUpInsideATextMovesTheCursorAndKeepsADraft(t *testing.T) {
	c := open(60, newTask)
	c.SetHistory(NewHistory("old"))
	c.SetValue("one\ntwo")
	if press(c, "up"); c.Value() != "one\ntwo" {
		t.Fatalf("up left the text: %q", c.Value())
	}
	if press(c, "up"); c.Value() != "old" {
		t.Fatalf("up at the first line gave %q", c.Value())
	}
	if press(c, "down"); c.Value() != "one\ntwo" {
		t.Errorf("down gave %q", c.Value())
	}
}

func TestRestoreKeepsWhatWasWrittenMeanwhile(t *testing.T) {
	c := open(60, newTask)
	c.Restore(Draft{Text: "refused"})
	if c.Value() != "refused" {
		t.Errorf("restored %q", c.Value())
	}
	c.SetValue("newer")
	if c.Restore(Draft{Text: "refused"}); c.Value() != "newer" {
		t.Errorf("lost the newer text for %q", c.Value())
	}
}

func TestNewLineKeys(t *testing.T) {
	for _, name := range []string{"alt+enter", "shift+enter", "ctrl+j"} {
		c := open(60, newTask)
		if got := press(c, "a", name, "b"); got != nil || c.Value() != "a\nb" {
			t.Errorf("%s: %v, %q", name, got, c.Value())
		}
	}
}

func TestEditorGetsTheWholeText(t *testing.T) {
	c := open(60, newTask)
	text := strings.Repeat("line\n", 5000)
	c.Paste(text)
	if got := press(c, "alt+e"); got != (Edit{Text: text}) {
		t.Error("the editor would get something else")
	}
}

func TestKeysThatMeanSomethingElseAreNotTakenByTheTextarea(t *testing.T) {
	for _, name := range []string{"ctrl+n", "ctrl+p", "ctrl+t", "ctrl+g", "ctrl+x", "ctrl+v", "esc", "tab"} {
		c := open(60, newTask)
		c.SetValue("ab\ncd")
		before := c.at()
		if press(c, name); c.Value() != "ab\ncd" || c.at() != before {
			t.Errorf("%s changed the text or moved the cursor", name)
		}
	}
}

func TestItGrowsWithTheTextAndScrollsAfterEightRows(t *testing.T) {
	c := open(40, newTask)
	for lines, want := range map[int]int{0: 3, 1: 4, 7: 10, 8: 10, 30: 10} {
		c.SetValue("x" + strings.Repeat("\nx", lines))
		if got := c.Height(); got != want {
			t.Errorf("%d line ends: height %d, want %d", lines, got, want)
		}
		c.SetSize(40, c.Height())
		exact(t, c, 40, want)
		if cur := c.Cursor(); cur == nil || cur.Y != min(want-1, 2+lines) || cur.X != 3 {
			t.Errorf("%d line ends: cursor at %+v", lines, cur)
		}
	}
}

func TestCursorFollowsWideAndCombinedCharacters(t *testing.T) {
	for text, x := range map[string]int{"": 2, "abc": 5, "안녕": 6, "e\u0301": 3, "a\tb": 5, "日本語テキスト": 16} {
		c := open(40, newTask)
		c.Paste(text)
		if cur := c.Cursor(); cur.X != x || cur.Y != 2 {
			t.Errorf("%q: cursor at %d,%d, want column %d", text, cur.X, cur.Y, x)
		}
	}
	c := open(40, newTask)
	c.Blur()
	if c.Cursor() != nil {
		t.Error("cursor without the focus")
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
			t.Errorf("click at %d,%d put the cursor at %d,%d, want %d,%d", at.x, at.y, cur.X, cur.Y, at.wantX, at.wantY)
		}
	}
	c.Mouse(tea.MouseWheelMsg{Button: tea.MouseWheelUp}, 3, 3)
	c.Mouse(tea.MouseClickMsg{Button: tea.MouseLeft}, 3, 0)
	c.Mouse(tea.MouseClickMsg{Button: tea.MouseLeft}, -1, 99)
}

func TestHelpNamesOnlyKeysThatAct(t *testing.T) {
	c := open(60, newTask)
	if names := enabled(c.ShortHelp()); names != "new line open editor attach file" {
		t.Errorf("empty: %s", names)
	}
	c.SetTargets([]TargetChoice{answer, newTask}, 0)
	c.SetGhost("London")
	if names := enabled(c.ShortHelp()); names != "send accept suggestion new line open editor attach file change target" {
		t.Errorf("with a ghost: %s", names)
	}
	c.SetTargets([]TargetChoice{away}, 0)
	c.SetValue("x")
	if names := enabled(c.ShortHelp()); names != "new line open editor attach file" {
		t.Errorf("unreachable: %s", names)
	}
	if len(c.FullHelp()) == 0 {
		t.Error("no full help")
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
