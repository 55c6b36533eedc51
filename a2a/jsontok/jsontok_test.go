package jsontok

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// event is a stream frame of ordinary size and content.
const event = `{"jsonrpc":"2.0","id":"c41f-1","result":{"artifactUpdate":{"taskId":"3f36680c-7f37-4a5f-945e-d78981fafd36",` +
	`"contextId":"c295ea44-7543-4f78-b524-7a38915ad6e4","artifact":{"artifactId":"itinerary","name":"Itinerary",` +
	`"parts":[{"text":"Day 1: arrive in Lisbon at 10:40, caf\u00e9 near the river \"Tejo\".\n"},{"data":{"nights":3,"price":412.50,"ok":true}}]},` +
	`"append":true,"lastChunk":false,"metadata":null}}}`

func parse(t testing.TB, src string) *Doc {
	t.Helper()
	var d Doc
	if err := d.Parse([]byte(src)); err != nil {
		t.Fatalf("Parse(%.80q): %v", src, err)
	}
	return &d
}

func TestNodesReadMembersTextAndNumbers(t *testing.T) {
	d := parse(t, event)
	update := d.Root().Get("result").GetAny("nothing", "artifactUpdate")
	artifact := update.Get("artifact")
	parts := slices.Collect(artifact.Get("parts").Elems())
	if len(parts) != 2 || artifact.Get("parts").Len() != 2 {
		t.Fatalf("got %d parts, want 2", len(parts))
	}
	for _, c := range []struct{ what, got, want string }{
		{"text", parts[0].Get("text").Text(), "Day 1: arrive in Lisbon at 10:40, café near the river \"Tejo\".\n"},
		{"digits", parts[1].Get("data").Get("price").Number(), "412.50"},
		{"raw", string(update.Get("metadata").Raw()), "null"},
		{"pointer of a value", parts[1].Get("data").Get("ok").Pointer(), "/result/artifactUpdate/artifact/parts/1/data/ok"},
		{"pointer of a name", d.Node(parts[1].Get("data").Index() - 1).Pointer(), "/result/artifactUpdate/artifact/parts/1/data"},
		{"pointer of the root", d.Root().Pointer(), ""},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %q, want %q", c.what, c.got, c.want)
		}
	}
	if v, ok := parts[1].Get("data").Get("nights").Int(); v != 3 || !ok {
		t.Errorf("nights: got %d, %v, want 3", v, ok)
	}
	if v, ok := update.Get("append").Bool(); !v || !ok {
		t.Errorf("append: got %v, %v, want true", v, ok)
	}
	if v, ok := update.Get("lastChunk").Bool(); v || !ok {
		t.Errorf("lastChunk: got %v, %v, want false", v, ok)
	}
	var names []string
	for name, value := range update.Members() {
		names = append(names, name)
		if value != update.Get(name) {
			t.Errorf("%s: got different values of Members and Get, want the same", name)
		}
		if value.Parent() != update {
			t.Errorf("%s: got parent %q, want %q", name, value.Parent().Pointer(), update.Pointer())
		}
	}
	if got := strings.Join(names, " "); got != "taskId contextId artifact append lastChunk metadata" || update.Len() != 6 {
		t.Errorf("got members %s, Len %d, want 6", got, update.Len())
	}
}

func TestZeroNodeAnswersEverything(t *testing.T) {
	var n Node
	for range n.Members() {
		t.Error("got members of the zero Node")
	}
	for range n.Elems() {
		t.Error("got elements of the zero Node")
	}
	_, isInt := n.Int()
	_, isBool := n.Bool()
	if n.Exists() || n.Kind() != Invalid || n.Raw() != nil || n.Text() != "" || n.Number() != "" || isInt || isBool ||
		n.Len() != 0 || n.Get("a").Exists() || n.GetAny("a", "b").Exists() || n.Pointer() != "" || n.Offset() != 0 ||
		n.End() != 0 || n.Parent().Exists() || n.Index() != -1 || n.IsText() {
		t.Errorf("got the zero Node %+v, want it empty", n)
	}
	var d Doc
	if d.Root().Exists() || d.Len() != 0 || d.At(0).Exists() || len(d.Tail()) != 0 {
		t.Errorf("got the zero Doc %+v, want it empty", d)
	}
	d.Parse([]byte(`"text"`))
	if d.Root().Get("a").Exists() || d.Root().Len() != 0 {
		t.Error("got members of a string")
	}
}

