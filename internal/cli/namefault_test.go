package cli

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// What a name can be that a command takes: a name alone; an agent's card in a file too; any file.
const (
	aName = iota
	aCard
	aFile
)

// A taker is a command line that takes a name, in the place of THING. DESK is an agent and GOOD a
// session.
type taker struct {
	args  []string
	takes int
}

var takers = map[string]taker{
	"parley":                 {[]string{"THING"}, aName},
	"parley agents forget":   {[]string{"agents", "forget", "THING"}, aName},
	"parley agents rename":   {[]string{"agents", "rename", "THING", "other"}, aName},
	"parley agents save":     {[]string{"agents", "save", "other", "THING"}, aName},
	"parley auth login":      {[]string{"auth", "login", "THING"}, aName},
	"parley auth logout":     {[]string{"auth", "logout", "THING"}, aName},
	"parley auth status":     {[]string{"auth", "status", "THING"}, aName},
	"parley card diff":       {[]string{"card", "diff", "THING"}, aCard},
	"parley card get":        {[]string{"card", "get", "THING"}, aCard},
	"parley card trust":      {[]string{"card", "trust", "THING"}, aCard},
	"parley catalog":         {[]string{"catalog", "THING"}, aCard},
	"parley chat":            {[]string{"chat", "THING"}, aCard},
	"parley check":           {[]string{"check", "THING"}, aCard},
	"parley conformance":     {[]string{"conformance", "THING"}, aCard},
	"parley demo":            {[]string{"demo", "THING", "--headless"}, aFile},
	"parley diff":            {[]string{"diff", "GOOD", "THING"}, aFile},
	"parley doctor":          {[]string{"doctor", "./THING"}, aName}, // a word is a host
	"parley export":          {[]string{"export", "THING", "--as", "md", "-o", "-"}, aFile},
	"parley import":          {[]string{"import", "THING", "-o", "-"}, aFile},
	"parley open":            {[]string{"open", "THING"}, aFile},
	"parley replay":          {[]string{"replay", "THING"}, aFile},
	"parley resume":          {[]string{"resume", "THING"}, aFile},
	"parley send":            {[]string{"send", "-a", "THING", "Hello"}, aCard},
	"parley serve":           {[]string{"serve", "THING"}, aFile},
	"parley sessions delete": {[]string{"sessions", "delete", "THING", "--yes"}, aFile},
	"parley sessions note":   {[]string{"sessions", "note", "THING", "x"}, aFile},
	"parley sessions pin":    {[]string{"sessions", "pin", "THING"}, aFile},
	"parley sessions rename": {[]string{"sessions", "rename", "THING", "x"}, aFile},
	"parley sessions tag":    {[]string{"sessions", "tag", "THING", "x"}, aFile},
	"parley sessions unpin":  {[]string{"sessions", "unpin", "THING"}, aFile},
	"parley tap":             {[]string{"tap", "--headless", "--no-record", "--to", "THING"}, aName},
}

// withFiles are command lines to which the flags about files are added.
var withFiles = map[string][]string{
	"parley":                         {},
	"parley auth login":              {"auth", "login", "DESK"},
	"parley card diff":               {"card", "diff", "DESK"},
	"parley card get":                {"card", "get", "DESK"},
	"parley card trust":              {"card", "trust", "DESK"},
	"parley catalog":                 {"catalog", "DESK"},
	"parley chat":                    {"chat", "DESK"},
	"parley check":                   {"check", "DESK"},
	"parley config":                  {"config"},
	"parley config show":             {"config", "show"},
	"parley conformance":             {"conformance", "DESK"},
	"parley demo":                    {"demo", "SCRIPT", "--headless", "--fast"},
	"parley doctor":                  {"doctor", "DESK"},
	"parley export":                  {"export", "GOOD", "--as", "md"},
	"parley import":                  {"import", "HAR"},
	"parley resume":                  {"resume", "GOOD"},
	"parley send":                    {"send", "-a", "DESK", "Hello"},
	"parley serve":                   {"serve", "GOOD"},
	"parley tap":                     {"tap", "--headless", "--no-record", "--to", "DESK"},
	"parley task cancel":             {"task", "cancel", "-a", "DESK", "t"},
	"parley task download":           {"task", "download", "-a", "DESK", "t"},
	"parley task get":                {"task", "get", "-a", "DESK", "t"},
	"parley task list":               {"task", "list", "-a", "DESK"},
	"parley task subscribe":          {"task", "subscribe", "-a", "DESK", "t"},
	"parley task push-config create": {"task", "push-config", "create", "-a", "DESK", "t", "--url", "http://127.0.0.1:1"},
	"parley task push-config delete": {"task", "push-config", "delete", "-a", "DESK", "t", "c"},
	"parley task push-config get":    {"task", "push-config", "get", "-a", "DESK", "t"},
	"parley task push-config list":   {"task", "push-config", "list", "-a", "DESK", "t"},
	"parley task push-config listen": {"task", "push-config", "listen", "-a", "DESK", "t"},
}

