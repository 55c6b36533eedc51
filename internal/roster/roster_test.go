package roster

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"parley/internal/config"
	"parley/internal/sharedfile"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// TestMain also is a helper process: on request it saves agents until it is killed or done, and
// prints each saved one.
func TestMain(m *testing.M) {
	path, who := os.Getenv("ROSTER_PATH"), os.Getenv("ROSTER_WHO")
	if path == "" {
		os.Exit(m.Run())
	}
	f := Open(path)
	for i := range 40 {
		name := fmt.Sprintf("%s %d", who, i)
		if _, err := patiently(f, Save(config.Agent{Name: name, Ref: "http://" + who + "/" + fmt.Sprint(i)})); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(name)
	}
	os.Exit(0)
}

func another(t *testing.T, path, who string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), "ROSTER_PATH="+path, "ROSTER_WHO="+who)
	cmd.Stderr = os.Stderr
	return cmd
}

func file(t *testing.T) *File { return Open(filepath.Join(t.TempDir(), "state", "agents.toml")) }

// patiently repeats a change while other processes hold the lock.
func patiently(f *File, change func(*Content) error) (c Content, err error) {
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); {
		if c, err = f.Update(change); !errors.Is(err, sharedfile.ErrBusy) {
			break
		}
	}
	return c, err
}

func update(t *testing.T, f *File, change func(*Content) error) Content {
	t.Helper()
	c, err := patiently(f, change)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func load(t *testing.T, f *File) Content {
	t.Helper()
	c, err := f.Load()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestWhatIsSavedIsThereInTheNextRun(t *testing.T) {
	f := file(t)
	if c := load(t, f); len(c.Agents)+len(c.Recents) != 0 {
		t.Errorf("missing file: got %+v, want nothing", c)
	}
	desk := config.Agent{Name: "Desk", Ref: "http://desk", Dialect: "v0.3", Transport: []string{"JSONRPC"}, Tenant: "\"a\\b\"\n"}
	update(t, f, AddRecent(Recent{Ref: "http://desk/", Name: "Travel Desk", Time: noon}))
	update(t, f, AddRecent(Recent{Ref: "http://b", Name: "B\u202e\x1b", Time: noon}))
	update(t, f, Save(desk))
	update(t, f, AddRecent(Recent{Ref: "http://desk/", Name: "Travel Desk", Time: noon})) // too late
	c := load(t, Open(f.Path()))
	got, ok := c.Find("dESK")
	if !ok || got.Ref != desk.Ref || got.Dialect != desk.Dialect || got.Tenant != desk.Tenant || len(got.Transport) != 1 {
		t.Errorf("got agent %+v, want the saved one", got)
	}
	if len(c.Recents) != 1 || c.Recents[0].Name != "B\u202e\x1b" || !c.Recents[0].Time.Equal(noon) {
		t.Errorf("got recent agents %+v, want only the one that is not saved", c.Recents)
	}
	if info, err := os.Stat(f.Path()); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("got mode %v, %v, want 0600", info.Mode(), err)
	}
	update(t, f, Rename("desk", "Front Desk"))
	update(t, f, Forget("front desk", noon.Add(time.Hour)))
	c = load(t, f)
	if len(c.Agents) != 0 || len(c.Recents) != 2 || c.Recents[0].Ref != "http://desk" {
		t.Errorf("got %+v, want the removed agent as the newest recent one", c)
	}
	update(t, f, ForgetRecent("http://desk"))
	if c = load(t, f); len(c.Recents) != 1 {
		t.Errorf("got recent agents %+v, want 1", c.Recents)
	}
}

func TestARefusedChangeChangesNothing(t *testing.T) {
	f := file(t)
	update(t, f, Save(config.Agent{Name: "A", Ref: "http://a"}))
	update(t, f, Save(config.Agent{Name: "B", Ref: "http://b"}))
	before, err := os.ReadFile(f.Path())
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		change func(*Content) error
		want   error
	}{
		"another address":  {Save(config.Agent{Name: "a", Ref: "http://c"}), ErrNameTaken},
		"a name in use":    {Rename("A", "b"), ErrNameTaken},
		"nobody":           {Rename("C", "D"), ErrUnknown},
		"nobody to forget": {Forget("C", noon), ErrUnknown},
		"no name":          {Save(config.Agent{Ref: "http://c"}), nil},
		"no address":       {Save(config.Agent{Name: "C"}), nil},
		"standard input":   {Save(config.Agent{Name: "C", Ref: "-"}), nil},
		"a password":       {Save(config.Agent{Name: "C", Ref: "http://u:p@h"}), nil},
		"an escape code":   {Rename("A", "\x1b[2J"), nil},
		"an address":       {Rename("A", "http://x"), nil},
		"a long name":      {Rename("A", strings.Repeat("語", config.MaxName+1)), nil},
	} {
		if _, err := f.Update(c.change); err == nil || c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%s: got error %v, want the change refused", name, err)
		}
	}
	if after, err := os.ReadFile(f.Path()); err != nil || string(after) != string(before) {
		t.Errorf("got file %s (%v), want it unchanged", after, err)
	}
	update(t, f, Rename("A", "a")) // only its case
	for i := range 3 * maxRecents {
		update(t, f, AddRecent(Recent{Ref: fmt.Sprint("http://", i), Time: noon.Add(time.Duration(i) * time.Second)}))
	}
	update(t, f, AddRecent(Recent{Ref: "-", Time: noon.Add(time.Hour)}))
	update(t, f, AddRecent(Recent{Ref: "http://u:p@h", Time: noon.Add(time.Hour)}))
	if c := load(t, f); len(c.Recents) != maxRecents || c.Recents[0].Ref != fmt.Sprint("http://", 3*maxRecents-1) {
		t.Errorf("got %d recent agents, the newest %+v, want %d", len(c.Recents), c.Recents[0], maxRecents)
	}
}

