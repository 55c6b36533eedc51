package cli

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/a2a"
	"parley/internal/history"
	"parley/internal/roster"
	"parley/session/journal"
	"parley/session/log"
)

// A stateFolder is a possible $XDG_STATE_HOME, with what cannot be stored there.
type stateFolder struct {
	name string
	make func(t *testing.T, dir string) // makes dir such a folder
	lost string                         // names of what is lost, as the warning begins
	says []string                       // further text of the warning
}

var everything = "This session, the messages you write and the agents you save are not stored: "

// writeTo creates a file and the folders above it.
func writeTo(t *testing.T, content string, path ...string) {
	t.Helper()
	file := filepath.Join(path...)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func makeDir(t *testing.T, path ...string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(path...), 0o700); err != nil {
		t.Fatal(err)
	}
}

var stateFolders = []stateFolder{
	{"whole", func(*testing.T, string) {}, "", nil},
	{"a file", func(t *testing.T, dir string) { writeTo(t, "mine", dir) }, everything, []string{"cannot be created", "XDG_STATE_HOME", "--record FILE"}},
	{"parley is a file", func(t *testing.T, dir string) { writeTo(t, "mine", dir, "parley") }, everything, []string{"cannot be created"}},
	{"a link to itself", func(t *testing.T, dir string) {
		if err := os.Symlink(dir, dir); err != nil {
			t.Skip(err)
		}
	}, everything, []string{"cannot be created"}},
	{"sessions are a file", func(t *testing.T, dir string) { writeTo(t, "mine", dir, "parley", "sessions") }, "This session is not stored: ", []string{"sessions cannot be created", "another file to record to"}},
	{"the history is a folder", func(t *testing.T, dir string) { makeDir(t, dir, "parley", "history.jsonl", "x") }, "The messages you write are not stored: ", []string{"history.jsonl cannot be used (it is not a regular file)"}},
	{"the agents are a folder", func(t *testing.T, dir string) { makeDir(t, dir, "parley", "agents.toml", "x") }, "The agents you save are not stored: ", []string{"agents.toml cannot be used (it is not a regular file)"}},
	{"the agents are broken", func(t *testing.T, dir string) { writeTo(t, "[[agent\n", dir, "parley", "agents.toml") }, "The agents you save are not stored: ", []string{"agents.toml is not used (it is not valid TOML at line 1", "repair it"}},
	{"the cards are a file", func(t *testing.T, dir string) { writeTo(t, "mine", dir, "parley", "cards") }, "The card of each agent is not stored: ", []string{"cards cannot be created"}},
	{"all files are folders", func(t *testing.T, dir string) {
		writeTo(t, "mine", dir, "parley", "sessions")
		makeDir(t, dir, "parley", "history.jsonl", "x")
		makeDir(t, dir, "parley", "agents.toml", "x")
	}, "This session is not stored: ", []string{"; the messages you write are not stored: ", "; the agents you save are not stored: "}},
}

// opened opens the storage of a run with a state folder; w holds flags such as --record.
func opened(t *testing.T, state string, w workbench) *storage {
	t.Helper()
	a := &app{ctx: t.Context(), env: environment{"XDG_STATE_HOME=" + state}}
	s, err := a.openStorage(w)
	if err != nil {
		t.Fatalf("got error %v, want the program to go on", err)
	}
	if journal := s.journal; journal != nil {
		t.Cleanup(func() { _ = journal.Close() })
	}
	return s
}

// check compares a warning with the expected losses.
func (p stateFolder) check(t *testing.T, warning string) {
	t.Helper()
	if !strings.HasPrefix(warning, p.lost) || p.lost == "" && warning != "" {
		t.Errorf("got warning %q, want it to begin %q", warning, p.lost)
	}
	for _, want := range p.says {
		if !strings.Contains(warning, want) {
			t.Errorf("got no %q in %q", want, warning)
		}
	}
	if strings.ContainsAny(warning, "\n") {
		t.Errorf("got warning %q, want one line", warning)
	}
}

// No problem of the state folder stops the workbench, and one sentence names everything that is
// not stored. Files elsewhere are still stored.
func TestNoStorageProblemStopsTheWorkbench(t *testing.T) {
	t.Parallel()
	for _, p := range stateFolders {
		t.Run(p.name, func(t *testing.T) {
			state := filepath.Join(t.TempDir(), "state")
			p.make(t, state)
			s := opened(t, state, workbench{})
			warning := s.warning()
			p.check(t, warning)
			if recorded := !strings.Contains(strings.ToLower(warning), lossOfSession); recorded != (s.journal != nil) {
				t.Errorf("got a journal %v, but warning %q", s.journal != nil, warning)
			}
			if s.history == nil || s.roster == nil {
				t.Fatal("got no file to read")
			}
			err := s.history.Add(history.Entry{Agent: "desk", Text: "hello"})
			if (err == nil) != (s.historyProblem == nil) {
				t.Errorf("got error %v from history, but problem %v", err, s.historyProblem)
			}
			if left, _ := filepath.Glob(filepath.Join(state, "parley", ".try-*")); len(left) > 0 {
				t.Errorf("got files %v, want none", left)
			}
		})
	}
}

