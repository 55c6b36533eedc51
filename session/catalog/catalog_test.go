package catalog_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/internal/sharedfile"
	"parley/session/annotation"
	"parley/session/catalog"
	"parley/session/journal"
	"parley/session/log"
	"parley/session/sessiontest"
)

func TestASummaryTellsWhatTheSessionContains(t *testing.T) {
	dir := t.TempDir()
	session(t, dir, "20261120-120000-ab", "Plan a\ntrip", "Lisbon")
	w := begin(t, dir, "20261121-120000-cd")
	w.event(w.ask(1, "And then?"), sessiontest.StatusWord("WORKING"))
	w.close()
	list := read(t, open(dir))
	if len(list) != 2 || list[0].Name() != "20261121-120000-cd" {
		t.Fatalf("got %+v, want two sessions, the newest first", list)
	}
	s := list[1].Summary
	if s.Prompt != "Plan a trip" || !slices.Equal(s.Agents, []string{"Desk"}) || !maps.Equal(s.Tasks, map[string]int{"completed": 1}) ||
		s.Records != 8 || s.Duration() != 7*time.Second || !s.Began.Equal(noon.Add(time.Second)) || s.Problem != "" || list[1].Interrupted() {
		t.Errorf("got %+v, want what the session contains", s)
	}
	if s := list[0].Summary; !list[0].Interrupted() || s.Tasks["working"] != 1 || list[0].Title() != "And then?" {
		t.Errorf("got %+v, want a session that was interrupted", s)
	}
}

// A summary says how the work ended, and with which agents it can go on. Agents inside Parley are gone.
func TestASummaryTellsWhatCanGoOn(t *testing.T) {
	dir := t.TempDir()
	for name, c := range map[string]struct {
		states   []string // of the task of each turn
		embedded bool
		want     a2a.State
		open     []catalog.OpenWork
	}{
		"20261120-120000-aa": {states: []string{"COMPLETED"}, want: a2a.StateCompleted},
		"20261120-120000-bb": {states: []string{"INPUT_REQUIRED"}, want: a2a.StateInputRequired, open: []catalog.OpenWork{{Agent: "Desk", Waits: true}}},
		"20261120-120000-cc": {states: []string{"WORKING"}, want: a2a.StateWorking, open: []catalog.OpenWork{{Agent: "Desk"}}},
		"20261120-120000-dd": {states: []string{"FAILED", "COMPLETED"}, want: a2a.StateFailed},
		"20261120-120000-ee": {states: []string{"WORKING"}, embedded: true, want: a2a.StateWorking},
		"20261120-120000-ff": {},
	} {
		w := begin(t, dir, name)
		if c.embedded {
			w.put(a2a.Record{Kind: a2a.KindNote, Note: &a2a.Note{Type: log.NoteOpening, Attrs: map[string]string{"agent": "1", "ref": "http://desk", "embedded": "true"}}})
		}
		for i, state := range c.states {
			x := w.ask(a2a.TurnID(i+1), "Go")
			w.event(x, strings.ReplaceAll(sessiontest.StatusWord(state), `"taskId":"t`, fmt.Sprintf(`"taskId":"t%d`, i)))
			w.end(x)
		}
		w.close()
		list := read(t, open(dir))
		i := slices.IndexFunc(list, func(s catalog.Session) bool { return s.Name() == name })
		if s := list[i].Summary; s.Outcome != c.want || !slices.Equal(s.Open, c.open) || s.Embedded != c.embedded || s.Messages != len(c.states) {
			t.Errorf("%s: got %+v, want outcome %v, open work %v, %d messages, embedded %v", name, s, c.want, c.open, len(c.states), c.embedded)
		}
	}
}

