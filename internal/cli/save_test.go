package cli

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// filesIn returns the files below a folder with their content.
func filesIn(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			name, _ := filepath.Rel(dir, path)
			all[filepath.ToSlash(name)] = file(t, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// wantFiles compares the files below a folder.
func wantFiles(t *testing.T, dir string, want map[string]string) {
	t.Helper()
	got := filesIn(t, dir)
	for name, content := range want {
		if got[name] != content {
			t.Errorf("got %q in %s, want %q", got[name], name, content)
		}
	}
	if len(got) != len(want) {
		t.Errorf("got files %v, want %v", got, want)
	}
}

const savedTask = `{"task":{"id":"t1","contextId":"c1","status":{"state":"TASK_STATE_COMPLETED"},"artifacts":[` +
	`{"artifactId":"a","name":"../../report.md","parts":[{"text":"# One\n"}]},` +
	`{"artifactId":"b","name":"nul","parts":[{"raw":"AAEC","mediaType":"application/x-evil\u001b]0;x"}]},` +
	`{"artifactId":"c","name":"report.md","parts":[{"text":"other"},{"data":{"n":1}}]}]}}`

var savedFiles = map[string]string{"report.md": "# One\n", "_nul.bin": "\x00\x01\x02", "report (2).md": "other", "report (3).md": "{\n  \"n\": 1\n}"}

func TestSendSavesWhatCame(t *testing.T) {
	t.Parallel()
	s := newStub(t, plainCard, func(q *asked, w http.ResponseWriter) { q.result(w, savedTask) })
	dir := filepath.Join(t.TempDir(), "new", "folder")
	for range 2 { // the second time saves nothing twice
		r := parley(t, "send", "-a", s.URL, "hello", "--save", dir, "-o", "json")
		if r.code != 0 || strings.Count(r.err, "Saved: ") != 4 || strings.Contains(r.err, "\x1b") || at(document(t, r.out), "task", "id") != "t1" {
			t.Fatalf("got exit %d, want 0 and four files\n%s%s", r.code, r.out, r.err)
		}
		wantFiles(t, dir, savedFiles)
	}
}

func TestAStreamIsSavedArtifactByArtifact(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var early []string
	s := newStub(t, streamCard, func(q *asked, w http.ResponseWriter) {
		for _, event := range []string{task(working), growth("a", false, `{"text":"one "}`), growth("b", false, `{"text":"B"}`),
			strings.Replace(growth("a", true, `{"text":"two"}`), `"append":true`, `"append":true,"lastChunk":true`, 1)} {
			q.event(w, event)
		}
		for q.req.Context().Err() == nil {
			if _, err := os.Stat(filepath.Join(dir, "a.txt")); err == nil {
				early, _ = filepath.Glob(filepath.Join(dir, "[ab].txt"))
				break
			}
			runtime.Gosched()
		}
		q.event(w, growth("b", true, `{"text":"!"}`))
		q.event(w, status("COMPLETED"))
	})
	r := parley(t, "send", "-a", s.URL, "hello", "--stream", "--save", dir)
	if r.code != 0 || len(early) != 1 {
		t.Errorf("got exit %d and %v before the end, want 0 and a.txt alone\n%s%s", r.code, early, r.out, r.err)
	}
	wantFiles(t, dir, map[string]string{"a.txt": "one two", "b.txt": "B!"})
}

// What a stream that is cut brought is kept under a name that says so, until the whole came.
func TestAnIncompleteArtifactHasAnotherName(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := newStub(t, streamCard, func(q *asked, w http.ResponseWriter) {
		if q.Method == "GetTask" {
			q.fail(w, -32001, "gone")
			return
		}
		q.event(w, task(working))
		q.event(w, growth("a", false, `{"text":"begins"}`))
		panic(http.ErrAbortHandler)
	})
	r := parley(t, "send", "-a", s.URL, "hello", "--stream", "--save", dir)
	if r.code != 1 || !strings.Contains(r.err, "a.txt.part, incomplete") {
		t.Errorf("got exit %d, want 1 and a sentence\n%s%s", r.code, r.out, r.err)
	}
	wantFiles(t, dir, map[string]string{"a.txt.part": "begins"})
	whole := newStub(t, plainCard, func(q *asked, w http.ResponseWriter) {
		q.result(w, `{"id":"t1","contextId":"c1","status":{"state":"TASK_STATE_COMPLETED"},"artifacts":[{"artifactId":"a","parts":[{"text":"begins and ends"}]}]}`)
	})
	if r = parley(t, "task", "get", "-a", whole.URL, "t1", "--save", dir); r.code != 0 {
		t.Errorf("got exit %d, want 0\n%s", r.code, r.err)
	}
	wantFiles(t, dir, map[string]string{"a.txt": "begins and ends"})
}

func TestChatSavesEachTaskInAFolderOfItsOwn(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := newStub(t, plainCard, func(q *asked, w http.ResponseWriter) {
		q.result(w, fmt.Sprintf(`{"task":{"id":"../t%d","contextId":"c1","status":{"state":"TASK_STATE_COMPLETED"},"artifacts":[{"artifactId":"a","name":"x.txt","parts":[{"text":"%d"}]}]}}`, q.nth, q.nth))
	})
	r := commandLine{args: []string{"chat", s.URL, "--save", dir}, stdin: "one\ntwo\n"}.run(t)
	if r.code != 0 {
		t.Fatalf("got exit %d\n%s%s", r.code, r.out, r.err)
	}
	wantFiles(t, dir, map[string]string{"t1/x.txt": "1", "t2/x.txt": "2"})
}

// Where nothing can be saved, nothing is sent.
func TestAFolderThatCannotBeUsedIsRefused(t *testing.T) {
	t.Parallel()
	s := newStub(t, plainCard, func(q *asked, w http.ResponseWriter) { q.result(w, savedTask) })
	dir := t.TempDir()
	writeTo(t, "x", dir, "taken")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--save", filepath.Join(dir, "taken")}, "taken is a file: --save needs a folder."},
		{[]string{"--save", filepath.Join(dir, "taken", "below")}, "cannot be made: not a directory"},
		{[]string{"--urls"}, "--urls needs --save"},
		{[]string{"--save", dir, "--async"}, "contradict each other"},
	} {
		r := parley(t, append([]string{"send", "-a", s.URL, "hello"}, c.args...)...)
		if r.code != 2 || !strings.Contains(r.err, c.want) {
			t.Errorf("%q: got exit %d and %q, want 2 and %q", c.args, r.code, r.err, c.want)
		}
	}
	if n := len(s.asked("SendMessage")); n != 0 {
		t.Errorf("got %d messages, want none", n)
	}
}

func TestWhatIsSavedHasALimit(t *testing.T) {
	t.Parallel()
	s := newStub(t, plainCard, func(q *asked, w http.ResponseWriter) { q.result(w, savedTask) })
	r := parley(t, "send", "-a", s.URL, "hello", "--save", t.TempDir(), "--save-max", "7")
	if r.code != 1 || !strings.Contains(r.err, "--save-max raises the limit") || !strings.Contains(r.err, "Hint: parley task download") || !strings.Contains(r.out, "State: completed") {
		t.Errorf("got exit %d, want 1, the result and the limit\n%s%s", r.code, r.out, r.err)
	}
}

// A library serves one file in pieces: each answer breaks off after cut bytes.
type library struct {
	mu     sync.Mutex
	file   []byte
	tag    string
	cut    int // 0 for never
	ranges []string
	auth   []string
}

func (l *library) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ranges, l.auth = append(l.ranges, r.Header.Get("Range")), append(l.auth, r.Header.Get("Authorization"))
	w.Header().Set("Etag", l.tag)
	w.Header().Set("Content-Type", "application/pdf")
	from := 0
	if _, err := fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &from); err == nil && r.Header.Get("If-Range") == l.tag {
		w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, len(l.file)-1, len(l.file)))
		w.Header().Set("Content-Length", fmt.Sprint(len(l.file)-from))
		w.WriteHeader(http.StatusPartialContent)
	} else {
		from = 0
		w.Header().Set("Content-Length", fmt.Sprint(len(l.file)))
	}
	end := len(l.file)
	if l.cut > 0 {
		end = min(end, from+l.cut)
	}
	_, _ = w.Write(l.file[from:end])
	if end < len(l.file) {
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
}

