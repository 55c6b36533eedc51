package cast

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"

	"parley/internal/golden"
	"parley/session/export"
	"parley/session/export/excerpt"
	"parley/ui"
)

func TestMain(m *testing.M) {
	time.Local = time.UTC // in which screens show times
	os.Exit(m.Run())
}

// A played cast is what a terminal showed.
type played struct {
	screens []string
	times   []float64
}

// play exports a recording and plays it in a terminal.
func play(t testing.TB, name string, c excerpt.Choice, o Options) played {
	t.Helper()
	s, _, err := export.Read(t.Context(), export.Source{Path: "../../session/export/testdata/" + name + ".jsonl", Report: func(int64, int64) {}})
	if err != nil {
		t.Fatal(err)
	}
	p, err := excerpt.Choose(s, name, c)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := Format(o).Write(t.Context(), &b, p, func(int, int) {}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	var header struct{ Version, Width, Height int }
	if err := json.Unmarshal([]byte(lines[0]), &header); err != nil || header.Version != 2 || header.Width != width || header.Height != height {
		t.Fatalf("got header %s, want one of version 2", lines[0])
	}
	terminal, out := vt.NewEmulator(width, height), played{}
	for _, line := range lines[1:] {
		var event [3]any
		if err := json.Unmarshal([]byte(line), &event); err != nil || event[1] != "o" {
			t.Fatalf("got event %s, want output", line)
		}
		if _, err := terminal.Write([]byte(event[2].(string))); err != nil {
			t.Fatal(err)
		}
		out.screens, out.times = append(out.screens, text(terminal)), append(out.times, event[0].(float64))
	}
	return out
}

// text returns what a terminal shows.
func text(e *vt.Emulator) string {
	var b strings.Builder
	for y := range height {
		row := ""
		for x := 0; x < width; {
			cell := e.CellAt(x, y)
			if cell == nil || cell.Content == "" {
				row += " "
				x++
				continue
			}
			row += cell.Content
			x += max(cell.Width, 1)
		}
		b.WriteString(strings.TrimRight(row, " ") + "\n")
	}
	return b.String()
}

func TestACastShowsTheSession(t *testing.T) {
	p := play(t, "booking", excerpt.Choice{}, Options{Theme: ui.Theme{Name: "dark"}})
	golden.Compare(t, "booking", strings.Join([]string{p.screens[len(p.screens)/2], p.screens[len(p.screens)-1]}, strings.Repeat("─", width)+"\n"))
	if got := p.times[len(p.times)-1]; got < 6.4 || got > 9 {
		t.Errorf("got a cast of %v seconds, want the 6.5 of the session and those of the last frame", got)
	}
	for i := 1; i < len(p.times); i++ {
		if p.times[i] < p.times[i-1] {
			t.Fatalf("got times %v, want them to grow", p.times)
		}
	}
}

func TestPausesAreShortened(t *testing.T) {
	if got := play(t, "booking", excerpt.Choice{}, Options{Theme: ui.Theme{Name: "dark"}, MaxGap: time.Second / 2}).times; got[len(got)-1] > 4.5 {
		t.Errorf("got a cast of %v seconds, want pauses of half a second at most", got[len(got)-1])
	}
}

// A part takes the time of its records alone, and is shown in its place.
func TestAPartIsPlayed(t *testing.T) {
	p := play(t, "booking", excerpt.Choice{Conversation: "2"}, Options{Theme: ui.Theme{Name: "light"}})
	if got := p.times[len(p.times)-1]; got > 2.1 {
		t.Errorf("got a cast of %v seconds, want that of one exchange", got)
	}
	if last := p.screens[len(p.screens)-1]; !strings.Contains(last, "What is the weather?") {
		t.Errorf("got\n%s\nwant the second conversation", last)
	}
}

func TestAHostileSessionControlsNoTerminal(t *testing.T) {
	p := play(t, "hostile", excerpt.Choice{}, Options{Theme: ui.Theme{Name: "dark"}})
	if last := p.screens[len(p.screens)-1]; !strings.Contains(last, "Mallory") || strings.Contains(last, "\x1b") {
		t.Errorf("got\n%s\nwant the workbench", last)
	}
}
