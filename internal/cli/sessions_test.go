package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/session/journal"
)

// A folder is a folder of recorded sessions.
type sessionFolder struct {
	t   *testing.T
	dir string
	env []string
}

func newSessionFolder(t *testing.T) *sessionFolder {
	t.Helper()
	state := t.TempDir()
	f := &sessionFolder{t: t, dir: filepath.Join(state, "parley", "sessions"), env: []string{"XDG_STATE_HOME=" + state}}
	if err := os.MkdirAll(f.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return f
}

// add writes a session with one prompt that was last written some time ago, and returns its name.
func (f *sessionFolder) add(name, prompt string, ago time.Duration) string {
	f.t.Helper()
	path := filepath.Join(f.dir, name+".jsonl")
	text := fmt.Sprintf(`{"parley":"session","version":1,"created":"2026-11-20T14:02:07Z"}
{"id":1,"kind":"note","time":"2026-11-20T14:02:07Z","note":{"type":"opened","attrs":{"agent":"1","ref":"http://desk","name":"Desk"}}}
{"id":2,"exchange":2,"kind":"request","dir":"out","time":"2026-11-20T14:02:08Z","call":{"agent":1,"conversation":1,"turn":1,"op":"send","dialect":"v1.0","binding":"JSONRPC"},"raw":%q}
{"id":3,"exchange":2,"kind":"end","time":"2026-11-20T14:02:09Z","end":{"reason":"ended"}}
`, fmt.Sprintf(`{"jsonrpc":"2.0","id":"r","method":"SendMessage","params":{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":%q}]}}}`, prompt))
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		f.t.Fatal(err)
	}
	at := time.Now().Add(-ago)
	if err := os.Chtimes(path, at, at); err != nil {
		f.t.Fatal(err)
	}
	return name
}

func (f *sessionFolder) run(args ...string) result {
	f.t.Helper()
	return commandLine{args: append([]string{"sessions"}, args...), env: f.env}.run(f.t)
}

// sees reports what is missing in the output.
func sees(t *testing.T, r result, code int, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(r.out+r.err, want) {
			t.Errorf("got output without %q, want it\n%s%s", want, r.out, r.err)
		}
	}
	if r.code != code {
		t.Errorf("got exit %d, want %d\n%s%s", r.code, code, r.out, r.err)
	}
}

const day = 24 * time.Hour

