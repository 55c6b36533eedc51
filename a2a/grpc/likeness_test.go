package grpc

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"

	pb10 "github.com/a2aproject/a2a-go/v2/a2apb/v1"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
)

// chunkOf returns a chunk of an artifact.
func chunkOf(t testing.TB, text string) []byte {
	t.Helper()
	b, err := proto.Marshal(&pb10.StreamResponse{Payload: &pb10.StreamResponse_ArtifactUpdate{ArtifactUpdate: &pb10.TaskArtifactUpdateEvent{
		TaskId: "t1", ContextId: "c1", Append: true, Artifact: &pb10.Artifact{ArtifactId: "a", Parts: []*pb10.Part{{Content: &pb10.Part_Text{Text: text}, MediaType: "text/plain"}}},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// newRenderer returns an unused renderer.
func newRenderer() *renderer { return &renderer{schema: shared.schema()} }

// shared has the schema of all renderers.
var shared = NewFormat()

// A chunk that differs from the one before only in its text is not read field by field.
func TestAChunkLikeTheOneBeforeIsNotRenderedAgain(t *testing.T) {
	t.Parallel()
	r := newRenderer()
	kind := r.schema.messages[streamResponse]
	if _, fault := r.render(kind, chunkOf(t, "the first")); fault != nil {
		t.Fatal(fault)
	}
	for _, text := range []string{"a", "the second", "with \"quotes\",\n and ümlauts", strings.Repeat("x", 100), strings.Repeat("long ", 10_000), "short again", ""} {
		src := chunkOf(t, text)
		got, ok := r.again(kind, src)
		want, fault := newRenderer().render(kind, src)
		if !ok || fault != nil || !bytes.Equal(got, want) {
			t.Errorf("got %s (%v), want %s (%v)", got, ok, want, fault)
		}
	}
}

// Every message has the same rendering whatever was rendered before it: each change of one byte
// of a chunk, each part of it, and chunks with lengths that are not encoded in the shortest way.
func TestARenderingDoesNotDependOnTheMessageBefore(t *testing.T) {
	t.Parallel()
	like := chunkOf(t, "some words")
	padded := bytes.Replace(like, append([]byte{10}, "some words"...), append([]byte{10 | 0x80, 0}, "some words"...), 1)
	for i, n := range padded { // the lengths around it grow by one
		if i < 8 && int(n) > len(like)/3 && n < 0x80 {
			padded[i]++
		}
	}
	for _, before := range [][]byte{like, padded} {
		for i := range like {
			for _, change := range []byte{1, 0x80, 0xff} {
				b := slices.Clone(before)
				b[i] ^= change
				compareRenderings(t, before, b)
			}
			compareRenderings(t, before, before[:i])
			compareRenderings(t, before, slices.Insert(slices.Clone(before), i, 0))
			compareRenderings(t, before, slices.Concat(before[:i], before[i+1:]))
		}
		compareRenderings(t, before, slices.Concat(before, before))
	}
}

func compareRenderings(t *testing.T, before, src []byte) {
	t.Helper()
	r := newRenderer()
	kind := r.schema.messages[streamResponse]
	r.render(kind, before)
	got, gotFault := r.render(kind, src)
	want, wantFault := newRenderer().render(kind, src)
	if !bytes.Equal(got, want) || !reflect.DeepEqual(gotFault, wantFault) {
		t.Fatalf("%x after %x:\ngot  %s %v\nwant %s %v", src, before, got, gotFault, want, wantFault)
	}
}

func FuzzLikeness(f *testing.F) {
	chunk := chunkOf(f, "some words")
	f.Add(chunk, chunkOf(f, "others"))
	f.Add(chunk, append(protowire.AppendTag(nil, 99, protowire.BytesType), 0))
	f.Fuzz(func(t *testing.T, before, src []byte) { compareRenderings(t, before, src) })
}