func TestSummariesAreReadOnceUntilTheFileChanges(t *testing.T) {
	dir := t.TempDir()
	path := session(t, dir, "20261120-120000-ab", "Plan a trip", "Lisbon")
	read(t, open(dir))
	list, _ := open(dir).List() // as the next run does
	if list[0].Summary == nil || list[0].Summary.Prompt != "Plan a trip" {
		t.Fatalf("got %+v, want the cached summary", list[0])
	}
	write(t, path, `{"parley":"session","version":1}`+"\n")
	if list, _ = open(dir).List(); list[0].Summary != nil {
		t.Errorf("got the cached summary %+v of a file that changed, want none", list[0].Summary)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	session(t, dir, "20261121-120000-ab", "x", "y")
	read(t, open(dir))
	if text, _ := os.ReadFile(filepath.Join(dir, ".catalog.json")); strings.Contains(string(text), "20261120") {
		t.Errorf("got cache %s, want it without the file that is gone", text)
	}
	for _, broken := range []string{"", "{", `{"version":1,"files":[]}`, `{"version":9,"files":{}}`} {
		write(t, filepath.Join(dir, ".catalog.json"), broken)
		if list := read(t, open(dir)); list[0].Summary.Prompt != "x" {
			t.Errorf("got %+v with the cache %q, want the file read again", list[0].Summary, broken)
		}
	}
}

func TestADamagedFileHasARowWithItsProblem(t *testing.T) {
	dir := t.TempDir()
	whole, _ := os.ReadFile(session(t, t.TempDir(), "whole", "Plan a trip", "Lisbon"))
	for name, text := range map[string]string{
		"empty": "", "foreign": "hello\n", "future": strings.Replace(string(whole), `"version":1`, `"version":7`, 1),
		"broken": strings.Replace(string(whole), `{"id":6`, `{"id":"six"`, 1) + "x\n\x1b[2J\n", "torn": string(whole[:len(whole)-40]),
		"garbage": `{"parley":"session","version":1}` + "\n" + strings.Repeat("\x00", 1000),
	} {
		write(t, filepath.Join(dir, name+".jsonl"), text)
	}
	for _, s := range read(t, open(dir)) {
		torn := s.Name() == "torn" || s.Name() == "garbage" // as of every killed run
		if p := s.Summary.Problem; (p == "") != torn || strings.ContainsAny(p, "\n\x1b") {
			t.Errorf("%s: got problem %q, want one sentence unless it is torn", s.Name(), p)
		}
		if p := s.Summary.Prompt; p != "Plan a trip" && slices.Contains([]string{"future", "broken", "torn"}, s.Name()) {
			t.Errorf("%s: got prompt %q, want what could be read", s.Name(), p)
		}
	}
}

func TestAFolderWithoutSessionsIsEmpty(t *testing.T) {
	if list, err := open(filepath.Join(t.TempDir(), "none")).List(); err != nil || len(list) > 0 {
		t.Errorf("got %v, %v, want no sessions", list, err)
	}
}

func TestASessionThatIsBeingWrittenIsNeitherDeletedNorOld(t *testing.T) {
	dir := t.TempDir()
	w := begin(t, dir, "20261120-120000-ab")
	list := read(t, open(dir))
	later := time.Now().Add(time.Hour)
	if !list[0].Held || len(catalog.Old(list, later, false)) > 0 {
		t.Errorf("got %+v, want it held and not old", list[0])
	}
	if err := catalog.Delete(w.path); !errors.Is(err, catalog.ErrHeld) {
		t.Errorf("got error %v, want %v", err, catalog.ErrHeld)
	}
	if _, err := journal.Create(w.path, journal.Options{Now: time.Now}); !errors.Is(err, os.ErrExist) {
		t.Errorf("got error %v for a second writer of the file, want that it exists", err)
	}
	w.close()
	if list, _ = open(dir).List(); list[0].Held || len(catalog.Old(list, later, true)) != 1 {
		t.Errorf("got %+v, want it free and old", list[0])
	}
}

func TestADeletedSessionLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	path := session(t, dir, "20261120-120000-ab", "Plan a trip", "Lisbon")
	if _, err := annotation.Open(path).Update(annotation.SetPinned(true)); err != nil {
		t.Fatal(err)
	}
	list, _ := open(dir).List()
	if later := time.Now().Add(time.Hour); len(catalog.Old(list, later, true)) != 0 || len(catalog.Old(list, later, false)) != 1 {
		t.Error("got other old sessions, want the pinned one only if pins do not count")
	}
	if err := catalog.Delete(path); err != nil {
		t.Fatal(err)
	}
	left, _ := filepath.Glob(filepath.Join(dir, "2026*"))
	if len(left) > 0 {
		t.Errorf("got %q left, want nothing", left)
	}
	if err := catalog.Delete(path); err == nil || strings.Contains(err.Error(), path) {
		t.Errorf("got error %v for a session that is gone, want a clause", err)
	}
}

func TestAProblemWithAnnotationsIsSaidAndKeepsTheSession(t *testing.T) {
	dir := t.TempDir()
	path := session(t, dir, "20261120-120000-ab", "Plan a trip", "Lisbon")
	for _, text := range []string{"{", `{"parley":"annotations","version":2}`, `{"parley":"annotations","version":1,"pinned":1}`} {
		write(t, annotation.Path(path), text)
		list, err := open(dir).List()
		if err != nil || list[0].AnnotationProblem == "" || len(catalog.Old(list, time.Now().Add(time.Hour), true)) > 0 {
			t.Errorf("%s: got %+v, want the problem, and the session kept", text, list)
		}
	}
}