// A thingSet has things of all kinds that a user can name by mistake; each has "thing" in its name.
type thingSet struct {
	t       *testing.T
	dir     string
	env     []string
	replace *strings.Replacer
}

// newThingSet puts the things into the folder of a test that runs alone.
func newThingSet(t *testing.T, dir string) *thingSet {
	t.Helper()
	s := &thingSet{t: t, dir: dir, env: []string{"XDG_STATE_HOME=" + filepath.Join(dir, "state"), "XDG_CONFIG_HOME=" + filepath.Join(dir, "config"), "PARLEY_TOKEN_STORE=file"}}
	good, har, script := filepath.Join(dir, "good.jsonl"), filepath.Join(dir, "good.har"), filepath.Join(dir, "good.parley")
	writeTo(t, file(t, inSource(booked)), good)
	writeTo(t, "Open demo\n", script)
	if r := parley(t, "export", good, "-o", har); r.code != 0 {
		t.Fatal(r.err)
	}
	writeTo(t, "my thesis\n", dir, "text-thing.txt")
	writeTo(t, "", dir, "empty-thing")
	for _, err := range []error{
		os.Mkdir(filepath.Join(dir, "folder-thing"), 0o700), os.Symlink("loop-thing", filepath.Join(dir, "loop-thing")), os.WriteFile(filepath.Join(dir, "closed-thing"), []byte("x"), 0),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	s.replace = strings.NewReplacer("DESK", demos(t)["Travel Desk"], "GOOD", good, "HAR", har, "SCRIPT", script)
	return s
}

// wrong returns what a user can give by mistake where a command takes a name, a card or a file.
func (*thingSet) wrong(takes int) []string {
	list := []string{"absent-thing", "odd\x1b[31mthing"}
	if takes >= aCard {
		list = append(list, "./absent-thing", "./folder-thing", "./text-thing.txt", "text-thing.txt", "empty-thing", "./loop-thing")
		if os.Geteuid() != 0 { // who may read everything
			list = append(list, "./closed-thing")
		}
	}
	if takes == aFile {
		list = append(list, "sub/absent-thing.jsonl", "folder-thing", "loop-thing", "text-thing.txt/thing")
	}
	return list
}

// refused runs a command line as JSON and as text, and checks how it refuses the thing: not as a
// failure of Parley, in a sentence that names the thing and says what to do.
func (s *thingSet) refused(args []string, thing string) {
	s.t.Helper()
	for i := range args {
		args[i] = s.replace.Replace(args[i])
	}
	ctx, stop := context.WithTimeout(s.t.Context(), 30*time.Second)
	defer stop()
	env := s.env
	if args[0] != "doctor" { // whose document is a report
		env = append(slices.Clone(env), "A2ACLI_OUTPUT=json")
	}
	r := commandLine{args: args, ctx: ctx, env: env}.run(s.t)
	if ctx.Err() != nil {
		s.t.Errorf("parley %q: got no end, want a refusal", args)
		return
	}
	var doc struct {
		Error struct{ Code, Message, Hint string }
	}
	last := r.out[strings.LastIndex(strings.TrimSpace(r.out), "\n")+1:]
	_ = json.Unmarshal([]byte(last), &doc)
	said, code := doc.Error.Message+" "+doc.Error.Hint, doc.Error.Code
	if code == "" { // a command without a JSON form
		code = regexp.MustCompile(`Code: (\w+)`).FindString(r.err)
		said = regexp.MustCompile(`(?m)^Error: .*$`).FindString(r.err) + regexp.MustCompile(`(?m)^Hint: .*$`).FindString(r.err)
	}
	said = strings.ReplaceAll(said, "parley help, or --help after a command, lists the commands and flags.", "")
	if r.code == 0 || r.code == 1 && !strings.Contains(code, codeCardInvalid) || code == "" || strings.Contains(code, codeInternal) {
		s.t.Errorf("parley %q: got exit %d and %s, want a refusal of its own class:\n%s%s", args, r.code, code, r.out, r.err)
		return
	}
	if strings.Contains(r.out+r.err, "\x1b") {
		s.t.Errorf("parley %q: got an escape in %q", args, r.out+r.err)
	}
	if !strings.Contains(said, "thing") || !regexp.MustCompile(`(?i)\b(name|choose|check|write|written|create|use|parley|put|correct|needs?|start|begins|such as|takes?|none of)\b`).MatchString(strings.ReplaceAll(said, thing, "")) {
		s.t.Errorf("parley %q: got %q, want the thing named, and what to do", args, said)
	}
}

// No command takes a wrong name for a failure of Parley.
func TestWrongNamesAreRefusedAsSuch(t *testing.T) {
	t.Parallel()
	dir := alone(t)
	if dir == "" {
		return
	}
	s := newThingSet(t, dir)
	takes := regexp.MustCompile(`\b(SESSION|FILE|REF|NAME|SCRIPT|DIR|URL|A B)\b`)
	commands(func(c *cobra.Command) {
		taker, listed := takers[c.CommandPath()]
		if takes.MatchString(c.Use) && !listed {
			t.Errorf("%s takes a name and is not in the table", c.CommandPath())
		}
		if !listed {
			return
		}
		for _, thing := range s.wrong(taker.takes) {
			var args []string
			for _, arg := range taker.args {
				args = append(args, strings.ReplaceAll(arg, "THING", thing))
			}
			s.refused(args, thing)
		}
	})
	if got := file(t, filepath.Join(s.dir, "text-thing.txt")); got != "my thesis\n" {
		t.Errorf("got %q, want the file of the user as it was", got)
	}
}

// inputFlags are the flags about files that are read; the others are written.
var inputFlags = []string{"cacert", "cert", "key", "card-key", "config", "fallback"}

// No flag takes a wrong file for a failure of Parley.
func TestWrongFilesOfFlagsAreRefusedAsSuch(t *testing.T) {
	t.Parallel()
	dir := alone(t)
	if dir == "" {
		return
	}
	s := newThingSet(t, dir)
	commands(func(c *cobra.Command) {
		path := c.CommandPath()
		c.Flags().VisitAll(func(f *pflag.Flag) {
			kind, _ := pflag.UnquoteUsage(f)
			base, listed := withFiles[path]
			switch {
			case kind != "FILE" && kind != "RECORDING", f.Name == "config" && !listed:
				return
			case !listed:
				t.Errorf("%s has --%s and is not in the table", path, f.Name)
				return
			case strings.HasPrefix(path, "parley config") && f.Name != "config": // it only shows the settings
				return
			case (f.Name == "record" || f.Name == "card-key") && (path == "parley" || path == "parley resume"), f.Name == "record" && path == "parley tap":
				return // the terminal comes first, and the tap records nothing
			}
			things := []string{"folder-thing", "text-thing.txt/thing"}
			if slices.Contains(inputFlags, f.Name) {
				things = []string{"absent-thing", "folder-thing", "text-thing.txt", "loop-thing", "text-thing.txt/thing"}
			}
			for _, thing := range things {
				s.refused(append(slices.Clone(base), "--"+f.Name, thing), thing)
			}
		})
	})
}

// Neither what exists already nor a value that is none is a failure of Parley.
func TestWrongValuesAreRefusedAsSuch(t *testing.T) {
	t.Parallel()
	dir := alone(t)
	if dir == "" {
		return
	}
	s := newThingSet(t, dir)
	for _, args := range [][]string{
		{"export", "GOOD", "--as", "md", "-o", "text-thing.txt"}, {"import", "HAR", "-o", "text-thing.txt"}, {"export", "GOOD", "-o", "sub/thing.md"},
		{"send", "-a", "DESK", "hi", "--record", "text-thing.txt"}, {"send", "-a", "DESK", "hi", "--save", "text-thing.txt"}, {"demo", "SCRIPT", "--headless", "--record", "text-thing.txt"},
		{"export", "GOOD", "--as", "asciicast", "-o", "-", "--theme", "no-thing"}, {"open", "GOOD", "--theme", "no-thing"}, {"--theme", "no-thing"},
		{"export", "GOOD", "--as", "md", "-o", "-", "--filter", "thing:x"}, {"export", "GOOD", "--as", "thing"}, {"diff", "GOOD", "GOOD", "--only", "thing"}, {"diff", "GOOD", "GOOD", "--ignore", "thing"},
		{"serve", "GOOD", "--listen", "thing"}, {"serve", "GOOD", "--fault", "thing"}, {"tap", "--to", "DESK", "--listen", "thing"}, {"tap", "--to", "thing"}, {"tap", "--to", "DESK", "--fault", "thing"},
	} {
		s.refused(args, "no such thing")
	}
	writeTo(t, "Open demo\nSay \"x\nWait thing", s.dir, "bad.parley")
	for _, args := range [][]string{
		{"demo", "bad.parley", "--headless"}, {"replay", "GOOD", "--speed", "x"}, {"replay", "GOOD", "--speed", "99"}, {"sessions", "prune", "--older", "x"},
		{"task", "list", "-a", "DESK", "--status", "x"}, {"send", "-a", "DESK", "hi", "--timeout", "x"}, {"check", "GOOD", "--fail-on", "x"}, {"serve", "GOOD", "--speed", "x"},
		{"export", "GOOD", "--as", "md", "-o", "-", "--conversation", "x"}, {"auth", "logout", "DESK"}, {"card", "trust", "--forget", "DESK"}, {"tap", "--to", ""}, {"export", "GOOD", "--as", "md", "-o", "-", "--redact", "("}, {"tap", "--to", "http://["},
		{"serve", "GOOD", "--listen", "203.0.113.1:1"}, {"tap", "--headless", "--to", "DESK", "--listen", "203.0.113.1:1"}, {"demo", "SCRIPT", "--render", "--size", "x"},
	} {
		for i := range args {
			args[i] = s.replace.Replace(args[i])
		}
		ctx, stop := context.WithTimeout(t.Context(), 30*time.Second)
		if r := (commandLine{args: args, env: s.env, ctx: ctx}).run(t); r.code != 2 || ctx.Err() != nil {
			t.Errorf("parley %q: got exit %d\n%s%s", args, r.code, r.out, r.err)
		}
		stop()
	}
}
