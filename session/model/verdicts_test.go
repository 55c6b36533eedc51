package model_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/a2a/lint"
	"parley/internal/golden"
	"parley/internal/units"
	"parley/session/check"
	"parley/session/journal"
	"parley/session/log"
	"parley/session/model"
	"parley/session/sessiontest"
)

// TestEveryRecordIsJudgedAsBefore compares what each record of recorded sessions changes with what it changed when
// the golden file was accepted: which task and turn it is about, what it does to them, and which rules it breaks.
// Those in testdata/sessions have one message to an agent of the demo each.
func TestEveryRecordIsJudgedAsBefore(t *testing.T) {
	for name, file := range recordings(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			golden.Compare(t, filepath.Join("verdicts", name), verdicts(t, file))
		})
	}
}

// TestACutRecordingIsJudgedAlike cuts recordings at many records: those before the cut are judged as in the whole.
func TestACutRecordingIsJudgedAlike(t *testing.T) {
	const cuts = 12 // of each recording
	for name, file := range recordings(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			content, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			lines, whole := bytes.SplitAfter(content, []byte("\n")), verdicts(t, file)
			for i := range cuts {
				n := 2 + i*(len(lines)-2)/cuts
				part := filepath.Join(t.TempDir(), "cut.jsonl")
				if err := os.WriteFile(part, bytes.Join(lines[:n], nil), 0o600); err != nil {
					t.Fatal(err)
				}
				var last int // record before the cut; what the replay adds at the end is no part of the whole
				if _, err := fmt.Sscanf(string(lines[n-1]), `{"id":%d`, &last); err != nil {
					t.Fatal(err)
				}
				upTo := func(text string) string {
					before, _, _ := strings.Cut("\n"+text, fmt.Sprintf("\n%d ", last+1))
					return before
				}
				if want, got := upTo(whole), strings.TrimSuffix(upTo(verdicts(t, part)), "\n"); got != strings.TrimSuffix(want, "\n") {
					t.Errorf("cut after record %d: %s", last, sessiontest.Difference(want, got))
				}
			}
		})
	}
}

// recordings returns the files of recorded sessions by their names.
func recordings(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, pattern := range []string{"testdata/sessions/*.jsonl", "../export/testdata/*.jsonl", "../../ui/testdata/*.jsonl"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("got %d files like %s, %v", len(found), pattern, err)
		}
		for _, file := range found {
			name := strings.TrimSuffix(filepath.Base(file), ".jsonl")
			if files[name] != "" {
				name = filepath.Base(filepath.Dir(filepath.Dir(file))) + "-" + name
			}
			files[name] = file
		}
	}
	return files
}

// verdicts writes down what each record of a file changes.
func verdicts(t *testing.T, file string) string {
	t.Helper()
	r, err := journal.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	stage := check.New(lint.New())
	r.Prepare(stage)
	feed := log.NewFeed()
	r.Replay(t.Context(), feed, math.MaxInt)
	feed.Close()
	s := model.NewState()
	s.Follow(stage)
	var b strings.Builder
	before := map[string]string{}
	for {
		items, err := feed.Next(context.Background(), 0)
		if err == io.EOF {
			return b.String()
		}
		for _, it := range items {
			if it.Signal != nil {
				continue
			}
			ch := s.Apply(it)
			p := s.Log.At(ch.Record)
			fmt.Fprintf(&b, "%d %s x%d", ch.Record, p.Record.Kind, p.Record.Exchange)
			if own := s.OwnEvents(p.Record.Exchange); own > 0 {
				fmt.Fprintf(&b, " own %d", own)
			}
			if ch.Turn != 0 || ch.Conversation != 0 {
				fmt.Fprintf(&b, " turn %d conversation %d", ch.Turn, ch.Conversation)
			}
			if p.Fate > 0 {
				fmt.Fprintf(&b, " fate %d", p.Fate)
			}
			for _, f := range p.Findings {
				fmt.Fprintf(&b, " %s", f.Rule)
			}
			b.WriteByte('\n')
			writeChanges(&b, s, before)
		}
	}
}

// writeChanges writes down how the turns and tasks of a state are, as far as that differs from before.
func writeChanges(b *strings.Builder, s *model.State, before map[string]string) {
	tell := func(key, now string) {
		if before[key] != now {
			before[key] = now
			fmt.Fprintf(b, "  %s %s\n", key, now)
		}
	}
	for _, a := range s.Agents {
		for _, c := range a.Conversations {
			for _, t := range c.Turns {
				now := fmt.Sprintf("blocks %d asides %d", len(t.Blocks), len(t.Asides))
				if o, over := t.Outcome(); over {
					now += fmt.Sprintf(" %s, %s, %s", o.Kind, o.Delivery, units.Plural(len(o.Attempts)+o.More, "attempt"))
				}
				for _, bl := range t.Blocks {
					for i := range bl.Entries {
						if pr := bl.Entries[i].Problem; pr != nil {
							now += fmt.Sprintf(" problem %s #%d", pr.Class, pr.Record)
						}
					}
				}
				tell(fmt.Sprintf("turn %d", t.ID), now)
			}
			for _, t := range c.Tasks {
				tell(fmt.Sprintf("task %d/%s", a.ID, units.ID(t.ID)), taskText(t))
			}
		}
	}
}

// taskText writes down how a task is.
func taskText(t *model.Task) string {
	now := fmt.Sprintf("%s, %s", t.StateWord(), units.Plural(len(t.Transitions), "state"))
	for _, c := range []struct {
		word string
		is   bool
	}{{"answered", t.Answered}, {"forgotten", t.Forgotten}, {"lost", t.Lost}, {"waits", t.Waits()}, {"over", t.Over()}} {
		if c.is {
			now += " " + c.word
		}
	}
	if c := t.Contradiction; c != nil {
		now += fmt.Sprintf(" contradicted %+v", *c)
	}
	for _, a := range t.Artifacts {
		now += fmt.Sprintf(" artifact %s: %d chunks %d B %d parts", a.Key, a.Chunks, a.Bytes, len(a.Parts))
		if a.Sealed {
			now += " sealed"
		}
		if a.Live {
			now += " live"
		}
	}
	return now
}
