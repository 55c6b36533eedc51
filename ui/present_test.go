package ui

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/golden"
	"parley/internal/panetest"
	"parley/internal/units"
	"parley/session/log"
	"parley/session/replay"
	"parley/ui/control"
	"parley/ui/control/present"
	"parley/ui/layout"
)

// presented are the states of presenter mode that have golden files.
var presented = []struct {
	name string
	play func(d *desk)
}{
	{"greeting", func(d *desk) { d.book(allFound) }},
	{"asked", func(d *desk) { d.book(asksWhere) }},
	{"streaming", func(d *desk) { d.book(midStream) }},
	{"talk", func(d *desk) { d.book(allBooked) }},
	{"wire", func(d *desk) { d.book(allBooked); d.press("alt+w") }},
	{"spotlight", func(d *desk) { d.book(allBooked); d.press("alt+w", "alt+j", "k", "k", "k") }},
	{"keys", func(d *desk) {
		d.book(asksWhere)
		d.press("alt+k", "ctrl+p", "esc")
		d.write("London, please")
	}},
	{"finder", func(d *desk) { d.book(asksDates); d.press("ctrl+p") }},
}

func TestPresenterFrames(t *testing.T) {
	t.Parallel()
	for _, size := range []struct{ w, h int }{{200, 60}, {160, 45}, {100, 30}, {80, 24}} {
		for _, s := range presented {
			name := fmt.Sprintf("present-%dx%d/%s", size.w, size.h, s.name)
			t.Run(name, func(t *testing.T) {
				bubble(t, size.w, size.h, Options{Present: true}, func(d *desk) {
					s.play(d)
					golden.Compare(t, "frames/"+name, d.text())
				})
			})
		}
	}
}

func TestPresenterFramesInOtherLooks(t *testing.T) {
	t.Parallel()
	noColor := func(name string) string { return map[string]string{"NO_COLOR": "1"}[name] }
	for _, look := range []struct {
		name string
		o    Options
	}{
		{"dark", Options{Theme: Theme{Name: "dark"}}}, {"light", Options{Theme: Theme{Name: "light"}}},
		{"nocolor-ascii", Options{ASCII: true, Getenv: noColor}},
	} {
		for _, s := range presented {
			if s.name != "spotlight" && s.name != "keys" {
				continue
			}
			look.o.Present = true
			t.Run(look.name+"/"+s.name, func(t *testing.T) {
				bubble(t, 100, 30, look.o, func(d *desk) {
					s.play(d)
					golden.Compare(t, "frames/present-"+look.name+"/"+s.name, strings.Join(d.rows(), "\n"))
				})
			})
		}
	}
}

// Whatever the audience saw, the screen is as it was before.
func TestTheEndOfPresenterModeBringsTheScreenBack(t *testing.T) {
	t.Parallel()
	starts := map[string][]string{
		"writing":        nil,
		"scrolled":       {"tab", "k", "k", "k", "pgup"},
		"wire":           {"tab", "tab", "k", "k", "k"},
		"reading":        {"tab", "tab", "k", "k", "k", "k", "d", "j", "j", "j", "j", "j"},
		"agents":         {"shift+tab"},
		"zoomed":         {"tab", "pgup", "z"},
		"border moved":   {"tab", "pgup", ">", ">", ">"},
		"two":            {"f8"},
		"raw, scrolled":  {"tab", "tab", "g", "2", "d", "pgdown"},
		"top of records": {"tab", "tab", "g", "j"},
	}
	shows := map[string][]string{
		"nothing": nil,
		"scrolls": {"alt+j", "g", "alt+w"},
		"spot":    {"alt+w", "alt+j", "k", "k", "k", "k", "esc"},
		"records": {"alt+w", "alt+j", "tab", "k", "k", "d", "j"},
	}
	for _, size := range []struct{ w, h int }{{200, 60}, {100, 30}, {60, 20}} {
		for from, keys := range starts {
			for show, more := range shows {
				t.Run(fmt.Sprintf("%dx%d/%s/%s", size.w, size.h, from, show), func(t *testing.T) {
					bubble(t, size.w, size.h, Options{}, func(d *desk) {
						d.book(allBooked)
						d.press(keys...)
						d.wait(noticeTime * 10)
						before, focus := strings.Split(d.text(), "\n"), d.model.screen.at
						d.press("f10")
						if d.model.present.Stage() == layout.NoStage {
							t.Fatal("f10 did not begin presenter mode")
						}
						d.press(more...)
						d.press("f10")
						d.wait(noticeTime * 10)
						for y, row := range strings.Split(d.text(), "\n") {
							if row != before[y] {
								t.Fatalf("row %d after presenter mode: got %q, want %q as before", y, row, before[y])
							}
						}
						if d.model.screen.at != focus {
							t.Errorf("got focus %d, want %d as before", d.model.screen.at, focus)
						}
					})
				})
			}
		}
	}
}

