package ui

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/internal/config"
	"parley/internal/golden"
	"parley/internal/portscan"
	"parley/internal/roster"
	startscreen "parley/ui/control/start"
)

var startSizes = []struct{ w, h int }{{200, 60}, {120, 40}, {80, 24}, {60, 20}, {20, 5}}

// startOptions open the start screen, with the demo and ports.
func startOptions() Options {
	return Options{
		Demo: func() ([]string, error) { return []string{"http://demo"}, nil },
		Start: Start{Show: true, Ports: portscan.Usual(), Scan: func(_ context.Context, _ []int, put func(portscan.Agent)) {
			put(portscan.Agent{Port: 9999, URL: "http://127.0.0.1:9999", Name: "Hello World", Dialect: "1.0", Binding: "JSON-RPC"})
		}},
	}
}

func TestTheStartScreenOfAFreshMachine(t *testing.T) {
	t.Parallel()
	for _, size := range startSizes {
		name := fmt.Sprintf("%dx%d/welcome", size.w, size.h)
		t.Run(name, func(t *testing.T) {
			bubble(t, size.w, size.h, startOptions(), func(d *desk) { golden.Compare(t, "frames/"+name, d.text()) })
		})
	}
}

// knownOptions have saved and recent agents.
func knownOptions(t *testing.T) Options {
	o := startOptions()
	opened := func(name, ref string, at time.Time) func(*roster.Content) error {
		return roster.AddRecent(roster.Recent{Name: name, Ref: ref, Time: at})
	}
	o.Saved = SavedAgents{
		File:    keep(t, opened("Movie Agent", "http://localhost:41241", noon.Add(-53*time.Hour)), opened("Support \x1b[2J", "https://support.example/a?key=s3cret", noon.Add(-3*time.Hour)), saved("Desk", "https://desk.example")),
		Written: []config.Agent{{Name: "Mine", Ref: "http://127.0.0.1:9999/", Place: "/c.toml:3"}},
	}
	return o
}

func TestTheStartScreenListsWhatIsKnown(t *testing.T) {
	t.Parallel()
	for _, size := range startSizes {
		name := fmt.Sprintf("%dx%d/known", size.w, size.h)
		t.Run(name, func(t *testing.T) {
			bubble(t, size.w, size.h, knownOptions(t), func(d *desk) {
				d.recorded()
				d.press("l", "o", "o", "k", "enter", "esc", "down", "down")
				golden.Compare(t, "frames/"+name, d.text())
			})
		})
	}
}

func TestTheStartScreenOpensAgentsAndGivesWay(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, knownOptions(t), func(d *desk) {
		d.press("d", "s", "k")
		d.sees("❯ dsk", "○ Desk")
		d.press("ctrl+p") // what works everywhere works here
		d.sees("Set send options")
		d.press("esc")
		d.sees("❯ dsk")
		d.press("esc", "ctrl+c")
		d.sees("ctrl+c again quits")
		d.press("f1")
		d.sees("start screen", "complete")
		d.press("esc")
		d.sees("Your agents")
		d.press("f6") // a key that works everywhere, without ctrl or alt
		d.sees("lanes")
		d.press("esc")
		d.sees("Your agents")
		d.send(tea.PasteMsg{Content: "http://pasted.example\n"})
		if got := d.engine.Calls[len(d.engine.Calls)-1]; got != "open http://pasted.example" {
			t.Errorf("got the engine call %s, want that of the pasted address", got)
		}
		if d.model.screen.over != noOverlay {
			t.Errorf("got %q over the agent", d.model.screen.over)
		}
		d.command("/start")
		d.sees("Your agents")
		d.send(tea.MouseClickMsg{X: 0, Y: 0, Button: tea.MouseLeft})
		d.press("ctrl+l")
		if d.model.screen.over != noOverlay {
			t.Errorf("got %q after the key that writes a message", d.model.screen.over)
		}
	})
}

func TestTheStartScreenCanBeLeft(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, startOptions(), func(d *desk) {
		d.press("esc")
		d.sees("No agent is open", "alt+1  try the demo agents")
		d.command("/start")
		d.sees("Welcome to Parley")
		d.press("enter")
		if got := d.engine.Calls; len(got) != 1 || got[0] != "open http://demo" {
			t.Errorf("got the engine calls %q, want the demo", got)
		}
		if d.model.screen.over == startscreen.SheetName {
			t.Error("got the start screen over the demo")
		}
	})
}

// The footer says what works everywhere also where there is little room, and nothing that does not work.
func TestTheFooterOfTheStartScreenSaysWhatWorks(t *testing.T) {
	t.Parallel()
	for w, want := range map[int]string{
		80: " enter open  up down choose  tab complete  ctrl+p find  f1 help  ctrl+c quit",
		60: " enter open  ctrl+p find  f1 help  ctrl+c quit",
		40: " ctrl+p find  f1 help  ctrl+c quit",
	} {
		bubble(t, w, 24, startOptions(), func(d *desk) {
			rows := strings.Split(strings.TrimRight(d.text(), "\n"), "\n")
			if got := strings.TrimRight(rows[len(rows)-1], " "); got != want {
				t.Errorf("%d columns: got %q, want %q", w, got, want)
			}
		})
	}
}

// Its rows lead to the doctor and to a tap by an address that is asked for, and to the tour as the finder
// does.
func TestTheRowsOfTheStartScreenLeadOn(t *testing.T) {
	t.Parallel()
	o := startOptions()
	o.Doctor, o.Taps, o.Tour = expired(), &fakeTaps{}, func() *exec.Cmd { return exec.Command("true") }
	bubble(t, 100, 30, o, func(d *desk) {
		d.sees("Play the tour", "Find out why one fails", "Watch another client")
		for row, title := range map[string]string{"find out": "find out why one fails", "watch": "start a tap", "open an": "open an address"} {
			d.write(row)
			d.press("enter")
			d.sees("─ " + title + " ─")
			d.press("esc")
			d.sees("❯ " + row)
			d.press("esc")
		}
	})
}

// Settings that name an action that is gone are told what to do instead; a key that types a character
// cannot act.
func TestKeysOfTheStartScreenTypeNothing(t *testing.T) {
	t.Parallel()
	said := strings.Join(UnusableKeys([]config.Keys{
		{Action: "start-screen.look-on-ports", Press: []string{"f12"}, Place: "c.toml:1"}, {Action: "start-screen.filter", Press: []string{"f12"}}, {Action: "start-screen.show-help", Press: []string{"f12"}},
		{Action: "start-screen.open", Press: []string{"o"}}, {Action: "start-screen.down", Press: []string{"ctrl+j", "down"}},
	}), "\n")
	for _, want := range []string{
		"c.toml:1: there is no action keys.start-screen.look-on-ports any more: enter on the row “Look on this machine” asks the ports.",
		"there is no action keys.start-screen.filter any more: what is typed filters the rows.", "keys.start-screen.show-help any more: keys.everywhere.show-help has the keys of the help.",
		`"o" for keys.start-screen.open would type a character; enter stays its key.`,
	} {
		if !strings.Contains(said, want) {
			t.Errorf("got no %q in\n%s", want, said)
		}
	}
	if got := strings.Count(said, "\n") + 1; got != 4 {
		t.Errorf("got %d sentences, want 4:\n%s", got, said)
	}
}
