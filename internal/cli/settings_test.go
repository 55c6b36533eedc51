package cli

import (
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parley/a2a"
	"parley/ui"
)

// env writes a settings file and returns its path.
func env(t *testing.T, dir string, lines ...string) string {
	t.Helper()
	path := filepath.Join(dir, ".env")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestFlagsWinOverEnvironmentOverFiles(t *testing.T) {
	t.Parallel()
	s := newStub(t, plainCard, done)
	home, work := t.TempDir(), t.TempDir()
	env(t, filepath.Join(home, ".config", "a2a-cli"), "A2ACLI_AGENT_CARD="+s.URL, "A2ACLI_SVC_PARAM=x-from:global", "A2ACLI_OUTPUT=json")
	with := func(env []string, args ...string) (string, result) {
		t.Helper()
		r := commandLine{args: append([]string{"send", "x"}, args...), env: append([]string{"HOME=" + home, "USERPROFILE=" + home}, env...), dir: work}.run(t)
		all := s.asked("SendMessage")
		if r.code != 0 || len(all) == 0 {
			t.Fatalf("got exit %d, want 0: %s%s", r.code, r.out, r.err)
		}
		return all[len(all)-1].header.Get("X-From"), r
	}
	from, r := with(nil)
	document(t, r.out)
	if from != "global" || !strings.Contains(r.err, "the agent is the one that A2ACLI_AGENT_CARD in "+home) {
		t.Errorf("got the agent from %s, want global: %s", from, r.err)
	}
	env(t, work, "A2ACLI_SVC_PARAM=x-from:local")
	if from, r = with(nil); from != "global" || !strings.Contains(r.err, "A2ACLI_SVC_PARAM is not used") {
		t.Errorf("got the agent from %s, want global and no header from a found file: %s", from, r.err)
	}
	chosen := env(t, t.TempDir(), "PARLEY_SVC_PARAM=x-from:chosen")
	if from, _ = with(nil, "--config", chosen); from != "chosen" {
		t.Errorf("got the agent from %s, want chosen", from)
	}
	if from, _ = with([]string{"A2ACLI_CONFIG=" + chosen}); from != "chosen" {
		t.Errorf("got the agent from %s, want chosen", from)
	}
	if from, _ = with([]string{"A2ACLI_SVC_PARAM=x-from:env"}, "--config", chosen); from != "env" {
		t.Errorf("got the agent from %s, want env", from)
	}
	if from, _ = with([]string{"A2ACLI_SVC_PARAM=x-from:a", "PARLEY_SVC_PARAM=x-from:p"}); from != "p" {
		t.Errorf("got the agent from %s, want p", from)
	}
	if from, _ = with([]string{"PARLEY_SVC_PARAM=x-from:p"}, "--svc-param", "x-from:flag"); from != "flag" {
		t.Errorf("got the agent from %s, want flag", from)
	}
	if _, r = with([]string{"A2ACLI_OUTPUT=text"}); !strings.Contains(r.out, "\nTask: t1\n") {
		t.Errorf("got other output than text: %s", r.out)
	}
}

func TestEverySettingHasItsVariable(t *testing.T) {
	t.Parallel()
	s := newStub(t, plainCard, func(q *asked, w http.ResponseWriter) { q.result(w, task(working)) })
	record := filepath.Join(t.TempDir(), "run.jsonl")
	r := commandLine{args: []string{"send", "x"}, env: []string{
		"A2ACLI_AGENT_CARD=" + s.URL, "A2ACLI_ASYNC=true", "A2ACLI_TASK_ID=t1", "A2ACLI_CONTEXT_ID=c1", "A2ACLI_METADATA={\"k\":1}",
		"A2ACLI_TRANSPORT=GRPC,JSONRPC", "A2ACLI_A2A_VERSION=1.0", "A2ACLI_VERBOSE=1", "A2ACLI_DEBUG=1", "A2ACLI_INSECURE=1",
		"A2ACLI_TIMEOUT=1m", "A2ACLI_POLL_INTERVAL=3s", "A2ACLI_RECORD=" + record, "A2ACLI_SVC_PARAM=x-a:1\nx-b:2", "A2ACLI_ALLOW_ORIGIN=http://h\nhttp://i",
	}}.run(t)
	q := s.only(t, "SendMessage")
	if r.code != 0 || at(q.Params, "message", "taskId") != "t1" || at(q.Params, "message", "contextId") != "c1" || at(q.Params, "metadata", "k") != 1.0 ||
		q.header.Get("X-A")+q.header.Get("X-B") != "12" || at(q.Params, "configuration", "returnImmediately") != true {
		t.Errorf("got exit %d and params %v, want every setting in them\n%s", r.code, q.Params, r.err)
	}
	if _, err := os.Stat(record); err != nil || !strings.Contains(r.out, "Sent: user") || !strings.Contains(r.err, "-> SendMessage") || !strings.Contains(r.err, "not verified") {
		t.Errorf("got error %v, or a flag without effect\n%s%s", err, r.out, r.err)
	}
	if r = (commandLine{args: []string{"send", "x", "--wait", "--timeout", "30ms"}, env: []string{"A2ACLI_AGENT_CARD=" + s.URL, "A2ACLI_ASYNC=1"}}).run(t); r.code != 5 {
		t.Errorf("--wait with a configured --async: got exit %d, want 5\n%s", r.code, r.err)
	}
	if r = (commandLine{args: []string{"send", "x", "--async"}, env: []string{"A2ACLI_AGENT_CARD=" + s.URL, "A2ACLI_WAIT=1"}}).run(t); r.code != 0 {
		t.Errorf("--async with a configured --wait: got exit %d, want 0\n%s", r.code, r.err)
	}
}

func TestWhatShapesTheOutputIsOnTheCommandLineOnly(t *testing.T) {
	t.Parallel()
	s := newStub(t, streamCard, streamed)
	r := commandLine{args: []string{"send", "-a", s.URL, "x", "-o", "json"}, env: []string{
		"A2ACLI_STREAM=true", "PARLEY_STREAM=1", "A2ACLI_HELP=1", "A2ACLI_VERSION=1", "A2ACLI_TEXT=y", "A2ACLI_NO_WAIT=1", "A2ACLI_WATCH=0",
	}}.run(t)
	if doc := document(t, r.out); r.code != 0 || at(doc, "task", "status", "state") != "TASK_STATE_COMPLETED" {
		t.Errorf("got exit %d, want 0 and one document\n%s", r.code, r.out)
	}
	if parts, _ := at(s.only(t, "SendStreamingMessage").Params, "message", "parts").([]any); len(parts) != 1 {
		t.Errorf("got parts %v, want 1", parts)
	}
}

func TestSettingsThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	r := commandLine{args: []string{"send", "-a", "h", "x"}, env: []string{"A2ACLI_TIMEOUT=" + secret}}.run(t)
	if r.code != 2 || !strings.Contains(r.err, "The value of A2ACLI_TIMEOUT is not a duration") {
		t.Errorf("got exit %d, want 2: %s", r.code, r.err)
	}
	secretsOnly(t, "a bad setting", r)
	dir := t.TempDir()
	env(t, dir, "not a setting 'A2ACLI_BEARER="+secret)
	s := newStub(t, plainCard, nil)
	r = commandLine{args: []string{"card", "get", s.URL}, dir: dir}.run(t)
	if r.code != 0 || !strings.Contains(r.err, "its settings are not used") {
		t.Errorf("got exit %d, want 0 and a warning: %s", r.code, r.err)
	}
	secretsOnly(t, "a bad file", r)
}