// What is planted in texts, names, bodies and heads.
const (
	plantedKey  = "sk-ant-api03-Zq8rT2vW5yB1nM4kJ7hG0fD3sA6pL9oI"
	plantedPass = "correct-horse-7"
	plantedHome = "/srv/people/ada"
	plantedUUID = "91c2e0d4-77f1-4c1e-9d3a-0b1c2d3e4f50"
)

// unseen fails if a frame has anything that was planted.
func (d *desk) unseen() {
	d.t.Helper()
	view := d.model.View()
	shown := strings.Join(strings.Fields(panetest.Text(d.rows())), " ") + view.WindowTitle
	for _, s := range []string{plantedKey, plantedKey[:30], plantedPass, plantedHome, "people/ada", plantedUUID, "/home/grace", "grace"} {
		if strings.Contains(shown, s) || strings.Contains(view.Content, s) {
			d.t.Fatalf("got %q in a frame, want it masked:\n%s", s, d.text())
		}
	}
}

// plant plays an answer that says more than an audience may see.
func (d *desk) plant() {
	d.t.Helper()
	d.gave(
		`{"text":"The key is `+plantedKey+`, the file is `+plantedHome+`/talks/notes.md, and password: `+plantedPass+`. It is also in /home/grace/x and at https://grace:`+plantedPass+`@a.example/."}`,
		`{"data":{"api_key":"`+plantedKey+`","password":"`+plantedPass+`","path":"`+plantedHome+`/x","id":"`+plantedUUID+`"}}`,
		`{"raw":"aGVsbG8=","filename":"`+plantedHome+`/notes.txt","mediaType":"text/plain"}`,
	)
	head := &a2a.Head{Method: "POST", URL: "https://a.example/" + plantedUUID + "?api_key=" + plantedPass, Header: map[string][]string{
		"X-Path": {plantedHome + "/x"}, "X-Api-Key": {plantedPass}, "Authorization": {"Bearer " + plantedKey},
	}}
	call := &a2a.Call{Agent: 1, Conversation: 1, Turn: 1, Op: a2a.OpSend, Dialect: a2a.V10}
	d.put(a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Call: call, Time: d.clock, Head: head, Raw: []byte(`{"password":"` + plantedPass + `","at":"` + plantedHome + `"}`)})
}

func TestAnAudienceSeesNeitherSecretsNorHomes(t *testing.T) {
	t.Parallel()
	env := func(name string) string { return map[string]string{"HOME": plantedHome}[name] }
	for _, size := range []struct{ w, h int }{{200, 60}, {160, 45}, {100, 30}, {80, 24}, {60, 20}, {40, 12}} {
		for _, ascii := range []bool{false, true} {
			bubble(t, size.w, size.h, Options{Getenv: env, Present: true, ASCII: ascii}, func(d *desk) {
				d.plant()
				d.unseen()
				for range 8 { // what is folded, its details
					d.press("space")
					d.unseen()
					d.press("d")
					d.unseen()
					d.press("k")
					d.unseen()
				}
				d.press("alt+w")
				d.model.setFocus(control.OnWire)
				d.press("g")
				for range 5 {
					for _, key := range []string{"1", "+", "2", "3", "4", "j"} {
						d.press(key)
						d.unseen()
					}
				}
				d.press("e") // the request as text
				d.unseen()
				d.press("esc", "ctrl+p")
				d.write("a")
				d.unseen()
				d.press("esc", "ctrl+l")
				d.write("see " + plantedHome + "/x")
				d.unseen()
				d.run(d.model.say("saved in "+plantedHome+"/x.json", false))
				d.settle()
				d.unseen()
				if size.w >= 80 {
					d.says("saved in")
					d.sees("~/x.json")
				}
			})
		}
	}
}