// set changes the library and forgets what was requested.
func (l *library) set(file []byte, tag string, cut int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.file, l.tag, l.cut, l.ranges, l.auth = file, tag, cut, nil, nil
}

func (l *library) requests() (ranges, auth []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.ranges, l.auth
}

func TestADownloadThatIsCutGoesOn(t *testing.T) {
	t.Parallel()
	lib := &library{}
	files := httptest.NewServer(lib)
	t.Cleanup(files.Close)
	s := newStub(t, plainCard, func(q *asked, w http.ResponseWriter) {
		q.result(w, fmt.Sprintf(`{"id":"t1","contextId":"c1","status":{"state":"TASK_STATE_COMPLETED"},"artifacts":[{"artifactId":"a","name":"doc","parts":[{"url":"%s/x/book.pdf?sig=1"}]}]}`, files.URL))
	})
	whole := bytes.Repeat([]byte("0123456789"), 100)
	dir := t.TempDir()
	get := func() result {
		return parley(t, "task", "get", "-a", s.URL, "t1", "--save", dir, "--urls", "--bearer", "tok-secret")
	}
	lib.set(whole, `"v1"`, 400)
	if r := get(); r.code != 0 {
		t.Fatalf("cut twice: got exit %d, want 0\n%s", r.code, r.err)
	}
	wantFiles(t, dir, map[string]string{"book.pdf": string(whole)})
	ranges, auth := lib.requests()
	if got := strings.Join(ranges, ","); got != ",bytes=400-,bytes=800-" || strings.Join(auth, "") != "" {
		t.Errorf("got ranges %q and credentials %q, want two rests and no credentials", got, auth)
	}

	dir = t.TempDir()
	lib.set(whole, `"v1"`, 100) // too often for one run
	if r := get(); r.code != 1 || !strings.Contains(r.err, "400 bytes are kept") || len(filesIn(t, dir)) != 2 {
		t.Fatalf("got exit %d and files %v, want 1 and what came\n%s", r.code, filesIn(t, dir), r.err)
	}
	lib.set(whole, `"v1"`, 0)
	if r := get(); r.code != 0 {
		t.Errorf("second run: got exit %d, want 0\n%s", r.code, r.err)
	}
	if ranges, _ := lib.requests(); len(ranges) != 1 || ranges[0] != "bytes=400-" {
		t.Errorf("second run: got ranges %q, want the rest alone", ranges)
	}
	wantFiles(t, dir, map[string]string{"book.pdf": string(whole)})

	dir = t.TempDir()
	lib.set(whole, `"v1"`, 100)
	get()
	other := []byte("another book")
	lib.set(other, `"v2"`, 0)
	if r := get(); r.code != 0 {
		t.Errorf("changed file: got exit %d, want 0\n%s", r.code, r.err)
	}
	wantFiles(t, dir, map[string]string{"book.pdf": string(other)})
}