func TestTextDecodesAsEncodingJSON(t *testing.T) {
	for _, s := range []string{
		`""`, `"plain"`, `"\"\\\/\b\f\n\r\t"`, `"\u0041\u00e9\u20AC"`, `"\ud83d\ude00 pair"`, `"\ud83d lone"`, `"\ude00\ud83d"`,
		`"\ud800\ud83d\ude00"`, `"\ud83d\u0041"`, "\"caf\xe9 latin1\"", "\"\xf0\x9f\x98\x80\"", "\"\xed\xa0\x80\"", `"Grüße, 한국어"`, `"\u0000"`,
	} {
		var want string
		if err := json.Unmarshal([]byte(s), &want); err != nil {
			t.Fatalf("%q: %v", s, err)
		}
		if got := parse(t, s).Root().Text(); got != want {
			t.Errorf("%s: got %q, want %q", s, got, want)
		}
		name := `{` + s + `:1}`
		if !parse(t, name).Root().Get(want).Exists() {
			t.Errorf("%s: Get(%q) found no member", name, want)
		}
	}
}

func TestOffsetsOfBrokenText(t *testing.T) {
	d := parse(t, "[\"ok\", \"a\xff\", \"\xfe\", \"\\ud83d\\ude00 \\udc00\"]")
	if at, found := d.InvalidUTF8(); at != 9 || !found {
		t.Errorf("got invalid UTF-8 at %d, %v, want 9", at, found)
	}
	if at, found := d.LoneSurrogate(); at != 32 || !found {
		t.Errorf("got a lone surrogate at %d, %v, want 32", at, found)
	}
	d = parse(t, `["\ud83d\ude00", "é"]`)
	if at, found := d.InvalidUTF8(); at != 0 || found {
		t.Errorf("clean text: got invalid UTF-8 at %d, %v, want none", at, found)
	}
	if at, found := d.LoneSurrogate(); at != 0 || found {
		t.Errorf("clean text: got a lone surrogate at %d, %v, want none", at, found)
	}
}

func TestIntReadsAnyNotation(t *testing.T) {
	for _, c := range []struct {
		src  string
		want int64
		ok   bool
	}{
		{"0", 0, true}, {"-0", 0, true}, {"-32001", -32001, true}, {"9223372036854775807", 1<<63 - 1, true},
		{"42.0", 42, true}, {"1e3", 1000, true}, {"-2.5E1", -25, true},
		{"9223372036854775808", 0, false}, {"1.5", 0, false}, {"1e300", 0, false}, {"1e999", 0, false}, {`"1"`, 0, false}, {"true", 0, false},
	} {
		if got, ok := parse(t, c.src).Root().Int(); got != c.want || ok != c.ok {
			t.Errorf("%s: got %d, %v, want %d, %v", c.src, got, ok, c.want, c.ok)
		}
	}
}

func TestGetTakesTheLastAndDuplicatesNamesTheRest(t *testing.T) {
	d := parse(t, `{"a":1,"b":{"x":1,"\u0078":2,"X":3},"\u0061":2,"a":3}`)
	if got := d.Root().Get("a").Number(); got != "3" {
		t.Errorf("a: got %s, want the last value 3", got)
	}
	if got := d.Root().Get("b").Get("x").Number(); got != "2" {
		t.Errorf("x: got %s, want the last value 2", got)
	}
	var offsets []int
	for key := range d.Duplicates() {
		offsets = append(offsets, key.Offset())
	}
	if want := []int{36, 47, 18}; !slices.Equal(offsets, want) {
		t.Errorf("got duplicates at %v, want %v", offsets, want)
	}
}

