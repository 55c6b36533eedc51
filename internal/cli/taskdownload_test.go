package cli

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTaskDownloadSavesEveryPart(t *testing.T) {
	t.Parallel()
	files := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "from afar") }))
	t.Cleanup(files.Close)
	const odd = `{"id":"t1","contextId":"c1","status":{"state":"TASK_STATE_COMPLETED"},"artifacts":[
		{"artifactId":"a","name":"../../report","parts":[{"text":"one "},{"text":"two"},{"data":{"n":1}},{"raw":"AAEC","filename":"/etc/passwd"},{"url":"%s/x.pdf","filename":"x.pdf"}]},
		{"artifactId":"b","name":"report","parts":[{"text":"other"}]}]}`
	s := newStub(t, plainCard, func(q *asked, w http.ResponseWriter) {
		q.result(w, strings.ReplaceAll(fmt.Sprintf(odd, files.URL), "\n", ""))
	})
	dir := filepath.Join(t.TempDir(), "new", "folder")
	want := map[string]string{"report.txt": "one two", "report.json": "{\n  \"n\": 1\n}", "passwd": "\x00\x01\x02", "report (2).txt": "other"}
	for range 2 { // the second time saves nothing twice
		r := parley(t, "task", "download", "-a", s.URL, "t1", "--dir", dir)
		if r.code != 0 || strings.Count(r.out, "Saved: ") != 4 || !strings.Contains(r.err, "--urls downloads it") || !strings.HasSuffix(r.out, "Task: t1\nContext: c1\nState: completed\n") {
			t.Fatalf("got exit %d, want 0 and four files\n%s%s", r.code, r.out, r.err)
		}
		entries, err := os.ReadDir(dir)
		if err != nil || len(entries) != len(want) {
			t.Fatalf("got %v (%v), want %d files", entries, err, len(want))
		}
		for name, content := range want {
			if got := file(t, filepath.Join(dir, name)); got != content {
				t.Errorf("got %q in %s, want %q", got, name, content)
			}
		}
	}
	r := parley(t, "task", "download", "-a", s.URL, "t1", "--dir", dir, "--urls", "--artifact", "a", "-o", "json")
	if doc := document(t, r.out); r.code != 0 || at(doc, "files", 3, "size") != 9.0 || file(t, filepath.Join(dir, "x.pdf")) != "from afar" {
		t.Errorf("got exit %d, want 0 and the file behind the address\n%s%s", r.code, r.out, r.err)
	}
	if r = parley(t, "task", "download", "-a", s.URL, "t1", "--artifact", "none"); r.code != 2 || !strings.Contains(r.err, "no artifact") {
		t.Errorf("got exit %d and %q, want 2", r.code, r.err)
	}
}

func TestTaskDownloadOfAnUnknownTaskFails(t *testing.T) {
	t.Parallel()
	s := newStub(t, plainCard, func(q *asked, w http.ResponseWriter) { q.fail(w, -32001, "gone") })
	r := parley(t, "task", "download", "-a", s.URL, "t1", "--dir", t.TempDir(), "-o", "json")
	if doc := document(t, r.out); r.code != 1 || at(doc, "error", "code") != "TaskNotFoundError" {
		t.Errorf("got exit %d and %s, want 1 and TaskNotFoundError", r.code, r.out)
	}
}
