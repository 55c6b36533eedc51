package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"parley/a2a"
	"parley/session/annotation"
	"parley/session/engine"
)

// A session goes on with every setting that the workbench has, but those of the start screen.
func TestResumeHasTheFlagsOfTheWorkbench(t *testing.T) {
	t.Parallel()
	a := &app{}
	root := a.rootCommand()
	resume, _, err := root.Find([]string{"resume"})
	if err != nil {
		t.Fatal(err)
	}
	root.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Name != "help" && f.Name != "version" && f.Name != "ports" && resume.Flag(f.Name) == nil {
			t.Errorf("got no flag --%s of parley resume, want those of the workbench", f.Name)
		}
	})
}

// The confirmation names credentials where they go: at the origins that the user named, and nowhere
// else.
func TestTheConfirmationNamesCredentialsWhereTheyGo(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		ref, origin, pinned string
		allow               []string
		want                bool
	}{
		"the reference":           {ref: "https://desk.example/a", origin: "https://desk.example", want: true},
		"a host without a scheme": {ref: "desk.example:8443/a", origin: "https://desk.example:8443", want: true},
		"another origin":          {ref: "https://desk.example", origin: "https://bank.example"},
		"another scheme":          {ref: "https://desk.example", origin: "http://desk.example"},
		"an allowed origin":       {ref: "https://desk.example", origin: "https://bank.example", allow: []string{"https://bank.example"}, want: true},
		"a pinned endpoint":       {ref: "https://desk.example", origin: "https://bank.example", pinned: "https://bank.example/rpc", want: true},
		"a file":                  {ref: "card.json", origin: ""},
		"an endpoint of a file":   {ref: "card.json", origin: "https://desk.example"},
	} {
		a := &app{}
		a.net.bearer, a.net.origins, a.net.fromFlags = "of-today-1234", c.allow, map[string]bool{"bearer": true}
		agent := &engine.StartAgent{Saved: engine.Saved{Ref: c.ref}, Pins: a2a.Pins{Endpoint: c.pinned}}
		want := ""
		if c.want {
			want = "bearer token from --bearer"
		}
		if got := a.access(workbench{})(agent, c.origin); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

func TestARecordedAddressWithoutItsSecretIsNotContacted(t *testing.T) {
	t.Parallel()
	for ref, contacted := range map[string]bool{"https://desk.example": true, "https://desk.example/?key=" + a2a.Mask: false, "-": false, "": false, "http://desk.example/\x1b[31m": false, "http://desk.example/\n": false} {
		if why := unknownAddress(ref); (why == "") != contacted {
			t.Errorf("%s: got reason %q, want contacted %v", ref, why, contacted)
		}
	}
}

// What the user added to a session goes on with it, except the pin of the old file.
func TestAnnotationsGoOn(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	g := &continuation{path: filepath.Join(dir, "old.jsonl")}
	for _, change := range []func(*annotation.Content) error{annotation.SetTitle("Refund"), annotation.SetPinned(true), annotation.SetMark(3, true), annotation.SetComment(4, "why?")} {
		if _, err := annotation.Open(g.path).Update(change); err != nil {
			t.Fatal(err)
		}
	}
	g.annotations(filepath.Join(dir, "new.jsonl"))
	c := annotation.Open(filepath.Join(dir, "new.jsonl")).Content()
	if c.Title != "Refund" || c.Pinned || !c.Remarks[3].Marked || c.Remarks[4].Comment != "why?" {
		t.Errorf("got %+v in the new file, want everything but the pin", c)
	}
	if old := annotation.Open(g.path).Content(); !old.Pinned {
		t.Errorf("got %+v in the old file, want it as it was", old)
	}
}

// What is no session that can go on is refused in one sentence, before anything is on the screen.
func TestAFileThatCannotGoOnIsRefusedInOneSentence(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const header = `{"parley":"session","version":1,"created":"2026-11-20T14:02:07Z"}` + "\n"
	for name, c := range map[string]struct {
		text, want string
		code       int
	}{
		"empty":              {"", "cannot be opened: it is empty and contains no session", 2},
		"foreign":            {`{"log":{"version":"1.2"}}` + "\n", "it is not a recorded session", 2},
		"zeros":              {strings.Repeat("\x00", 1<<20), "it is not a recorded session", 2},
		"torn header":        {header[:30], "it is not a recorded session", 2},
		"future":             {strings.Replace(header, `:1,`, `:7,`, 1), "format version 7 and this Parley writes version 1", 2},
		"name with \x1b[31m": {"", "␛[31m", 2},
		"a session":          {header, "needs a terminal", 2},
	} {
		path := filepath.Join(dir, name+".jsonl")
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		r := commandLine{args: []string{"resume", path}, env: []string{"XDG_STATE_HOME=" + dir}}.run(t)
		sees(t, r, c.code, c.want)
		if strings.Contains(r.err, "\x1b") || strings.Count(r.err, "Error: ") != 1 || r.out != "" {
			t.Errorf("%s: got output %q and\n%s\nwant one sentence", name, r.out, r.err)
		}
	}
	sees(t, commandLine{args: []string{"resume", dir}, env: []string{"XDG_STATE_HOME=" + dir}}.run(t), 2, "cannot be opened: it is a directory")
}
