package ui

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/a2a/grpc"
	"parley/a2a/lint"
	"parley/internal/golden"
	"parley/session/annotation"
	"parley/session/journal"
	"parley/session/log"
	"parley/session/model"
	"parley/session/replay"
	"parley/session/sessiontest"
	"parley/ui/control"
	"parley/ui/keys"
	"parley/ui/layout"
	"parley/ui/player"
	"parley/ui/wire"
)

// played returns the options to play a recording as `parley replay` does.
func played(path string, o replay.Options) Options {
	o.Rules = func() log.Checker { return lint.New() }
	return Options{Name: filepath.Base(path), Replay: &Replay{
		Open: func() (*journal.Recording, error) {
			r, err := journal.Open(path)
			if err == nil {
				r.Render(map[a2a.Binding]a2a.Format{a2a.BindingGRPC: grpc.NewFormat()})
			}
			return r, err
		},
		Options: o, Begin: true,
	}}
}

// replayed runs test with a desk that plays a recording.
func replayed(t *testing.T, path string, w, h int, o replay.Options, test func(d *desk)) {
	t.Helper()
	bubble(t, w, h, played(path, o), func(d *desk) {
		d.wait(playPause)
		test(d)
	})
}

const booked = "testdata/booking.jsonl"

// goesTo types a goal into the line.
func (d *desk) goesTo(goal string) {
	d.t.Helper()
	d.press(":")
	d.write(goal)
	d.press("enter")
	d.wait(playPause)
}

// at fails unless the screen shows exactly the first k records.
func (d *desk) at(k int) {
	d.t.Helper()
	if got := d.model.state.Log.Len(); got != k {
		d.t.Fatalf("got %d records on the screen, want %d", got, k)
	}
}

// After any way to a record, model and frame are those of who came straight there, and the model
// is that of exactly these records.
func TestAReplayShowsExactlyTheRecordsUpToItsPosition(t *testing.T) {
	t.Parallel()
	for _, path := range []string{booked, "testdata/refused.jsonl", "testdata/grpc.jsonl", "testdata/mesh.jsonl"} {
		items := recording(t, filepath.Base(path))
		n := 0
		for n < len(items) && items[n].Signal == nil {
			n++
		}
		direct := map[int]string{}
		rng := rand.New(rand.NewPCG(3, uint64(n)))
		ks := []int{1, n}
		for range 6 {
			ks = append(ks, 1+rng.IntN(n))
		}
		for _, k := range ks {
			replayed(t, path, 120, 40, replay.Options{Step: true}, func(d *desk) {
				d.goesTo(fmt.Sprintf("#%d", k))
				d.at(k)
				direct[k] = d.text()
				s := model.NewState()
				s.Check(lint.New())
				for _, it := range items[:k] {
					s.Apply(it)
				}
				if got, want := sessiontest.Dump(d.model.state), sessiontest.Dump(s); got != want {
					t.Errorf("%s at record %d: the state differs:\n%s", path, k, sessiontest.Difference(want, got))
				}
			})
		}
		replayed(t, path, 120, 40, replay.Options{Step: true}, func(d *desk) {
			for range 20 {
				k := ks[rng.IntN(len(ks))]
				step := min(rng.IntN(4), k-1)
				d.goesTo(fmt.Sprintf("#%d", k-step))
				for range step {
					d.press(".")
				}
				if k < n {
					d.press(".", ",")
				}
				d.wait(playPause)
				d.at(k)
				if got := d.text(); got != direct[k] {
					t.Fatalf("%s at record %d: the frame depends on the way there:\n%s", path, k, sessiontest.Difference(direct[k], got))
				}
			}
		})
	}
}

