package ui

import (
	"strings"
	"testing"

	"parley/session/journal"
	"parley/session/log"
)

// Only bad news is marked as a problem, and its reason fits the line of a narrow terminal.
func TestTheJournalsNewsIsMarkedByWhatItIs(t *testing.T) {
	t.Parallel()
	path := strings.Repeat("/a-long-folder", 8) + "/session.jsonl"
	for class, c := range map[string]struct {
		sentence, sees string
		bad            bool
	}{
		journal.JournalCaughtUp: {"The disk has caught up; " + path + " is complete.", "The disk has caught up", false},
		journal.JournalBehind:   {"The disk is too slow: 4 MB wait to be written. The agents wait, too.", "is too slow", true},
		journal.JournalStopped:  {"Recording stopped: the disk is full. The session continues without recording " + path + " holds what came before.", "Recording stopped: the disk is full.", true},
		journal.JournalDamaged:  {"Line 2 could not be read.", "Line 2 could not be read.", true},
	} {
		bubble(t, 80, 24, Options{}, func(d *desk) {
			d.run(d.model.signal(&log.Signal{Kind: log.SignalJournal, Class: class, Sentence: c.sentence}))
			d.settle()
			d.says(c.sees)
			if d.model.notices.shown.bad != c.bad {
				t.Errorf("%s: marked as a problem: got %t, want %t", class, d.model.notices.shown.bad, c.bad)
			}
		})
	}
}

func TestTheHeaderKeepsWhatARecordingLacks(t *testing.T) {
	t.Parallel()
	for _, w := range []int{80, 120, 200} {
		bubble(t, w, 30, Options{Engine: RecordingEngine(), Name: "torn.jsonl"}, func(d *desk) {
			d.run(d.model.signal(&log.Signal{Kind: log.SignalJournal, Class: journal.JournalDropped, Sentence: "24 records read, 1 line dropped"}))
			d.settle()
			d.sees("24 records read, 1 line dropped")
		})
	}
}
