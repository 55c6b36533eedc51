package a2a

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// minimalUpdate has the least members that a program needs to read the text.
type minimalUpdate struct {
	ID     string `json:"id"`
	Result struct {
		TaskID    string `json:"taskId"`
		ContextID string `json:"contextId"`
		Artifact  struct {
			ArtifactID string `json:"artifactId"`
			Parts      []struct {
				Text string `json:"text"`
			} `json:"parts"`
		} `json:"artifact"`
		Append    bool `json:"append"`
		LastChunk bool `json:"lastChunk"`
	} `json:"result"`
}

func benchFrames() map[string][]byte {
	const ids = `"taskId":"225d6247-06ba-4cda-a08b-33ae35c8dcfa","contextId":"05217e44-7e9f-473e-ab4f-2c2dde50a2b1"`
	token := `{"jsonrpc":"2.0","id":"c41f-1","result":{"kind":"artifact-update",` + ids +
		`,"append":true,"lastChunk":false,"artifact":{"artifactId":"9b6934dd-37e3-4eb1-8766-962efaab63a1","parts":[{"kind":"text","text":"some more words "}]}}}`
	v1 := `{"jsonrpc":"2.0","id":"c41f-1","result":{"artifactUpdate":{` + ids +
		`,"append":true,"artifact":{"artifactId":"9b6934dd-37e3-4eb1-8766-962efaab63a1","parts":[{"text":"some more words "}]}}}}`
	return map[string][]byte{
		"token-0.3": []byte(token),
		"token-1.0": []byte(v1),
		"4KB-0.3":   []byte(strings.Replace(token, "some more words ", strings.Repeat("some more words\\n", 256), 1)),
		"1MB-file":  []byte(strings.Replace(v1, `{"text":"some more words "}`, `{"raw":"`+strings.Repeat("QUJD", 1<<18)+`"}`, 1)),
	}
}

func BenchmarkDecode(b *testing.B) {
	for name, body := range benchFrames() {
		call := &Call{Op: OpStream, Dialect: V03, Binding: BindingJSONRPC, TaskID: "225d6247-06ba-4cda-a08b-33ae35c8dcfa"}
		if !strings.HasSuffix(name, "0.3") {
			call.Dialect = V10
		}
		in := Input{Body: body, Stream: true, RPCID: `"c41f-1"`}
		b.Run(name+"/ours", func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				if u := Decode(call, in); len(u.Findings) > 0 || u.Err != nil || u.Saw != nil {
					b.Fatal(describeUpdate(u), u.Err, u.Saw)
				}
			}
		})
		b.Run(name+"/encoding-json", func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				var m minimalUpdate
				if err := json.Unmarshal(body, &m); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func TestDecodingATokenAllocatesLittle(t *testing.T) {
	for name, body := range benchFrames() {
		call := &Call{Op: OpStream, Dialect: V03, Binding: BindingJSONRPC}
		if !strings.HasSuffix(name, "0.3") {
			call.Dialect = V10
		}
		in := Input{Body: body, Stream: true, RPCID: `"c41f-1"`}
		if n := testing.AllocsPerRun(100, func() { Decode(call, in) }); n > 10 {
			t.Errorf("%s: got %v allocations, want at most 10", name, n)
		}
	}
}

func BenchmarkFoldAppend(b *testing.B) {
	for _, held := range []int{0, 10_000, 1_000_000} {
		b.Run(fmt.Sprintf("held-%d", held), func(b *testing.B) {
			f := NewFold()
			ev := &Event{Kind: EventArtifact, TaskID: "t", Append: true, Artifact: &Artifact{Key: "a", Parts: []Part{TextPart("some more words ")}}}
			for range held {
				f.Apply(ev)
			}
			b.ReportAllocs()
			for b.Loop() {
				f.Apply(ev)
			}
		})
	}
	b.Run("floor-append-only", func(b *testing.B) {
		var parts []Part
		b.ReportAllocs()
		for b.Loop() {
			parts = append(parts, TextPart("some more words "))
		}
		if len(parts) == 0 {
			b.Fatal("got no parts after the appends")
		}
	})
}
