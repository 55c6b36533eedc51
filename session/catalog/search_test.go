package catalog_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/a2a"
	"parley/session/catalog"
	"parley/session/sessiontest"
)

// search returns the hits of a text in files.
func search(ctx context.Context, text string, paths ...string) (hits []catalog.Hit) {
	var sessions []catalog.Session
	for _, path := range paths {
		sessions = append(sessions, catalog.Session{Path: path})
	}
	catalog.Search(ctx, sessions, text, func(_ *catalog.Session, found []catalog.Hit) { hits = append(hits, found...) })
	return hits
}

func TestTextIsFoundAsTheUserSawIt(t *testing.T) {
	w := begin(t, t.TempDir(), "s")
	x := w.ask(1, "Plan a \"short\" trip\nto Köln 🙂")
	body := w.event(x, `{"artifactUpdate":{"artifact":{"artifactId":"a","parts":[{"text":"Gr\u00fc\u00dfe"}]}}}`)
	binary := w.put(a2a.Record{Kind: a2a.KindEvent, Dir: a2a.In, Exchange: x, Raw: []byte("\xff\x00ab the hidden message \xfe")})
	path := w.close()
	for text, want := range map[string]a2a.RecordID{
		"short": 3, "SHORT TRIP": 0, `"short" TRIP`: 3, "trip\nto": 3, "köln": 3, "KÖLN 🙂": 3, "text/event-stream": 4,
		"Grüße": body, "grüsse": 0, "hidden message": binary, "http://desk": 1,
		"event-stream": 4, `"kind":"request"`: 0, "2026-11": 0, "exchange": 0, "": 0, " ": 0, "\x00": 0,
	} {
		hits := search(t.Context(), text, path)
		if want == 0 && len(hits) > 0 || want != 0 && (len(hits) == 0 || hits[0].Record != want) {
			t.Errorf("%q: got %+v, want record %d", text, hits, want)
		}
	}
	h := search(t.Context(), `"short" TRIP`, path)[0]
	if got := h.Excerpt[h.Match[0]:h.Match[1]]; got != `"short" trip` || !strings.Contains(h.Excerpt, `Plan a "short" trip to Köln`) {
		t.Errorf("got excerpt %q with the hit %q, want the text as it was written", h.Excerpt, got)
	}
}

// A text is found wherever it stands in the blocks in which a file is read, and its record is
// that of its line, once.
func TestTextIsFoundAtEveryPlace(t *testing.T) {
	dir := t.TempDir()
	const block = 512 << 10
	for _, before := range []int{0, 1, 100, block - 300, block - 220, block - 200, block - 190, block - 150, block, 3 * block} {
		w := begin(t, dir, fmt.Sprint(before))
		x := w.ask(1, "hi")
		if before > 200 {
			w.event(x, `"`+strings.Repeat("x", before)+`"`)
		}
		want := w.event(x, `"`+strings.Repeat("y", before%1000)+"Needle"+strings.Repeat(" needle", 3)+`"`)
		path := w.close()
		if hits := search(t.Context(), "needle", path); len(hits) != 1 || hits[0].Record != want || !strings.EqualFold(hits[0].Excerpt[hits[0].Match[0]:hits[0].Match[1]], "needle") {
			t.Errorf("after %d bytes: got %+v, want one hit in record %d", before, hits, want)
		}
	}
}

