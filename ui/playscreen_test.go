package ui

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/golden"
	"parley/session/log"
	"parley/session/script"
)

// tripScript plays the demo's booking.
const tripScript = `Set theme dark
Open demo "Travel Desk"
Caption "Parley talks to agents that speak A2A."
Pause 1s
Say "Book me a flight"
Caption "The answer comes piece by piece."
Wait input-required
Expect input-required
Answer "Lisbon"
Wait input-required
Show wire
Pause 2s
Show findings
Pause 1s
Show card
Pause 1s
Show conversation
`

// A played desk is one that plays a script against the recorded booking.
type playedDesk struct {
	*desk
	result *PlayResult
}

// playScript runs test with a desk that plays a script on a screen of w×h cells. The agent was found.
func playScript(t *testing.T, w, h int, text string, o Options, test func(d playedDesk)) {
	t.Helper()
	s, err := script.Parse("trip.parley", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	result := &PlayResult{}
	o.Play.Script = s
	o.Play.Reference = func(*script.Step, float64) (string, string) { return "http://travel.example.com", "" }
	o.Play.Ended = func(r PlayResult) { *result = r }
	bubble(t, w, h, o, func(d *desk) {
		d.wait(time.Millisecond)
		d.replay("booking.jsonl")
		test(playedDesk{d, result})
	})
}

// comes shows the records up to a number, after which nothing more comes in a turn.
func (d playedDesk) comes(upTo, over int) {
	d.t.Helper()
	d.wait(3 * time.Second) // until what comes before was typed
	for d.model.play.Busy() && over > 0 && len(d.engine.Sent) < over {
		d.wait(time.Second / 2)
	}
	d.batchTo(upTo)
	if over > 0 {
		d.turnOver(a2a.TurnID(over), "")
	}
}

// batchTo shows the records up to a number.
func (d playedDesk) batchTo(id int) {
	d.t.Helper()
	if d.fed < id {
		d.upTo(a2a.RecordID(id))
	}
}

func TestAScriptIsPlayedInTheWorkbench(t *testing.T) {
	t.Parallel()
	playScript(t, 100, 30, tripScript, Options{}, func(d playedDesk) {
		d.batchTo(allFound)
		d.wait(time.Second / 2)
		d.sees("Parley talks to agents that speak A2A.")
		d.wait(time.Second)
		d.sees("❯ Book") // it is typed, key by key
		if len(d.engine.Sent) > 0 {
			t.Error("the message was sent before it was typed")
		}
		d.comes(asksWhere, 1)
		d.sees("The answer comes piece by piece.", "✓ Expect input-required")
		if got := d.engine.Sent[0].Message.Text(); got != "Book me a flight" {
			t.Errorf("got message %q", got)
		}
		d.comes(asksDates, 2)
		if to := d.engine.Sent[1].To; to.TaskID == "" || to.Conversation != 1 {
			t.Errorf("got %+v, want the answer sent to the task that waits", to)
		}
		d.wait(time.Second / 2)
		if d.model.screen.at != 2 {
			t.Errorf("got focus %d, want the wire", d.model.screen.at)
		}
		d.wait(2 * time.Second)
		d.sees("findings")
		d.wait(time.Second)
		d.sees("Book a flight  book")
		d.wait(2 * time.Second)
		d.says("The script is over: the workbench is yours.")
		if d.model.screen.h != 30 || d.result.Failure != nil {
			t.Errorf("got %d rows and failure %v, want the whole screen for the workbench", d.model.screen.h, d.result.Failure)
		}
		d.write("mine")
		d.sees("❯ mine")
	})
}

func TestAnyKeyPausesAScript(t *testing.T) {
	t.Parallel()
	playScript(t, 100, 30, tripScript, Options{}, func(d playedDesk) {
		d.batchTo(allFound)
		d.wait(1500 * time.Millisecond)
		d.press("x")
		d.sees("‖ paused · space goes on · s skips the step · q ends the script and leaves the workbench to you", "next is line 5: Say")
		before := d.text()
		d.wait(time.Hour)
		if d.text() != before {
			t.Errorf("got\n%s\nwant nothing to happen while it is paused", d.text())
		}
		d.press("y", "enter", "f1", "up")
		d.sees("paused")
		d.send(tea.PasteMsg{Content: "pasted"})
		d.send(tea.MouseClickMsg{X: 5, Y: 27, Button: tea.MouseLeft})
		d.press("space")
		d.comes(asksWhere, 1)
		d.press("x", "s") // the answer
		d.sees("next is line 10: Wait input-required")
		d.press("q")
		d.says("The script ended: the workbench is yours.")
		d.wait(time.Hour)
		if !d.result.Stopped || len(d.engine.Sent) != 1 || d.model.screen.h != 30 {
			t.Errorf("got %+v and %d messages, want the script ended by the user", d.result, len(d.engine.Sent))
		}
	})
}

func TestAFailureNamesItsLineAndStays(t *testing.T) {
	t.Parallel()
	playScript(t, 80, 24, strings.Replace(tripScript, "Expect input-required", `Expect /Reykjavík/`+"\nExpect completed", 1), Options{}, func(d playedDesk) {
		d.batchTo(allFound)
		d.comes(asksWhere, 1)
		d.wait(time.Second)
		d.sees("✕ line 9: Expected the state completed, but the task is input-required.")
		d.wait(time.Hour)
		d.sees("✕ line 9:")
		if d.result.Failure == nil || d.result.Failure.Step.Line != 9 {
			t.Errorf("got %+v, want the failure of line 9", d.result)
		}
		d.write("mine")
		d.sees("mine", "✕ line 9:")
	})
	playScript(t, 80, 24, "Open demo\nSay \"x\"\nWait within 2s\n", Options{}, func(d playedDesk) {
		d.wait(time.Minute)
		d.sees("✕ line 1: Expected the card of demo within 30 s, but it has not come.")
	})
}

func TestAScriptGoesOnFromARecording(t *testing.T) {
	t.Parallel()
	var asked string
	o := Options{Play: Play{Instead: func(open *script.Step, name string, _ float64) (string, string) {
		asked = open.Ref + name
		return "http://127.0.0.1:1", ""
	}}}
	playScript(t, 100, 30, "Open http://gone.example.com\nSay \"x\"\nWait completed\n", o, func(d playedDesk) {
		d.wait(31 * time.Second)
		d.sees("recorded")
		if d.model.notices.shown.text != "" {
			t.Errorf("got notice %q, want none in front of an audience", d.model.notices.shown.text)
		}
		if asked != "http://gone.example.com" || len(d.engine.Calls) < 2 {
			t.Errorf("got %q and %v, want the recorded agent opened", asked, d.engine.Calls)
		}
	})
}

// Two plays of the same records give the same frames, whatever the user pauses.
func TestTwoPlaysGiveTheSameFrames(t *testing.T) {
	t.Parallel()
	var films [2][]string
	for n := range films {
		playScript(t, 100, 30, tripScript, Options{}, func(d playedDesk) {
			last := ""
			look := func() {
				if text := d.root.View().Content; text != last {
					last = text
					films[n] = append(films[n], text)
				}
			}
			d.batchTo(allFound)
			for range 400 {
				d.wait(50 * time.Millisecond)
				look()
				if len(d.engine.Sent) == 1 && d.fed == allFound {
					d.batchTo(asksWhere)
					d.turnOver(1, "")
				} else if len(d.engine.Sent) == 2 && d.fed == asksWhere {
					d.batchTo(asksDates)
					d.turnOver(2, "")
				}
			}
		})
	}
	if len(films[0]) < 25 || len(films[0]) != len(films[1]) {
		t.Fatalf("got %d and %d frames, want as many", len(films[0]), len(films[1]))
	}
	for i := range films[0] {
		if films[0][i] != films[1][i] {
			t.Fatalf("frame %d differs:\n%s\n%s", i, films[0][i], films[1][i])
		}
	}
}

// Every size is drawn exactly, whatever the script does, and a key pauses it at any time.
func TestAScriptInAnySize(t *testing.T) {
	t.Parallel()
	for _, ascii := range []bool{false, true} {
		playScript(t, 20, 5, tripScript, Options{ASCII: ascii}, func(d playedDesk) {
			d.batchTo(allFound)
			for i := range 120 {
				for _, size := range [][2]int{{20, 5}, {1, 1}, {80, 24}, {40, 11}, {200, 60}, {100, 30}, {20, 2}} {
					d.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
					d.rows()
				}
				switch i % 3 {
				case 1:
					d.press("x")
					d.rows()
				case 2:
					d.press("space")
				}
				d.wait(150 * time.Millisecond)
				if len(d.engine.Sent) == 1 && d.fed == allFound {
					d.batchTo(asksWhere)
					d.turnOver(1, "")
				}
			}
		})
	}
}

// A screenshot and a film are written while the script is played; what Parley did not write stays.
func TestAScriptWritesPictures(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "mine.png"), []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	text := "Output film.gif\nOutput film.cast\nOpen demo\nCaption \"one\"\nPause 1s\nScreenshot shot.png\nScreenshot shot.ansi\nCaption \"two\"\nPause 1s\n"
	for range 2 { // the second time, in the place of the first
		playScript(t, 60, 20, text, Options{Play: Play{Dir: dir}}, func(d playedDesk) {
			d.batchTo(allFound)
			d.wait(5 * time.Second)
			if d.result.Failure != nil || len(d.result.Files) != 4 {
				t.Errorf("got %+v, want four files", d.result)
			}
		})
	}
	frame, err := os.ReadFile(filepath.Join(dir, "shot.ansi"))
	if err != nil || !strings.Contains(string(frame), "one") || strings.Count(string(frame), "\n") != 20 {
		t.Errorf("got %v\n%s\nwant the frame with its caption", err, frame)
	}
	for name, want := range map[string]string{"film.gif": "GIF89a", "film.cast": `{"env"`, "shot.png": "\x89PNG"} {
		if b, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !strings.HasPrefix(string(b), want) {
			t.Errorf("%s: got %.20q, %v", name, b, err)
		}
	}
	for path, says := range map[string]string{
		"mine.png":        "Could not write mine.png: there is a file of this name that Parley did not write: remove it, or choose another name.",
		"absent/shot.png": "Could not write absent/shot.png: its folder does not exist.",
	} {
		playScript(t, 100, 30, "Open demo\nScreenshot "+path+"\n", Options{Play: Play{Dir: dir}}, func(d playedDesk) {
			d.batchTo(allFound)
			d.wait(5 * time.Second)
			if d.result.Failure == nil || d.result.Failure.Sentence != says {
				t.Errorf("got %+v, want %s", d.result.Failure, says)
			}
			d.sees("✕ line 2:")
		})
	}
	if b, _ := os.ReadFile(filepath.Join(dir, "mine.png")); string(b) != "mine" {
		t.Errorf("got %q, want the file as it was", b)
	}
}