func TestConfigShowNamesEverySource(t *testing.T) {
	t.Parallel()
	home, work := t.TempDir(), t.TempDir()
	file := env(t, filepath.Join(home, ".config", "a2a-cli"), "A2ACLI_BEARER="+secret, "A2ACLI_TIMEOUT=3s")
	line := commandLine{dir: work, env: []string{"HOME=" + home, "USERPROFILE=" + home, "PARLEY_AGENT_CARD=http://h?token=" + secret},
		args: []string{"config", "show", "--svc-param", "x-auth:" + secret, "--svc-param", "public:x-trace:7", "--svc-param", "X-Team:" + secret}}
	r := line.run(t)
	for _, want := range []string{
		"agent-card: http://h?token=•••, PARLEY_AGENT_CARD\n", "bearer: •••, A2ACLI_BEARER in " + file + "\n", "timeout: 3s, A2ACLI_TIMEOUT in " + file + "\n",
		"svc-param: x-auth:•••, public:x-trace:7, X-Team:•••, flag\n", "output: text, built-in default\n", "record: (none), built-in default\n", "wait: true, built-in default\n",
	} {
		if !strings.Contains(r.out, want) {
			t.Errorf("got no %q in\n%s", want, r.out)
		}
	}
	secretsOnly(t, "config show", r)
	line.args = append(line.args, "-o", "json")
	if r = line.run(t); r.code != 0 || !json.Valid([]byte(r.out)) || !strings.Contains(r.out, "\"source\": \"flag\"") {
		t.Errorf("got exit %d, want 0 and JSON\n%s", r.code, r.out)
	}
	secretsOnly(t, "config show", r)
}

