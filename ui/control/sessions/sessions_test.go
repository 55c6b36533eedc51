package sessions_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/internal/panetest"
	"parley/session/annotation"
	"parley/session/catalog"
	"parley/session/model"
	"parley/themes"
	"parley/ui/control"
	"parley/ui/control/controltest"
	"parley/ui/control/sessions"
	"parley/ui/styles"
)

// A fixture is a controller over a folder of sessions.
type fixture struct {
	*controltest.Host
	t       *testing.T
	dir     string
	c       *sessions.Controller
	shown   []string // recordings that were opened
	fails   error    // of the program that shows them
	offered string
	regains int
}

func newFixture(t *testing.T, names ...string) *fixture {
	t.Helper()
	f := &fixture{Host: controltest.NewHost(model.NewState()), t: t, dir: t.TempDir()}
	for _, name := range names {
		f.add(name, true)
	}
	f.c = sessions.New(f.Host, styles.New(themes.Mono(), styles.ASCII()), sessions.Options{
		Catalog: catalog.Open(f.dir, catalog.Options{}), Own: f.path("own"), Now: func() time.Time { return controltest.Noon },
		Show: func(path string) *exec.Cmd { return exec.Command("show", path) },
		Lend: func(cmd *exec.Cmd, done func(error) tea.Msg) tea.Cmd {
			f.shown = append(f.shown, filepath.Base(cmd.Args[1]))
			return func() tea.Msg { return done(f.fails) }
		},
		Regain: func() { f.regains++ },
		Offer:  func(n int, interrupted string) { f.offered = fmt.Sprint(n, " ", interrupted) },
	})
	return f
}

func (f *fixture) path(name string) string { return filepath.Join(f.dir, name+".jsonl") }

// add writes a session; one that is not over has no end.
func (f *fixture) add(name string, over bool) {
	f.t.Helper()
	text := `{"parley":"session","version":1,"created":"2026-11-20T14:02:07Z"}
{"id":1,"exchange":1,"kind":"request","dir":"out","time":"2026-11-20T14:02:08Z","call":{"agent":1,"conversation":1,"turn":1,"op":"stream","dialect":"v1.0","binding":"JSONRPC"},"raw":"{\"jsonrpc\":\"2.0\",\"id\":\"r\",\"method\":\"SendStreamingMessage\",\"params\":{\"message\":{\"messageId\":\"m\",\"role\":\"ROLE_USER\",\"parts\":[{\"text\":\"prompt of ` + name + `\"}]}}}"}
`
	if over {
		text += `{"id":2,"exchange":1,"kind":"end","time":"2026-11-20T14:02:09Z","end":{"reason":"ended"}}` + "\n"
	}
	if err := os.WriteFile(f.path(name), []byte(text), 0o600); err != nil {
		f.t.Fatal(err)
	}
}

// do runs a command and what follows from it.
func (f *fixture) do(cmd tea.Cmd) {
	f.t.Helper()
	for cmd != nil {
		switch msg := cmd().(type) {
		case control.DoneMsg:
			cmd = msg()
		case tea.BatchMsg:
			for _, c := range msg {
				f.do(c)
			}
			return
		default:
			return
		}
	}
}

// press presses keys in the sheet.
func (f *fixture) press(names ...string) {
	f.t.Helper()
	s := f.c.Sheet()
	for _, name := range names {
		f.do(s.Key(panetest.Key(name)))
	}
}

func (f *fixture) write(text string) {
	s := f.c.Sheet()
	for _, r := range text {
		f.do(s.Key(tea.KeyPressMsg{Code: r, Text: string(r)}))
	}
}

// text draws the sheet.
func (f *fixture) text() string {
	s := f.c.Sheet()
	s.Refresh()
	s.Pane.SetSize(120, 24)
	return panetest.Text(s.Pane.Lines())
}

func TestTheSheetListsReadsAndSearchesTheSessions(t *testing.T) {
	f := newFixture(t, "20261120-140207-a", "20261119-140207-b")
	f.do(f.c.Open())
	if f.Shown != sessions.SheetName {
		t.Fatalf("got sheet %q, want %q", f.Shown, sessions.SheetName)
	}
	panetest.Sees(t, f.text(), "prompt of 20261120-140207-a", "prompt of 20261119-140207-b", "Recorded in")
	f.press("s")
	f.write("of 20261119")
	f.press("enter")
	text := f.text()
	panetest.Sees(t, text, "prompt of 20261119-140207-b", "contain")
	if strings.Contains(text, "prompt of 20261120") {
		t.Errorf("got\n%s\nwant only the session with the text", text)
	}
	f.press("esc", "esc")
	if f.Shown != "" {
		t.Errorf("got sheet %q after esc, want none", f.Shown)
	}
}

