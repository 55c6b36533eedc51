package journal

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/session/log"
)

func TestAWriterWritesASessionFile(t *testing.T) {
	var b bytes.Buffer
	at := time.Date(2026, 11, 20, 14, 2, 3, 4, time.UTC)
	w, err := NewWriter(&b, at)
	if err != nil {
		t.Fatal(err)
	}
	giant := strings.Repeat("x", journalGiant+1)
	for i, raw := range []string{`{"a":1}`, giant} {
		if err := w.Write(&a2a.Record{ID: a2a.RecordID(i + 1), Exchange: a2a.RecordID(i + 1), Kind: a2a.KindRequest, Dir: a2a.Out, Time: at, Call: &a2a.Call{Op: a2a.OpSend}, Raw: []byte(raw)}); err != nil {
			t.Fatal(err)
		}
	}
	var raws []string
	if err := Read(&b, func(r a2a.Record) error { raws = append(raws, string(r.Raw)); return nil }); err != nil {
		t.Fatal(err)
	}
	if len(raws) != 2 || raws[0] != `{"a":1}` || raws[1] != giant {
		t.Errorf("got %d records, want the two that were written", len(raws))
	}
}

func TestARecordingIsMaskedBeforeItIsDecoded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	text := `{"parley":"session","version":1}
{"id":1,"exchange":1,"kind":"request","dir":"out","time":"2026-11-20T14:02:03Z","call":{"agent":1,"conversation":1,"turn":1,"op":"send","dialect":"v1.0","binding":"JSONRPC"},"raw":"{\"method\":\"SendMessage\"}"}
{"id":2,"exchange":1,"kind":"body","dir":"in","time":"2026-11-20T14:02:04Z","raw":"{\"result\":{\"message\":{\"messageId\":\"m\",\"role\":\"ROLE_AGENT\",\"parts\":[{\"text\":\"plain\"}]}}}"}
`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	j, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	j.Mask(func(r a2a.Record) a2a.Record {
		r.Raw = bytes.ReplaceAll(r.Raw, []byte("plain"), []byte("hidden"))
		return r
	})
	read := int64(0)
	j.Report(func(n int64) { read = n })
	feed := log.NewFeed()
	j.Replay(context.Background(), feed, Unpaced)
	feed.Close()
	items, _ := feed.Next(t.Context(), 10)
	if len(items) < 2 || len(items[1].Update.Events) != 1 || items[1].Update.Events[0].Message.Text() != "hidden" {
		t.Fatalf("got items %+v, want the masked message", items)
	}
	if read != int64(len(text)) {
		t.Errorf("got %d bytes reported, want %d", read, len(text))
	}
}