// A busy machine may render Markdown late: the picture shows the text as the user would read it.
func TestAScreenshotWaitsForTheDrawing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	exists := func(name string) bool {
		_, err := os.Stat(filepath.Join(dir, name))
		return err == nil
	}
	playScript(t, 60, 20, "Open demo\nPause 1s\nScreenshot shot.ansi\nScreenshot last.ansi\n", Options{Play: Play{Dir: dir}}, func(d playedDesk) {
		d.batchTo(allFound)
		d.model.screen.jobs++ // one that is slow
		d.wait(5 * time.Second)
		if exists("shot.ansi") {
			t.Error("the screenshot was taken while a job ran")
		}
		d.send(workedMsg{Arrive: func() bool { return true }})
		d.wait(time.Second)
		if !exists("shot.ansi") || !exists("last.ansi") {
			t.Error("no screenshot was taken after the job")
		}
	})
	playScript(t, 60, 20, "Open demo\nPause 1s\nScreenshot late.ansi\n", Options{Play: Play{Dir: dir}}, func(d playedDesk) {
		d.batchTo(allFound)
		d.model.screen.jobs++ // one that never ends
		d.wait(20 * time.Second)
		if !exists("late.ansi") {
			t.Error("got no screenshot, want what there is after a while")
		}
	})
}