func TestDuplicatesOfALargeObject(t *testing.T) {
	var b strings.Builder
	for i := range 40 {
		b.WriteString(`,"k` + strings.Repeat("x", i%30) + `":0`)
	}
	d := parse(t, "{"+b.String()[1:]+"}")
	count := 0
	for range d.Duplicates() {
		count++
	}
	if count != 10 {
		t.Errorf("got %d duplicates, want 10", count)
	}
	for range d.Duplicates() {
		break
	}
}

func TestPointerEscapesNames(t *testing.T) {
	d := parse(t, `{"a/b":{"~":[0,{"":5}]}}`)
	n := d.At(19)
	if n.Kind() != Number || n.Pointer() != "/a~1b/~0/1/" {
		t.Errorf("got %s at %q, want %s at /a~1b/~0/1/", n.Kind(), n.Pointer(), Number)
	}
}

func TestAtFindsTheInnermostToken(t *testing.T) {
	const src = ` {"a": [1, 22 ,{}], "b":"x"} `
	d := parse(t, src)
	for _, c := range []struct {
		at   int
		want string
	}{
		{-1, ""}, {0, ""}, {1, strings.TrimSpace(src)}, {2, `"a"`}, {4, `"a"`}, {5, strings.TrimSpace(src)}, {7, `[1, 22 ,{}]`}, {8, "1"},
		{9, `[1, 22 ,{}]`}, {12, "22"}, {15, "{}"}, {24, `"x"`}, {27, strings.TrimSpace(src)}, {28, ""}, {99, ""},
	} {
		if got := string(d.At(c.at).Raw()); got != c.want {
			t.Errorf("At(%d) = %q, want %q", c.at, got, c.want)
		}
	}
}

func TestTokensFormATree(t *testing.T) {
	d := parse(t, `{"a":[1,{"b":null}],"c":true}`)
	type row struct {
		kind         Kind
		parent, next int
		key          bool
	}
	want := []row{
		{Object, -1, 9, false}, {String, 0, 2, true}, {Array, 0, 7, false}, {Number, 2, 4, false}, {Object, 2, 7, false},
		{String, 4, 6, true}, {Null, 4, 7, false}, {String, 0, 8, true}, {True, 0, 9, false},
	}
	if d.Len() != len(want) {
		t.Fatalf("got %d tokens, want %d", d.Len(), len(want))
	}
	for i, w := range want {
		k := d.Token(i)
		if got := (row{k.Kind, k.Parent, k.Next, k.Key}); got != w || k.Torn {
			t.Errorf("got token %d %+v, want %+v", i, k, w)
		}
	}
}

func TestMarksAroundTheValueAreTolerated(t *testing.T) {
	d := parse(t, "\xEF\xBB\xBF {\"a\":1}\n\x00\x00 ")
	if !d.BOM() || d.Root().Offset() != 4 || len(d.Tail()) != 0 {
		t.Errorf("got BOM %v, root at %d, tail %q; want true, 4, none", d.BOM(), d.Root().Offset(), d.Tail())
	}
	if parse(t, "{}").BOM() {
		t.Error("got BOM true, want false")
	}
}

