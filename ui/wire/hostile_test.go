package wire

import (
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/tape"
	"parley/session/log"
	"parley/themes"
	"parley/ui/styles"
)

const evil = "\x1b]52;c;cHduZWQ=\a\x1b[2J\x1b[31mred\u202egnp.exe\u009b8m\r\n\t\x00\xff\u200b한국어👩‍👩‍👧🇩🇪e\u0301\u0301\u0301 "

// hostile returns a tape in which every string is an attack.
func hostile() *tape.Tape {
	f := tape.New()
	head := http.Header{"X-" + evil: {evil, evil}, "Content-Type": {evil}}
	f.Put(0, a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Raw: []byte(evil), Head: &a2a.Head{Method: evil, URL: "http://h/" + evil, Proto: evil, Header: head},
		Redactions: []a2a.Redaction{{Name: "header X-" + evil, Size: -1}, {Offset: 1 << 30, Length: 3, Name: evil}}})
	f.Put(1, a2a.Record{Kind: a2a.KindHead, Dir: a2a.In, Head: &a2a.Head{Status: -7, Proto: evil, Header: head}})
	finding := a2a.Finding{Rule: evil, Pointer: "/" + evil, Offset: -1, Message: evil, Fix: evil}
	f.Event(1, `{"result":{"`+"\u202e\u009b"+`":"\u001b[31m\u0007","statusUpdate":{"status":{"state":"\u001b[2J\u202e"}}}}`, finding, a2a.Finding{Offset: 1 << 40})
	f.Put(1, a2a.Record{Kind: a2a.KindEvent, Dir: a2a.Direction(evil), Raw: []byte(evil), Data: []byte(evil), SSE: &a2a.SSEFields{ID: evil, Event: evil, Retry: evil}}, finding)
	f.Put(1, a2a.Record{Kind: a2a.KindEvent, Dir: a2a.In, Data: []byte{}})
	f.Put(1, a2a.Record{Kind: a2a.KindBody, Dir: a2a.In, Raw: []byte(`{"` + evil + `":["` + evil)})
	f.Put(1, a2a.Record{Kind: a2a.KindEnd, Dir: a2a.In, Raw: []byte(evil), End: &a2a.End{Reason: a2a.EndReason(evil), Sentence: evil, Detail: evil, Class: evil}})
	f.Put(1, a2a.Record{Kind: a2a.KindNote, Note: &a2a.Note{Type: evil, Attrs: map[string]string{evil: evil, "sentence": evil}}})
	f.Put(-5000, a2a.Record{Kind: a2a.RecordKind(evil)})
	f.Put(1, a2a.Record{Kind: a2a.KindNote})
	f.Put(1, a2a.Record{Kind: a2a.KindHead})
	return f
}

func TestHostileRecordsReachNoTerminal(t *testing.T) {
	for _, size := range [][2]int{{62, 40}, {20, 5}, {200, 60}, {7, 12}} {
		p := openPane(hostile(), themes.Dark(), size[0], size[1])
		for id := a2a.RecordID(1); int(id) <= p.rows.total; id++ {
			p.Select(id)
			for range 4 {
				exact(t, p, size[0], size[1])
				press(p, "d")
				exact(t, p, size[0], size[1])
				if c, ok := press(p, "y").(Copy); ok && c.What == "" {
					t.Errorf("record %d: got a Copy without What, want a description", id)
				}
				press(p, "d", "l")
			}
		}
		press(p, "/")
		p.Paste(tea.PasteMsg{Content: evil})
		exact(t, p, size[0], size[1])
		press(p, "enter")
		exact(t, p, size[0], size[1])
		for _, text := range []string{evil, "e", "/./", "/" + evil + "/", "한", strings.Repeat("x ", 100_000)} {
			find(p, text)
			settle(p)
			exact(t, p, size[0], size[1])
			press(p, "esc", "-", "m")
			exact(t, p, size[0], size[1])
		}
	}
}

func TestResizeStormKeepsTheSelection(t *testing.T) {
	f := booking()
	p := openPane(f, themes.Dark(), 62, 40)
	p.Select(6)
	press(p, "d", "G")
	rng := rand.New(rand.NewPCG(3, 4))
	for range 400 {
		w, h := rng.IntN(220), rng.IntN(70)
		p.SetSize(w, h)
		exact(t, p, w, h)
	}
	p.SetSize(62, 40)
	if has(t, p, "── 6 "); p.Selected() != 6 {
		t.Errorf("record %d is selected, want 6", p.Selected())
	}
}

func FuzzKeys(f *testing.F) {
	f.Add([]byte("jjkGgdd/abc\x1b\r t2143lhDyKJ-+fwfz"))
	f.Add([]byte("/e\r/\x1b\x01\x02d G\x03gG\x04"))
	f.Add([]byte("\x04\x020\x04"))        // no columns at all
	f.Add([]byte("XA00\x1b0\x020000000")) // a low pane with an open filter, and a click
	f.Add([]byte("-\x1d\x1e\x20(\x1c\x1d(#$(%&"))
	names := []string{"j", "k", "g", "G", "f", "t", "d", "D", "enter", "space", "-", "+", "h", "l", "1", "2", "3", "4", "/", "esc", "y", "K", "J", "pgup", "pgdown", "ctrl+d", "a", "backspace",
		"ctrl+f", "n", "N", "m", "'", "\"", "s", "5", "v", "x", "u", "w"}
	f.Fuzz(func(t *testing.T, keys []byte) {
		f := hostile()
		p := New(styles.New(themes.Mono(), styles.Unicode()))
		w, h := 62, 24
		p.SetSize(w, h)
		p.SetLog(f.State.Log)
		p.Focus()
		for i, k := range keys[:min(len(keys), 60)] {
			switch {
			case k < 8:
				w, h = (w*7+int(k))%120, (h*5+int(k))%40
				p.SetSize(w, h)
			case k < 16:
				p.AddRecords(f.Event(i, `{"n":`+string(k+'0')+`}`))
			case k < 32:
				p.Mouse(tea.MouseClickMsg{Button: tea.MouseLeft}, int(k)%w1(w), int(k*7)%w1(h))
			case k < 40:
				p.Mouse(tea.MouseWheelMsg{Button: tea.MouseWheelDown}, 1, int(k)%w1(h))
			case k == 40:
				for _, job := range p.Jobs() {
					job()()
				}
			case k == 41:
				p.SetLog(log.New())
			case k < 60:
				p.Select(a2a.RecordID(k - 40))
			default:
				press(p, names[int(k)%len(names)])
			}
			exact(t, p, w, h)
		}
	})
}

func w1(n int) int { return max(n, 1) }