// Concurrent runs lose nothing, and every intermediate file is complete.
func TestTwoRunsAtOnceLoseNothing(t *testing.T) {
	f := file(t)
	var others []*exec.Cmd
	for _, who := range []string{"one", "two", "three"} {
		cmd := another(t, f.Path(), who)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		others = append(others, cmd)
	}
	for i := range 40 {
		update(t, f, Save(config.Agent{Name: fmt.Sprintf("mine %d", i), Ref: fmt.Sprintf("http://mine/%d", i)}))
		load(t, Open(f.Path()))
	}
	for _, cmd := range others {
		if err := cmd.Wait(); err != nil {
			t.Fatal(err)
		}
	}
	if c := load(t, f); len(c.Agents) != 160 {
		t.Errorf("got %d agents, want 160", len(c.Agents))
	}
}

// A killed run loses nothing that it had saved, and leaves no lock.
func TestARunThatIsKilledLeavesAWholeFile(t *testing.T) {
	f := file(t)
	said := map[string]bool{}
	for round := range 8 {
		cmd := another(t, f.Path(), fmt.Sprint("run", round))
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for n := 0; lines.Scan(); n++ {
			if said[lines.Text()] = true; n == round {
				_ = cmd.Process.Kill() // during its next change
			}
		}
		_ = cmd.Wait()
		c := load(t, f)
		for name := range said {
			if _, ok := c.Find(name); !ok {
				t.Fatalf("got no agent %q, want the one that was saved", name)
			}
		}
	}
	update(t, f, Save(config.Agent{Name: "after", Ref: "http://after"}))
	entries, err := os.ReadDir(filepath.Dir(f.Path()))
	if err != nil || len(entries) != 2 {
		t.Errorf("got files %v (%v), want 2", entries, err)
	}
}

