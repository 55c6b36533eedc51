package ui

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/ui/canvas"
	"parley/ui/control"
	"parley/ui/terminal"
)

// The next program on the terminal would read the answer as typed, and the shell would show it.
func TestTheTerminalIsHandedOverWhenItHasAnswered(t *testing.T) {
	t.Parallel()
	const never = time.Hour
	for _, c := range []struct {
		name string
		does string
		ask  func(d *desk)
	}{
		{"quitting", "tea.QuitMsg", func(d *desk) { d.press("ctrl+c", "ctrl+c") }},
		{"a signal", "tea.QuitMsg", func(d *desk) { d.send(terminal.EndMsg{}) }},
		{"a signal during another request", "tea.QuitMsg", func(d *desk) { d.press("ctrl+z"); d.send(terminal.EndMsg{}) }},
		{"suspending", "tea.SuspendMsg", func(d *desk) { d.press("ctrl+z") }},
	} {
		for _, asked := range []time.Duration{0, terminal.FirstFrame + time.Millisecond} { // before and after the question
			for _, after := range []time.Duration{200 * time.Millisecond, 3 * time.Second, never} {
				for _, o := range []Options{{}, {ASCII: true}} {
					bubble(t, 80, 24, o, func(d *desk) {
						done := func() bool { return slices.Contains(d.outside, c.does) }
						d.wait(asked)
						c.ask(d)
						d.sees("waiting for an answer")
						d.wait(min(after, terminal.ProbePatience) - terminal.FirstFrame - 2*time.Millisecond)
						if done() {
							t.Fatalf("%s after %v: the terminal was handed over before it answered", c.name, asked)
						}
						d.wait(terminal.FirstFrame + 2*time.Millisecond)
						if after != never {
							d.send(tea.CursorPositionMsg{X: 1, Y: 1})
						} else {
							d.wait(terminal.FirstFrame)
						}
						if !done() || slices.Contains(d.outside, "tea.SuspendMsg") != (c.does == "tea.SuspendMsg") {
							t.Errorf("%s after %v, answered after %v: got %q, want %s", c.name, asked, after, d.outside, c.does)
						}
					})
				}
			}
		}
	}
}

// Who has read what is waited for need not wait for it. A terminal that has answered, or been silent
// for long, is not waited for.
func TestNobodyWaitsForATerminalWithoutNeed(t *testing.T) {
	t.Parallel()
	for name, ready := range map[string]func(d *desk){
		"answered": func(d *desk) { d.wait(time.Second); d.send(tea.CursorPositionMsg{X: 1, Y: 1}) },
		"silent":   func(d *desk) { d.wait(terminal.FirstFrame + terminal.ProbePatience) },
		"pressed":  func(d *desk) { d.press("ctrl+c", "ctrl+c") },
	} {
		bubble(t, 80, 24, Options{}, func(d *desk) {
			ready(d)
			if slices.Contains(d.outside, "tea.QuitMsg") {
				t.Fatalf("%s: quit before the last key", name)
			}
			if name != "pressed" {
				d.press("ctrl+c")
			}
			d.press("ctrl+c")
			if !slices.Contains(d.outside, "tea.QuitMsg") {
				t.Errorf("%s: did not quit at once", name)
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
		_, more := cmd().(tea.BatchMsg) // the question, and the end of the patience
		return more
	}
	bubble(t, 80, 24, Options{}, func(d *desk) {
		m := d.model
		for _, returned := range []tea.Msg{tea.ResumeMsg{}, terminal.NoShellMsg{}, control.EditedMsg{}} {
			m.probe = terminal.Probe{}
			m.probe.HandOver(tea.Suspend)
			if asks(m.probe.Ask(true)) {
				t.Fatal("the probe was sent while somebody else has the terminal")
			}
			m.Update(returned)
			if !asks(m.probe.Ask(true)) {
				t.Errorf("the probe was not sent after %T", returned)
			}
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
