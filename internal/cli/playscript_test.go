package cli

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
)

// tripScript books a flight at the demo.
const tripScript = `# Book a flight.
Open demo "Travel Desk"
Say "Book me a flight"
Wait input-required
Answer "Lisbon"
Wait input-required
Answer "10 to 17 October"
Wait /Lisbon/
Show wire
Expect completed
Expect task /status/state = "TASK_STATE_COMPLETED"
Expect p95 below 20s
`

// writeScript writes a script and returns its path.
func writeScript(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "trip.parley")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// untimed returns the output of a script without its times.
func untimed(out string) string {
	out = regexp.MustCompile("(?m)^(ok  |FAIL|skip) .{9} +").ReplaceAllString(out, "$1 ")
	return regexp.MustCompile(" in .*\\.\n$").ReplaceAllString(out, "\n")
}

func TestAScriptIsPlayedOnTheDemo(t *testing.T) {
	t.Parallel()
	r := parley(t, "demo", writeScript(t, tripScript), "--headless", "--fast")
	want := `ok   2  Open demo "Travel Desk"
ok   3  Say "Book me a flight"
ok   4  Wait input-required
ok   5  Answer "Lisbon"
ok   6  Wait input-required
ok   7  Answer "10 to 17 October"
ok   8  Wait /Lisbon/
skip 9  Show wire
ok   10  Expect completed
ok   11  Expect task /status/state = "TASK_STATE_COMPLETED"
ok   12  Expect p95 below 20s
Passed: 11 steps
`
	if got := untimed(r.out); r.code != 0 || got != want {
		t.Errorf("got exit %d\n%s%s\nwant\n%s", r.code, got, r.err, want)
	}
}

// Two plays of a script on a recording print the same, but for the times.
func TestAScriptPlaysOnARecordingAsOnTheAgent(t *testing.T) {
	t.Parallel()
	path := writeScript(t, tripScript)
	recording := filepath.Join(filepath.Dir(path), "trip.jsonl")
	live := parley(t, "demo", path, "--headless", "--fast", "--record", recording)
	again := writeScript(t, strings.Replace(tripScript, `demo "Travel Desk"`, recording, 1))
	want := strings.Replace(untimed(live.out), `demo "Travel Desk"`, recording, 1)
	for range 2 {
		if r := parley(t, "demo", again, "--headless", "--fast"); r.code != 0 || untimed(r.out) != want {
			t.Errorf("got exit %d\n%s%s\nwant\n%s", r.code, r.out, r.err, want)
		}
	}
}

func TestTheFirstStepThatFailsEndsTheScript(t *testing.T) {
	t.Parallel()
	path := writeScript(t, "Open demo travel\nSay 'Hello'\nExpect /nonsense/\nSay 'never'\n")
	report := filepath.Join(filepath.Dir(path), "report.xml")
	r := parley(t, "demo", path, "--headless", "--fast", "--junit", report)
	if r.code != 1 || !strings.Contains(r.err, "Error: "+path+":3:1: Expected an answer with /nonsense/, but the answer is “") || strings.Contains(r.out, "never") {
		t.Errorf("got exit %d\n%s%s", r.code, r.out, r.err)
	}
	if strings.Count(r.err, "\n") != 1 {
		t.Errorf("got %q, want one sentence", r.err)
	}
	xml := file(t, report)
	for _, want := range []string{
		`tests="4" failures="1" errors="0" skipped="1"`,
		`<testcase classname="parley.demo.step" name="line 2: Say &#34;Hello&#34;">`,
		`:3:1: Expected an answer with /nonsense/`, `<skipped message="It was not reached.">`,
	} {
		if !strings.Contains(xml, want) {
			t.Errorf("got no %s in\n%s", want, xml)
		}
	}
}

func TestAScriptThatCannotBeReadPlaysNothing(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Open demo\nSai 'x'\n":          `:2:1: There is no verb "Sai". Did you mean Say?`,
		"Open demo\nSay \"x\n":          ":2:5: The quote is not closed",
		"Wait /(/":                      ":1:6: The regular expression is wrong",
		"\x00\x01\x02":                  ":1:1: Here stands a byte that is no text",
		"":                              ":1:1: The script has no step",
		strings.Repeat("Say 'x' ", 2e5): ":1:1: A script has at most 1 MB.",
	} {
		path := writeScript(t, text)
		for _, c := range []commandLine{{args: []string{"demo", path, "--headless"}}, {args: []string{"demo", "-", "--headless"}, stdin: text}} {
			r := c.run(t)
			name := path
			if c.stdin != "" || c.args[1] == "-" {
				name = "stdin"
			}
			if r.code != 2 || r.out != "" || !strings.Contains(r.err, "Error: "+name+want) {
				t.Errorf("%.20q: got exit %d and %q, want 2 and %q\n%s", text, r.code, r.out, want, r.err)
			}
		}
	}
}

