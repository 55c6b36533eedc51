//go:build unix

package oracle

import (
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"parley/a2a/a2atest/demo"
)

// words replaces what differs from run to run in the output of one story.
type words struct {
	place string // the folder of the story
	exact bool
	known *strings.Replacer // folders and addresses of agents
	names []string          // NAME=URL of the agents
	ids   []string          // in order of appearance
}

func newWords(place string, agents []demo.Agent, exact bool) *words {
	w := &words{place: place, exact: exact}
	pairs := []string{filepath.Join(place, "home"), "HOME", filepath.Join(place, "work"), "WORK"}
	for i, a := range agents {
		name := []string{"TRAVEL", "SCRIBE", "CLERK", "SABOTEUR"}[i]
		w.names = append(w.names, name+"="+a.URL)
		pairs = append(pairs, strings.TrimPrefix(a.URL, "http://"), strings.ToLower(name))
	}
	w.known = strings.NewReplacer(pairs...)
	return w
}

// variables assigns the agents and ids of the story to variables of the shell.
func (w *words) variables() string {
	var b strings.Builder
	for _, name := range w.names {
		b.WriteString(name + "; ")
	}
	for i, id := range w.ids {
		fmt.Fprintf(&b, "id%d=%s; ", i+1, id)
	}
	return b.String()
}

const uuid = `\b[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\b`

var (
	anID    = regexp.MustCompile(uuid)
	encoded = regexp.MustCompile(`[A-Za-z0-9+/]{200,}={0,2}`)
	hidden  = regexp.MustCompile("[\x00-\x08\x0b-\x1f\x7f-\u009f]")
)

// version is that of Parley; an agent may have the same.
var version = regexp.MustCompile(`\b([Pp]arley(?:: |/| ))\d+\.\d+\.\d+(-[\w.]+)?`)

// systems replaces the version of Go and the system.
var systems = strings.NewReplacer(runtime.Version(), "GOVERSION", runtime.GOOS+"/"+runtime.GOARCH, "SYSTEM")

// unstable are the replacements for lines that talk to agents, in their order.
var unstable = []struct {
	find *regexp.Regexp
	by   string
}{
	{regexp.MustCompile(`\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)?`), "TIME"},
	{regexp.MustCompile(`\b\w{3}, \d\d \w{3} 20\d\d \d\d:\d\d:\d\d GMT`), "DATE"},
	{regexp.MustCompile(`\b127\.0\.0\.1:\d{2,}`), "127.0.0.1:PORT"},
	{regexp.MustCompile(`\b\d\d:\d\d:\d\d\.\d{3}\b`), "CLOCK"},
	{regexp.MustCompile(` \(\d+(\.\d+)? m?s\)`), ""},                              // of a check that took a while
	{regexp.MustCompile(`(?m)^(ok|FAIL) +(< )?\d+(\.\d+)? m?s `), "$1 DURATION "}, // of a step, in a column
	{regexp.MustCompile(`\b(steps in) \d+(\.\d+)? m?s\b`), "$1 DURATION"},         // of all steps
	{regexp.MustCompile(` time="[\d.]+"`), ` time="SECONDS"`},
	{regexp.MustCompile(`"pid": \d+`), `"pid": PID`},
}

func (w *words) replace(text string) string {
	text = w.known.Replace(text)
	if !w.exact {
		text = anID.ReplaceAllStringFunc(text, w.id)
		for _, u := range unstable {
			text = u.find.ReplaceAllString(text, u.by)
		}
	}
	text = systems.Replace(version.ReplaceAllString(text, "${1}VERSION"))
	text = encoded.ReplaceAllStringFunc(text, func(s string) string {
		return fmt.Sprintf("(%d characters, SHA-256 %.4x)", len(s), sha256.Sum256([]byte(s)))
	})
	return hidden.ReplaceAllStringFunc(text, func(s string) string { return fmt.Sprintf("\\x%02x", []rune(s)[0]) })
}

// id returns the word of an id.
func (w *words) id(id string) string {
	for i, known := range w.ids {
		if known == id {
			return fmt.Sprintf("id%d", i+1)
		}
	}
	w.ids = append(w.ids, id)
	return fmt.Sprintf("id%d", len(w.ids))
}

func TestWhatDiffersIsReplaced(t *testing.T) {
	w := newWords("/tmp/place", []demo.Agent{{URL: "http://127.0.0.1:40001"}}, false)
	const first, second = "0d3b0f0e-1b1b-4c4c-8d8d-0123456789ab", "1d3b0f0e-1b1b-4c4c-8d8d-0123456789ab"
	for _, c := range [][2]string{
		{first + " " + second + " " + first, "id1 id2 id1"},
		{"http://127.0.0.1:40001/a http://127.0.0.1:40002 127.0.0.1:1", "http://travel/a http://127.0.0.1:PORT 127.0.0.1:1"},
		{"/tmp/place/home/x /tmp/place/work", "HOME/x WORK"},
		{"2026-11-29T03:22:01.5Z, Sun, 29 Nov 2026 03:22:01 GMT, 03:22:01.123", "TIME, DATE, CLOCK"},
		{"Ok: card (12 ms)\nOk: card\n", "Ok: card\nOk: card\n"},
		{"ok      < 1 ms     4  Pause 5s\nFAIL      22 ms     5  Pause 5s", "ok DURATION     4  Pause 5s\nFAIL DURATION     5  Pause 5s"},
		{"parley/0.1.0-dev, parley 12.0.1 (" + runtime.Version() + "), Version: 0.1.0", "parley/VERSION, parley VERSION (GOVERSION), Version: 0.1.0"},
		{"\x1b[7m\ta", "\\x1b[7m\ta"},
	} {
		if got := w.replace(c[0]); got != c[1] {
			t.Errorf("%q: got %q, want %q", c[0], got, c[1])
		}
	}
	if got, want := w.variables(), "TRAVEL=http://127.0.0.1:40001; id1="+first+"; id2="+second+"; "; got != want {
		t.Errorf("got variables %q, want %q", got, want)
	}
	if got := newWords("/tmp/place", nil, true).replace(first + " (12 ms)"); got != first+" (12 ms)" {
		t.Errorf("got %q in an exact group, want it as it is", got)
	}
}