func TestNoJobIsLeft(t *testing.T) {
	t.Parallel()
	bubble(t, 160, 45, Options{}, func(d *desk) {
		d.book(asksDates)
		d.wait(time.Minute)
		if d.model.drawing() || d.model.screen.jobs != 0 {
			t.Errorf("got %d jobs, want none when all came back", d.model.screen.jobs)
		}
	})
}

func TestScriptsPressKeys(t *testing.T) {
	t.Parallel()
	playScript(t, 100, 30, "Open demo\nKey ctrl+p\nType \"theme mono\"\nPause 1s\nKey esc\nPause 1s\nType \"hi\"\nKey backspace 2\nKey nowhere\n", Options{}, func(d playedDesk) {
		d.batchTo(allFound)
		d.wait(1200 * time.Millisecond)
		d.sees("Theme mono")
		d.wait(time.Minute)
		d.sees("✕ line 9: There is no key nowhere")
		if !d.model.panes.composer.Empty() {
			t.Errorf("got %q in the text field, want it removed by backspace", d.model.panes.composer.Value())
		}
	})
}

func TestAScriptBeginsPresenterMode(t *testing.T) {
	t.Parallel()
	playScript(t, 100, 30, "Set present on\nOpen demo\nShow wire\nPause 1s\nSet present off\nPause 1s\n", Options{}, func(d playedDesk) {
		d.batchTo(allFound)
		d.wait(500 * time.Millisecond)
		if !d.model.present.On() || d.model.screen.layout.Wire.W == 0 {
			t.Error("got no presenter mode with the wire")
		}
		d.wait(time.Second)
		if d.model.present.On() {
			t.Error("presenter mode is still on")
		}
	})
}

