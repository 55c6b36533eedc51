package tmux

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"
)

// shell starts a shell script in a terminal.
func shell(t *testing.T, script string, env ...string) *Session {
	t.Helper()
	return Start(t, Options{Command: []string{"sh", "-c", script}, Env: env, W: 60, H: 12, Dir: t.TempDir()})
}

func TestTextKeysAndExit(t *testing.T) {
	s := shell(t, `read line; echo "got [$line]"; exit 3`)
	s.Text("it's $HOME; C-c")
	s.Keys("Enter")
	s.WaitFor(`^got \[it's \$HOME; C-c\]$`)
	if got := s.Exit(); got != 3 {
		t.Errorf("got exit status %d, want 3", got)
	}
	if s.Running() {
		t.Error("got Running true after the program ended")
	}
}

// Whatever is typed arrives as it is, and whatever is on the screen comes back, even if it has a
// meaning for tmux.
func TestTextWithAMeaningForTmuxIsText(t *testing.T) {
	const text = `~ #{pane_id} $HOME "a" 'b' \101 {x} ; % ü 漢`
	s := shell(t, `stty -echo; printf '%%begin 1 2 0\n%%end 1 2 0\n%%exit\n'; IFS= read -r line; printf '[%s]\n' "$line"; cat`)
	s.WaitFor(`^%begin 1 2 0\n%end 1 2 0\n%exit$`)
	s.Text(text + "\n")
	s.WaitFor(`^\[` + regexp.QuoteMeta(text) + `\]$`)
}

func TestACommandThatTmuxRefusesFailsTheTest(t *testing.T) {
	s := shell(t, `cat`)
	failed := &failure{TB: t}
	s.t = failed
	func() {
		defer func() { _ = recover() }()
		s.tmux("send-keys", "-t", "another")
	}()
	s.t = t
	if !strings.Contains(failed.text, "send-keys: can't find pane: another") {
		t.Errorf("got failure %q, want what tmux said", failed.text)
	}
}

func TestDeathBySignalIsTold(t *testing.T) {
	s := shell(t, `kill -TERM $$`)
	if got := s.Exit(); got != 128+15 {
		t.Errorf("got exit status %d, want %d", got, 128+15)
	}
}

func TestEnvironmentIsClean(t *testing.T) {
	t.Setenv("PARLEY_TEST_LEAK", "yes")
	s := shell(t, `env | grep -v ^PATH | sort; echo end; sleep 60`, "EXTRA=a b")
	screen := s.WaitFor(`^end$`)
	for _, want := range []string{"EXTRA=a b", "TERM=xterm-256color", "COLORTERM=truecolor"} {
		if !strings.Contains(screen, want) {
			t.Errorf("got no %s in\n%s", want, screen)
		}
	}
	if strings.Contains(screen, "TMUX") || strings.Contains(screen, "LEAK") {
		t.Errorf("got a leaked variable in\n%s", screen)
	}
}

func TestPasteAndMouseArriveAsReports(t *testing.T) {
	s := shell(t, `stty -icanon -echo; printf '\033[?2004h\033[?1002h\033[?1006hready\n'; cat -v`)
	s.WaitFor(`^ready`)
	s.Paste("one\ntwo")
	s.WaitFor(`\^\[\[200~one`)
	s.WaitFor(`two\^\[\[201~`)
	s.Click(4, 2)
	s.WaitFor(`\^\[\[<0;5;3M\^\[\[<0;5;3m`)
	s.Drag(0, 0, 3, 1)
	s.WaitFor(`\^\[\[<32;4;2M`)
	s.Wheel(1, 1, -2)
	s.WaitFor(`(\^\[\[<64;2;2M){2}`)
	s.Wheel(1, 1, 1)
	s.WaitFor(`\^\[\[<65;2;2M`)
}

func TestResizeReachesTheProgram(t *testing.T) {
	s := shell(t, `trap 'stty size' WINCH; stty size; while :; do sleep 0.02; done`)
	s.WaitFor(`^12 60$`)
	s.Resize(90, 20)
	s.WaitFor(`^20 90$`)
}

func TestStyleTitleClipboardAndCursor(t *testing.T) {
	s := shell(t, `printf '\033]2;a title\007\033]52;c;Y29waWVk\007\033[31mred\033[m\033[?25l'; cat`)
	s.WaitFor(`^red`)
	if got := s.Styled(); !strings.Contains(got, "\x1b[31mred") {
		t.Errorf("got styled screen %q, want red", got)
	}
	if got := s.Display("#{pane_title}"); got != "a title" {
		t.Errorf("got title %q, want a title", got)
	}
	s.WaitForCopy(`\Acopied\z`)
	if x, y, visible := s.Cursor(); x != 3 || y != 0 || visible {
		t.Errorf("got cursor %d, %d, visible %v, want 3, 0, false", x, y, visible)
	}
}

func TestAFailedWaitShowsTheScreen(t *testing.T) {
	s := shell(t, `echo something else; cat`)
	s.WaitFor(`^something`)
	s.timeout = time.Millisecond
	failed := &failure{TB: t}
	s.t = failed
	func() {
		defer func() { _ = recover() }()
		s.WaitFor(`never`)
	}()
	s.t = t
	if !strings.Contains(failed.text, "/never/") || !strings.Contains(failed.text, "│something else") {
		t.Errorf("got failure %q, want the pattern and the screen", failed.text)
	}
}

func TestAWaitEndsWithTheProgram(t *testing.T) {
	s := shell(t, `echo gone; exit 7`)
	failed := &failure{TB: t}
	s.t = failed
	func() {
		defer func() { _ = recover() }()
		s.WaitFor(`never`)
	}()
	s.t = t
	if !strings.Contains(failed.text, "status 7") {
		t.Errorf("got failure %q, want status 7", failed.text)
	}
}

// failure catches a fatal failure; it panics to leave the function that failed.
type failure struct {
	testing.TB
	text string
}

func (f *failure) Helper() {}

func (f *failure) Fatalf(format string, args ...any) {
	f.text = fmt.Sprintf(format, args...)
	panic(f.text)
}