func TestTailHoldsWhatFollowsTheFirstValue(t *testing.T) {
	body := []byte("\xEF\xBB\xBF{\"n\":1} \n{\"n\":2}[3]\x00\n")
	var got []string
	var d Doc
	for rest := body; ; rest = d.Tail() {
		err := d.Parse(rest)
		got = append(got, string(d.Root().Raw()))
		if err == nil {
			break
		}
		if len(d.Tail()) == 0 {
			t.Fatal(err)
		}
		if string(rest[d.TailOffset():][:len(d.Tail())]) != string(d.Tail()) {
			t.Errorf("got TailOffset %d, want that of the tail %q in %q", d.TailOffset(), d.Tail(), rest)
		}
	}
	if want := []string{`{"n":1}`, `{"n":2}`, `[3]`}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestDepthIsLimitedAsInEncodingJSON(t *testing.T) {
	nest := func(n int) []byte {
		return []byte(strings.Repeat("[", n) + strings.Repeat("]", n))
	}
	var d Doc
	if err := d.Parse(nest(10_000)); err != nil || d.Len() != 10_000 {
		t.Errorf("10,000 levels: got error %v and %d tokens, want 10,000", err, d.Len())
	}
	if p := d.Node(9_999).Pointer(); len(p) != 2*9_999 {
		t.Errorf("got a deepest pointer of %d bytes, want %d", len(p), 2*9_999)
	}
	err := d.Parse(nest(10_001))
	var syntax *SyntaxError
	if !errors.As(err, &syntax) || syntax.Offset != 10_000 || !strings.Contains(syntax.Msg, "10,000 levels") {
		t.Errorf("10,001 levels: got error %v, want the limit at offset 10,000", err)
	}
	if d.Len() != 10_000 {
		t.Errorf("got %d tokens after the error, want 10,000", d.Len())
	}
}

func TestHugeBody(t *testing.T) {
	if testing.Short() {
		t.Skip("64 MB")
	}
	body := bytes.Repeat([]byte("QUJD"), 16<<20)
	copy(body, `{"bytes":"`)
	copy(body[len(body)-2:], `"}`)
	var d Doc
	if err := d.Parse(body); err != nil {
		t.Fatal(err)
	}
	if got := len(d.Root().Get("bytes").Raw()); got != len(body)-len(`{"bytes":}`) || d.Len() != 3 {
		t.Errorf("got %d bytes in %d tokens, want %d in 3", got, d.Len(), len(body)-len(`{"bytes":}`))
	}
}

func TestReusedDocGivesHugeIndexBack(t *testing.T) {
	var d Doc
	if err := d.Parse([]byte("[" + strings.Repeat("0,", 2*keepTokens) + "0]")); err != nil {
		t.Fatal(err)
	}
	if err := d.Parse([]byte(event)); err != nil {
		t.Fatal(err)
	}
	if c := cap(d.tokens); c > keepTokens {
		t.Errorf("got room for %d tokens, want at most %d", c, keepTokens)
	}
}

func TestParseIntoAReusedDocAllocatesNothing(t *testing.T) {
	src := []byte(event)
	var d Doc
	allocs := testing.AllocsPerRun(100, func() {
		if err := d.Parse(src); err != nil {
			t.Fatal(err)
		}
		if !d.Root().Get("result").Get("artifactUpdate").Get("artifact").Exists() {
			t.Fatal("got no artifact")
		}
		for range d.Duplicates() {
			t.Fatal("got a duplicate name, want none")
		}
	})
	if allocs != 0 {
		t.Errorf("got %v allocations, want 0", allocs)
	}
}

// vectors returns the content of the test vectors.
func vectors(t testing.TB) map[string][]byte {
	t.Helper()
	paths, err := filepath.Glob("../testdata/vectors/*/*")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no vectors: %v", err)
	}
	files := make(map[string][]byte, len(paths))
	for _, path := range paths {
		if files[path], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

func TestVectorsAgreeWithEncodingJSON(t *testing.T) {
	for path, body := range vectors(t) {
		checkAgainstEncodingJSON(t, path, body)
	}
}

func BenchmarkParse(b *testing.B) {
	src := []byte(event)
	var d Doc
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if d.Parse(src) != nil {
			b.Fatal("got a syntax error")
		}
	}
}

func BenchmarkParseAndGet(b *testing.B) {
	src := []byte(event)
	var d Doc
	b.ReportAllocs()
	for b.Loop() {
		if d.Parse(src) != nil || !d.Root().Get("result").Get("artifactUpdate").Get("lastChunk").Exists() {
			b.Fatal("got no lastChunk")
		}
	}
}

// BenchmarkFloorValid measures how long the standard library takes to check the same bytes.
func BenchmarkFloorValid(b *testing.B) {
	src := []byte(event)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if !json.Valid(src) {
			b.Fatal("got invalid JSON")
		}
	}
}

func BenchmarkParseBase64(b *testing.B) {
	src := []byte(`{"bytes":"` + strings.Repeat("QUJD", 1<<18) + `"}`)
	var d Doc
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		if d.Parse(src) != nil {
			b.Fatal("got a syntax error")
		}
	}
}
