package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// booked is a session of the package of exports.
const booked = "../../session/export/testdata/booking.jsonl"

func TestExportWritesAFile(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "talk.md")
	r := parley(t, "export", booked, "-o", out, "--conversation", "1", "--redact", `\d{4}( \d{4}){3}`)
	text, err := os.ReadFile(out)
	if r.code != 0 || err != nil || !strings.Contains(string(text), "Your card ••• is charged.") || !strings.Contains(r.err, "Saved: ") {
		t.Fatalf("got exit %d, %v and\n%s%s", r.code, err, text, r.err)
	}
	if info, _ := os.Stat(out); info.Mode().Perm() != 0o600 {
		t.Errorf("got mode %v, want a file that only its owner reads", info.Mode())
	}
	if r := parley(t, "export", booked, "-o", out); r.code != 2 || !strings.Contains(r.err, "already exists and was not changed") {
		t.Errorf("got exit %d, want 2 and a refusal\n%s", r.code, r.err)
	}
	if r := parley(t, "export", booked, "-o", out, "--force"); r.code != 0 {
		t.Errorf("got exit %d, want 0\n%s", r.code, r.err)
	}
}

func TestExportWritesToStandardOutput(t *testing.T) {
	t.Parallel()
	r := parley(t, "export", booked, "--as", "curl", "-o", "-", "--filter", "method:SendMessage")
	if r.code != 0 || !strings.HasPrefix(r.out, "#!/bin/sh\n") || strings.Count(r.out, "\ncurl ") != 1 || r.err != "" {
		t.Errorf("got exit %d and\n%s%s\nwant one command", r.code, r.out, r.err)
	}
}

func TestExportRefusesWhatItCannotDo(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{booked}, 2, "No format was named: --as takes html, "},
		{[]string{booked, "--as", "pdf"}, 2, `There is no format "pdf"`},
		{[]string{booked, "-o", "x.pdf"}, 2, "No format was named"},
		{[]string{booked, "-o", booked, "--force"}, 2, "is the session itself"},
		{[]string{"none.jsonl", "--as", "md", "-o", "-"}, 2, `There is no file and no session "none.jsonl"`},
		{[]string{"export_test.go", "--as", "md", "-o", "-"}, 2, "it is not a recorded session"},
		{[]string{booked, "--as", "md", "--redact", "("}, 2, "is no regular expression"},
		{[]string{booked, "--as", "md", "-o", "-", "--filter", "kind:("}, 2, "The filter is wrong: "},
		{[]string{booked, "--as", "md", "-o", "-", "--conversation", "x"}, 2, "no such conversation"},
		{[]string{booked, "--as", "md", "-o", filepath.Join(t.TempDir(), "no", "x.md")}, 2, "its folder does not exist"},
		{[]string{}, 2, "takes one session"},
	} {
		r := parley(t, append([]string{"export"}, c.args...)...)
		if r.code != c.code || r.out != "" || !strings.Contains(r.err, c.says) {
			t.Errorf("%q: got exit %d, want %d and %q\n%s%s", c.args, r.code, c.code, c.says, r.out, r.err)
		}
	}
}

func TestExportHasTheCommentsOfTheUser(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	session, err := os.ReadFile(booked)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "s.jsonl"), session, 0o600)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "s.annotations.json"), []byte(`{"parley":"annotations","version":1,"title":"The <slow> one","records":[{"id":7,"mark":true,"comment":"why </p> topsecret?"}]}`), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	for format, want := range map[string]string{"html": `<p class="comment">★ why &lt;/p&gt; •••?</p>`, "har": `"comment":"why \u003c/p\u003e •••?"`, "md": "> why \\</p> •••?"} {
		args := []string{"export", filepath.Join(dir, "s.jsonl"), "--as", format, "-o", "-", "--redact", "topsecret"}
		if format == "md" {
			args = append(args, "--filter", "marked")
		}
		if r := parley(t, args...); r.code != 0 || !strings.Contains(r.out, want) || strings.Contains(r.out, "topsecret") {
			t.Errorf("%s: got exit %d and\n%.3000s\nwant %q", format, r.code, r.out, want)
		}
	}
	if r := parley(t, "export", filepath.Join(dir, "s.jsonl"), "--as", "html", "-o", "-"); !strings.Contains(r.out, "<h1>The &lt;slow&gt; one</h1>") {
		t.Errorf("got no title")
	}
}

// An asciicast has the colours of the theme that was named, and of a dark one otherwise.
func TestAnAsciicastHasATheme(t *testing.T) {
	t.Parallel()
	cast := func(args ...string) string {
		r := parley(t, append([]string{"export", booked, "--as", "asciicast", "-o", "-"}, args...)...)
		if r.code != 0 {
			t.Fatalf("%q: got exit %d\n%s", args, r.code, r.err)
		}
		return r.out
	}
	if dark := cast(); dark != cast("--theme", "dark") || dark != cast("--theme", "auto") || dark == cast("--theme", "nord") {
		t.Error("got other colours, want dark ones by default and those of nord where it is named")
	}
	if r := parley(t, "export", booked, "--as", "asciicast", "-o", "-", "--theme", "none-such"); r.code != 2 || !strings.Contains(r.err, "There is no theme none-such") {
		t.Errorf("got exit %d and %q, want 2", r.code, r.err)
	}
}