// Ids, sizes and words of protocols stay in the wire.
func TestTheConversationHasNoWordsForThoseWhoDebug(t *testing.T) {
	t.Parallel()
	words := regexp.MustCompile(`\b(ctx|task [0-9a-f]{4}|JSON-RPC|HTTP|chunks?|[0-9.]+ k?B|#[0-9]+|ev/s|events?)\b`)
	for _, s := range presented {
		if s.name == "wire" || s.name == "spotlight" || s.name == "finder" {
			continue
		}
		bubble(t, 160, 45, Options{Present: true}, func(d *desk) {
			s.play(d)
			for range 12 {
				if found := words.FindString(d.text()); found != "" {
					t.Errorf("%s: got %q in\n%s", s.name, found, d.text())
				}
				d.model.setFocus(control.OnChat)
				d.press("pgup")
			}
		})
	}
}

func TestNoBellRingsForAnAudience(t *testing.T) {
	t.Parallel()
	bubble(t, 100, 30, Options{Present: true}, func(d *desk) {
		d.book(asksWhere)
		if d.rings() != 0 {
			t.Errorf("got %d bells, want none in presenter mode", d.rings())
		}
		d.press("f10")
		d.tells(control.Place{Agent: 2, Conversation: 50}, "aaaa-1111", "INPUT_REQUIRED", "And now?")
		if d.rings() != 1 {
			t.Errorf("got %d bells after it, want one", d.rings())
		}
	})
}

func TestPressedKeysAreShownForAMoment(t *testing.T) {
	t.Parallel()
	bubble(t, 100, 30, Options{Present: true}, func(d *desk) {
		last := func() string { return strings.Split(d.text(), "\n")[28] }
		d.book(asksWhere)
		d.press("tab")
		if got := strings.TrimSpace(last()); got != "" {
			t.Errorf("got %q before they are wanted, want no keys", got)
		}
		d.press("alt+k", "j", "ctrl+p")
		panetest.Sees(t, last(), " j   ctrl+p")
		d.press("esc")
		d.wait(present.StrokeTime / 2)
		d.press("tab") // it stays as long from now on
		d.wait(present.StrokeTime * 3 / 4)
		panetest.Sees(t, last(), " esc   tab")
		d.wait(present.StrokeTime)
		if got := strings.TrimSpace(last()); got != "" {
			t.Errorf("got %q later, want no keys", got)
		}
	})
}

// A credential is typed unseen.
func TestNoKeysAreShownWhileWhatIsTypedIsMasked(t *testing.T) {
	t.Parallel()
	typed := []struct {
		name string
		open func(d *desk)
	}{
		{"credentials", func(d *desk) { d.identified(); d.press("alt+k", "f5") }},
		{"text field", func(d *desk) { d.book(allFound); d.press("alt+k", "alt+s") }},
		{"webhook", func(d *desk) {
			d.hooked()
			d.press("alt+k", "f4", "a")
			for range 6 {
				if d.press("tab"); (host{d.model}).Masked() {
					break
				}
			}
		}},
		{"finder", func(d *desk) { d.book(allFound); d.press("alt+k", "ctrl+p"); d.send(tea.PasteMsg{Content: plantedKey}) }},
	}
	for _, c := range typed {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, 100, 30, Options{Present: true}, func(d *desk) {
				c.open(d)
				if !(host{d.model}).Masked() {
					t.Fatal("got a field that is not masked")
				}
				d.write("zqxv")
				if keys := d.model.present.Strokes(80); keys != "" {
					t.Errorf("got keys %q, want none", keys)
				}
				if strings.Contains(d.text(), "zqxv") {
					t.Errorf("got what was typed:\n%s", d.text())
				}
			})
		})
	}
}

