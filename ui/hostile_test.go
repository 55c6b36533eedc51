package ui

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"parley/a2a"
	"parley/session/journal"
	"parley/session/log"
	"parley/ui/control"
)

// graffiti is text of an agent that moves the cursor, clears the screen, sets title and
// clipboard, reverses text, and is very wide.
const graffiti = "\x1b[2J\x1b[31m\x1b]0;title\a\x1b]52;c;cHduZWQ=\a\x9b31m\u009b7m\u009d0;t\u009c\u202egnp\u202c\u2066\u200f\r\b\v\x00\x7f" +
	"\x1b]8;;javascript:alert(1)\a\x1bPq#0\x1b\\\x1b_G\x1b\\한국어 👩‍🚀🇳🇴 z̸̢͝ ﷽ \t&#27;[5m\xff\xed\xa0\x80 wall"

// hostile is the recorded booking by an agent that writes graffiti everywhere: in its card,
// messages, artifacts, states, headers and errors.
func hostile(t *testing.T) []log.Item {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "booking.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for i, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		var record map[string]any
		if err := json.Unmarshal([]byte(line), &record); err != nil {
			t.Fatal(err)
		}
		if i > 0 {
			vandalise(record, i)
		}
		line, err := json.Marshal(record)
		if err != nil {
			t.Fatal(err)
		}
		out.Write(append(line, '\n'))
	}
	path := filepath.Join(t.TempDir(), graffitiName)
	if err := os.WriteFile(path, []byte(out.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	feed := log.NewFeed()
	recorded, err := journal.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	recorded.Replay(t.Context(), feed, journal.Unpaced)
	items, err := feed.Next(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	return items
}

const graffitiName = "wall\x1b[31m\u202e.jsonl"

// words are the members whose values are read by people.
var words = regexp.MustCompile(`"(name|description|text|organization|mediaType|filename|artifactId|state|role|messageId|contextId|taskId|id|version)": ?"(TASK_STATE_)?[^"]*"`)

func vandalise(record map[string]any, i int) {
	quoted, _ := json.Marshal(graffiti)
	bad := strings.Trim(string(quoted), `"`)
	if raw, ok := record["raw"].(string); ok {
		record["raw"] = words.ReplaceAllStringFunc(raw, func(member string) string {
			if strings.Contains(member, `TASK_STATE_`) && i%3 > 0 || strings.Contains(member, `d":`) && !strings.Contains(member, "artifactId") {
				return member // else the records no longer belong together
			}
			return member[:len(member)-1] + bad + `"`
		})
		if i%17 == 0 && strings.HasPrefix(raw, "data: ") {
			record["raw"] = `data: {"jsonrpc":"2.0","id":"x` + bad + `","error":{"code":-32603,"message":"` + bad + `","data":["` + bad + `"]}}` + "\n\n"
		}
		if i%19 == 0 {
			record["raw"] = raw + graffiti
		}
	}
	if head, ok := record["head"].(map[string]any); ok {
		if header, ok := head["header"].(map[string]any); ok {
			header["X-Wall"+graffiti] = []string{graffiti}
		}
	}
	if end, ok := record["end"].(map[string]any); ok {
		end["sentence"], end["detail"], end["class"] = graffiti, graffiti, graffiti
	}
	if note, ok := record["note"].(map[string]any); ok {
		attrs := note["attrs"].(map[string]any)
		attrs["ref"], attrs["sentence"], attrs[graffiti] = "http://localhost/"+graffiti, graffiti, graffiti
	}
}

// clean fails if a frame has anything that the program did not draw.
func (d *desk) clean() {
	d.t.Helper()
	d.rows() // it makes sure that Strip removes only SGR and links
	view := d.model.View()
	rest := ansi.Strip(view.Content)
	for _, r := range rest + view.WindowTitle {
		switch {
		case r < ' ' && r != '\n', r >= 0x7f && r < 0xa0, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0x200e, r == 0x200f, r == 0x061c:
			d.t.Fatalf("frame has unsanitised U+%04X:\n%q", r, rest)
		}
	}
	if strings.Contains(view.Content, "\x1b[5m") || strings.Contains(view.Content, "\x1b]8;;java") {
		d.t.Fatalf("frame has the agent's escape sequence:\n%q", view.Content)
	}
}

func TestWhatAgentsWriteStaysText(t *testing.T) {
	t.Parallel()
	items := hostile(t)
	for _, size := range []struct{ w, h int }{{120, 40}, {80, 24}, {40, 12}, {20, 5}} {
		t.Run(fmt.Sprintf("%dx%d", size.w, size.h), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDesk(t, Options{})
				d.send(tea.WindowSizeMsg{Width: size.w, Height: size.h})
				d.items = items
				d.upTo(allFound)
				d.clean()
				d.press("enter")
				for _, upTo := range []a2a.RecordID{asksWhere, asksDates, midStream, allBooked} {
					d.upTo(upTo)
					d.clean()
				}
				d.model.goTo(control.Place{Agent: 1, Conversation: 1})
				d.send(nil)
				d.lookEverywhere()
			})
		})
	}
}

