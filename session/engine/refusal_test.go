package engine

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"parley/a2a"
	"parley/session/model"
	"parley/session/problem"
	"parley/session/sessiontest"
	"parley/session/task"
)

// claiming serves a card of another dialect than the station's, which has no methods but its
// own.
func (s *station) claiming(t *testing.T, version string) string {
	var url string
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"name":"Station","version":"1",%s"url":%q,"capabilities":{"streaming":true},"skills":[]}`, version, url)
			return
		}
		s.ServeHTTP(w, r)
	}))
	t.Cleanup(srv.Close)
	url = srv.URL
	return url
}

// However many dialects reject a message before one answers, its turn shows the answer, and one
// line names the rejected ones.
func TestAMessageRefusedAndThenAnsweredShowsItsAnswer(t *testing.T) {
	t.Parallel()
	versions := []string{`"protocolVersion":"0.3.0",`, `"protocolVersion":"1.0",`, `"protocolVersion":"0.2.5",`, `"protocolVersion":"0.1.0",`, ``, `"protocolVersion":"banana",`}
	forEachDialect(t, func(t *testing.T, g *sessiontest.EventWriter) {
		t.Parallel()
		for _, version := range versions {
			for mode := range 8 {
				stream, async, over := mode&1 != 0, mode&2 != 0, mode&4 != 0
				t.Run(fmt.Sprintf("%s stream %v async %v over %v", version, stream, async, over), func(t *testing.T) {
					s := newStation(t, g, func(_ *station, method string, q inquiry, say func(string), fail func(int)) {
						task := q.named("t")
						switch {
						case method == "stream" && stream, method == "send" && over:
							say(g.Sent(g.Finished(task, "here", "the answer")))
						case method == "send":
							say(g.Whole(task, "here", a2a.StateWorking))
						case method == "get" && !over:
							say(g.Finished(task, "here", "the answer"))
						default:
							fail(-32601)
						}
					})
					d := newHarness(t, nil)
					id := d.openAgent(s.claiming(t, version))
					o := model.SendOptions{Stream: a2a.True, Async: async}
					if !stream {
						o.Stream = a2a.False
					}
					turn, sig := d.sendText(model.Target{Agent: id}, "go", o)
					wants := "the answer"
					if !stream && async && !over {
						wants = "working"
					}
					pr := sessiontest.Problems(turn)
					if len(turn.Blocks) == 0 || sig.Sentence != "" || !slices.Contains(entryTexts(turn), wants) || len(pr) > 1 {
						t.Errorf("got turn end %q, %d blocks, texts %q; want no failure and %q\n%s", sig.Sentence, len(turn.Blocks), entryTexts(turn), wants, d.log())
					}
					dialects := map[string]bool{}
					for i := range d.items {
						if r := &d.items[i].Record; r.Kind == a2a.KindRequest && r.Call != nil && task.SendsMessage(r.Call.Op) {
							dialects[r.Call.Dialect.Number()] = true
						}
					}
					for tried := range dialects {
						if len(dialects) > 1 && (len(pr) != 1 || pr[0].Class != problem.ClassFallback || !strings.Contains(pr[0].Sentence, tried+" over JSON-RPC")) {
							t.Errorf("after %s: got problems %+v, want one of class fallback that names the dialect\n%s", tried, pr, d.log())
						}
					}
					d.finish()
				})
			}
		}
	})
}
