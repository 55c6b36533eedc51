package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestPartsKeepTheirOrder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "report.bin")
	data := filepath.Join(dir, "order.json")
	for name, content := range map[string]string{file: "\x00\x01", data: "\ufeff{\"n\": 1}"} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := newStub(t, plainCard, done)
	r := commandLine{args: []string{"send", "-a", s.URL, "--text", "a", "--file", file, "--media-type", "application/pdf", "--text", "b",
		"--media-type", "text/markdown", "--data", "-", "--data", data, "--file", "https://h.example/p/q.png?x=1", "first", "words"}, stdin: `[1]`}.run(t)
	if r.code != 0 {
		t.Fatalf("got exit %d, want 0: %s", r.code, r.err)
	}
	parts, _ := at(s.only(t, "SendMessage").Params, "message", "parts").([]any)
	for i, want := range []map[string]any{
		{"text": "first words"},
		{"text": "a"},
		{"raw": "AAE=", "filename": "report.bin", "mediaType": "application/pdf"},
		{"text": "b", "mediaType": "text/markdown"},
		{"mediaType": "application/json"},
		{"mediaType": "application/json"},
		{"url": "https://h.example/p/q.png?x=1", "filename": "q.png", "mediaType": "image/png"},
	} {
		for name, value := range want {
			if at(parts, i, name) != value {
				t.Errorf("part %d: got %v, want %s %v", i, at(parts, i), name, value)
			}
		}
	}
	if at(parts, 4, "data", 0) != 1.0 || at(parts, 5, "data", "n") != 1.0 || len(parts) != 7 {
		t.Errorf("got parts %v, want 7", parts)
	}
	r = commandLine{args: []string{"send", "-a", s.URL, "-"}, stdin: "from a pipe"}.run(t)
	if sent := s.asked("SendMessage"); r.code != 0 || at(sent[1].Params, "message", "parts", 0, "text") != "from a pipe" {
		t.Errorf("got exit %d, want 0 and the piped text: %v", r.code, sent[1].Params)
	}
}

// A message that has only empty texts is not sent; an empty text beside another part is
// allowed.
func TestAnEmptyMessageIsNotSent(t *testing.T) {
	t.Parallel()
	s := newStub(t, plainCard, done)
	for _, c := range []struct {
		args  []string
		stdin string
		says  string
	}{
		{[]string{""}, "", "There is nothing to send: the text is empty."},
		{[]string{"-"}, "", "There is nothing to send: standard input is empty."},
		{[]string{"--text", ""}, "", "There is nothing to send: the value of --text is empty."},
		{[]string{"", "--text", "", "--text", ""}, "", "There is nothing to send: the text is empty."},
	} {
		r := commandLine{args: append([]string{"send", "-a", s.URL}, c.args...), stdin: c.stdin}.run(t)
		if r.code != 2 || !strings.Contains(r.err, c.says) || r.out != "" {
			t.Errorf("%q: got exit %d, want 2\n%s%s", c.args, r.code, r.out, r.err)
		}
	}
	if n := len(s.asked("SendMessage")); n != 0 {
		t.Errorf("got %d messages, want 0", n)
	}
	if r := parley(t, "send", "-a", s.URL, "", "--text", "x"); r.code != 0 {
		t.Errorf("empty text beside a part: got exit %d, want 0\n%s", r.code, r.err)
	}
}