func TestSearchSurvivesForeignFiles(t *testing.T) {
	dir := t.TempDir()
	giant := write(t, filepath.Join(dir, "giant.jsonl"), strings.Repeat("needle", 1<<18))
	lines := write(t, filepath.Join(dir, "lines.jsonl"), strings.Repeat("\x1b[2J needle \x00\n", 5))
	hits := search(t.Context(), "needle", filepath.Join(dir, "none"), dir, giant, lines)
	if len(hits) != 4 {
		t.Errorf("got %d hits, want one in the giant line and three of the lines", len(hits))
	}
	for _, h := range hits {
		if strings.ContainsAny(h.Excerpt, "\x1b\x00\n") || h.Record != 0 {
			t.Errorf("got %+v, want readable text and no record", h)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if hits := search(ctx, "needle", giant); len(hits) > 0 {
		t.Errorf("got %+v after the end of the context, want none", hits)
	}
}

func FuzzSearch(f *testing.F) {
	f.Add("text", `a "text" b`)
	f.Add("é\\", "xé\\\n")
	f.Fuzz(func(t *testing.T, text, body string) {
		value, err := json.Marshal(map[string]string{"text": body})
		if err != nil || len(text) > 1000 {
			return
		}
		line := fmt.Sprintf("{\"id\":1,\"time\":\"x\",\"raw\":%s}\n", quoted(string(value)))
		path := write(t, filepath.Join(t.TempDir(), "s.jsonl"), line)
		for _, h := range search(t.Context(), text, path) {
			if h.Match[0] > h.Match[1] || h.Match[1] > len(h.Excerpt) {
				t.Errorf("got %+v, want the hit within its excerpt", h)
			}
		}
	})
}

func quoted(s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s)
	return strings.TrimSpace(b.String())
}

// folder writes sessions of 10 MB.
func folder(b *testing.B, sessions int) (paths []string) {
	const size = 10 << 20
	text, _ := os.ReadFile(func() string {
		w := begin(b, b.TempDir(), "s")
		x := w.ask(1, "Plan a trip")
		for n := 0; n < size; n += 300 { // an event takes more
			w.event(x, sessiontest.ChunkOf("a", fmt.Sprintf("In the %dth town there is a bridge, and on the other side of it another road. ", n), true))
		}
		w.end(x)
		return w.close()
	}())
	if len(text) < size {
		b.Fatalf("got %d bytes, want %d", len(text), size)
	}
	text = text[:bytes.LastIndexByte(text[:size], '\n')+1]
	dir := b.TempDir()
	for i := range sessions {
		path := filepath.Join(dir, fmt.Sprintf("20261120-12%04d-ab.jsonl", i))
		if err := os.WriteFile(path, text, 0o600); err != nil {
			b.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}

// BenchmarkSearch searches sessions of 10 MB for a text that only the last contains, and for one
// that all contain, beside its floor: [bytes.Index] over the same files.
func BenchmarkSearch(b *testing.B) {
	const sessions = 100
	paths := folder(b, sessions)
	last, err := os.OpenFile(paths[sessions-1], os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		b.Fatal(err)
	}
	_, _ = last.WriteString(`{"id":99,"time":"x","raw":"{\"text\":\"A quiet Zebra\"}"}` + "\n")
	last.Close()
	b.Run("floor", func(b *testing.B) {
		buf := make([]byte, 512<<10)
		for b.Loop() {
			var files sync.WaitGroup
			for half := range 2 {
				buf := append([]byte(nil), buf...)
				files.Go(func() {
					for _, path := range paths[half*sessions/2 : (half+1)*sessions/2] {
						f, _ := os.Open(path)
						for {
							n, err := io.ReadFull(f, buf)
							bytes.Index(buf[:n], []byte("quiet zebra"))
							if err != nil {
								break
							}
						}
						f.Close()
					}
				})
			}
			files.Wait()
		}
		b.ReportMetric(float64(sessions*10<<20)/b.Elapsed().Seconds()*float64(b.N)/(1<<20), "MB/s")
	})
	for _, text := range []string{"quiet zebra", "the otter sees", "bridge"} {
		b.Run(strings.ReplaceAll(text, " ", "-"), func(b *testing.B) {
			var first time.Duration
			for b.Loop() {
				began, found := time.Now(), false
				var list []catalog.Session
				for _, path := range paths {
					list = append(list, catalog.Session{Path: path})
				}
				catalog.Search(b.Context(), list, text, func(*catalog.Session, []catalog.Hit) {
					if !found {
						found, first = true, time.Since(began)
					}
				})
			}
			b.ReportMetric(float64(first.Nanoseconds()), "first-ns")
			b.ReportMetric(float64(sessions*10<<20)/b.Elapsed().Seconds()*float64(b.N)/(1<<20), "MB/s")
		})
	}
}