func ExampleSize() {
	fmt.Println(catalog.Size("/no/such/folder"))
	// Output: 0
}

// A session that goes on in another file is not interrupted, whichever of the two the list has
// first; a name of a file outside the folder, or of the file itself, means nothing.
func TestASessionThatGoesOnIsNotInterrupted(t *testing.T) {
	for _, names := range [][2]string{{"20261120-120000-ab", "20261120-120000-cd"}, {"20261120-120000-cd", "20261120-120000-ab"}} {
		dir := t.TempDir()
		w := begin(t, dir, names[0])
		w.event(w.ask(1, "And then?"), sessiontest.StatusWord("WORKING"))
		text, err := os.ReadFile(w.close())
		if err != nil {
			t.Fatal(err)
		}
		_, lines, _ := strings.Cut(string(text), "\n")
		write(t, filepath.Join(dir, names[1]+".jsonl"), `{"parley":"session","version":1,"continues":"`+names[0]+`.jsonl"}`+"\n"+lines)
		for name, continues := range map[string]string{"20261119-120000-aa": "../" + names[0] + ".jsonl", "20261119-120000-bb": "20261119-120000-bb.jsonl"} {
			write(t, filepath.Join(dir, name+".jsonl"), `{"parley":"session","version":1,"continues":"`+continues+`"}`+"\n"+lines)
		}
		for _, s := range read(t, open(dir)) {
			wantContinues, wantIn, wantInterrupted := "", "", true
			switch s.Name() {
			case names[0]:
				wantIn, wantInterrupted = names[1], false
			case names[1]:
				wantContinues = names[0]
			}
			if s.Continues != wantContinues || s.ContinuedIn != wantIn || s.Interrupted() != wantInterrupted {
				t.Errorf("%s: got continues %q, continued in %q, interrupted %v; want %q, %q, %v",
					s.Name(), s.Continues, s.ContinuedIn, s.Interrupted(), wantContinues, wantIn, wantInterrupted)
			}
		}
	}
}

// Of a file that is too long to be decoded, the row has what names it, its records and its times.
func TestALongFileHasARowWithoutItsTasks(t *testing.T) {
	dir := t.TempDir()
	session(t, dir, "20261120-120000-ab", "Plan a trip", "Lisbon")
	whole := read(t, open(dir))[0].Summary
	if err := os.Remove(filepath.Join(dir, ".catalog.json")); err != nil {
		t.Fatal(err)
	}
	long := read(t, catalog.Open(dir, catalog.Options{MaxDecoded: 100}))[0].Summary
	want := catalog.Summary{Began: whole.Began, Ended: whole.Ended, Agents: whole.Agents, Prompt: whole.Prompt, Messages: 1, Records: whole.Records, Problem: long.Problem}
	if !reflect.DeepEqual(*long, want) || !strings.Contains(long.Problem, "counted when it is opened") {
		t.Errorf("got %+v, want %+v with a sentence", *long, want)
	}
}

// A long file that is being written is not read again as a whole for each record.
func TestAFileThatGrowsIsReadNowAndThen(t *testing.T) {
	dir := t.TempDir()
	path := session(t, dir, "20261120-120000-ab", "Plan a trip", "Lisbon")
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := sharedfile.Hold(file); err != nil {
		t.Fatal(err)
	}
	if !sharedfile.Held(path) {
		t.Skip("this system does not say who holds a file")
	}
	c := open(dir)
	records := read(t, c)[0].Summary.Records
	grow := func(by int) {
		const mb = 1 << 20
		for range by {
			records++
			fmt.Fprintf(file, "{\"id\":%d,\"kind\":\"note\",\"time\":\"2026-11-20T12:00:00Z\",\"note\":{\"type\":\"x\",\"attrs\":{\"a\":\"%s\"}}}\n", records, strings.Repeat("many words ", mb/11))
		}
	}
	grow(10)
	before := read(t, c)[0].Summary
	if before.Records != records || before.Problem != "" {
		t.Fatalf("got %+v, want %d records", before, records)
	}
	grow(1)
	if list, _ := c.List(); list[0].Summary == nil || list[0].Summary.Records != records-1 {
		t.Errorf("got %+v, want the summary of before, which is nearly right", list[0].Summary)
	}
	grow(2)
	if got := read(t, c)[0].Summary; got.Records != records {
		t.Errorf("got %+v, want that the file was read again: it has %d records", got, records)
	}
	grow(1)
	file.Close()
	if got := read(t, c)[0].Summary; got.Records != records {
		t.Errorf("got %+v of a file that nobody writes, want %d records", got, records)
	}
}
