package journal

import (
	"bytes"
	"encoding/hex"
	"reflect"
	"strings"
	"testing"
	"time"

	"parley/a2a"
)

// hexFormat renders messages as their bytes in hexadecimal.
type hexFormat struct{ a2a.Format }

func (hexFormat) Render(b *a2a.Binary) ([]byte, *a2a.Fault) {
	return []byte(`{"hex":"` + hex.EncodeToString(b.Bytes) + `"}`), nil
}

func TestMessagesThatAreNotJSONAreSavedAsTheirBytes(t *testing.T) {
	at := time.Date(2026, 11, 20, 14, 2, 7, 5, time.UTC)
	call := &a2a.Call{Op: a2a.OpStream, Dialect: a2a.V10, Binding: a2a.BindingGRPC}
	records := []a2a.Record{
		{ID: 1, Exchange: 1, Kind: a2a.KindRequest, Dir: a2a.Out, Time: at, Call: call, Raw: []byte(`{"hex":"0aff"}`), Binary: &a2a.Binary{Kind: "x.Asked", Bytes: []byte{10, 255}}},
		{ID: 2, Exchange: 1, Kind: a2a.KindEvent, Dir: a2a.In, Time: at, Call: call, Raw: []byte(`{"hex":"68656c6c6f"}`), Binary: &a2a.Binary{Kind: "x.Told", Bytes: []byte("hello")}},
		{ID: 3, Exchange: 1, Kind: a2a.KindEvent, Dir: a2a.In, Time: at, Call: call, Raw: []byte(`{"hex":""}`), Binary: &a2a.Binary{Kind: "x.Told"}},
		{ID: 4, Exchange: 1, Kind: a2a.KindEvent, Dir: a2a.In, Time: at, Call: call, Raw: []byte(`{"token":"•••"}`), Binary: &a2a.Binary{Kind: "x.Told", Rebuilt: true}},
	}
	var file bytes.Buffer
	file.Write(appendHeader(nil, at))
	var w lineWriter
	for i := range records {
		text := w.append(nil, &records[i])
		if got, want := w.size(&records[i]), int64(len(text)); got < want {
			t.Errorf("record %d: got size %d, want at least %d", i+1, got, want)
		}
		var giant bytes.Buffer
		if len(records[i].Raw) > 0 && (records[i].Binary.Rebuilt || len(records[i].Binary.Bytes) > 0) {
			if err := writeGiant(&giant, &records[i]); err != nil || giant.String() != string(text) {
				t.Errorf("record %d: got %s (%v) piece by piece, want %s", i+1, &giant, err, text)
			}
		}
		file.Write(text)
	}
	for _, want := range []string{`"proto":{"type":"x.Asked"},"b64":"Cv8="}`, `"proto":{"type":"x.Told"},"b64":"aGVsbG8="}`, `"proto":{"type":"x.Told"}}`, `"proto":{"type":"x.Told","rebuilt":true},"raw":"{\"token\":\"•••\"}"}`} {
		if !strings.Contains(file.String(), want) {
			t.Errorf("got %s, want %s in it", &file, want)
		}
	}
	var got []a2a.Record
	p := newPlayer()
	p.formats = map[a2a.Binding]a2a.Format{a2a.BindingGRPC: hexFormat{}}
	if err := Read(&file, func(r a2a.Record) error {
		p.decode(&r)
		got = append(got, r)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	for i := range got {
		if !reflect.DeepEqual(got[i], records[i]) {
			t.Errorf("record %d: got %+v, want %+v", i+1, got[i], records[i])
		}
	}
}
