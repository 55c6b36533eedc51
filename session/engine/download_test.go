package engine

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"parley/session/log"
	"parley/session/model"
	"parley/session/problem"
)

// serveFiles starts a server of files that counts its requests.
func serveFiles(t *testing.T) (url string, asked *atomic.Int32) {
	t.Helper()
	asked = new(atomic.Int32)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if r.URL.Path != "/report.csv" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/csv; charset=utf-8")
		_, _ = io.WriteString(w, "a,b\n1,2\n")
	}))
	t.Cleanup(s.Close)
	return s.URL, asked
}

func TestAFileIsFetchedOnceAskedForRecordedAndKept(t *testing.T) {
	t.Parallel()
	d := newHarness(t, nil)
	agent, _ := gateway(t)
	id := d.openAgent(agent.URL + "/api/v1/agentCards")
	url, asked := serveFiles(t)
	uri := url + "/report.csv?sig=hushhush&part=1"
	if d.state.Agent(id).File(uri) != nil || asked.Load() != 0 {
		t.Fatal("got a download before the user asked for it, want none")
	}
	if sig := d.waitForTurnEnd(d.DownloadFile(id, uri)); sig.Sentence != "" || sig.Conversation != 0 {
		t.Errorf("got turn end %+v, want no failure and no conversation", sig)
	}
	f := d.state.Agent(id).File(uri)
	if f == nil || string(f.Data) != "a,b\n1,2\n" || f.MediaType != "text/csv; charset=utf-8" || asked.Load() != 1 {
		t.Fatalf("got file %+v after %d requests, want the text/csv content after 1", f, asked.Load())
	}
	if strings.Contains(f.URI, "hushhush") {
		t.Errorf("file URI contains the secret: %s", f.URI)
	}
	if it := d.state.Log.At(f.Record); it == nil || !strings.Contains(log.Describe(it), "file at 127.0.0.1") {
		t.Errorf("got row %q, want one with \"file at 127.0.0.1\"", log.Describe(it))
	}
	for _, other := range []string{url + "/report.csv", url + "/report.csv?sig=hushhush&part=2", "https://x/report.csv?sig=a&part=1", ""} {
		if d.state.Agent(id).File(other) != nil {
			t.Errorf("File(%q) returned the file of another URI, want nil", other)
		}
	}
	if sig := d.waitForTurnEnd(d.DownloadFile(id, url+"/none")); !strings.Contains(sig.Sentence, "has no such file") {
		t.Errorf("got turn end %+v, want a sentence with \"has no such file\"", sig)
	}
	if sig := d.waitForTurnEnd(d.DownloadFile(id, "http://127.0.0.1:1/x")); sig.Sentence == "" {
		t.Errorf("got turn end %+v, want a failure", sig)
	}
	if a := d.state.Agent(id); a.Phase != model.Ready || len(a.Files) != 1 || len(a.Conversations) != 0 {
		t.Errorf("got phase %v, %d files, %d conversations; want ready, 1, 0", a.Phase, len(a.Files), len(a.Conversations))
	}
	if sig := d.waitForTurnEnd(d.DownloadFile(99, uri)); sig.Class != problem.ClassUnsent {
		t.Errorf("got turn end %+v for an unknown agent, want class unsent", sig)
	}
	if d.Trusts(id, uri) || d.Trusts(99, uri) {
		t.Error("Trusts returned true for a foreign origin or an unknown agent, want false")
	}
	d.finish()
}
