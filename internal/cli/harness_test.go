package cli

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"parley/a2a/a2atest"
	"parley/a2a/a2atest/demo"
)

// A result is the output and exit status of one command line.
type result struct {
	out, err string
	code     int
}

// A commandLine is a command line and its environment. In a folder dir it runs in a process that is
// started there. It is stopped when its standard error matches until.
type commandLine struct {
	args  []string
	env   []string
	stdin string
	ctx   context.Context
	dir   string
	until *regexp.Regexp
	after waiting // of the engine, not of another process; nil waits
}

// run runs a command line, without a home.
func (c commandLine) run(t testing.TB) result {
	t.Helper()
	dir := t.TempDir()
	open := func(name, content string) *os.File {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	s := Streams{In: open("in", c.stdin), Out: open("out", ""), Err: open("err", "")}
	ctx := c.ctx
	if ctx == nil {
		ctx = t.Context()
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	if c.until != nil {
		go c.stop(ctx, t, stop, s.Err.Name())
	}
	var r result
	if c.dir == "" {
		after := c.after
		if after == nil {
			after = time.After
		}
		r.code = run(ctx, c.args, c.env, s, after)
	} else {
		r.code = c.process(ctx, t, s)
	}
	r.out, r.err = content(t, s.Out), content(t, s.Err)
	return r
}

// stop waits for the text in the file of standard error, and stops the command.
func (c commandLine) stop(ctx context.Context, t testing.TB, stop func(), file string) {
	defer stop()
	for deadline := time.Now().Add(time.Minute); ctx.Err() == nil; time.Sleep(time.Millisecond) {
		if text, err := os.ReadFile(file); err == nil && c.until.Match(text) {
			return
		}
		if time.Now().After(deadline) {
			t.Errorf("after a minute: got no %s on standard error", c.until)
			return
		}
	}
}

// background runs a command line that writes a ready file at path until stop is called, and returns
// what is in the file.
func (c commandLine) background(t *testing.T, path string) (ready []byte, stop func() result) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	over := make(chan result, 1)
	go func() {
		c.ctx = ctx
		over <- c.run(t)
	}()
	for deadline := time.Now().Add(time.Minute); ; {
		text, err := os.ReadFile(path)
		switch {
		case err == nil:
			return text, func() result { cancel(); return <-over }
		case !errors.Is(err, os.ErrNotExist):
			t.Fatal(err)
		case time.Now().After(deadline):
			t.Fatalf("after a minute: %s has written no ready file", c.args[0])
		}
		select {
		case r := <-over:
			t.Fatalf("got exit %d, want %s to run: %s", r.code, c.args[0], r.err)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func content(t testing.TB, f *os.File) string {
	t.Helper()
	b, err := os.ReadFile(f.Name())
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// parley runs a command line without special environment.
func parley(t testing.TB, args ...string) result {
	t.Helper()
	return commandLine{args: args}.run(t)
}

// demos starts the demo agents without pauses and returns their URLs by name.
func demos(t testing.TB) map[string]string {
	t.Helper()
	agents, stop, err := demo.Start(t.Context(), a2atest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	urls := map[string]string{}
	for _, a := range agents {
		urls[a.Name] = a.URL
	}
	return urls
}

// document parses output that must be a single JSON document.
func document(t testing.TB, out string) map[string]any {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(out))
	var doc map[string]any
	if err := dec.Decode(&doc); err != nil {
		t.Fatalf("got output %q (%v), want a JSON object", out, err)
	}
	if dec.More() {
		t.Fatalf("got more than one document, want one:\n%s", out)
	}
	return doc
}

// documents parses JSON lines.
func documents(t testing.TB, out string) []map[string]any {
	t.Helper()
	var docs []map[string]any
	for l := range strings.Lines(out) {
		var doc map[string]any
		if err := json.Unmarshal([]byte(l), &doc); err != nil || !strings.HasSuffix(l, "\n") {
			t.Fatalf("got line %q (%v), want a line of JSON", l, err)
		}
		docs = append(docs, doc)
	}
	return docs
}
