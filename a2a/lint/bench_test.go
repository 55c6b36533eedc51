package lint

import (
	stdjson "encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"parley/a2a"
)

const (
	chunkIDs = `"taskId":"225d6247-06ba-4cda-a08b-33ae35c8dcfa","contextId":"05217e44-7e9f-473e-ab4f-2c2dde50a2b1"`
	chunkOf  = `"artifact":{"artifactId":"9b6934dd-37e3-4eb1-8766-962efaab63a1","parts":[`
	chunk03  = `{"jsonrpc":"2.0","id":"c41f-1","result":{"kind":"artifact-update",` + chunkIDs +
		`,"append":true,"lastChunk":false,` + chunkOf + `{"kind":"text","text":"some more words "}]}}}`
	chunk10 = `{"jsonrpc":"2.0","id":"c41f-1","result":{"artifactUpdate":{` + chunkIDs +
		`,"append":true,` + chunkOf + `{"text":"some more words "}]}}}}`
)

// chunks returns a function that checks one more chunk of an open stream.
func chunks(d a2a.DialectName, method, opened, frame string) func() []a2a.Finding {
	s := play(on(d, a2a.OpStream),
		asked("POST https://agent.example/a2a\nA2A-Version: 1.0\n\n"+`{"jsonrpc":"2.0","id":"c41f-1","method":"`+method+`","params":{}}`),
		headed(200, "Content-Type: text/event-stream"), framed(opened), framed(frame))
	call := s.call
	var records [2]a2a.Record // no two consecutive chunks are equal
	var updates [2]a2a.Update
	for i, text := range [...]string{"some more words ", "and then some others "} {
		data := []byte(strings.Replace(frame, "some more words ", text, 1))
		records[i] = a2a.Record{ID: s.next, Exchange: s.id, Kind: a2a.KindEvent, Dir: a2a.In, Call: &call,
			Raw: slices.Concat([]byte("data: "), data, []byte("\n\n")), Data: data}
		updates[i] = a2a.Decode(&call, a2a.Input{Body: data, Status: 200, ContentType: "text/event-stream", Stream: true, RPCID: s.rpcID})
	}
	n := 0
	return func() []a2a.Finding {
		n++
		return s.linter.Check(&records[n%2], &updates[n%2], s.fold)
	}
}

func openChunks() map[string]func() []a2a.Finding {
	const opened03 = `{"jsonrpc":"2.0","id":"c41f-1","result":{"kind":"task","id":"225d6247-06ba-4cda-a08b-33ae35c8dcfa","contextId":"05217e44-7e9f-473e-ab4f-2c2dde50a2b1","status":{"state":"working"},` +
		`"artifacts":[{"artifactId":"9b6934dd-37e3-4eb1-8766-962efaab63a1","parts":[{"kind":"text","text":"so "}]}]}}`
	const opened10 = `{"jsonrpc":"2.0","id":"c41f-1","result":{"task":{"id":"225d6247-06ba-4cda-a08b-33ae35c8dcfa","contextId":"05217e44-7e9f-473e-ab4f-2c2dde50a2b1","status":{"state":"TASK_STATE_WORKING"},` +
		`"artifacts":[{"artifactId":"9b6934dd-37e3-4eb1-8766-962efaab63a1","parts":[{"text":"so "}]}]}}}`
	return map[string]func() []a2a.Finding{
		"0.3": chunks(a2a.V03, "message/stream", opened03, chunk03),
		"1.0": chunks(a2a.V10, "SendStreamingMessage", opened10, chunk10),
	}
}

// BenchmarkChunk checks one artifact chunk. For comparison it measures how long the standard
// library takes to validate the same bytes as JSON.
func BenchmarkChunk(b *testing.B) {
	for name, check := range openChunks() {
		frame := []byte(chunk03)
		if name == "1.0" {
			frame = []byte(chunk10)
		}
		b.Run(name+"/ours", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if found := check(); len(found) > 0 {
					b.Fatal("got findings ", found, ", want none")
				}
			}
		})
		b.Run(name+"/floor-json.Valid", func(b *testing.B) {
			for b.Loop() {
				if !stdjson.Valid(frame) {
					b.Fatal("the frame is no valid JSON")
				}
			}
		})
	}
}

func TestCheckingAnOrdinaryChunkAllocatesNothing(t *testing.T) {
	for name, check := range openChunks() {
		if found := check(); len(found) > 0 {
			t.Errorf("%s: got findings %v, want none", name, found)
		}
		if n := testing.AllocsPerRun(100, func() { check() }); n > 1 {
			t.Errorf("%s: got %v allocations, want at most 1", name, n)
		}
	}
}

// hostileBodies have almost the maximum size that is checked, and consist of one repeated
// element.
func hostileBodies() map[string][]step {
	many := func(item string, room int) string {
		return strings.Repeat(item+",", (maxPayload-room)/(len(item)+1)) + item
	}
	numbered := func(format string, room int) string {
		var b strings.Builder
		for i := 0; b.Len() < maxPayload-room; i++ {
			fmt.Fprintf(&b, format+",", i)
		}
		return strings.TrimSuffix(b.String(), ",")
	}
	task := func(members string) []step {
		return []step{asked(get03), headed(200, isJSON), answered(
			`{"jsonrpc":"2.0","id":"1","result":{"kind":"task","id":"t","contextId":"c","status":{"state":"working"},` + members + `}}`)}
	}
	message := `{"kind":"message","messageId":"m%d","role":"agent","parts":[{"kind":"text","text":"x"}]}`
	return map[string][]step{
		"parts":          task(`"artifacts":[{"artifactId":"a","parts":[` + many(`{"kind":"text","text":"x"}`, 400) + `]}]`),
		"no kinds":       task(`"artifacts":[{"artifactId":"a","parts":[` + many(`{"text":"x"}`, 400) + `]}]`),
		"artifacts":      task(`"artifacts":[` + numbered(`{"artifactId":"a%d","parts":[{"kind":"text","text":"x"}]}`, 400) + `]`),
		"same ids":       task(`"artifacts":[` + many(`{"artifactId":"a","parts":[]}`, 400) + `]`),
		"history":        task(`"history":[` + numbered(message, 400) + `]`),
		"members":        task(numbered(`"m%d":null`, 400)),
		"controls":       task(`"metadata":{"a":[` + many(`"\u001b"`, 400) + `]}`),
		"card of skills": card(card03, `"skills":[`, `"skills":[`+numbered(`{"id":"s%d","inputModes":["x"]}`, 2000)+`,`),
		"card of tags":   card(card03, `"tags":["t"`, `"tags":["t",`+many(`"http://a"`, 2000)),
		"card of modes":  card(card03, `"defaultInputModes":["text/plain"`, `"defaultInputModes":["text/plain",`+many(`"text"`, 2000)),
		"card of schemes": card(card03, `"capabilities"`, `"securitySchemes":{`+numbered(`"k%d":{}`, maxPayload/2)+
			`},"security":[{`+numbered(`"l%d":[]`, maxPayload/2+2000)+`}],"capabilities"`),
	}
}

// BenchmarkHostile checks decoded bodies of 4 MB.
func BenchmarkHostile(b *testing.B) {
	for name, steps := range hostileBodies() {
		b.Run(name, func(b *testing.B) {
			call := on(a2a.V03, a2a.OpGet)
			if strings.Contains(name, "card") {
				call = cardCall
			}
			s := play(call, steps...)
			for b.Loop() {
				s.linter.Check(&s.record, &s.update, s.fold)
			}
		})
	}
}
