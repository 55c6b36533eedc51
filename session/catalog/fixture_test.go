package catalog_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"parley/a2a"
	"parley/a2a/lint"
	"parley/session/catalog"
	"parley/session/journal"
	"parley/session/log"
	"parley/session/sessiontest"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// A writer writes a session file as the program does.
type writer struct {
	t       testing.TB
	path    string
	journal *journal.Journal
	record  *journal.Recorder
	at      time.Time
}

// begin creates a session file in a folder, with an agent.
func begin(t testing.TB, dir, name string) *writer {
	t.Helper()
	w := &writer{t: t, path: filepath.Join(dir, name+".jsonl"), at: noon}
	var err error
	if w.journal, err = journal.Create(w.path, journal.Options{Now: func() time.Time { return noon }}); err != nil {
		t.Fatal(err)
	}
	w.record = journal.NewRecorder(log.NewFeed(), w.journal)
	w.put(a2a.Record{Kind: a2a.KindNote, Note: &a2a.Note{Type: log.NoteOpening, Attrs: map[string]string{"agent": "1", "ref": "http://desk", "name": "Desk"}}})
	w.put(a2a.Record{Kind: a2a.KindNote, Note: &a2a.Note{Type: log.NoteOpened, Attrs: map[string]string{"agent": "1", "ref": "http://desk", "sentence": "There is no card."}}})
	return w
}

func (w *writer) put(r a2a.Record) a2a.RecordID {
	w.at = w.at.Add(time.Second)
	r.Time = w.at
	return w.record.Put(r, a2a.Update{})
}

// ask puts a request and the beginning of its answer.
func (w *writer) ask(turn a2a.TurnID, prompt string) a2a.ExchangeID {
	call := sessiontest.CallOf(a2a.OpStream, turn)
	x := w.put(a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Call: call, Raw: fmt.Appendf(nil,
		`{"jsonrpc":"2.0","id":"r","method":"SendStreamingMessage","params":{"message":{"messageId":"m%d","role":"ROLE_USER","parts":[{"text":%q}]}}}`, turn, prompt)})
	w.put(a2a.Record{Kind: a2a.KindHead, Dir: a2a.In, Exchange: x, Head: &a2a.Head{Status: 200, Header: map[string][]string{"Content-Type": {"text/event-stream"}}}})
	return x
}

// event puts an event with a result.
func (w *writer) event(x a2a.ExchangeID, result string) a2a.RecordID {
	return w.put(a2a.Record{Kind: a2a.KindEvent, Dir: a2a.In, Exchange: x, Raw: []byte("data: {\"jsonrpc\":\"2.0\",\"id\":\"r\",\"result\":" + result + "}\n\n")})
}

func (w *writer) end(x a2a.ExchangeID) {
	w.put(a2a.Record{Kind: a2a.KindEnd, Exchange: x, End: &a2a.End{Reason: a2a.Ended}})
}

// close ends the session, and returns its file.
func (w *writer) close() string {
	if err := w.journal.Close(); err != nil {
		w.t.Fatal(err)
	}
	return w.path
}

// session writes a session with one answered prompt.
func session(t testing.TB, dir, name, prompt, answer string) string {
	w := begin(t, dir, name)
	x := w.ask(1, prompt)
	w.event(x, sessiontest.StatusWord("WORKING"))
	w.event(x, sessiontest.ChunkOf("a", answer, false))
	w.event(x, sessiontest.StatusWord("COMPLETED"))
	w.end(x)
	return w.close()
}

// open returns the catalog of a folder.
func open(dir string) *catalog.Catalog {
	return catalog.Open(dir, catalog.Options{Rules: func() log.Checker { return lint.New() }})
}

// read returns the sessions of a folder with their summaries.
func read(t testing.TB, c *catalog.Catalog) []catalog.Session {
	t.Helper()
	list, err := c.List()
	if err != nil {
		t.Fatal(err)
	}
	c.Read(t.Context(), list, func(s catalog.Session) {
		for i := range list {
			if list[i].Path == s.Path {
				list[i] = s
			}
		}
	})
	return list
}

func write(t testing.TB, path, text string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