// Without a home there is no folder at all.
func TestWithoutAHomeNothingIsKept(t *testing.T) {
	t.Parallel()
	a := &app{ctx: t.Context(), env: environment{}}
	s, err := a.openStorage(workbench{})
	if err != nil || s.journal != nil || s.history != nil {
		t.Fatalf("got %+v, %v, want no journal and no history", s, err)
	}
	if w := s.warning(); !strings.HasPrefix(w, everything) || !strings.Contains(w, "$XDG_STATE_HOME") || strings.Count(w, "are not stored") != 1 {
		t.Errorf("got warning %q, want everything lost", w)
	}
	if s, err = a.openStorage(workbench{noRecord: true}); err != nil || !strings.HasPrefix(s.warning(), "The agents you save are not stored: ") {
		t.Errorf("with --no-record: got warning %q, %v", s.warning(), err)
	}
}

// A file of the --record flag that cannot be written is an error. The same name in a setting is
// not.
func TestARecordFlagThatCannotBeCarriedOutIsAnError(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	file := filepath.Join(state, "mine.jsonl")
	writeTo(t, "mine", file)
	a := &app{ctx: t.Context(), env: environment{"XDG_STATE_HOME=" + state}}
	s, err := a.openStorage(workbench{record: recordFile{path: file}})
	if err != nil || s.journal != nil || !strings.HasPrefix(s.warning(), "This session is not stored: ") {
		t.Errorf("as a setting: got error %v and warning %q, want the session lost", err, s.warning())
	}
	a.net.fromFlags = map[string]bool{"record": true}
	if _, err := a.openStorage(workbench{record: recordFile{path: file}}); err == nil {
		t.Error("as a flag: got no error")
	}
	writable := filepath.Join(state, "new.jsonl")
	a.env = environment{} // the flag names a file although there is no default folder
	s, err = a.openStorage(workbench{record: recordFile{path: writable}})
	if err != nil || s.journal == nil || !strings.HasPrefix(s.warning(), "The messages you write and the agents you save are not stored: ") {
		t.Errorf("without a home: got error %v, journal %+v, warning %q", err, s.journal, s.warning())
	}
	_ = s.journal.Close()
}

// Commands without a screen need no folder.
func TestCommandsNeedNoHome(t *testing.T) {
	t.Parallel()
	urls := demos(t)
	missing := filepath.Join(t.TempDir(), "no", "home") // of this run alone: cards are compared with those of the previous run
	for _, env := range [][]string{nil, {"HOME=/dev/null"}, {"HOME=" + missing}, {"HOME=/dev/null", "XDG_STATE_HOME=/dev/null", "XDG_CONFIG_HOME=/dev/null"}} {
		for name, url := range urls {
			r := commandLine{args: []string{"card", "get", "-a", url}, env: env}.run(t)
			if r.code != 0 || strings.Contains(r.err, "Warning") {
				t.Errorf("%v, %s: got exit %d, want 0 without a warning: %s", env, name, r.code, r.err)
			}
		}
	}
}

// An unreadable agents.toml is reported in one clause on standard error and left alone.
func TestABrokenListOfAgentsIsLeftAlone(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	writeTo(t, "[[agent\n", state, "parley", "agents.toml")
	s := opened(t, state, workbench{noRecord: true})
	if !errors.Is(s.rosterProblem, roster.ErrUnreadable) || s.journal != nil || s.history != nil {
		t.Errorf("got storage %+v, want the broken list reported", s)
	}
	if got, err := os.ReadFile(filepath.Join(state, "parley", "agents.toml")); err != nil || string(got) != "[[agent\n" {
		t.Errorf("got file %q, %v, want it unchanged", got, err)
	}
}

// A writable --record file stores the session, whatever else is lost.
func TestASessionIsRecordedWhereOnlyOthersAreLost(t *testing.T) {
	t.Parallel()
	state := filepath.Join(t.TempDir(), "state")
	makeDir(t, state, "parley", "history.jsonl", "x")
	s := opened(t, state, workbench{})
	journal.NewRecorder(log.NewFeed(), s.journal).Put(a2a.Record{Kind: a2a.KindNote, Time: now()}, a2a.Update{})
	path := s.journal.Path()
	if err := s.journal.Close(); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(path); err != nil || strings.Count(string(got), "\n") != 2 {
		t.Errorf("got journal %q, %v, want 2 lines", got, err)
	}
}
