package a2a

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// chunkCall returns the call of a stream in a dialect.
func chunkCall(name DialectName) *Call {
	return &Call{Op: OpStream, Dialect: name, Binding: BindingJSONRPC, TaskID: "225d6247-06ba-4cda-a08b-33ae35c8dcfa"}
}

// splices replace a text, with or without its quotation marks.
var splices = []string{
	"", "words", "Grüße, 世界 🌍", `\n\t\"\\\/`, `\u00e9\u4e16`, `\ud83c\udf0d`, `\ud83c`, `\udf0d\ud83c`, `\u12`, `\x`, `\`, `"`, `","text":"twice`,
	`"},{"text":"second`, `","kind":"text`, "\xff\xfe", "\x00", "\n", strings.Repeat("long ", 5000), `"}]`, "\xe4", "[DONE]", "ping",
}

// TestADecoderSaysWhatDecodeSays decodes payloads that differ from the previous ones in one
// stretch or not at all.
func TestADecoderSaysWhatDecodeSays(t *testing.T) {
	t.Parallel()
	var bodies [][]byte
	for _, v := range loadVectors(t) {
		if !strings.HasSuffix(v.File, ".sse") {
			bodies = append(bodies, v.body)
			continue
		}
		for _, frame := range frames(t, v.body) {
			bodies = append(bodies, frame.Data)
		}
	}
	for _, body := range benchFrames() {
		bodies = append(bodies, body)
	}
	bodies = slices.DeleteFunc(bodies, func(b []byte) bool { return len(b) == 0 || len(b) > 8<<10 })
	chunks := benchFrames()
	random := rand.New(rand.NewPCG(1, 2))
	calls := []*Call{chunkCall(V10), chunkCall(V03), chunkCall(V01), nil}
	inputs := []Input{{Stream: true, RPCID: `"c41f-1"`}, {Stream: true, RPCID: `"1"`, Event: "message"}, {Status: 200, ContentType: "application/json"}}
	made := 0
	for range 4000 {
		body, call, in := bodies[random.IntN(len(bodies))], calls[random.IntN(len(calls))], inputs[random.IntN(len(inputs))]
		if random.IntN(2) == 0 {
			body, call, in = chunks["token-1.0"], calls[0], inputs[0]
		}
		var d Decoder
		for range 4 {
			in.Body = splice(random, body)
			if _, again := d.again(call, &in); again {
				made++
			}
			if got, want := d.Decode(call, in), Decode(call, in); !reflect.DeepEqual(got, want) {
				t.Fatalf("%+v\n%s\ngot %+v\nwant %+v", call, in.Body, got, want)
			}
		}
	}
	if made < 200 {
		t.Errorf("got %d spliced payloads, want at least 200", made)
	}
}

// splice replaces a stretch of a body, most often the inside of a string.
func splice(random *rand.Rand, body []byte) []byte {
	from := random.IntN(len(body))
	to := from + random.IntN(min(len(body)-from, 40)+1)
	if at := bytes.Index(body, []byte(`"text":"`)); at >= 0 && random.IntN(4) > 0 {
		from = at + len(`"text":"`)
		to = from + max(bytes.IndexByte(body[from:], '"'), 0)
	}
	return slices.Concat(body[:from], []byte(splices[random.IntN(len(splices))]), body[to:])
}

func FuzzDecoder(f *testing.F) {
	for _, body := range benchFrames() {
		if len(body) < 1<<10 {
			for _, s := range splices {
				at := bytes.Index(body, []byte("some more words"))
				f.Add(body, uint16(at), uint16(len("some more words ")), s)
			}
		}
	}
	call := chunkCall(V10)
	f.Fuzz(func(t *testing.T, body []byte, at, length uint16, s string) {
		from := min(int(at), len(body))
		to := min(from+int(length), len(body))
		second := slices.Concat(body[:from], []byte(s), body[to:])
		var d Decoder
		for _, body := range [][]byte{body, second, body} {
			in := Input{Body: body, Stream: true, RPCID: `"c41f-1"`}
			if got, want := d.Decode(call, in), Decode(call, in); !reflect.DeepEqual(got, want) {
				t.Fatalf("%q\ngot %+v\nwant %+v", body, got, want)
			}
		}
	})
}

// TestAChunkLikeTheOneBeforeIsNotReadAgain counts the allocations of a decoder for a chunk: the
// update and its text.
func TestAChunkLikeTheOneBeforeIsNotReadAgain(t *testing.T) {
	for name, body := range benchFrames() {
		if !strings.HasPrefix(name, "token") {
			continue
		}
		call := chunkCall(V03)
		if !strings.HasSuffix(name, "0.3") {
			call = chunkCall(V10)
		}
		var bodies [][]byte
		for i := range 8 {
			bodies = append(bodies, bytes.Replace(body, []byte("some more words "), fmt.Appendf(nil, "word %d ", 1<<i), 1))
		}
		var d Decoder
		d.Decode(call, Input{Body: body, Stream: true, RPCID: `"c41f-1"`})
		i := 0
		n := testing.AllocsPerRun(100, func() {
			in := Input{Body: bodies[i%len(bodies)], Stream: true, RPCID: `"c41f-1"`}
			if u := d.Decode(call, in); len(u.Events) != 1 {
				t.Fatalf("got update %+v, want one event", u)
			}
			i++
		})
		if n > 2 {
			t.Errorf("%s: got %v allocations, want at most 2", name, n)
		}
	}
}

func BenchmarkDecoder(b *testing.B) {
	body := benchFrames()["token-1.0"]
	call, in := chunkCall(V10), Input{Body: body, Stream: true, RPCID: `"c41f-1"`}
	b.Run("alike", func(b *testing.B) {
		b.ReportAllocs()
		var d Decoder
		for b.Loop() {
			d.Decode(call, in)
		}
	})
	b.Run("floor", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			Decode(call, in)
		}
	})
}
