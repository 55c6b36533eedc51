package cli

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/a2a"
	"parley/session/journal"
	"parley/session/log"
	"parley/ui"
)

// journalOf writes a session file with n records.
func journalOf(t *testing.T, path string, n int) *journal.Journal {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	j, err := journal.Create(path, journal.Options{Now: now, RemoveEmpty: true})
	if err != nil {
		t.Fatal(err)
	}
	r := journal.NewRecorder(log.NewFeed(), j)
	for range n {
		r.Put(a2a.Record{Kind: a2a.KindNote, Note: &a2a.Note{}}, a2a.Update{})
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	return j
}

// The last lines say what was recorded, how it is opened, and how the tasks that are left come back. The
// words of the commands name the session.
func TestTheEndOfTheWorkbenchSaysWhatWasRecorded(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	sessions := filepath.Join(state, "parley", "sessions")
	in := func(name string) string { return filepath.Join(sessions, name) }
	journalOf(t, in("20261129-090000-bbbbbb.jsonl"), 1) // begins as another one
	working := ui.LeftTask{Says: "Task 91c2 of Travel Desk is still working", ID: "91c2-long", Ref: "http://desk.example/a b"}
	hidden := ui.LeftTask{Says: "Task x of Scribe waits for your answer", ID: "-x\x1b[2J"}
	dashed := ui.LeftTask{Says: "Task x of Clerk is still working", ID: "-x", Ref: "localhost:9999"}
	for name, c := range map[string]struct {
		path    string
		records int
		left    []ui.LeftTask
		want    string
	}{
		"a session":                {in("20261128-153104-abcdef.jsonl"), 89, nil, "Recorded 89 records: parley open 20261128-153104\n"},
		"one record":               {in("20261128-153105-abcdef.jsonl"), 1, nil, "Recorded 1 record: parley open 20261128-153105\n"},
		"two of one second":        {in("20261129-090000-aaaaaa.jsonl"), 2, nil, "Recorded 2 records: parley open 20261129-090000-aaaaaa\n"},
		"a name of the user":       {in("trip-to-lisbon-in-may.jsonl"), 2, nil, "Recorded 2 records: parley open trip-to-lisbon-in-may\n"},
		"a path of the user":       {filepath.Join(state, "my runs", "it's.jsonl"), 2, nil, "Recorded 2 records: parley open '" + state + `/my runs/it'\''s.jsonl'` + "\n"},
		"nothing":                  {in("20261128-153106-abcdef.jsonl"), 0, nil, ""},
		"nothing, and a task":      {in("20261128-153107-abcdef.jsonl"), 0, []ui.LeftTask{working}, "Task 91c2 of Travel Desk is still working: parley task get -a 'http://desk.example/a b' 91c2-long\n"},
		"no file":                  {"", 0, nil, ""},
		"no file, and tasks":       {"", 0, []ui.LeftTask{hidden, dashed}, "Task x of Scribe waits for your answer: its id is -x␛[2J\nTask x of Clerk is still working: parley task get -a localhost:9999 -- '-x'\n"},
		"a session, and a task":    {in("20261128-153108-abcdef.jsonl"), 3, []ui.LeftTask{working}, "Recorded 3 records: parley open 20261128-153108\nTask 91c2 of Travel Desk is still working: parley resume 20261128-153108\n"},
		"a session, and two tasks": {in("20261128-153109-abcdef.jsonl"), 3, []ui.LeftTask{working, hidden}, "Recorded 3 records: parley open 20261128-153109\nTask 91c2 of Travel Desk is still working: parley resume 20261128-153109\nTask x of Scribe waits for your answer: parley resume 20261128-153109\n"},
	} {
		var j *journal.Journal
		if c.path != "" {
			j = journalOf(t, c.path, c.records)
		}
		out, said := partingOf(t, nil, []string{"XDG_STATE_HOME=" + state}, func(p *parting, a *app) { p.recorded(a, j, c.left) })
		if out != c.want || said != "" {
			t.Errorf("%s: got %q and %q on standard error, want %q", name, out, said, c.want)
		}
	}
	j := journalOf(t, in("20261128-153110-abcdef.jsonl"), 3)
	out, _ := partingOf(t, nil, []string{"XDG_STATE_HOME=" + state}, func(p *parting, a *app) { p.recorded(a, j, []ui.LeftTask{working, working, working, hidden, hidden}) })
	if strings.Count(out, "\n") != 5 || !strings.HasSuffix(out, "\n2 more tasks at the agents: parley resume 20261128-153110\n") {
		t.Errorf("got %q, want a line for three tasks, and one for two more", out)
	}
}

// partingOf tells a parting, after a signal if cause is one.
func partingOf(t *testing.T, cause error, env []string, fill func(*parting, *app)) (out, said string) {
	t.Helper()
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	dir := t.TempDir()
	file := func(name string) *os.File {
		f, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	a := &app{ctx: ctx, env: env, streams: Streams{Out: file("out"), Err: file("err")}}
	p := &parting{closed: "the workbench"}
	fill(p, a)
	p.tell(a)
	return content(t, a.streams.Out), content(t, a.streams.Err)
}

// After a signal the lines follow its sentence on standard error; a recording that was only shown has nothing
// to tell but that.
func TestASignalThatClosesTheScreenIsTold(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	j := journalOf(t, filepath.Join(state, "parley", "sessions", "20261128-153104-abcdef.jsonl"), 2)
	out, said := partingOf(t, signalError("SIGTERM"), []string{"XDG_STATE_HOME=" + state}, func(p *parting, a *app) { p.recorded(a, j, nil) })
	if want := "Parley was stopped by SIGTERM, which closed the workbench.\nRecorded 2 records: parley open 20261128-153104\n"; out != "" || said != want {
		t.Errorf("got %q and %q on standard error, want %q there", out, said, want)
	}
	shown := func(p *parting, _ *app) { p.closed, p.next = "the recording", "parley open x shows it again" }
	if out, said := partingOf(t, signalError("SIGHUP"), nil, shown); out != "" || said != "Parley was stopped by SIGHUP, which closed the recording; parley open x shows it again.\n" {
		t.Errorf("got %q and %q on standard error, want one sentence there", out, said)
	}
	if out, said := partingOf(t, nil, nil, shown); out+said != "" {
		t.Errorf("without a signal: got %q and %q, want nothing", out, said)
	}
}