func TestASessionIsShownAnnotatedAndDeleted(t *testing.T) {
	f := newFixture(t, "20261120-140207-a", "20261119-140207-b")
	f.do(f.c.Open())
	f.press("enter")
	if !slices.Equal(f.shown, []string{"20261120-140207-a.jsonl"}) || f.regains != 1 || f.Shown != sessions.SheetName {
		t.Errorf("got %q shown, %d times regained and sheet %q, want the recording shown and the sheet after it", f.shown, f.regains, f.Shown)
	}
	f.fails = errors.New("exit status 1")
	f.press("enter")
	if got := f.LastNotice(); !got.Bad || !strings.Contains(got.Text, "exit status 1") {
		t.Errorf("got notice %+v, want that it could not be shown", got)
	}
	f.press("R")
	f.write("My title")
	f.press("enter", "p")
	panetest.Sees(t, f.text(), "My title")
	if c := annotation.Open(f.path("20261120-140207-a")).Content(); c.Title != "My title" || !c.Pinned {
		t.Errorf("got %+v in the file, want title and pin", c)
	}
	if err := os.WriteFile(annotation.Path(f.path("20261120-140207-a")), []byte(`{"parley":"annotations","version":9}`), 0o600); err != nil {
		t.Fatal(err)
	}
	f.press("p")
	if got := f.LastNotice(); !got.Bad || !strings.Contains(got.Text, "update Parley") {
		t.Errorf("got notice %+v, want why it was not saved", got)
	}
	f.press("d", "d")
	if _, err := os.Stat(f.path("20261120-140207-a")); err == nil || strings.Contains(f.text(), "My title") {
		t.Errorf("got %v and\n%s\nwant the session deleted", err, f.text())
	}
}

func TestTheStartScreenOffersTheSessions(t *testing.T) {
	f := newFixture(t, "20261119-140207-b", "own")
	f.do(f.c.Load())
	if f.offered != "1 " {
		t.Errorf("got offer %q, want one session", f.offered)
	}
	f.add("20261121-140207-c", false)
	f.do(f.c.Load())
	if !strings.HasPrefix(f.offered, "2 prompt of 20261121-140207-c, 21 Nov") {
		t.Errorf("got offer %q, want the interrupted session too", f.offered)
	}
	f.do(f.c.ShowInterrupted())
	if !slices.Equal(f.shown, []string{"20261121-140207-c.jsonl"}) {
		t.Errorf("got %q shown, want the interrupted session", f.shown)
	}
	if n := len(controltest.Commands(f.c.Actions())); n != 2 {
		t.Errorf("got %d commands, want one for the list and one for the interrupted session", n)
	}
	none := newFixture(t)
	none.do(none.c.Load())
	if none.offered != "" {
		t.Errorf("got offer %q in an empty folder, want none", none.offered)
	}
}

func TestWithoutAFolderTheSheetSaysWhy(t *testing.T) {
	host := controltest.NewHost(model.NewState())
	c := sessions.New(host, styles.New(themes.Mono(), styles.ASCII()), sessions.Options{})
	c.Open()
	if got := host.LastNotice(); host.Shown != "" || !got.Bad || c.Load() != nil || controltest.Commands(c.Actions())[0].Why == "" {
		t.Errorf("got sheet %q and notice %+v, want none and the reason", host.Shown, got)
	}
}