func TestAReplayPlaysPausesAndEnds(t *testing.T) {
	t.Parallel()
	replayed(t, booked, 120, 40, replay.Options{}, func(d *desk) {
		d.wait(1500 * time.Millisecond)
		d.sees("▸ 0:01.", "of 130")
		d.press("space")
		at := d.model.state.Log.Len()
		if at < 30 || at > 40 {
			t.Errorf("got %d records after 1.5 s, want those that were recorded by then", at)
		}
		d.wait(time.Minute)
		d.at(at)
		d.sees("‖ 0:01.")
		d.press("]", "]", "P")
		d.sees("5×")
		d.wait(2 * time.Second)
		d.at(130)
		d.sees("‖ 0:07.9 / 0:07.9", "#130 of 130", "space play")
		d.press("space")
		d.wait(playPause)
		if n := d.model.state.Log.Len(); n > 30 {
			t.Errorf("got %d records, want that play begins again after the end", n)
		}
	})
}

// No time is spent while the screen is at rest.
func TestAReplayAtRestDoesNothing(t *testing.T) {
	t.Parallel()
	replayed(t, booked, 120, 40, replay.Options{Step: true}, func(d *desk) {
		d.goesTo("#100")
		d.wait(10 * time.Second) // notices
		before := d.frames
		d.wait(time.Hour)
		if d.frames != before {
			t.Errorf("got %d frames in an hour without a key, want none", d.frames-before)
		}
	})
}

// At twenty times the speed every record is on the screen one frame after it is due, and no more
// batches and frames are made than the renderer can show.
func TestAFastReplayMissesNoFrame(t *testing.T) {
	t.Parallel()
	replayed(t, booked, 120, 40, replay.Options{Speed: 20, Step: true}, func(d *desk) {
		frames, batches := d.frames, d.batches
		d.press("P")
		ticks := 0
		for d.model.state.Log.Len() < 130 {
			d.wait(frame)
			if ticks++; ticks > 1000 {
				t.Fatal("the end was not reached")
			}
			r := d.root.(*replayScreen)
			if behind := r.player.Position() - d.model.state.Log.Len(); behind > 40 {
				t.Errorf("got a screen %d records behind, want those of a frame", behind)
			}
		}
		if most := 2*ticks + 5; d.frames-frames > most || d.batches-batches > ticks+2 {
			t.Errorf("got %d frames and %d batches in %d frames' time", d.frames-frames, d.batches-batches, ticks)
		}
	})
}

// On a long way the frame changes when the clock says so, not with each block of records: drawing
// it takes longer than applying them.
func TestALongWayIsDrawnNowAndThen(t *testing.T) {
	t.Parallel()
	replayed(t, booked, 120, 40, replay.Options{Step: true}, func(d *desk) {
		d.goesTo("#100")
		r := d.root.(*replayScreen)
		r.Update(playerMsg{player.Step{N: -1}}) // its command is not run: the screen stays on its way
		before := r.View().Content
		for range 5 {
			r.player.Seek(99 + farAway) // what the line shows changes
			r.Update(modelMsg{r.generation, dueMsg{}})
			if got := r.View().Content; got != before {
				t.Fatal("got another frame with a message about records, want the same")
			}
		}
		r.Update(playMsg{})
		if got := r.View().Content; got == before {
			t.Error("got the same frame when the clock said so, want one that says where the screen is")
		}
	})
}

func TestTheLineHasTheKeysOfAPlayer(t *testing.T) {
	t.Parallel()
	replayed(t, booked, 120, 40, replay.Options{Step: true}, func(d *desk) {
		for _, c := range []struct {
			keys string
			want int
		}{{"G", 130}, {"home", 1}, {".", 2}, {".", 3}, {",", 2}, {"}", 29}, {"}", 35}, {"{", 29}, {"n", 0}, {"home", 1}, {"n", 26}, {"N", 26}, {"5", 0}, {"0", 1}, {"l", 0}, {"h", 1}} {
			d.press(c.keys)
			d.wait(playPause)
			if got := d.model.state.Log.Len(); c.want != 0 && got != c.want {
				t.Errorf("after %s: got record %d, want %d", c.keys, got, c.want)
			}
		}
		d.goesTo("next mark")
		d.says("no later mark")
		d.goesTo("nowhere")
		d.says("Write a time such as 12:03")
		d.goesTo("#4000")
		d.says("There is no record #4000", "the last one is #130")
		d.press("g")
		d.sees("go to", "enter go there", "esc close")
		d.press("esc")
		d.sees("#1 of 130")
		d.press("f1")
		d.sees("go to time or record", "next finding")
	})
}