func TestSessionsAreListedWithWhatTheyContain(t *testing.T) {
	t.Parallel()
	f := newSessionFolder(t)
	sees(t, f.run(), 0, "no recorded sessions")
	f.add("20261120-140207-ab", "Plan a \u202e trip", 0)
	f.add("20261121-140207-cd", "Refund the hotel", 0)
	if err := os.WriteFile(filepath.Join(f.dir, "20261122-140207-ef.jsonl"), []byte("no session\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := f.run()
	sees(t, r, 0, "20261121-140207-cd  Refund the hotel\n", "http://desk · 2 s · 3 records", "cannot be opened: it is not a recorded session")
	if strings.Contains(r.out, "\u202e") || strings.Index(r.out, "20261121") > strings.Index(r.out, "20261120") {
		t.Errorf("got %q, want clean text, the newest session first", r.out)
	}
	docs := documents(t, f.run("-o", "json").out)
	if len(docs) != 3 || docs[1]["prompt"] != "Refund the hotel" || docs[1]["records"] != 3.0 || docs[0]["problems"] == nil {
		t.Errorf("got %v, want three documents, the newest first", docs)
	}
	sees(t, f.run("list"), 2, `no command "list"`)
	sees(t, f.run("-o", "xml"), 2, "--output")
}

func TestATextIsSearchedInNamesAndRecords(t *testing.T) {
	t.Parallel()
	f := newSessionFolder(t)
	f.add("20261120-140207-ab", `Plan a "trip"`, 0)
	f.add("20261121-140207-cd", "Refund the hotel", 0)
	f.run("tag", "20261121", "money")
	sees(t, f.run("--search", `a "TRIP"`), 0, "20261120-140207-ab", "record 2: …", `Plan a "trip"`)
	sees(t, f.run("--search", "MONEY"), 0, "20261121-140207-cd", "#money")
	if r := f.run("--search", "quartz"); r.out != "" || !strings.Contains(r.err, "no session") {
		t.Errorf("got %q and %q, want nothing and the reason", r.out, r.err)
	}
}

func TestASessionIsAnnotated(t *testing.T) {
	t.Parallel()
	f := newSessionFolder(t)
	name := f.add("20261120-140207-ab", "Plan a trip", 0)
	f.add("20261121-140207-cd", "Refund", 0)
	sees(t, f.run("rename", "20261120", "A", "bug"), 0, name+" is now called A bug.")
	sees(t, f.run("tag", name, "x", "y"), 0, "has the tags x, y.")
	sees(t, f.run("tag", name, "--remove", "X"), 0, "has the tags y.")
	sees(t, f.run("note", filepath.Join(f.dir, name+".jsonl"), "see", "later"), 0, "see later")
	sees(t, f.run("pin", name, "20261121"), 0, name+" is pinned.", "20261121-140207-cd is pinned.")
	sees(t, f.run("unpin", "20261121"), 0, "is not pinned any more.")
	sees(t, f.run(), 0, name+"  A bug\n", "#y · pinned", "  see later\n")
	sees(t, f.run("rename", name, ""), 0, "no title")
	sees(t, f.run("rename", name, strings.Repeat("x", 300)), 2, "write a shorter one")
	sees(t, f.run("rename", "2026", "x"), 2, "2 session names")
	sees(t, f.run("rename", "none", "x"), 2, "There is no file and no session")
	sees(t, f.run("pin", f.dir), 2, "cannot be opened: it is a directory")
	sees(t, f.run("rename", name), 2, "takes a session and a text")
	annotations := filepath.Join(f.dir, name+".annotations.json")
	if err := os.WriteFile(annotations, []byte(`{"parley":"annotations","version":9}`), 0o600); err != nil {
		t.Fatal(err)
	}
	sees(t, f.run("pin", name), 1, "update Parley")
	sees(t, f.run(), 0, "is not used: a newer Parley wrote it")
	if err := os.WriteFile(annotations, []byte(`{`), 0o600); err != nil {
		t.Fatal(err)
	}
	sees(t, f.run("pin", name), 0, "is pinned", ".broken-1")
}

func TestNothingIsDeletedUnasked(t *testing.T) {
	t.Parallel()
	f := newSessionFolder(t)
	old, pinned, young := f.add("20261020-140207-ab", "a", 40*day), f.add("20261021-140207-cd", "b", 40*day), f.add("20261120-140207-ef", "c", day)
	j, err := journal.Create(filepath.Join(f.dir, "20261022-140207-gh.jsonl"), journal.Options{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	at := time.Now().Add(-40 * day)
	if err := os.Chtimes(j.Path(), at, at); err != nil {
		t.Fatal(err)
	}
	has := func(want bool, names ...string) {
		t.Helper()
		for _, name := range names {
			if _, err := os.Stat(filepath.Join(f.dir, name+".jsonl")); (err == nil) != want {
				t.Errorf("%s: got it there %v, want %v", name, err == nil, want)
			}
		}
	}
	f.run("pin", pinned)
	sees(t, f.run("delete", old), 2, "--yes")
	sees(t, f.run("prune"), 2, "--older 30d")
	sees(t, f.run("prune", "--older", "yesterday"), 2, "no age")
	sees(t, f.run("prune", "--older", "30d", "--dry-run"), 0, old+" (", "1 session")
	has(true, old, pinned, young)
	sees(t, f.run("prune", "--older", "30d", "--keep-pinned"), 0, old+" was deleted.")
	has(false, old)
	has(true, pinned, young, "20261022-140207-gh")
	sees(t, f.run("prune", "--older", "30d"), 0, "no session is old enough")
	sees(t, f.run("prune", "--older", "30d", "--keep-pinned=false"), 0, pinned+" was deleted.")
	sees(t, f.run("delete", "20261022", "--yes"), 2, "records it now")
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	sees(t, f.run("delete", "20261022", young, "--yes"), 0, young+" was deleted.")
	has(false, pinned, young, "20261022-140207-gh")
	left, _ := filepath.Glob(filepath.Join(f.dir, "2026*"))
	if len(left) > 0 {
		t.Errorf("got %q left, want nothing", left)
	}
}

func TestTheAgeOfPruneIsASetting(t *testing.T) {
	t.Parallel()
	f := newSessionFolder(t)
	old := f.add("20261020-140207-ab", "a", 40*day)
	path := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(path, []byte("[sessions]\nkeep = \"4w\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	sees(t, f.run("prune", "--dry-run", "--config", path), 0, old+" (")
	if err := os.WriteFile(path, []byte("[sessions]\nkeep = \"soon\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	sees(t, f.run("prune", "--config", path), 2, "no age such as 30d", "--older 30d")
}

// One line names the command if the sessions take more than 5 GiB, with an age if the settings have none.
func TestManyBytesOfSessionsAreSaidAndKept(t *testing.T) {
	t.Parallel()
	f := newSessionFolder(t)
	said := func(keep string) string {
		a := &app{env: f.env, streams: Streams{Err: os.Stderr}}
		a.settings.KeepSessions = keep
		a.noteSize()
		return strings.Join(a.warnings, "|")
	}
	path := filepath.Join(f.dir, f.add("20261020-140207-ab", "a", 40*day)+".jsonl")
	if got := said(""); got != "" {
		t.Errorf("got %q for few bytes, want nothing", got)
	}
	if err := os.Truncate(path, 6<<30); err != nil { // a file with a hole takes no space
		t.Skip(err)
	}
	for keep, command := range map[string]string{"": "parley sessions prune --older 30d deletes", "4w": "parley sessions prune deletes"} {
		if got := said(keep); !strings.HasPrefix(got, "the recorded sessions take 6.4 GB; "+command) || strings.Contains(got, "|") {
			t.Errorf("got %q, want one line that names %q", got, command)
		}
	}
	if _, err := os.Stat(path); err != nil {
		t.Errorf("got %v, want the session kept", err)
	}
}

func TestAnAgeIsReadAndAMistakeIsNot(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]time.Duration{"30d": 30 * day, "4w": 28 * day, "12h": 12 * time.Hour, "0d": 0} {
		if got, ok := parseAge(text); !ok || got != want {
			t.Errorf("%s: got %v, %v, want %v", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "d", "-1d", "30", "99999999999999w", "1e3d", "-4h", "never"} {
		if got, ok := parseAge(text); ok {
			t.Errorf("%s: got %v, want a refusal", text, got)
		}
	}
}

// The list says in which session another one goes on.
func TestTheListNamesWhereASessionGoesOn(t *testing.T) {
	t.Parallel()
	f := newSessionFolder(t)
	first := f.add("20261120-140207-ab", "Plan a trip", 0)
	text := `{"parley":"session","version":1,"continues":"` + first + `.jsonl"}` + "\n"
	if err := os.WriteFile(filepath.Join(f.dir, "20261121-140207-cd.jsonl"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	sees(t, f.run(), 0, "  It goes on in 20261121-140207-cd.\n")
	sees(t, f.run("-o", "json"), 0, `"continuedIn":"20261121-140207-cd"`, `"continues":"`+first+`"`)
}
