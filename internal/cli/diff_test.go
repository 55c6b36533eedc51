package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/internal/golden"
)

// changedSession writes the session of the exports with changes, and returns its path.
func changedSession(t *testing.T, changes ...string) string {
	t.Helper()
	text, err := os.ReadFile(booked)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "after.jsonl")
	if err := os.WriteFile(path, []byte(strings.NewReplacer(changes...).Replace(string(text))), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestDiffPrintsTheDifferences(t *testing.T) {
	t.Parallel()
	after := changedSession(t, "pack light", "pack a coat", "TASK_STATE_COMPLETED", "TASK_STATE_REJECTED", "91c2e0d4", "aaaae0d4")
	r := parley(t, "diff", booked, after)
	if r.code != 0 || r.err != "" {
		t.Fatalf("got exit %d\n%s", r.code, r.err)
	}
	golden.Compare(t, "diff.txt", strings.ReplaceAll(strings.ReplaceAll(r.out, booked, "before.jsonl"), after, "after.jsonl"))
	if strings.Contains(r.out, "\x1b") {
		t.Error("got escape sequences outside of a terminal")
	}
	for l := range strings.Lines(r.out) {
		if !strings.HasPrefix(l, "-") && !strings.HasPrefix(l, "+") && len([]rune(l)) > 81 {
			t.Errorf("got a line of %d letters: %q", len([]rune(l)), l)
		}
	}
	var doc struct {
		Differ  bool
		Prompts []struct{ Differ []string }
	}
	r = parley(t, "diff", booked, after, "-o", "json")
	if err := json.Unmarshal([]byte(r.out), &doc); err != nil || !doc.Differ || len(doc.Prompts) != 3 || len(doc.Prompts[1].Differ) != 1 {
		t.Errorf("got %v and\n%s", err, r.out)
	}
}

func TestDiffExitsByWhatCounts(t *testing.T) {
	t.Parallel()
	words := changedSession(t, "pack light", "pack a coat", "91c2e0d4", "aaaae0d4")
	for _, c := range []struct {
		args []string
		code int
	}{
		{[]string{booked, words, "--exit-code"}, 0},
		{[]string{booked, words, "--exit-code", "--only", "answers"}, 1},
		{[]string{booked, words, "--only", "answers"}, 0},
		{[]string{booked, words, "--exit-code", "--only", "states,artifacts,findings,card"}, 0},
		{[]string{booked, words, "--exit-code", "--only", "answers", "--ignore", "/artifacts/*/parts/*/text"}, 0},
		{[]string{booked + "#1", "#2", "--exit-code"}, 1},
		{[]string{booked + "#task=91c2", "#conversation=1", "--exit-code"}, 0},
		{[]string{booked + "#agent=travel", words, "--exit-code"}, 0},
	} {
		if r := parley(t, append([]string{"diff"}, c.args...)...); r.code != c.code || r.err != "" || r.out == "" {
			t.Errorf("%q: got exit %d, want %d\n%s%s", c.args, r.code, c.code, r.out, r.err)
		}
	}
}

func TestDiffRefusesWhatItCannotCompare(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{booked}, "takes two files"},
		{[]string{booked, "none.jsonl"}, `There is no file and no session "none.jsonl"`},
		{[]string{booked, file("empty.jsonl", "")}, "empty.jsonl cannot be opened: "},
		{[]string{booked, file("foreign.jsonl", "{\"a\":1}\n")}, "it is not a recorded session"},
		{[]string{booked, dir}, "cannot be opened: "},
		{[]string{booked + "#9", "#1"}, "no such conversation"},
		{[]string{booked + "#", booked}, "ends with #"},
		{[]string{"#1", "#2"}, "Neither side names a file"},
		{[]string{booked, booked, "--only", "words"}, `There is no aspect "words"`},
		{[]string{booked, booked, "--ignore", "x"}, "no JSON pointer"},
		{[]string{booked, booked, "-o", "xml"}, `There is no format "xml"`},
	} {
		if r := parley(t, append([]string{"diff", "--exit-code"}, c.args...)...); r.code != 2 || r.out != "" || !strings.Contains(r.err, c.says) {
			t.Errorf("%q: got exit %d, want 2 and %q\n%s%s", c.args, r.code, c.says, r.out, r.err)
		}
	}
}

// A torn file is compared as far as it can be read, and nothing hostile controls the terminal.
func TestDiffReadsTornAndHostileFiles(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(booked)
	if err != nil {
		t.Fatal(err)
	}
	torn := filepath.Join(t.TempDir(), "torn.jsonl")
	if err := os.WriteFile(torn, append(text[:len(text)/2], "\x1b[31m\nrest\n"...), 0o600); err != nil {
		t.Fatal(err)
	}
	r := parley(t, "diff", torn, "../../session/export/testdata/hostile.jsonl")
	if r.code != 0 || !strings.Contains(r.err, "Warning: "+torn+": ") {
		t.Errorf("got exit %d\n%s", r.code, r.err)
	}
	future := changedSession(t, `"version":1,`, `"version":99,`)
	if r := parley(t, "diff", booked, future); r.code != 0 || !strings.Contains(r.err, "names format version 99") || !strings.Contains(r.out, "3 prompts") {
		t.Errorf("got exit %d, want what can be read and a warning\n%s%s", r.code, r.out, r.err)
	}
	if strings.ContainsAny(r.out+r.err, "\x1b\x07\u202e") {
		t.Errorf("got characters that control\n%q", r.out)
	}
}