// Where the workbench can be left for it, the offer of the start list goes on with the session. A file
// without a record does not hide it.
func TestTheInterruptedSessionGoesOnIfItCan(t *testing.T) {
	f := newFixture(t)
	f.add("20261120-140207-a", false)
	if err := os.WriteFile(f.path("20261120-150000-b"), []byte(`{"parley":"session","version":1,"created":"2026-11-20T15:00:00Z"}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	resumed := ""
	f.c = sessions.New(f.Host, styles.New(themes.Mono(), styles.ASCII()), sessions.Options{
		Catalog: catalog.Open(f.dir, catalog.Options{}), Now: func() time.Time { return controltest.Noon },
		Offer:  func(n int, interrupted string) { f.offered = fmt.Sprint(n, " ", interrupted) },
		Resume: func(path string) tea.Cmd { resumed = path; return nil },
	})
	f.do(f.c.Load())
	f.do(f.c.ShowInterrupted())
	if resumed != f.path("20261120-140207-a") {
		t.Errorf("got session %q and offer %q, want the interrupted one", resumed, f.offered)
	}
}

// A session of the list goes on in place of this one; where nothing can be sent, the sheet says which
// command does it.
func TestASessionOfTheListGoesOn(t *testing.T) {
	f := newFixture(t, "20261120-140207-a", "20261119-140207-b")
	f.do(f.c.Open())
	f.press("r")
	if got := f.LastNotice(); !got.Bad || !strings.Contains(got.Text, "parley resume 20261120-140207-a") {
		t.Errorf("got notice %+v in a recording, want the command", got)
	}
	resumed, ends := "", false
	f.c = sessions.New(f.Host, styles.New(themes.Mono(), styles.ASCII()), sessions.Options{
		Catalog: catalog.Open(f.dir, catalog.Options{}), Now: func() time.Time { return controltest.Noon },
		Resume: func(path string) tea.Cmd { resumed = path; return nil }, Ends: func() (bool, string) { return ends, "; 2 tasks continue" },
	})
	if n := len(controltest.Commands(f.c.Actions())); n != 2 || controltest.Commands(f.c.Actions())[1].Also[0] != "resume" {
		t.Errorf("got %d commands, want the list and the one that goes on", n)
	}
	f.do(controltest.Commands(f.c.Actions())[1].Run())
	f.text()
	f.press("j", "r")
	if resumed != f.path("20261119-140207-b") {
		t.Errorf("got session %q, want the selected one", resumed)
	}
	resumed, ends = "", true
	f.text()
	f.press("r")
	panetest.Sees(t, f.text(), "r again ends this session", "; 2 tasks continue.")
	if resumed != "" {
		t.Errorf("got session %q, want a question first", resumed)
	}
	f.press("r")
	if resumed != f.path("20261119-140207-b") {
		t.Errorf("got session %q after the question, want the selected one", resumed)
	}
}

// The finder gets the recordings by their names at once, and by their prompts when they are read.
func TestTheFinderGetsTheRecordings(t *testing.T) {
	f := newFixture(t, "20261120-140207-a", "20261119-140207-b", "own")
	st := styles.New(themes.Mono(), styles.ASCII())
	var names [][]string
	find := func() tea.Cmd {
		return f.c.Find(func() {
			var now []string
			for _, c := range f.c.Entries(st) {
				now = append(now, c.Name)
			}
			names = append(names, now)
		})
	}
	if got := f.c.Entries(st); len(got) != 0 {
		t.Errorf("got %d entries before anything was read, want none", len(got))
	}
	before := find()
	f.do(find())
	f.do(before) // an older search changes nothing
	want := [][]string{{"20261120-140207-a", "20261119-140207-b"}, {"prompt of 20261120-140207-a", "prompt of 20261119-140207-b"}}
	if !slices.EqualFunc(names, want, slices.Equal) {
		t.Errorf("got %q, want the names and then the prompts of the other sessions", names)
	}
	e := f.c.Entries(st)[1]
	if !e.Hidden || e.Also[0] != "20261119-140207-b" || !strings.Contains(e.Note, "Nov") {
		t.Errorf("got %+v, want an entry with its file and its time", e)
	}
	f.do(e.Run())
	if !slices.Equal(f.shown, []string{"20261119-140207-b.jsonl"}) {
		t.Errorf("got recordings %q shown, want the second", f.shown)
	}
}

// The start screen gets the recordings with a message, and first the sessions to go on with. A run of
// the demo is among them only if the user named it; a session without a message never is, and nor is one
// that went on in another.
func TestTheStartScreenGetsWhatTellsSomething(t *testing.T) {
	f := newFixture(t)
	at := 0
	add := func(lines string) string {
		at++
		name := fmt.Sprintf("202611%02d-140207-a", at)
		if err := os.WriteFile(f.path(name), []byte(lines), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	note := func(attrs string) string {
		return `{"id":1,"kind":"note","time":"2026-11-20T14:02:07Z","note":{"type":"opening","attrs":{"agent":"1","ref":"http://desk","name":"Desk"` + attrs + `}}}` + "\n"
	}
	const head = `{"parley":"session","version":1}` + "\n"
	asked := func(state string) string {
		return `{"id":2,"exchange":2,"kind":"request","dir":"out","time":"2026-11-20T14:02:08Z","call":{"agent":1,"conversation":1,"turn":1,"op":"stream","dialect":"v1.0","binding":"JSONRPC"},"raw":"{\"jsonrpc\":\"2.0\",\"id\":\"r\",\"method\":\"SendStreamingMessage\",\"params\":{\"message\":{\"messageId\":\"m\",\"role\":\"ROLE_USER\",\"parts\":[{\"text\":\"Go\"}]}}}"}
{"id":3,"exchange":2,"kind":"response","dir":"in","time":"2026-11-20T14:02:09Z","head":{"status":200,"header":{"Content-Type":["text/event-stream"]}}}
{"id":4,"exchange":2,"kind":"event","dir":"in","time":"2026-11-20T14:02:09Z","raw":"data: {\"jsonrpc\":\"2.0\",\"id\":\"r\",\"result\":{\"task\":{\"id\":\"t\",\"contextId\":\"c\",\"status\":{\"state\":\"TASK_STATE_` + state + `\"}}}}\n\n"}
{"id":5,"exchange":2,"kind":"end","time":"2026-11-20T14:02:09Z","end":{"reason":"ended"}}
`
	}
	embedded := `,"embedded":"true"`
	waits := add(head + note("") + asked("INPUT_REQUIRED"))
	before := add(head + note("") + asked("WORKING"))
	done := add(head + note("") + asked("COMPLETED"))
	works := add(`{"parley":"session","version":1,"continues":"` + before + `.jsonl"}` + "\n" + note("") + asked("WORKING"))
	add(head + note("") + strings.Repeat(" ", 300) + "\n")
	add(head + note("") + `{"id":2,"kind":"note","time":"2026-11-20T14:02:08Z","note":{"type":"opened","attrs":{"agent":"1","ref":"http://desk","sentence":"Nobody listens there: connection refused."}}}` + "\n")
	named := add(head + note(embedded) + asked("INPUT_REQUIRED"))
	for range 5 {
		add(head + note(embedded) + asked("INPUT_REQUIRED"))
	}
	if _, err := annotation.Open(f.path(named)).Update(annotation.SetTitle("For the talk")); err != nil {
		t.Fatal(err)
	}
	var got sessions.Recorded
	told := 0
	f.c = sessions.New(f.Host, styles.New(themes.Mono(), styles.ASCII()), sessions.Options{
		Catalog: catalog.Open(f.dir, catalog.Options{}), Now: func() time.Time { return controltest.Noon },
		Offer: func(int, string) {}, Start: func(r sessions.Recorded) { got, told = r, told+1 },
	})
	f.do(f.c.Load())
	names := func(list []catalog.Session) (out []string) {
		for i := range list {
			out = append(out, list[i].Name())
		}
		return out
	}
	if !slices.Equal(names(got.GoOn), []string{waits, works}) || !slices.Equal(names(got.Newest), []string{named, done}) || got.Count != at {
		t.Errorf("got %d sessions, %q to go on with and %q; want %d, %q and %q", got.Count, names(got.GoOn), names(got.Newest), at, []string{waits, works}, []string{named, done})
	}
	if told < 3 {
		t.Errorf("the start screen was told %d times, want each time some were read", told)
	}
}

// What is read for the start screen has an end, however long the recordings are.
func TestTheStartScreenReadsNoMoreThanItMay(t *testing.T) {
	f := newFixture(t)
	for i := range 12 { // of 12 MB each
		f.add(fmt.Sprintf("202611%02d-140207-a", i+1), true)
		if err := os.Truncate(f.path(fmt.Sprintf("202611%02d-140207-a", i+1)), 12<<20); err != nil {
			t.Fatal(err)
		}
	}
	dir := catalog.Open(f.dir, catalog.Options{})
	f.c = sessions.New(f.Host, styles.New(themes.Mono(), styles.ASCII()), sessions.Options{
		Catalog: dir, Now: func() time.Time { return controltest.Noon }, Offer: func(int, string) {}, Start: func(sessions.Recorded) {},
	})
	f.do(f.c.Load())
	list, err := dir.List()
	read := 0
	for i := range list {
		if list[i].Summary != nil {
			read++
		}
	}
	if err != nil || read == 0 || read > 6 {
		t.Errorf("got %d sessions read (%v), want those of the first 64 MB", read, err)
	}
}