// Nothing of a message is stored, only a snapshot of the agent's card.
func TestNothingOfAMessageIsRememberedBetweenRuns(t *testing.T) {
	t.Parallel()
	home, work := t.TempDir(), t.TempDir()
	s := newStub(t, streamCard, streamed)
	for range 2 {
		r := commandLine{args: []string{"send", "-a", s.URL, "x"}, env: []string{"HOME=" + home, "XDG_STATE_HOME=" + home, "XDG_CONFIG_HOME=" + home}, dir: work}.run(t)
		if r.code != 0 {
			t.Fatal(r.err)
		}
	}
	if left, err := os.ReadDir(work); err != nil || len(left) != 0 {
		t.Errorf("got files %v, %v, want none", left, err)
	}
	files := 0
	err := filepath.WalkDir(home, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files++
			if filepath.Dir(path) != filepath.Join(home, "parley", "cards") {
				t.Errorf("got file %s, want only those of cards", path)
			}
		}
		return err
	})
	if err != nil || files != 1 {
		t.Errorf("got %d files, %v, want 1", files, err)
	}
	for _, q := range s.asked("SendStreamingMessage") {
		if at(q.Params, "message", "contextId") != nil || at(q.Params, "message", "taskId") != nil {
			t.Errorf("got an id of an earlier run: %v", q.Params)
		}
	}
}

func TestSentenceKeepsWhatItBeginsWith(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{"": "", "no file.": "No file", "“x” is no number": "“x” is no number", "한 줄": "한 줄"} {
		if got := sentence(in); got != want {
			t.Errorf("sentence(%q) = %q, want %q", in, got, want)
		}
	}
}

// Every default of the specification is the built-in one, and a flag sets it otherwise.
func TestDefaultsAreShippedAndHaveFlags(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	show := func(flags ...string) string {
		t.Helper()
		r := commandLine{env: []string{"HOME=" + home, "USERPROFILE=" + home}, args: append([]string{"config", "show"}, flags...)}.run(t)
		if r.code != 0 {
			t.Fatalf("%q: got exit %d\n%s", flags, r.code, r.err)
		}
		return r.out
	}
	for _, c := range []struct {
		shipped string
		flag    []string
		set     string
	}{
		{"transport: (none)", []string{"--transport", "rest"}, "transport: rest"},
		{"async: false", []string{"--async"}, "async: true"},
		{"verbose: false", []string{"--verbose"}, "verbose: true"},
		{"a2a-version: (none)", []string{"--a2a-version", "1.0"}, "a2a-version: 1.0"},
		{"insecure: false", []string{"--insecure"}, "insecure: true"},
	} {
		if got := show(); !strings.Contains(got, c.shipped+", built-in default\n") {
			t.Errorf("got no %q in\n%s", c.shipped, got)
		}
		if got := show(c.flag...); !strings.Contains(got, c.set+", flag\n") {
			t.Errorf("%q: got no %q in\n%s", c.flag, c.set, got)
		}
	}
	if got := show("-o", "json"); !strings.HasPrefix(got, "[") || !strings.HasPrefix(show(), "a2a-version: ") {
		t.Errorf("got %s, want text by default and JSON with the flag", got)
	}
}

// The settings of the screen are those of parley config, masked, and the check reads the file again.
func TestTheScreenListsTheSettingsAsConfigDoes(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "parley", "config.toml")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("redirect-port = 8800\nbearer = \"$TOKEN\"\n")
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	a := &app{ctx: t.Context(), env: environment{"XDG_CONFIG_HOME=" + dir, "XDG_STATE_HOME=" + dir, "HOME=" + dir, "TOKEN=s3cret-t0ken"}, streams: Streams{In: null, Out: null, Err: null}}
	root := a.rootCommand()
	if err := errors.Join(root.ParseFlags([]string{"--theme", "mono"}), a.configure(root, nil)); err != nil {
		t.Fatal(err)
	}
	s := workbench{}.settingsOf(a)
	for _, want := range []ui.Setting{{Name: "theme", Value: "mono", Source: "flag"}, {Name: "redirect-port", Value: "8800", Source: "redirect-port in " + path + ":1"}, {Name: "bearer", Value: a2a.Mask, Source: "bearer in " + path + ":2"}, {Name: "insecure", Value: "false", Source: "built-in default"}} {
		if !slices.Contains(s.List, want) {
			t.Errorf("got no setting %+v in %+v", want, s.List)
		}
	}
	if s.File != path || len(s.Check()) != 0 {
		t.Errorf("got file %s and mistakes %q, want %s without", s.File, s.Check(), path)
	}
	write("timeuot = \"7s\"\n[")
	if wrong := s.Check(); len(wrong) == 0 || !strings.Contains(strings.Join(wrong, " "), path) || !strings.HasSuffix(wrong[0], ".") {
		t.Errorf("got %q for a file that is no TOML, want sentences that name it", wrong)
	}
}
