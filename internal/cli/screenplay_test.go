package cli

import (
	"bytes"
	"image/gif"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// rendered plays a script on a screen that nobody sees, and returns the output and the screens that
// it writes, in order, without times, bars, ports and the check of a stream, which comes at its own time.
func rendered(t *testing.T, dir, text string, flags ...string) (result, []string) {
	t.Helper()
	checks := regexp.MustCompile(`conversation \d+|closed by agent|▸ checking|✓ checked`)
	times := regexp.MustCompile(`(< )?[<+]?\d+(\.\d+)? ?(ms|s|µs)\b|\d\d:\d\d(:\d\d)?|\d\.\d MB/s|127\.0\.0\.1[:0-9a-z/.…-]*|\d+(\.\d+)? (events|chunks)/s`)
	blanks := regexp.MustCompile(`[ ─▁-█]+`)                   // and the bars of the pauses
	exchanges := regexp.MustCompile(`(▾ → (?:GET|Send))[^│]*`) // whose name gives way to a longer time
	r := parley(t, append([]string{"demo", writeScript(t, strings.ReplaceAll(text, "DIR", dir)), "--render"}, flags...)...)
	files, err := filepath.Glob(filepath.Join(dir, "*.ansi"))
	if err != nil {
		t.Fatal(err)
	}
	var screens []string
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		plain := regexp.MustCompile("\x1b\\[[0-9;:]*m").ReplaceAllString(string(b), "")
		plain = blanks.ReplaceAllString(times.ReplaceAllString(plain, "TIME"), " ") // before the title of a frame is read
		plain = exchanges.ReplaceAllString(plain, "$1")
		screens = append(screens, checks.ReplaceAllString(plain, "CHECK"))
	}
	return r, screens
}

const drawnScript = `Output DIR/trip.gif
Output DIR/trip.cast
Set theme dark
Set width 90
Set height 26
Set typing 1ms
Open demo "Travel Desk"
Caption "A flight to Lisbon."
Say "Book me a flight"
Wait input-required
Screenshot DIR/1.ansi
Answer "Lisbon"
Wait input-required
Answer "10 to 17 October"
Wait completed
Expect /Lisbon/
Screenshot DIR/2.ansi
Show findings
Screenshot DIR/3.ansi
Screenshot DIR/3.png
`

// Two plays on the demo give the same screens but for times.
func TestAScriptIsDrawnWithoutATerminal(t *testing.T) {
	t.Parallel()
	var before []string
	for range 2 {
		dir := t.TempDir()
		r, screens := rendered(t, dir, drawnScript, "--fast")
		if r.code != 0 || strings.Count(r.out, "Wrote ") != 6 || len(screens) != 3 {
			t.Fatalf("got exit %d\n%s%s", r.code, r.out, r.err)
		}
		if !strings.Contains(screens[0], "A flight to Lisbon.") || !strings.Contains(screens[1], "✓ Expect /Lisbon/") || !strings.Contains(screens[2], "findings") {
			t.Errorf("got screens\n%s", strings.Join(screens, "\n"))
		}
		for i := range before {
			if screens[i] != before[i] {
				t.Errorf("screen %d: got\n%s\nand before\n%s", i, screens[i], before[i])
			}
		}
		before = screens
		raw, err := os.ReadFile(filepath.Join(dir, "trip.gif"))
		if err != nil {
			t.Fatal(err)
		}
		film, err := gif.DecodeAll(bytes.NewReader(raw))
		if err != nil || len(film.Image) < 3 || film.Config.Width != (90+2)*9 || film.Config.Height != 26*18+18 {
			t.Errorf("got %v and %+v, want a film of 90×26 cells", err, film.Config)
		}
	}
}

func TestADrawnScriptFails(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "mine.png"), []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	for text, says := range map[string]string{
		"Open demo\nSay \"Hello\"\nExpect failed\n":                    "trip.parley:3:1: Expected the state failed, but ",
		"Open demo\nScreenshot DIR/mine.png\n":                         "mine.png: there is a file of this name that Parley did not write",
		"Output DIR/absent/x.gif\nOpen demo\nCaption \"x\"\n":          "absent/x.gif: its folder does not exist.",
		"Set theme purple\nOpen demo\n":                                "There is no theme purple.",
		"Open http://127.0.0.1:1\n":                                    "Expected http://127.0.0.1:1 to answer",
		"Open demo nobody\n":                                           "The demo has no agent “nobody”",
		"Open demo\nKey ctrl+nothing\n":                                "There is no key ctrl+nothing",
		"Open demo\nSay \"/quit\"\nWait completed\nExpect /no such/\n": "Expected",
	} {
		r, _ := rendered(t, dir, text, "--fast", "--size", "60x20")
		if said := strings.Join(strings.Fields(r.err), " "); r.code != 1 || !strings.Contains(said, says) {
			t.Errorf("%s: got exit %d and %q, want 1 and %q", text, r.code, said, says)
		}
	}
	script := writeScript(t, "Open demo\n")
	for _, args := range [][]string{{"--size", "10x2", "--render"}, {"--size", "wide", "--render"}, {"--size", "100x30"}, {"--render", "--headless"}} {
		if r := parley(t, append([]string{"demo", script}, args...)...); r.code != 2 {
			t.Errorf("%v: got exit %d, want 2", args, r.code)
		}
	}
}

// What goes on from a recording is marked on the screen; the reason is said in the end.
func TestADrawnScriptGoesOnFromARecording(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	recording := filepath.Join(dir, "good.jsonl")
	if r := parley(t, "demo", writeScript(t, "Open demo\nSay \"Hello\"\n"), "--headless", "--fast", "--record", recording); r.code != 0 {
		t.Fatalf("got exit %d\n%s", r.code, r.err)
	}
	if !strings.Contains(file(t, recording), `"embedded":"true"`) {
		t.Error("got a recording that does not say that its agent is inside Parley")
	}
	r, screens := rendered(t, dir, "Open http://127.0.0.1:1\nCaption \"We go on.\"\nSay \"Hello\"\nWait\nScreenshot DIR/1.ansi\n", "--fast", "--fallback", recording)
	if r.code != 0 || !strings.Contains(strings.Join(strings.Fields(r.err), " "), "The play went on from the recording.") {
		t.Errorf("got exit %d and %s, want the reason", r.code, r.err)
	}
	if len(screens) != 1 || !strings.Contains(screens[0], " recorded ") || strings.Contains(screens[0], "refused") {
		t.Errorf("got\n%s\nwant it marked, and nothing more", strings.Join(screens, "\n"))
	}
}

func TestAScriptNeedsATerminalOrSaysWhatElse(t *testing.T) {
	t.Parallel()
	r := parley(t, "demo", writeScript(t, "Open demo\n"))
	if r.code != 2 || !strings.Contains(r.err, "--headless") || !strings.Contains(r.err, "--render") {
		t.Errorf("got exit %d and %s, want the flags that need no terminal", r.code, r.err)
	}
}