// What a script expects is for those who test with it; an audience reads the captions.
func TestAnAudienceSeesNoVerdicts(t *testing.T) {
	t.Parallel()
	const trial = "Open demo\nCaption \"The desk is here.\"\nExpect no finding above warning\nPause 1s\nSet present on\nPause 1s\n"
	playScript(t, 160, 45, trial, Options{}, func(d playedDesk) {
		d.batchTo(allFound)
		d.wait(500 * time.Millisecond)
		d.sees("The desk is here.", "✓ Expect no finding above warning")
		d.wait(time.Second)
		if text := d.text(); !strings.Contains(text, "The desk is here.") || strings.Contains(text, "Expect") {
			t.Errorf("got a screen without the caption or with a verdict, want the caption alone:\n%s", text)
		}
	})
}

// A picture has rows for the script only if it has something to say there.
func TestAPictureOfAScriptWithoutCaptionsIsOfTheScreenAlone(t *testing.T) {
	t.Parallel()
	for text, rows := range map[string]int{
		"Open demo\nPause 1s\n": 0, "Open demo\nCaption \"one\"\nPause 1s\n": 3, "Open demo\nPause 1s\nExpect no finding\nPause 1s\n": 3,
	} {
		playScript(t, 100, 30, text, Options{Play: Play{Quits: true}}, func(d playedDesk) {
			d.batchTo(allFound)
			if got := d.root.(*playScreen).rows; got != rows {
				t.Errorf("%q: got %d rows, want %d", text, got, rows)
			}
		})
	}
}

// Without a terminal, the program draws, writes and ends.
func TestAScriptIsRenderedWithoutATerminal(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, err := script.Parse("x.parley", []byte("Output film.gif\nCaption \"one\"\nPause 100ms\nScreenshot shot.png\n"))
	if err != nil {
		t.Fatal(err)
	}
	var result PlayResult
	o := Options{
		Engine: &fakeEngine{}, Feed: log.NewFeed(), Getenv: func(string) string { return "" }, Now: time.Now,
		Play: Play{Script: s, Dir: dir, Ended: func(r PlayResult) { result = r }},
	}
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	if err := Render(ctx, o, 60, 20); err != nil || result.Failure != nil || len(result.Files) != 2 {
		t.Errorf("got %v and %+v, want both files", err, result)
	}
}

func TestPlayFrames(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{20, 5}, {80, 24}, {100, 30}, {160, 45}} {
		playScript(t, size[0], size[1], strings.Replace(tripScript, "Expect input-required", "Expect input-required\nExpect completed", 1), Options{}, func(d playedDesk) {
			look := func(name string) {
				golden.Compare(t, filepath.Join("play", fmt.Sprintf("%dx%d-%s", size[0], size[1], name)), d.text())
			}
			d.batchTo(allFound)
			d.wait(1500 * time.Millisecond)
			look("caption")
			d.press("x")
			look("paused")
			d.press("space")
			d.comes(asksWhere, 1)
			d.wait(time.Second)
			look("failed")
		})
	}
}
