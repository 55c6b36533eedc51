package ui

import (
	"os"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/ui/canvas"
	"parley/ui/control"
	"parley/ui/terminal"
)

// The next program on the terminal would read the answer as typed.
func TestTheTerminalIsHandedOverWhenItHasAnswered(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		keys []string
		does string
	}{{[]string{"ctrl+c", "ctrl+c"}, "tea.QuitMsg"}, {[]string{"ctrl+z"}, "tea.SuspendMsg"}} {
		done := func(d *desk) bool { return slices.Contains(d.outside, c.does) }
		for _, answers := range []bool{true, false} {
			bubble(t, 80, 24, Options{}, func(d *desk) {
				d.wait(terminal.FirstFrame + time.Millisecond) // the answer is pending
				d.press(c.keys...)
				if done(d) {
					t.Fatalf("%s: the terminal was handed over before it answered", c.does)
				}
				if answers {
					d.send(tea.CursorPositionMsg{X: 1, Y: 1})
				} else {
					d.wait(terminal.ProbePatience)
				}
				if !done(d) {
					t.Errorf("%s, answered %v: the terminal was not handed over", c.does, answers)
				}
			})
		}
		bubble(t, 80, 24, Options{}, func(d *desk) {
			d.wait(terminal.FirstFrame + time.Millisecond)
			d.send(tea.CursorPositionMsg{X: 1, Y: 1})
			d.press(c.keys...)
			if !done(d) {
				t.Errorf("%s: did not happen at once although no answer is expected", c.does)
			}
		})
	}
}

func TestWhereGlyphsWouldBeWideTheyAreASCII(t *testing.T) {
	t.Parallel()
	for x, ascii := range map[int]bool{1: false, 2: true} {
		bubble(t, 80, 24, Options{}, func(d *desk) {
			d.wait(terminal.FirstFrame + time.Millisecond)
			d.send(tea.CursorPositionMsg{X: x, Y: 1})
			if got := strings.Contains(d.text(), "╭"); got == ascii {
				t.Errorf("cursor in column %d: got Unicode glyphs %v, want %v:\n%s", x, got, !ascii, d.text())
			}
		})
	}
}

// On a busy machine the first frame is late. The probe must not be drawn before it, on the
// screen that the user finds after the program ends.
func TestTheTerminalIsAskedAfterTheFirstFrame(t *testing.T) {
	t.Parallel()
	asked := func(d *desk) bool { return slices.Contains(d.outside, "tea.RawMsg") }
	out := &fakeDisplay{}
	bubble(t, 80, 24, Options{}, func(d *desk) {
		d.model.pace.out = out
		d.wait(10 * terminal.FirstFrame)
		if asked(d) {
			t.Fatal("the probe was sent before anything is drawn")
		}
		out.drawn = true
		d.wait(terminal.FirstFrame)
		if !asked(d) {
			t.Error("the probe was not sent")
		}
	})
}

// While another program has the terminal the probe would be drawn over it, and its answer read
// as typed.
func TestNothingIsAskedWhileSomebodyElseHasTheTerminal(t *testing.T) {
	t.Parallel()
	asks := func(cmd tea.Cmd) bool {
		return cmd != nil && reflect.TypeOf(cmd()).String() == "tea.sequenceMsg"
	}
	bubble(t, 80, 24, Options{ASCII: true}, func(d *desk) {
		m := d.model
		for _, returned := range []tea.Msg{tea.ResumeMsg{}, terminal.NoShellMsg{}, control.EditedMsg{}} {
			m.probe.HandOver(tea.Suspend)
			if asks(m.probe.Ask(true)) {
				t.Fatal("the probe was sent while somebody else has the terminal")
			}
			m.Update(returned)
			if !asks(m.probe.Ask(true)) {
				t.Errorf("the probe was not sent after %T", returned)
			}
			m.probe.Done()
		}
	})
}

// RUNEWIDTH_EASTASIAN takes effect with the first frame.
func TestRowsFitWhereGlyphsCountAsWide(t *testing.T) {
	t.Parallel()
	if !canvas.AmbiguousIsWide() {
		// The environment is read when the program starts.
		self, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(self, "-test.run=^"+t.Name()+"$")
		cmd.Env = append(os.Environ(), "RUNEWIDTH_EASTASIAN=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("the subprocess failed: %v:\n%s", err, out)
		}
		return
	}
	for _, s := range scenes {
		t.Run(s.name, func(t *testing.T) {
			bubble(t, 120, 40, Options{}, func(d *desk) {
				s.play(d)
				d.rows()
			})
		})
	}
}
