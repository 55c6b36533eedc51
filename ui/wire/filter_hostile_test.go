package wire

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"parley/a2a"
	"parley/internal/golden"
	"parley/internal/panetest"
	"parley/internal/tape"
	"parley/themes"
	"parley/ui/styles"
)

func TestFilterFrames(t *testing.T) {
	for _, c := range []struct {
		name  string
		theme themes.Theme
		w, h  int
		text  string
		keys  []string
	}{
		{"filter_empty_dark_62", themes.Dark(), 62, 30, "", nil},
		{"filter_offers_dark_62", themes.Dark(), 62, 30, "not st", []string{"down"}},
		{"filter_values_mono_100", themes.Mono(), 100, 30, "artifact:", []string{"down", "down"}},
		{"filter_wrong_dark_62", themes.Dark(), 62, 30, "kind:status gap>2", nil},
		{"filter_wrong_mono_30", themes.Mono(), 30, 16, "itinerary or (artifact:x nosuch:thing", nil},
		{"filter_low_mono_40", themes.Mono(), 40, 9, "state:co", []string{"down"}},
	} {
		p := openPane(booking(), c.theme, c.w, c.h)
		press(p, "/")
		write(p, c.text)
		press(p, c.keys...)
		exact(t, p, c.w, c.h)
		golden.Compare(t, c.name, strings.Join(p.Lines(), "\n"))
	}
}

func TestTheFilterIsASCIIWhereTheTerminalIs(t *testing.T) {
	p := New(styles.New(themes.Mono(), styles.ASCII()))
	p.SetLog(booking().State.Log)
	p.SetSize(50, 30)
	p.Focus()
	press(p, "/")
	for _, text := range []string{"", "st", " a", " stat:x"} {
		write(p, text)
		press(p, "down")
		if got := screen(p); strings.ContainsFunc(got, func(r rune) bool { return r > 0x7e }) {
			t.Errorf("filter %q: got characters that are not ASCII, want none:\n%s", text, got)
		}
	}
}

// Completion offers names that agents chose, so they must not act on the terminal.
func TestHostileNamesAreNotOffered(t *testing.T) {
	f := tape.New()
	f.Put(0, a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Raw: []byte(`{"method":"a\u001b[2J\u202eb"}`)})
	f.Event(1, chunk("x\\u001b]52;c;aGk=\\u0007", "n\\u001b[31m\\u0000\\u202ename", `{"text":"t"}`))
	f.Event(1, chunk("fine", "한국어 이름.md", `{"text":"t"}`))
	f.Event(1, result(`{"statusUpdate":{`+ids+`,"status":{"state":"\u001b[5mdone"}}}`))
	p := openPane(f, themes.Mono(), 80, 30)
	p.SetNames(func(a2a.AgentID) string { return "evil\x1b[2J\u202e agent" }, func(a2a.AgentID) string { return "evil\x1b[2J\u202e agent" })
	for _, field := range []string{"method:", "artifact:", "state:", "agent:", "task:"} {
		press(p, "/")
		p.setFilter("")
		write(p, field)
		exact(t, p, 80, 30)
		press(p, "tab", "enter")
		exact(t, p, 80, 30)
		press(p, "esc")
	}
	p.Filter("agent:\x1b[31mevil\n" + strings.Repeat("x", 9000))
	exact(t, p, 80, 30)
	p.Paste(tea.PasteMsg{Content: strings.Repeat("((((\x1b[2J\n", 300_000)})
	exact(t, p, 80, 30)
	if n := len(p.filter.input.Value()); n > maxFilterLength {
		t.Errorf("filter line has %d bytes, want at most %d", n, maxFilterLength)
	}
	has(t, p, "a filter has at most 4.1 kB")
}

// Background work and new records share the log.
func TestRecordsComeWhileTheFilterIsAtWork(t *testing.T) {
	f := long(45_000)
	p := New(styles.New(themes.Mono(), styles.Unicode()))
	p.SetSize(100, 40)
	p.SetLog(f.State.Log)
	p.SetNames(func(a2a.AgentID) string { return "agent" }, func(a2a.AgentID) string { return "agent" })
	p.setFilter("(essay or gap>1h or marked or finding:E) dir:in")
	for round := 0; ; round++ {
		jobs := p.Jobs()
		if len(jobs) == 0 {
			break
		}
		var arrive func() bool
		var wait sync.WaitGroup
		wait.Go(func() { arrive = jobs[0]() })
		for i := range 200 {
			p.AddRecords(f.Event(1, fmt.Sprintf(`{"essay":%d}`, i)))
			if round < 3 { // either restarts the matching
				p.rows.marks.add(a2a.RecordID(i + 1))
				f.State.Log.Findings().Mute("X", i%2 == 0)
			}
		}
		p.Lines()
		wait.Wait()
		arrive()
	}
	if got, want := p.rows.hits.len(), p.rows.total-1; got < want {
		t.Errorf("got %d matches, want at least %d", got, want)
	}
}

func FuzzFilterLine(f *testing.F) {
	f.Add("st\t\t\x0eb\x0f\x0f\x01\x02")
	f.Add("\x0f\x0f\x02\x0e\x01\x0e\x0e")
	f.Add(`(kind:task or "x" /y/) and not gap>1s` + "\x01")
	f.Fuzz(func(t *testing.T, typed string) {
		p := openPane(hostile(), themes.Mono(), 60, 24)
		press(p, "/")
		for i, r := range []rune(typed) {
			if i > 80 {
				break
			}
			if name, ok := map[rune]string{'\t': "", 1: "enter", 2: "esc", 3: "backspace", 4: "left", 5: "home", 6: "pgup", 14: "up", 15: "down"}[r]; ok {
				msg := tea.KeyPressMsg{Code: tea.KeyTab}
				if name != "" {
					msg = panetest.Key(name)
				}
				p.Key(msg)
			} else if r < 32 {
				p.SetSize(int(r*7)%90, int(r*3)%40)
				pump(p, 1)
			} else {
				p.Key(tea.KeyPressMsg{Code: r, Text: string(r)})
			}
			w, h := p.w, p.h
			exact(t, p, w, h)
			if c := p.Cursor(); c != nil && (c.X < 0 || c.X >= w) {
				t.Fatalf("cursor is at column %d, want less than %d", c.X, w)
			}
			if strings.Contains(ansi.Strip(strings.Join(p.Lines(), "\n")), "\t") {
				t.Fatal("got a tab in the frame, want none")
			}
		}
	})
}