// tab gives the line the focus and takes it away; then the keys are those of the panes, and a few
// still play.
func TestTheFocusGoesRound(t *testing.T) {
	t.Parallel()
	replayed(t, booked, 120, 40, replay.Options{Step: true}, func(d *desk) {
		for _, want := range []control.Focus{control.OnChat, control.OnWire, control.OnAgents, control.OnPlayer, control.OnChat} {
			d.press("tab")
			if got := d.model.screen.at; got != want {
				t.Errorf("got focus %d, want %d", got, want)
			}
		}
		d.goesTo("#60")
		d.press("tab", "k", "k") // in the wire
		if got := d.model.panes.wire.Selected(); got != 58 {
			t.Errorf("got record %d, want that the keys move in the wire", got)
		}
		d.press(".")
		d.wait(playPause)
		d.at(61)
		d.press("/")
		d.write("a.b,c")
		d.at(61)
		d.sees("a.b,c")
	})
}

// What the user had chosen is still there after a step back.
func TestAStepBackKeepsWhatTheUserChose(t *testing.T) {
	t.Parallel()
	replayed(t, booked, 120, 40, replay.Options{Step: true}, func(d *desk) {
		d.goesTo("#120")
		d.press("tab", "tab", "/")
		d.write("artifact")
		d.press("enter", "k", "k", "k", "k", "m", "alt+t", "j", "enter", "z")
		theme, selected := d.model.st.Theme.Name, d.model.panes.wire.Selected()
		d.press(",", ",")
		d.wait(playPause)
		d.at(118)
		m := d.model
		if m.st.Theme.Name != theme || m.screen.at != control.OnWire || !m.screen.zoom || m.panes.wire.FilterText() != "artifact" || m.panes.wire.Selected() != selected {
			t.Errorf("got theme %s, focus %d, zoom %v, filter %q, record %d", m.st.Theme.Name, m.screen.at, m.screen.zoom, m.panes.wire.FilterText(), m.panes.wire.Selected())
		}
		d.goesTo("#50")
		if m = d.model; m.panes.wire.Marked(selected) {
			t.Errorf("record %d is marked, but not shown yet", selected)
		}
		d.goesTo("next mark")
		d.at(int(selected))
		if m = d.model; !m.panes.wire.Marked(selected) {
			t.Errorf("record %d lost its mark", selected)
		}
	})
}

// What the user folded in the wire stays so after a step back, and so does the second conversation.
func TestAStepBackKeepsFolds(t *testing.T) {
	t.Parallel()
	replayed(t, booked, 120, 40, replay.Options{Step: true}, func(d *desk) {
		d.goesTo("#120")
		d.press("tab", "tab", "-")
		want := d.model.panes.wire.Folds()
		if reflect.DeepEqual(want, wire.New(d.model.st).Folds()) {
			t.Fatal("got nothing folded, want all exchanges")
		}
		d.goesTo("#119")
		d.at(119)
		if got := d.model.panes.wire.Folds(); !reflect.DeepEqual(got, want) {
			t.Errorf("got folded exchanges %+v, want %+v", got, want)
		}
	})
	text, err := os.ReadFile(booked)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 { // another agent, and two steps
		text = fmt.Appendf(text, `{"id":%d,"kind":"note","time":"2026-11-20T14:30:0%dZ","note":{"type":"opening","attrs":{"agent":"9","ref":"http://other.example"}}}`+"\n", 131+i, i)
	}
	path := filepath.Join(t.TempDir(), "two.jsonl")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	replayed(t, path, 200, 50, replay.Options{Step: true}, func(d *desk) {
		d.goesTo("#133")
		d.press("f8")
		if d.model.pair.Wanted() == layout.NoPair {
			t.Fatal("got no second conversation, want one")
		}
		d.goesTo("#131")
		d.at(131)
		if d.model.pair.Wanted() == layout.NoPair {
			t.Error("got no second conversation after a step back, want it as before")
		}
	})
}

