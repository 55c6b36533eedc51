package causes

import (
	"context"
	"encoding/pem"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"parley/internal/cli"
)

// A report is a bug report, and what Parley has to say about its agent.
type report struct {
	name  string // the report, and what is wrong
	agent agent
	tls   bool
	run   string // the command line, with @ in place of the agent's URL
	code  int
	// line begins the line that complains, and first are words of its first sentence, with @ as in run. Without
	// words, no line complains.
	line  string
	first []string
	also  []string // in what the command prints, such as the remedy
	never []string // nowhere
}

// twice are advice that may start work a second time.
var twice = []string{"try again", "send it again", "send the message again", "as a new task"}

func TestTheFirstSentenceNamesCauseAndPlace(t *testing.T) {
	t.Parallel()
	for _, r := range reports(t) {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			s := httptest.NewUnstartedServer(r.agent)
			if r.tls {
				s.StartTLS()
			} else {
				s.Start()
			}
			t.Cleanup(s.Close)
			code, out, said := r.parley(t, s)
			if code != r.code {
				t.Errorf("got exit %d, want %d", code, r.code)
			}
			r.judge(t, s.URL, out, said)
			if t.Failed() {
				t.Logf("%s\n%s%s", r.run, out, said)
			}
		})
	}
}

// judge looks at what a command printed to standard output and standard error.
func (r *report) judge(t *testing.T, url, out, said string) {
	complaint := ""
	for line := range strings.Lines(said + out) {
		if r.line != "" && strings.HasPrefix(line, r.line) {
			complaint = line
			break
		}
		if r.line == "" && (strings.HasPrefix(line, "Error: ") || strings.HasPrefix(line, "Warning: ")) {
			t.Errorf("got %q, want no complaint", line)
		}
	}
	sentence := firstSentence(complaint)
	for _, words := range r.first {
		if words = strings.ReplaceAll(words, "@", url); !strings.Contains(sentence, words) {
			t.Errorf("got %q first, want %q in it", sentence, words)
		}
	}
	for _, words := range r.also {
		if words = strings.ReplaceAll(words, "@", url); !strings.Contains(out+said, words) {
			t.Errorf("got no %q", words)
		}
	}
	for _, words := range append(twice, r.never...) {
		if words = strings.ReplaceAll(words, "@", url); strings.Contains(out+said, words) {
			t.Errorf("got %q, want it nowhere", words)
		}
	}
}

// sentenceEnd is a full stop before another sentence.
var sentenceEnd = regexp.MustCompile(`[.”] [A-Z]`)

// firstSentence returns the first sentence of a line, behind its label.
func firstSentence(line string) string {
	_, text, _ := strings.Cut(strings.TrimSpace(line), ": ")
	if at := sentenceEnd.FindStringIndex(text); at != nil {
		text = text[:at[0]+1]
	}
	return text
}

// parley runs the command of a report as a user does, without a home of earlier runs.
func (r *report) parley(t *testing.T, s *httptest.Server) (code int, out, said string) {
	dir := t.TempDir()
	file := func(name string) *os.File {
		f, err := os.OpenFile(filepath.Join(dir, name), os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	args := strings.Fields(strings.ReplaceAll(r.run, "@", s.URL))
	if r.tls {
		ca := file("ca.pem")
		if err := pem.Encode(ca, &pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}); err != nil {
			t.Fatal(err)
		}
		args = append(args, "--cacert", ca.Name())
	}
	streams := cli.Streams{In: file("in"), Out: file("out"), Err: file("err")}
	env := []string{"HOME=" + dir, "XDG_CONFIG_HOME=" + dir, "XDG_STATE_HOME=" + dir, "XDG_DATA_HOME=" + dir, "XDG_CACHE_HOME=" + dir}
	code = cli.Run(context.WithoutCancel(t.Context()), args, env, streams)
	read := func(f *os.File) string {
		text, err := os.ReadFile(f.Name())
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	return code, read(streams.Out), read(streams.Err)
}