func TestTheSpotlightMovesAndEnds(t *testing.T) {
	t.Parallel()
	bubble(t, 160, 45, Options{Present: true}, func(d *desk) {
		d.book(allBooked)
		bright := func(words string) bool {
			t.Helper()
			for _, row := range d.rows() {
				if strings.Contains(panetest.Text([]string{row}), words) {
					return !strings.Contains(row, d.model.st.Faint.On+"") || strings.Contains(row, d.model.st.Text.On)
				}
			}
			t.Fatalf("the screen lacks %q:\n%s", words, d.text())
			return false
		}
		d.press("alt+j")
		d.sees("j k move the spotlight", "esc end it")
		if !bright("there?") || bright("Before you go") {
			t.Error("want the last message alone bright")
		}
		d.press("k", "k", "k")
		if bright("there?") || !bright("somebody who waters") {
			t.Error("want the itinerary bright after it moved there")
		}
		d.press("esc")
		d.sees("alt+j spotlight")
		if !bright("there?") || d.model.screen.at != control.OnChat {
			t.Error("want esc to end the spotlight alone")
		}
		d.press("alt+j", "ctrl+l")
		d.sees("alt+j spotlight") // it ends where nothing is selected
	})
	bubble(t, 100, 30, Options{Present: true, Theme: Theme{Name: "mono"}}, func(d *desk) {
		d.book(allBooked)
		d.press("alt+j")
		d.sees("  ❯ ▌ there?")
	})
}

func TestOutsidePresenterModeItsKeysSayHowItBegins(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(allFound)
		for _, key := range []string{"alt+w", "alt+j", "alt+k"} {
			d.press(key)
			d.says("this works in presenter mode only: f10 begins it")
		}
		d.command("/present")
		d.sees("f10 end presenting")
		d.command("/present")
		d.sees("╭─ agents")
	})
}

// While a recording is played, the mode stays wherever one goes.
func TestAReplayStaysInPresenterMode(t *testing.T) {
	t.Parallel()
	path, _ := filepath.Abs(booked)
	o := played(path, replay.Options{Step: true})
	o.Present = true
	bubble(t, 100, 30, o, func(d *desk) {
		d.wait(playPause)
		d.goesTo("130")
		d.sees("f10 end presenting", "alt+w show wire")
		d.press("alt+w")
		d.goesTo("100")
		d.sees("hide wire", "╭─ wire")
		line := strings.Split(d.text(), "\n")[29]
		if strings.ContainsAny(line, "#⚑") {
			t.Errorf("got %q below, want no numbers of records and no findings", line)
		}
		d.press("alt+w")
		d.goesTo("60")
		d.sees("show wire")
		d.press("f10")
		d.goesTo("50")
		d.seesNot("f10 end presenting")
	})
}

// In presenter mode a frame costs what changed, too: the mask reads each changed row once, and panes
// out of sight nothing.
func TestAFloodInPresenterModeCostsNoMoreFrames(t *testing.T) {
	t.Parallel()
	bubble(t, 160, 45, Options{Present: true}, func(d *desk) {
		rec := d.live(midStream)
		d.press("alt+w")
		d.batches, d.frames = 0, 0
		go func() {
			for range 200 {
				d.chunks(10, func(it log.Item) { rec.Put(it.Record, it.Update) })
				time.Sleep(time.Millisecond)
			}
		}()
		d.wait(time.Second)
		if got := d.model.state.Log.Len(); got != midStream+2000 {
			t.Fatalf("got %s, want all", units.Plural(got, "record"))
		}
		if most := 2*d.batches + 15; d.frames > most {
			t.Errorf("got %d frames for %d batches, want at most %d", d.frames, d.batches, most)
		}
		d.sees("wire · conversation")
	})
}