// Marks and comments of earlier runs are there in a replay: the time line shows those ahead, a goal finds
// them, and a record has its own when it is shown, also after a step back.
func TestMarksOfEarlierRunsAreInAReplay(t *testing.T) {
	t.Parallel()
	file := annotation.Open(filepath.Join(t.TempDir(), "b.jsonl"))
	for _, change := range []func(*annotation.Content) error{annotation.SetMark(20, true), annotation.SetMark(90, true), annotation.SetComment(90, "why here?")} {
		if _, err := file.Update(change); err != nil {
			t.Fatal(err)
		}
	}
	o := played(booked, replay.Options{Step: true})
	o.Annotations = annotation.Open(strings.TrimSuffix(file.Path(), annotation.Suffix) + ".jsonl")
	bubble(t, 160, 40, o, func(d *desk) {
		d.wait(playPause)
		d.goesTo("#30")
		if rows := strings.Split(strings.TrimRight(d.text(), "\n"), "\n"); strings.Count(rows[len(rows)-2], "◆") != 2 {
			t.Errorf("got line %q, want both marks", rows[len(rows)-2])
		}
		d.goesTo("next mark")
		d.at(90)
		d.press("tab", "tab")
		d.sees("why here?")
		d.goesTo("#10")
		d.goesTo("next mark")
		d.at(20)
		d.goesTo("next mark")
		d.at(90)
		if m := d.model; !m.panes.wire.Marked(20) || !m.panes.wire.Marked(90) {
			t.Error("got records without their marks after a step back")
		}
	})
	if got := file.Content().Marks(); len(got) != 2 {
		t.Errorf("got marks %v in the file after the replay, want the same two", got)
	}
}

// A key in an opened recording plays it from the record under the cursor.
func TestAnOpenRecordingIsPlayedFromTheCursor(t *testing.T) {
	t.Parallel()
	o := played(booked, replay.Options{})
	o.Replay.Begin = false
	bubble(t, 120, 40, o, func(d *desk) {
		d.replay("booking.jsonl")
		d.upTo(allBooked)
		d.wait(skimFrame)
		if d.rows(); strings.Contains(d.text(), "of 130") {
			t.Error("got the line of a replay before there is one")
		}
		d.model.panes.wire.Select(60)
		d.press("P")
		d.wait(playPause)
		d.sees("▸", "of 130")
		if n := d.model.state.Log.Len(); n < 60 || n > 70 {
			t.Errorf("got record %d, want 60 and what came soon after", n)
		}
	})
	o.Replay.Open = func() (*journal.Recording, error) { return nil, os.ErrPermission }
	bubble(t, 120, 40, o, func(d *desk) {
		d.press("P")
		d.says("This recording cannot be played: permission denied.")
	})
}

// Clicks on the time line go there; one in front of it plays.
func TestClicksMoveInTheTimeLine(t *testing.T) {
	t.Parallel()
	replayed(t, booked, 120, 40, replay.Options{Step: true}, func(d *desk) {
		d.send(tea.MouseClickMsg{X: 117, Y: 38, Button: tea.MouseLeft})
		d.wait(playPause)
		if n := d.model.state.Log.Len(); n < 120 {
			t.Errorf("got record %d after a click at the end", n)
		}
		d.send(tea.MouseClickMsg{X: 60, Y: 38, Button: tea.MouseLeft})
		d.wait(playPause)
		if n := d.model.state.Log.Len(); n < 30 || n > 90 {
			t.Errorf("got record %d after a click in the middle", n)
		}
		d.send(tea.MouseClickMsg{X: 1, Y: 38, Button: tea.MouseLeft})
		d.sees("▸")
	})
}