func TestWhatAScriptCannotOpenIsToldInOneSentence(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for name, text := range map[string]string{"other.jsonl": "root:x:0:0\n", "empty.jsonl": ""} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for step, want := range map[string]string{
		"Open nowhere.jsonl":      "nowhere.jsonl cannot be played: no such file or directory.",
		"Open other.jsonl":        "other.jsonl cannot be played: it is not a recorded session",
		"Open empty.jsonl":        "empty.jsonl cannot be played: ",
		"Open demo Nobody":        "The demo has no agent “Nobody”: it has Travel Desk, Scribe, Old Clerk",
		"Open demo e":             "The demo has no agent “e”",
		"Open $AGENT":             "The variable AGENT is not set: it has to name the agent.",
		"Open elsewhere":          `"elsewhere" is neither a saved agent nor an address`,
		"Open http://127.0.0.1:1": "Expected http://127.0.0.1:1 to answer, but it did not: “",
		"Say 'x'":                 "Open stands before Say",
	} {
		path := filepath.Join(folder, "x.parley")
		if err := os.WriteFile(path, []byte(step+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		r := parley(t, "demo", path, "--headless")
		if r.code != 1 || !strings.Contains(r.err, "Error: "+path+":1:1: ") || !strings.Contains(r.err, want) {
			t.Errorf("%s: got exit %d and %s, want 1 and %q", step, r.code, r.err, want)
		}
	}
}

// An agent that never answers ends the play after the time allowed, and one that answers with an
// error at once.
func TestALiveAgentThatFails(t *testing.T) {
	t.Parallel()
	s := newStub(t, plainCard, func(q *asked, w http.ResponseWriter) {
		if strings.Contains(textIn(q), "hang") {
			<-q.req.Context().Done()
			return
		}
		q.fail(w, -32603, "out of order")
	})
	for text, want := range map[string]string{
		"Say 'hang'\nWait completed within 200ms":       ":3:1: Expected the state completed within 200 ms, but no answer has come.",
		"Set timeout 200ms\nSay 'hang'\nExpect 'x'":     ":4:1: Expected the end of the answer to line 3 within 200 ms, but no answer has come.",
		"Set timeout 200ms\nSay 'hang'":                 ":3:1: Expected the end of the answer to line 3 within 200 ms, but no answer has come.",
		"Say 'x'":                                       ":2:1: Expected an answer, but an error came: “",
		"Say 'x'\nExpect completed":                     ":3:1: Expected the state completed, but an error came: “",
		"Say 'x'\nExpect error /out of order/\nSay 'y'": ":4:1: Expected an answer, but an error came: “",
	} {
		path := writeScript(t, "Open $AGENT\n"+text+"\n")
		r := commandLine{args: []string{"demo", path, "--headless"}, env: []string{"AGENT=" + s.URL}}.run(t)
		if r.code != 1 || !strings.Contains(r.err, want) {
			t.Errorf("%q: got exit %d and %s%s, want 1 and %q", text, r.code, r.out, r.err, want)
		}
	}
}

// textIn returns the text of a message that an agent received.
func textIn(q *asked) string {
	text, _ := at(q.Params, "message", "parts", 0, "text").(string)
	return text
}

func TestAFallbackGoesOnFromARecording(t *testing.T) {
	t.Parallel()
	path := writeScript(t, tripScript)
	recording := filepath.Join(filepath.Dir(path), "trip.jsonl")
	if r := parley(t, "demo", path, "--headless", "--fast", "--record", recording); r.code != 0 {
		t.Fatal(r.err)
	}
	broken := newStub(t, plainCard, func(q *asked, w http.ResponseWriter) { q.fail(w, -32603, "out of order") })
	for _, agent := range []string{"http://127.0.0.1:1", broken.URL} {
		live := writeScript(t, strings.Replace(tripScript, `demo "Travel Desk"`, agent, 1))
		r := parley(t, "demo", live, "--headless", "--fast", "--fallback", recording)
		if r.code != 0 || !strings.Contains(r.out, "Expect completed  (recorded)\n") || !strings.Contains(r.err, "Recorded: ") {
			t.Errorf("%s: got exit %d\n%s%s", agent, r.code, r.out, r.err)
		}
	}
	if r := parley(t, "demo", path, "--headless", "--fallback", path); r.code != 2 || !strings.Contains(r.err, "it is not a recorded session") {
		t.Errorf("got exit %d and %s, want 2 and a refusal", r.code, r.err)
	}
	wrong := writeScript(t, "Open demo\nSay 'Hello'\nExpect 'nonsense'\n")
	if r := parley(t, "demo", wrong, "--headless", "--fast", "--fallback", recording); r.code != 1 || strings.Contains(r.out, "recorded") {
		t.Errorf("got exit %d and %s, want a failure of the live agent to stay one", r.code, r.out)
	}
}

// An agent that dies in the middle of a talk is replaced from the newest message on.
func TestAFallbackBeginsWithTheMessageThatFailed(t *testing.T) {
	t.Parallel()
	var failing atomic.Bool
	s := newStub(t, plainCard, func(q *asked, w http.ResponseWriter) {
		if failing.Load() && textIn(q) == "two" {
			cut(w)
			return
		}
		done(q, w)
	})
	path := writeScript(t, "Open "+s.URL+"\nSay 'one'\nExpect completed\nSay 'two'\nExpect completed\nSay 'three'\n")
	recording := filepath.Join(filepath.Dir(path), "talk.jsonl")
	if r := parley(t, "demo", path, "--headless", "--record", recording); r.code != 0 {
		t.Fatal(r.err)
	}
	failing.Store(true)
	again := writeScript(t, strings.Replace(file(t, path), "Say 'two'\n", "Say 'two'\nWait completed\n", 1))
	r := parley(t, "demo", again, "--headless", "--fast", "--fallback", recording)
	want := `ok   1  Open AGENT
ok   2  Say "one"
ok   3  Expect completed
ok   4  Say "two"
FAIL 5  Wait completed
ok   4  Say "two"  (recorded)
ok   5  Wait completed  (recorded)
ok   6  Expect completed  (recorded)
ok   7  Say "three"  (recorded)
Passed: 7 steps
`
	if got := strings.Replace(untimed(r.out), s.URL, "AGENT", 1); r.code != 0 || got != want {
		t.Errorf("got exit %d\n%s%s\nwant\n%s", r.code, got, r.err, want)
	}
}

// Two agents of one name are told apart by their addresses.
func TestAFallbackStandsInForTheAgentAtTheSameAddress(t *testing.T) {
	t.Parallel()
	var failing atomic.Bool
	answers := func(text string) *stub {
		return newStub(t, plainCard, func(q *asked, w http.ResponseWriter) {
			if failing.Load() && text == "second" {
				cut(w)
				return
			}
			q.result(w, `{"message":{"messageId":"`+text+strconv.Itoa(q.nth)+`","role":"ROLE_AGENT","parts":[{"text":"`+text+`"}]}}`)
		})
	}
	first, second := answers("first"), answers("second")
	path := writeScript(t, "Open "+first.URL+"\nSay 'x'\nExpect 'first'\nOpen "+second.URL+"\nSay 'x'\nExpect 'second'\nOpen "+first.URL+"\nSay 'x'\nExpect 'first'\n")
	recording := filepath.Join(filepath.Dir(path), "two.jsonl")
	if r := parley(t, "demo", path, "--headless", "--record", recording); r.code != 0 {
		t.Fatal(r.out, r.err)
	}
	failing.Store(true)
	r := parley(t, "demo", path, "--headless", "--fast", "--fallback", recording)
	if r.code != 0 || strings.Count(r.out, "(recorded)\n") < 5 {
		t.Errorf("got exit %d\n%s%s", r.code, r.out, r.err)
	}
}

func TestTrialsMeasureAnAgent(t *testing.T) {
	t.Parallel()
	s := newStub(t, plainCard, func(q *asked, w http.ResponseWriter) {
		if q.nth == 3 {
			q.fail(w, -32603, "out of order")
			return
		}
		done(q, w)
	})
	path := writeScript(t, "Open "+s.URL+"\nSay 'x'\nExpect completed\nExpect p95 below 1h\nExpect p50 below 1us\n")
	report := filepath.Join(filepath.Dir(path), "report.xml")
	r := parley(t, "demo", path, "--headless", "--trials", "4", "--junit", report)
	for _, want := range []string{"FAIL", "trial 3: " + path + ":3:1: Expected the state completed, but an error came", "Passed 3 of 4 trials (75 %).\n", "        4  line 2: Say \"x\"\n", "        4  all\n"} {
		if !strings.Contains(r.out, want) {
			t.Errorf("got no %q in\n%s", want, r.out)
		}
	}
	if r.code != 1 || !strings.Contains(r.err, path+":5:1: Expected p50 below ") || strings.Contains(r.err, ":4:1:") || !strings.Contains(r.err, "Error: 1 of 4 trials failed, the first one at "+path+":3:1: ") {
		t.Errorf("got exit %d and %s, want the time that is too long", r.code, r.err)
	}
	if xml := file(t, report); !strings.Contains(xml, `tests="5" failures="2"`) || !strings.Contains(xml, `name="trial 3"`) {
		t.Errorf("got\n%s", xml)
	}
}

func TestFlagsOfAScriptThatContradict(t *testing.T) {
	t.Parallel()
	path := writeScript(t, tripScript)
	for _, c := range []struct{ line, says string }{
		{"--headless", "need a script"},
		{path + " --headless --trials 0", "from 1 to 10000"},
		{path + " --headless --trials 2 --fallback x", "--fallback has no place"},
		{path + " --headless --trials 2 --record x", "--record records one play"},
		{path + " --trials 2", "need --headless"},
		{path + " --headless --fallback nowhere", "nowhere"},
		{path + " --headless --junit /nowhere/x", "The file /nowhere/x of --junit cannot be written"},
		{path + " --headless --record " + path, "already exists"},
		{path + " " + path, "takes one script"},
		{filepath.Dir(path) + " --headless", "it is a folder"},
	} {
		r := parley(t, append([]string{"demo"}, strings.Fields(c.line)...)...)
		if r.code != 2 || !strings.Contains(r.err, c.says) {
			t.Errorf("%s: got exit %d and %s, want 2 and %q", c.line, r.code, r.err, c.says)
		}
	}
}

func TestAScriptCanBeInterrupted(t *testing.T) {
	t.Parallel()
	arrived := make(chan struct{}, 1)
	s := newStub(t, plainCard, func(q *asked, w http.ResponseWriter) {
		select {
		case arrived <- struct{}{}:
		default:
		}
		<-q.req.Context().Done()
	})
	path := writeScript(t, "Open "+s.URL+"\nSay 'x'\n")
	ctx, stop := context.WithCancel(t.Context())
	over := make(chan result)
	go func() { over <- commandLine{args: []string{"demo", path, "--headless"}, ctx: ctx}.run(t) }()
	<-arrived
	stop()
	if r := <-over; r.code != 1 || !strings.Contains(r.err, "Stopped by Parley at line 2 of the script.") {
		t.Errorf("got exit %d and %s, want 1 and where it stopped", r.code, r.err)
	}
}

// A recorded session is exported as a script, which plays again: the address of a demo's agent is
// another one then.
func TestASessionIsExportedAsAScriptThatPlaysAgain(t *testing.T) {
	t.Parallel()
	path := writeScript(t, tripScript)
	recording, again := filepath.Join(filepath.Dir(path), "trip.jsonl"), filepath.Join(filepath.Dir(path), "again.parley")
	if r := parley(t, "demo", path, "--headless", "--fast", "--record", recording); r.code != 0 {
		t.Fatal(r.err)
	}
	if r := parley(t, "export", recording, "-o", again); r.code != 0 {
		t.Fatal(r.err)
	}
	text := file(t, again)
	for _, want := range []string{"Open demo \"Travel Desk\"\n", "Say \"Book me a flight\"\nWait input-required\nAnswer \"Lisbon\"\n", "Wait completed\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("got no %q in\n%s", want, text)
		}
	}
	if r := parley(t, "demo", again, "--headless", "--fast"); r.code != 0 {
		t.Errorf("got exit %d\n%s%s", r.code, r.out, r.err)
	}
}

// The agents of the demo are opened by their names in exported scripts.
func TestAnExportedScriptKnowsTheAgentsOfTheDemo(t *testing.T) {
	t.Parallel()
	for name, url := range demos(t) {
		recording := filepath.Join(t.TempDir(), "x.jsonl")
		parley(t, "send", "-a", url, "Good morning", "--record", recording, "--timeout", "1m")
		if r := parley(t, "export", recording, "--as", "script", "-o", "-"); !strings.Contains(r.out, "Open demo "+shellQuoted(name)) {
			t.Errorf("%s: got\n%s", name, r.out)
		}
	}
}

// shellQuoted returns a name in double quotes if it has a space.
func shellQuoted(name string) string {
	if strings.Contains(name, " ") {
		return `"` + name + `"`
	}
	return name
}

// The examples of the manual that open the demo pass.
func TestTheExamplesOfScriptsPlay(t *testing.T) {
	t.Parallel()
	played := 0
	for _, block := range strings.Split(file(t, "../../docs/scripts.md"), "```parley\n")[1:] {
		text, _, _ := strings.Cut(block, "```")
		if !strings.Contains(text, "Open demo") {
			continue
		}
		if r := parley(t, "demo", writeScript(t, text), "--headless", "--fast"); r.code != 0 {
			t.Errorf("got exit %d from\n%s\n%s%s", r.code, text, r.out, r.err)
		}
		played++
	}
	if played == 0 {
		t.Error("got no example of the demo in docs/scripts.md, want one")
	}
}
