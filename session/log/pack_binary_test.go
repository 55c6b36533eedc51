package log_test

import (
	"bytes"
	"fmt"
	"reflect"
	"testing"
	"time"

	"parley/a2a"
	"parley/a2a/grpc"
	"parley/session/log"
	"parley/session/sessiontest"
)

// grpcStream returns the first items of a stream over gRPC, and a function that makes the next ones.
func grpcStream(t *testing.T) (begin []log.Item, chunk func(i int) log.Item) {
	t.Helper()
	const kind = "lf.a2a.v1.StreamResponse"
	format := grpc.NewFormat()
	call := &a2a.Call{Agent: 1, Op: a2a.OpStream, Dialect: a2a.V10, Binding: a2a.BindingGRPC}
	at := time.Date(2026, 11, 20, 14, 2, 7, 0, time.UTC)
	header := map[string][]string{"Content-Type": {"application/grpc+proto"}}
	begin = []log.Item{
		{Record: a2a.Record{ID: 1, Exchange: 1, Kind: a2a.KindRequest, Dir: a2a.Out, Time: at, Call: call, Raw: []byte(`{}`), Head: &a2a.Head{Method: "POST", URL: "grpc://h:1/lf.a2a.v1.A2AService/SendStreamingMessage"}}},
		{Record: a2a.Record{ID: 2, Exchange: 1, Kind: a2a.KindHead, Dir: a2a.In, Time: at, Call: call, Head: &a2a.Head{Status: 200, Header: header}}},
	}
	return begin, func(i int) log.Item {
		b, err := format.Rebuild(kind, []byte(fmt.Sprintf(`{"artifactUpdate":{"taskId":"t1","contextId":"c1","append":%v,"artifact":{"artifactId":"a","parts":[{"text":"chunk %d "}]}}}`, i > 0, i*i)))
		if err != nil {
			t.Fatal(err)
		}
		raw, _ := format.Render(b)
		r := a2a.Record{ID: a2a.RecordID(i + 3), Exchange: 1, Kind: a2a.KindEvent, Dir: a2a.In, Time: at.Add(time.Duration(i) * time.Millisecond), Call: call, Raw: raw, Binary: b}
		return log.Item{Record: r, Update: a2a.Decode(call, a2a.Input{Body: raw, Stream: true, Status: 200, ContentType: "application/grpc+proto", Kind: kind})}
	}
}

func TestOldMessagesThatAreNotJSONAreReadAsTheyWerePut(t *testing.T) {
	items, chunk := grpcStream(t)
	for i := range 3000 {
		items = append(items, chunk(i))
	}
	l := log.New()
	for i := range items {
		l.Append(items[i])
	}
	packed, scan := 0, l.View().Scan()
	for i := range items {
		id := items[i].Record.ID
		if want, got := settled(&items[i]), settled(l.At(id)); !reflect.DeepEqual(got, want) {
			t.Fatalf("record %d: got\n%+v, want\n%+v", id, got, want)
		}
		if log.IsPacked(l, id) {
			packed++
		}
		if seen := scan.At(id); !bytes.Equal(seen.Record.Raw, items[i].Record.Raw) || seen.Record.Size() != items[i].Record.Size() {
			t.Fatalf("record %d: got scanned item %+v, want %+v", id, seen, items[i])
		}
	}
	if packed < len(items)/2 {
		t.Errorf("got %d of %d items packed, want at least half", packed, len(items))
	}
}

func TestAMessageThatIsNotJSONCostsTheLogLittleMemory(t *testing.T) {
	const records = 20_000
	begin, chunk := grpcStream(t)
	l := log.New()
	for i := range begin {
		l.Append(begin[i])
	}
	before := sessiontest.HeapInUse()
	for i := range records {
		l.Append(chunk(i))
	}
	whole := int64(log.ChunkSize * (log.WholeChunks + 1) * 2_000)
	if each := (sessiontest.HeapInUse() - before - whole) / records; each > 120 {
		t.Errorf("got %d bytes per message in the log, want at most 120", each)
	}
	if l.Len() != records+2 {
		t.Errorf("got %d records, want %d", l.Len(), records+2)
	}
}