func TestFilesThatAreNone(t *testing.T) {
	put := func(f *File, content string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(f.Path()), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(f.Path(), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, content := range []string{"\x00\x01", "agent = 3", "[[agent]", strings.Repeat("x", maxFile+1), "a = " + strings.Repeat("[", 1<<16)} {
		f := file(t)
		put(f, content)
		if _, err := f.Load(); !errors.Is(err, ErrUnreadable) || strings.Contains(err.Error(), "toml:") {
			t.Errorf("%.20q: got error %v, want ErrUnreadable without the words of the parser", content, err)
		}
		update(t, f, Save(config.Agent{Name: "A", Ref: "http://a"}))
		if c := load(t, f); len(c.Agents) != 1 {
			t.Errorf("%.20q: got %+v, want one agent", content, c)
		}
		if kept, err := os.ReadFile(f.Path() + ".broken-1"); err != nil || string(kept) != content {
			t.Errorf("%.20q: got no copy of the file: %v", content, err)
		}
	}
	f := file(t)
	put(f, `
later = "something"
[[agent]]
name = "A"
ref = "http://a"
bearer = "s3cret"
colour = "red"
[[agent]]
name = "a"
ref = "http://b"
[[agent]]
name = "\u001b[2J"
ref = "http://c"
[[agent]]
name = "D"
ref = "http://u:p@d"
`)
	if c := load(t, f); len(c.Agents) != 1 || c.Agents[0].Bearer != "" {
		t.Errorf("got agents %+v, want one without a token", c.Agents)
	}
}

func TestAPlaceThatCannotBeWrittenToIsSaid(t *testing.T) {
	if os.Getuid() == 0 {
		t.Log("root may write anywhere: only the file in the way is tried")
	} else {
		dir := t.TempDir()
		if err := os.Chmod(dir, 0o500); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(filepath.Join(dir, "agents.toml")).Update(Save(config.Agent{Name: "A", Ref: "http://a"})); !errors.Is(err, os.ErrPermission) {
			t.Errorf("read-only directory: got error %v, want permission denied", err)
		}
	}
	inTheWay := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(inTheWay, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(filepath.Join(inTheWay, "agents.toml")).Update(Save(config.Agent{Name: "A", Ref: "http://a"})); err == nil {
		t.Error("file below a file: got no error")
	}
	dir := filepath.Join(t.TempDir(), "agents.toml")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir).Update(Save(config.Agent{Name: "A", Ref: "http://a"})); err == nil {
		t.Error("directory as the file: got no error")
	}
}

func FuzzFile(f *testing.F) {
	for _, s := range []string{"", head, "[[agent]]\nname='a'\nref='b'\n", "[[recent]]\nref='x'\ntime=2026-11-20T12:00:00Z\n", "a=[[{", "\xff", "[[agent]]\nname=\"\\u0000\""} {
		f.Add(s, "A", "http://a")
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, content, name, ref string) {
		path := filepath.Join(dir, "agents.toml")
		for n := range 3 {
			_ = os.Remove(fmt.Sprintf("%s.broken-%d", path, n))
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		file := Open(path)
		if _, err := file.Update(AddRecent(Recent{Ref: ref, Name: content, Time: noon})); err != nil {
			t.Fatalf("got error %v, want the recent agent written", err)
		}
		c, err := file.Update(Save(config.Agent{Name: name, Ref: ref, Tenant: content}))
		if err != nil {
			return
		}
		again, err := file.Load()
		if err != nil {
			t.Fatalf("got error %v, want the written file read", err)
		}
		if a, ok := again.Find(name); !ok || a.Ref != ref || len(again.Agents) != len(c.Agents) {
			t.Fatalf("saved %q %q, got %+v", name, ref, a)
		}
	})
}

// An unusable value costs only itself, neither its agent nor the other agents; the file with
// the mistake is saved beside the next one.
func TestAMistakeCostsOnlyItself(t *testing.T) {
	const text = `[[agent]]
name = "Desk"
ref = "http://desk"
tenant = 3
dialect = "bad"
colour = "red"
endpoint = "http://desk/a2a"

[[agent]]
name = 7
ref = "http://lost"

[[agent]]
name = "Clerk"
ref = "http://clerk"

[[recent]]
ref = 3
[[recent]]
ref = "http://seen"
name = 4
time = 2026-11-20T10:00:00Z
`
	f := file(t)
	f.Misfit = func(_, value string) string {
		if value == "bad" {
			return "bad"
		}
		return ""
	}
	if err := os.MkdirAll(filepath.Dir(f.Path()), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(f.Path(), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c := load(t, f)
	if len(c.Agents) != 2 || c.Agents[0].Endpoint != "http://desk/a2a" || c.Agents[0].Dialect+c.Agents[0].Tenant != "" || c.Agents[1].Name != "Clerk" {
		t.Errorf("got agents %+v", c.Agents)
	}
	if len(c.Recents) != 1 || c.Recents[0].Ref != "http://seen" || c.Recents[0].Time.IsZero() {
		t.Errorf("got recent agents %+v", c.Recents)
	}
	for i, want := range []string{":4: the tenant", ":5: the dialect of Desk is bad", ":6: an agent has no colour", ":10: the name", ":9: an agent needs a name"} {
		if i >= len(c.Mistakes) || !strings.HasPrefix(c.Mistakes[i], f.Path()+want) {
			t.Errorf("mistake %d: got %q, want %s", i, c.Mistakes, want)
		}
	}
	update(t, f, Save(config.Agent{Name: "New", Ref: "http://new"}))
	if c := load(t, f); len(c.Agents) != 3 || len(c.Mistakes) != 0 {
		t.Errorf("after a change: got %+v, want 3 agents without mistakes", c)
	}
	if kept, err := os.ReadFile(f.Path() + ".broken-1"); err != nil || string(kept) != text {
		t.Errorf("got no copy of the file with the mistakes: %v", err)
	}
}
