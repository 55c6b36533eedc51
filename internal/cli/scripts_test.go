package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"parley/session/script"
)

// The scripts that come with the program play without a failure in every size, and their captions
// fit in a row of 80 columns.
func TestTheScriptsOfTheProgramPlay(t *testing.T) {
	t.Parallel()
	list := parley(t, "demo", "--list")
	for _, name := range []string{"tour", "stakeholder"} {
		if list.code != 0 || !strings.Contains(list.out, name) {
			t.Errorf("got %s, want %s listed", list.out, name)
		}
		text, ok := ownScript(name)
		if !ok {
			t.Fatalf("there is no script %s", name)
		}
		s, err := script.Parse(name, text)
		if err != nil {
			t.Fatal(err)
		}
		for i := range s.Steps {
			if step := &s.Steps[i]; step.Verb == script.Caption && len([]rune(step.Text)) > 76 {
				t.Errorf("%s:%d: got a caption of %d characters, want 76 at most", name, step.Line, len([]rune(step.Text)))
			}
		}
		for _, size := range []string{"80x24", "100x30", "160x45"} {
			if r := parley(t, "demo", name, "--render", "--fast", "--size", size); r.code != 0 {
				t.Errorf("%s at %s: got exit %d\n%s%s", name, size, r.code, r.out, r.err)
			}
		}
	}
}

// Without a screen they pass too, also when they are played again.
func TestTheScriptsOfTheProgramPlayWithoutAScreen(t *testing.T) {
	t.Parallel()
	entries, err := ownScripts.ReadDir("scripts")
	if err != nil || len(entries) < 2 {
		t.Fatalf("got %d scripts and %v", len(entries), err)
	}
	for _, e := range entries {
		name := strings.TrimSuffix(e.Name(), script.Ending)
		for range 2 {
			if r := parley(t, "demo", name, "--headless", "--fast"); r.code != 0 || !strings.Contains(r.out, "\nPassed: ") || r.err != "" {
				t.Errorf("%s: got exit %d\n%s%s", name, r.code, r.out, r.err)
			}
		}
	}
}

// A file comes before a script of the program.
func TestAFileComesBeforeAScriptOfTheProgram(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "tour"), []byte("Open demo\nSay \"Hello\"\nExpect /mine/\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := (commandLine{args: []string{"demo", "tour", "--headless", "--fast"}, dir: dir}).run(t); r.code != 1 || !strings.Contains(r.err, "tour:3:1:") {
		t.Errorf("got exit %d and %s, want the file played", r.code, r.err)
	}
	if r := (commandLine{args: []string{"demo", "./stakeholder", "--headless"}, dir: dir}).run(t); r.code != 2 {
		t.Errorf("got exit %d, want a path to name a file", r.code)
	}
}

// Every command and script of docs/demo.md works, in its order. What needs a terminal is drawn
// without one; parley open is played in test/e2e.
func TestTheGuideForPresentersIsRight(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../../docs/demo.md")
	if err != nil {
		t.Fatal(err)
	}
	dir, commands := t.TempDir(), 0
	for _, block := range regexp.MustCompile("(?s)```(sh|parley)\n(.*?)```").FindAllStringSubmatch(string(raw), -1) {
		if block[1] == "parley" {
			name := regexp.MustCompile(`^# (\w+\.parley)`).FindStringSubmatch(block[2])
			if err := os.WriteFile(filepath.Join(dir, name[1]), []byte(block[2]), 0o600); err != nil {
				t.Fatal(err)
			}
			continue
		}
		for line := range strings.Lines(block[2]) {
			line, _, _ = strings.Cut(line, "#")
			args := strings.Fields(line)[1:]
			switch {
			case args[0] == "open":
				args = []string{"export", args[1], "--as", "md", "--out", "opened.md"}
			case args[0] == "demo" && args[1] != "--list":
				args = append(args, "--fast")
				if !strings.Contains(line, "--headless") && !strings.Contains(line, "--render") {
					args = append(args, "--render")
				}
			}
			if r := (commandLine{args: args, dir: dir}).run(t); r.code != 0 {
				t.Errorf("%s: got exit %d\n%s%s", line, r.code, r.out, r.err)
			}
			commands++
		}
	}
	for _, file := range []string{"demo.html", "film.gif", "film.cast", "flight.png", "flight.ansi", "good.jsonl"} {
		if info, err := os.Stat(filepath.Join(dir, file)); err != nil || info.Size() == 0 {
			t.Errorf("%s: got %v, want it written", file, err)
		}
	}
	if commands < 11 {
		t.Errorf("got %d commands, want those of the guide", commands)
	}
}

// The picture of README.md follows from its script, and is small.
func TestThePictureOfTheReadmeIsSmall(t *testing.T) {
	t.Parallel()
	info, err := os.Stat("../../docs/img/tour.gif")
	if err != nil || info.Size() > 1_500_000 {
		t.Errorf("got %v, %v, want at most 1.5 MB", info, err)
	}
	text, err := os.ReadFile("../../docs/img/tour.parley")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := script.Parse("tour.parley", text); err != nil {
		t.Error(err)
	}
}