// The footer is the last row, as everywhere: the time line stands above it, with the cursor of its input.
func TestTheTimeLineStandsAboveTheFooter(t *testing.T) {
	t.Parallel()
	for _, size := range []struct{ w, h int }{{60, 20}, {80, 24}, {120, 40}} {
		replayed(t, booked, size.w, size.h, replay.Options{Step: true}, func(d *desk) {
			rows := strings.Split(d.text(), "\n")
			if line, footer := rows[size.h-2], rows[size.h-1]; !strings.HasPrefix(line, "❯ ‖ ") || !strings.HasPrefix(footer, " space play") {
				t.Errorf("%dx%d: got %q above %q, want the time line above the footer", size.w, size.h, line, footer)
			}
			d.press("g")
			if c := d.root.View().Cursor; c == nil || c.Y != size.h-2 {
				t.Errorf("%dx%d: got cursor %v, want it in the time line", size.w, size.h, c)
			}
			d.press("esc", "tab", "/")
			if c := d.root.View().Cursor; c != nil && c.Y >= size.h-2 {
				t.Errorf("%dx%d: got cursor %v, want it in the pane", size.w, size.h, c)
			}
		})
	}
}

// A damaged recording is played, and the sentences about it come at its end.
func TestADamagedRecordingIsPlayed(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(booked)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	lines[50] = "no record\n"
	path := filepath.Join(t.TempDir(), "damaged.jsonl")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "")), 0o600); err != nil {
		t.Fatal(err)
	}
	replayed(t, path, 120, 40, replay.Options{Step: true}, func(d *desk) {
		d.goesTo("#60")
		d.at(60)
		d.sees("missing")
		d.goesTo("end")
		d.says("Line 51 is not a record")
	})
}

// The frames of a replay at three sizes, without colours, and in ASCII.
func TestFramesOfAReplay(t *testing.T) {
	t.Parallel()
	for _, size := range []struct{ w, h int }{{200, 60}, {120, 40}, {80, 24}, {60, 20}, {20, 5}} {
		for name, do := range map[string]func(d *desk){
			"replay":       func(d *desk) { d.goesTo("#100"); d.press("[") },
			"replay-go-to": func(d *desk) { d.goesTo("#34"); d.press("tab", ":"); d.write("12:0") },
		} {
			replayed(t, booked, size.w, size.h, replay.Options{Step: true}, func(d *desk) {
				do(d)
				golden.Compare(t, fmt.Sprintf("frames/%dx%d/%s", size.w, size.h, name), d.text())
			})
		}
	}
	for name, change := range map[string]func(o *Options){
		"mono": func(o *Options) { o.Theme.Name = "mono" }, "light": func(o *Options) { o.Theme.Name = "light" }, "nocolor-ascii": func(o *Options) { o.Theme.Name, o.ASCII = "mono", true },
	} {
		o := played(booked, replay.Options{Step: true})
		change(&o)
		bubble(t, 80, 24, o, func(d *desk) {
			d.wait(playPause)
			d.goesTo("#100")
			d.press("m")
			golden.Compare(t, "frames/"+name+"/replay", strings.Join(d.rows(), "\n"))
		})
	}
}