// lookEverywhere opens every sheet and selects every record.
func (d *desk) lookEverywhere() {
	d.t.Helper()
	steps := strings.Fields("ctrl+p esc f2 G v G v esc f1 esc tab i k i k k space H i g j i v tab d 1 2 3 4 1 + d shift+tab shift+tab shift+tab j j c esc n esc")
	for _, key := range steps {
		d.press(key)
		d.clean()
	}
	d.model.setFocus(control.OnWire)
	d.press("g")
	for range len(d.items) / 3 * (d.model.screen.w / 120) {
		for _, tab := range []string{"1", "2", "3", "4", "j", "j", "j"} {
			d.press(tab)
			d.clean()
		}
	}
	d.press("/")
	d.send(tea.PasteMsg{Content: graffiti})
	d.clean()
	d.press("esc", "y")
	d.clean()
	d.model.setFocus(control.OnChat)
	d.press("/")
	d.send(tea.PasteMsg{Content: graffiti})
	d.clean()
	d.press("enter")
	d.clean()
	d.model.setFocus(control.OnComposer)
	d.send(tea.PasteMsg{Content: graffiti})
	d.clean()
	d.press("enter", "ctrl+p")
	d.send(tea.PasteMsg{Content: graffiti})
	d.clean()
}

func TestWhatAnAudienceSeesStaysText(t *testing.T) {
	t.Parallel()
	items := hostile(t)
	for _, size := range []struct{ w, h int }{{160, 45}, {80, 24}} {
		bubble(t, size.w, size.h, Options{Present: true}, func(d *desk) {
			d.items = items
			d.upTo(allBooked)
			d.model.goTo(control.Place{Agent: 1, Conversation: 1})
			d.press("alt+w", "alt+k", "alt+j")
			d.clean()
			d.lookEverywhere()
		})
	}
}

func TestARecordingsNameStaysText(t *testing.T) {
	t.Parallel()
	items := hostile(t)
	bubble(t, 120, 40, Options{Name: graffitiName}, func(d *desk) {
		d.items = items
		d.upTo(allBooked)
		d.clean()
		d.sees("recording wall")
	})
}

func TestWhatIsTypedIntoInputsStaysText(t *testing.T) {
	t.Parallel()
	for _, open := range [][]string{{}, {"ctrl+p"}, {"tab", "/"}, {"tab", "tab", "/"}} {
		bubble(t, 120, 40, Options{}, func(d *desk) {
			d.book(allBooked)
			d.press(open...)
			for _, text := range []string{"\u202e", "a\u2066b", "\u009b", "\x1b", "\u200f", "\ufff9", "\ufffd", "\U000f1b58", "\u2028", "\u206f", "\u180e"} {
				d.send(tea.KeyPressMsg{Code: tea.KeyExtended, Text: text})
				d.clean()
				d.send(tea.PasteMsg{Content: text})
				d.clean()
			}
		})
	}
}
