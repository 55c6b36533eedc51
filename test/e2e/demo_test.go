//go:build unix

package e2e

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"

	"parley/a2a/a2atest"
	"parley/a2a/a2atest/demo"
)

// demoAgent starts one agent of the demo alone.
func demoAgent(t *testing.T, name string) *a2atest.Agent {
	t.Helper()
	scripts, err := demo.Scripts()
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(scripts, func(s *a2atest.Script) bool { return s.Name == name })
	if i < 0 {
		t.Fatalf("got no agent %q in the demo, want one", name)
	}
	agent, err := a2atest.Start(context.Background(), scripts[i], a2atest.Options{Pace: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(agent.Close)
	return agent
}

func TestScrollingUpIsNotSnatchedBackWhileScribeStreams(t *testing.T) {
	t.Parallel()
	s := parley(t, 120, 40, "demo", "--no-record")
	s.WaitFor(`▌Scribe`)
	sendExample(s, "essay on tides")
	s.WaitFunc("enough text to scroll", func(screen string) bool { return number(screen, `live (\d+) events`) > 120 })
	s.Wheel(40, 10, -8)
	s.Text("typed ") // input after the wheel is visible after its effect
	s.WaitFor(`❯ typed`)
	last := ""
	held := s.WaitFunc("text that has come to rest above what is new", func(screen string) bool {
		same := body(columns(screen, 24, 72)) == last
		last = body(columns(screen, 24, 72))
		return same && number(screen, `(\d+) new ↓`) > 10
	})
	text := columns(held, 24, 72)
	over := regexp.MustCompile(`task \w+ ✓ completed`) // the essay is long, but a machine may be slow
	for _, least := range []int{150, 190, 230} {
		screen := s.WaitFunc("more events", func(screen string) bool {
			return number(screen, `live (\d+) events`) > least || over.MatchString(screen)
		})
		if got := body(columns(screen, 24, 72)); got != body(text) {
			t.Fatalf("got the text moved while it was read:\n%s\n---\n%s", text, got)
		}
	}
	if before, after := number(held, `(\d+) new ↓`), number(s.Screen(), `(\d+) new ↓`); after <= before {
		t.Errorf("got %d new below, then %d, want more", before, after)
	}
	s.Text("meanwhile")
	s.WaitFor(`❯ typed meanwhile`)
	s.Wheel(40, 10, 200)
	s.WaitGone(`\d+ new ↓`)
	s.Keys("C-c")
	s.WaitFor(`cleared`)
	s.Keys("C-x")
	s.WaitFor(`canceled|task \w+ ✓ completed`)
	s.WaitGone(`live \d+ events`)
}

// body is the text of a conversation without its last row, which counts new entries, and
// without the composer.
func body(text string) string {
	rows := strings.Split(text, "\n")
	return strings.Join(rows[3:len(rows)-6], "\n")
}

func TestACutIsSaidAsACut(t *testing.T) {
	t.Parallel()
	s := parley(t, 120, 40, "demo", "--no-record")
	s.WaitFor(`▌Saboteur`)
	sendExample(s, "Reset the connection")
	s.WaitFor(`end · cut`)
	screen := s.WaitFor(`(?i)connection (was|broke|to|is)|cut|reset`)
	if regexp.MustCompile(`(?i)read tcp|EOF|syscall`).MatchString(columns(screen, 24, 72)) {
		t.Errorf("got Go's error text in the conversation:\n%s", screen)
	}
}

// After a cut, the received text remains, and Parley resubscribes until the task ends.
func TestACutInsideAnEventIsFollowedByTheRest(t *testing.T) {
	t.Parallel()
	s := parley(t, 120, 40, "demo", "--no-record")
	s.WaitFor(`▌Saboteur`)
	sendExample(s, "middle of an event")
	s.WaitFor(`Look the other way`)
	s.WaitFor(`cut · resubscribing \(1 of 5\)|✓ completed`) // for a second the one
	s.WaitFor(`→ SubscribeToTa`)
	s.WaitFor(`This line arrived after the cut`)
	s.WaitFor(`✓ completed`)
	s.WaitFor(`6 parts · 80 B`)
	// The stream ends after the status that ends the task.
	s.WaitGone(`\blive\b`)
	s.WaitGone(`resubscribing`)
	s.WaitFor(`resubscribed to`)
}

func TestEscapeCodesDoNotReachTheTerminal(t *testing.T) {
	t.Parallel()
	s := parley(t, 120, 40, "demo", "--no-record")
	s.WaitFor(`▌Saboteur`)
	sendExample(s, "Write on my terminal")
	s.WaitForDisplay("#{pane_title}", `^. Saboteur · parley$`) // and no other from here on
	s.WaitFor(`✓ completed|completed`)
	s.WaitFor(`end · (closed by agent|✓ checked)`)
	waitForAll(s, "The screen is mine", "╭─ wire", "╰") // in a whole frame
	if title := s.Display("#{pane_title}"); title != "✓ Saboteur · parley" {
		t.Errorf("got title %q, want ✓ Saboteur · parley", title)
	}
	if clip := s.Display("#{buffer_sample}"); clip != "" {
		t.Errorf("got %q in the clipboard, want nothing", clip)
	}
	if on := s.Display("#{alternate_on}"); on != "1" {
		t.Error("got the main screen, want the alternate one")
	}
	for _, escape := range []string{"\x1b[5m", "\x1b[7m", "\x1b[41m"} {
		if strings.Contains(s.Styled(), escape) {
			t.Errorf("got the agent's %q executed by the terminal, want it as text", escape)
		}
	}
	s.Keys("F2") // its card is hostile, too
	s.WaitFor(`Breaks one thing at a time`)
	if title := s.Display("#{pane_title}"); title != "✓ Saboteur · parley" {
		t.Errorf("got title %q, want ✓ Saboteur · parley", title)
	}
}

func TestAPasteOfTwoThousandLinesArrivesWhole(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := parleyWith(t, 100, 30, []string{"EDITOR=" + copyingEditor(t, dir)}, "demo", "--no-record")
	s.WaitFor(`❯ Book me`)
	var text strings.Builder
	for i := range 2000 {
		text.WriteString("line ")
		text.WriteString(strings.Repeat("x", i%50))
		text.WriteString("\t한국 🧳 ")
		text.WriteString(strings.Repeat("y", i%7) + "\n")
	}
	text.WriteString("the end")
	s.Text("before ")
	s.Paste(text.String())
	s.WaitFor(`pasted 2,001 lines`)
	s.Text(" after")
	s.Keys("M-e")
	got := waitForEditor(t, dir)
	if want := "before " + text.String() + " after"; got != want {
		t.Errorf("got %d bytes, want %d", len(got), len(want))
	}
}
