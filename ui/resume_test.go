package ui

import (
	"errors"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/golden"
	"parley/session/engine"
	"parley/session/log"
)

// resumable are options of a recording that may go on. There are credentials for the origins of the
// references.
func resumable(begin func(*engine.Start) (*Live, error)) Options {
	const name = "20261120-140207-x4kd2m.jsonl"
	return Options{Engine: UnconfirmedEngine(), Name: name, Resume: Resume{
		Name: name,
		Resolve: func(_, ref string) (engine.Saved, string) {
			if strings.Contains(ref, a2a.Mask) {
				return engine.Saved{Ref: ref}, "Its address contains a secret, which the recording does not have."
			}
			return engine.Saved{Ref: ref}, ""
		},
		Access: func(agent *engine.StartAgent, origin string) string {
			if a2a.Origin(agent.Saved.Ref) != origin {
				return ""
			}
			return "bearer token from A2ACLI_BEARER"
		},
		Begin: begin,
	}}
}

// replayed ends the reading of the recording.
func (d *desk) replayed() {
	d.send(batchMsg{Items: []log.Item{{Signal: &log.Signal{Kind: log.SignalReplayed}}}})
}

// addNotes adds notes to the recording.
func (d *desk) addNotes(kind string, attrs ...map[string]string) {
	for _, a := range attrs {
		d.fed++
		d.send(batchMsg{Items: []log.Item{{Record: a2a.Record{ID: a2a.RecordID(d.fed), Kind: a2a.KindNote, Time: d.clock, Note: &a2a.Note{Type: kind, Attrs: a}}}}})
	}
}

func noBegin(*engine.Start) (*Live, error) {
	return nil, errors.New("the disk is full")
}

// Whom a session contacts stands in one sheet, in the sizes of a terminal.
func TestFramesOfTheConfirmation(t *testing.T) {
	t.Parallel()
	for name, size := range map[string][2]int{"80x24": {80, 24}, "120x40": {120, 40}, "20x5": {20, 5}} {
		t.Run(name, func(t *testing.T) {
			bubble(t, size[0], size[1], resumable(noBegin), func(d *desk) {
				d.book(asksWhere)
				d.addNotes(log.NoteOpening,
					map[string]string{"agent": "8", "ref": "https://bank.example/" + strings.Repeat("a-long-path/", 4), "name": "bank"},
					map[string]string{"agent": "9", "ref": "https://hidden.example/?key=" + a2a.Mask, "name": "Hidden \x1b[31m agent"})
				d.replayed()
				golden.Compare(t, "frames/"+name+"/resume", d.text())
			})
		})
	}
}

// Nothing is sent before the confirmation, and afterwards the session is a live one.
func TestARecordingGoesOnAfterTheConfirmation(t *testing.T) {
	t.Parallel()
	live, contacted := &fakeEngine{}, false
	var started *engine.Start
	o := resumable(func(s *engine.Start) (*Live, error) {
		started = s
		return &Live{Engine: live, Contact: func() { contacted = true }}, nil
	})
	bubble(t, 120, 40, o, func(d *desk) {
		d.book(asksWhere)
		d.press("ctrl+p")
		d.write("Go on with this session")
		d.press("enter")
		d.sees("The recording is still being read.")
		d.replayed()
		d.sees("go on with this session?")
		d.press("esc")
		d.sees("This stays a recording")
		if d.model.refusal() == "" || started != nil {
			t.Fatal("got a live session, want a recording until it is confirmed")
		}
		d.press("ctrl+p")
		d.write("Go on with this session")
		d.press("enter", "enter")
		if started == nil || !contacted || d.model.refusal() != "" {
			t.Fatalf("got start %v, contacted %v, refusal %q, want a live session", started, contacted, d.model.refusal())
		}
		d.write("hello again")
		d.press("enter")
		if !slices.ContainsFunc(live.Calls, func(call string) bool { return strings.HasPrefix(call, `send "hello again"`) }) {
			t.Errorf("got calls %q, want the message", live.Calls)
		}
	})
}

func TestASessionThatCannotGoOnSaysWhy(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, resumable(noBegin), func(d *desk) {
		d.book(asksWhere)
		d.replayed()
		d.press("enter")
		d.says("This session cannot go on: the disk is full.")
		if d.model.refusal() == "" {
			t.Error("got a live session, want a recording")
		}
		d.addNotes(log.NoteOpening, map[string]string{"agent": "4294967295", "ref": "http://x.example"})
		d.model.resume.Open()
		d.wait(unreadTime)
		d.sees("changed by hand")
	})
}

// The line of the start list leaves the workbench for the session that was interrupted.
func TestTheStartListGoesOnWithASession(t *testing.T) {
	t.Parallel()
	left := ""
	bubble(t, 120, 40, Options{Resume: Resume{Leave: func(path string) { left = path }}}, func(d *desk) {
		d.send(tea.CursorPositionMsg{X: 1, Y: 1}) // the terminal answers the probe
		d.run(d.model.resume.Choose("/s/x.jsonl"))
		d.settle()
		if left != "/s/x.jsonl" || !slices.Contains(d.outside, "tea.QuitMsg") {
			t.Errorf("got session %q and messages %q, want the chosen one and the end", left, d.outside)
		}
	})
}

// One key leaves a recording, and the footer names it by where it leads. It is a letter in a text field,
// and no key of a live session.
func TestOneKeyLeavesARecording(t *testing.T) {
	t.Parallel()
	footer := func(d *desk) string {
		rows := strings.Split(strings.TrimRight(d.text(), "\n"), "\n")
		return rows[len(rows)-1]
	}
	quits := func(d *desk) bool { return slices.Contains(d.outside, "tea.QuitMsg") }
	for back, words := range map[string]string{"": "q quit", "session\x1b[31m": "q back to session"} {
		for _, width := range []int{60, 80, 120} {
			bubble(t, width, 24, Options{Engine: RecordingEngine(), Name: "b.jsonl", Back: back}, func(d *desk) {
				d.book(asksWhere)
				d.send(tea.CursorPositionMsg{X: 1, Y: 1}) // the terminal answers the probe
				if got := footer(d); !strings.Contains(got, words) && (back != "" || width > 60) {
					t.Errorf("got footer %q, want %q", got, words)
				}
				d.press("/", "q")
				if strings.Contains(footer(d), words) || quits(d) {
					t.Errorf("got footer %q while letters are text, want no %q", footer(d), words)
				}
				d.press("esc", "f2", "q")
				if quits(d) {
					t.Fatal("got the end of the recording, want the card closed")
				}
				if back != "" {
					d.press("ctrl+c")
					d.says("ctrl+c again goes back to session")
				}
				d.press("q")
				if !quits(d) {
					t.Error("got no end after q, want the recording left")
				}
			})
		}
	}
	o := resumable(func(*engine.Start) (*Live, error) { return &Live{Engine: &fakeEngine{}, Contact: func() {}}, nil })
	bubble(t, 120, 40, o, func(d *desk) {
		d.book(asksWhere)
		d.replayed()
		d.press("enter", "tab", "tab", "q")
		if quits(d) || strings.Contains(footer(d), "q quit") {
			t.Errorf("got footer %q, want a live session that q does not end", footer(d))
		}
	})
}