// talks writes a recording of two conversations with one agent, in which the user writes in turns.
func talks(t *testing.T) string {
	t.Helper()
	path, at := filepath.Join(t.TempDir(), "talks.jsonl"), sessiontest.Epoch
	j, err := journal.Create(path, journal.Options{Now: func() time.Time { return at }})
	if err != nil {
		t.Fatal(err)
	}
	put := journal.NewRecorder(log.NewFeed(), j).Put
	for i := range 6 {
		at = at.Add(time.Second)
		call := sessiontest.CallOf(a2a.OpSend, a2a.TurnID(i+1))
		call.Conversation = a2a.ConversationID(1 + i%2)
		x := put(a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Time: at, Call: call, Raw: fmt.Appendf(nil, `{"jsonrpc":"2.0","id":"r","method":"SendMessage","params":{"message":{"messageId":"m%d","role":"ROLE_USER","parts":[{"text":"question %d"}]}}}`, i, i)}, a2a.Update{})
		put(a2a.Record{Kind: a2a.KindEnd, Dir: a2a.In, Exchange: x, Time: at, Call: call, End: &a2a.End{Reason: a2a.Ended}}, a2a.Update{})
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// A replay shows the conversation in which the user wrote, unless its viewer went elsewhere.
func TestAReplayLeadsToTheConversationInWhichTheUserWrote(t *testing.T) {
	t.Parallel()
	replayed(t, talks(t), 120, 40, replay.Options{Step: true}, func(d *desk) {
		shown := func(k int, want a2a.ConversationID) {
			t.Helper()
			d.goesTo(fmt.Sprintf("#%d", k))
			if got := d.model.cur.Conversation; got != want {
				t.Errorf("at record %d: got conversation %d, want %d", k, got, want)
			}
		}
		shown(1, 1)
		shown(3, 2)
		shown(5, 1)
		shown(4, 2)
		shown(12, 2)
		d.model.goTo(control.Place{Agent: 1, Conversation: 1})
		shown(8, 1)
		shown(12, 1)
		d.model.goTo(control.Place{Agent: 1, Conversation: 2})
		shown(8, 2)
	})
}

// The finder has what the keys of the line do, once the recording is played.
func TestTheFinderNamesWhatTheLineDoes(t *testing.T) {
	t.Parallel()
	listed := func(d *desk) (out []string) {
		for _, c := range d.root.(*replayScreen).commands() {
			out = append(out, keys.Name(c.Keys)+" "+c.Name)
		}
		return out
	}
	replayed(t, booked, 120, 40, replay.Options{Step: true}, func(d *desk) {
		want := []string{
			"P Play", ": Go to a time, record, finding or mark", ". Go to the next record", ", Go to the previous record", "] Play faster", "[ Play slower",
			"n Go to the next finding", "N Go to the previous finding", "} Go to the next turn", "{ Go to the previous turn", "' Go to the next mark", `" Go to the previous mark`, "G Go to the end of the recording",
		}
		if got := listed(d); !slices.Equal(got, want) {
			t.Errorf("got commands %q, want %q", got, want)
		}
		d.press("P")
		if got := listed(d)[0]; got != "P Pause" {
			t.Errorf("got command %q while it plays, want P Pause", got)
		}
	})
	o := played(booked, replay.Options{})
	o.Replay.Begin = false
	bubble(t, 120, 40, o, func(d *desk) {
		if got, want := listed(d), []string{"P Play from the record under the cursor"}; !slices.Equal(got, want) {
			t.Errorf("got commands %q of a recording that is not played, want %q", got, want)
		}
	})
}

// The finder has what the keys of the line do.
func TestTheFinderPlays(t *testing.T) {
	t.Parallel()
	replayed(t, booked, 120, 40, replay.Options{Step: true}, func(d *desk) {
		find := func(name string) {
			t.Helper()
			d.press("ctrl+p")
			d.write(name)
			d.press("enter")
			d.wait(playPause)
		}
		find("end of the recording")
		d.at(130)
		find("previous turn")
		find("previous record")
		d.at(39)
		find("go to a time")
		d.write("#7")
		d.press("enter")
		d.wait(playPause)
		d.at(7)
		find("Play")
		d.sees("▸")
		find("Pause")
		d.sees("‖")
	})
}