// A server without entity tags is asked for the whole file again by the next run.
func TestADownloadWithoutATagIsNotJoined(t *testing.T) {
	t.Parallel()
	lib := &library{}
	files := httptest.NewServer(lib)
	t.Cleanup(files.Close)
	s := newStub(t, plainCard, func(q *asked, w http.ResponseWriter) {
		q.result(w, fmt.Sprintf(`{"message":{"messageId":"m","role":"ROLE_AGENT","contextId":"c1","parts":[{"text":"here"},{"url":"%s/x","filename":"a.bin"}]}}`, files.URL))
	})
	dir := t.TempDir()
	lib.set([]byte("0123456789"), `W/"weak"`, 5)
	if r := parley(t, "send", "-a", s.URL, "hi", "--save", dir, "--urls"); r.code != 1 || len(filesIn(t, dir)) != 0 {
		t.Errorf("got exit %d and %v, want 1 and nothing\n%s", r.code, filesIn(t, dir), r.err)
	}
	lib.set([]byte("0123456789"), `W/"weak"`, 0)
	if r := parley(t, "send", "-a", s.URL, "hi", "--save", dir, "--urls"); r.code != 0 {
		t.Errorf("got exit %d, want 0\n%s", r.code, r.err)
	}
	wantFiles(t, dir, map[string]string{"a.bin": "0123456789"})
}
