package longtext

import (
	"bytes"
	"encoding/json"
	"runtime"
	"strings"
	"testing"
)

// encoded encodes a document with texts, in one piece.
func encoded(t testing.TB, doc any) string {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(doc); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

type document struct {
	Name  string
	Texts []string
}

// compare tests that a document is the same with texts kept out.
func compare(t *testing.T, texts ...string) {
	t.Helper()
	var kept Texts
	short := document{Name: "a document"}
	for _, text := range texts {
		short.Texts = append(short.Texts, kept.Keep(text))
	}
	got, want := string(kept.Insert([]byte(encoded(t, short)))), encoded(t, document{"a document", texts})
	if got != want {
		t.Errorf("got %d bytes, want the %d that encoding/json writes", len(got), len(want))
	}
}

// cut tests that a document is the same with its long strings cut out.
func cut(t *testing.T, doc string) {
	t.Helper()
	var kept Texts
	short := kept.Cut([]byte(doc))
	if got := string(kept.Insert(short)); got != doc {
		t.Errorf("got %d bytes, want the %d of the document", len(got), len(doc))
	}
	if len(doc) > 4*least && len(short) > len(doc)/2 && json.Valid([]byte(doc)) {
		t.Errorf("got %d bytes of %d without the long strings", len(short), len(doc))
	}
	kept.Pieces(short, func([]byte) {}, func(piece []byte) {
		if json.Valid([]byte(doc)) && !json.Valid([]byte(`"`+string(piece)+`"`)) {
			t.Errorf("got a piece that divides an escape or a character: %.20q … %.20q", piece, piece[max(0, len(piece)-20):])
		}
	})
}

func TestADocumentIsCutAtItsLongStrings(t *testing.T) {
	for _, s := range []string{"plain ", `\n`, `\\`, `\"`, `\\\"`, `\u0041`, `\ud83d\ude00`, "漢字", "😀x", "\xff\xfe"} {
		for pad := range 8 {
			long := strings.Repeat("x", pad) + strings.Repeat(s, 3*least/len(s))
			cut(t, `{"a":"`+long+`","b":["short","`+long+`"],"c":1}`)
			cut(t, `"`+long+`"`)
			cut(t, `{"a":"`+long) // torn
		}
	}
	for _, doc := range []string{"", `"`, `{}`, `"\`, `{"a":"b\"c"}`, "null"} {
		cut(t, doc)
	}
}

func TestADocumentIsAsWithoutThisPackage(t *testing.T) {
	compare(t)
	compare(t, "short", "")
	for _, text := range []string{"plain text ", "new\nline\t", "\"quoted\\\" ", "<b>&amp;</b>", "größe ", "漢字", "😀", "\u2028\u2029", "\xff\xfe", "a\xe6\xbc", "\x00\x1b[31m"} {
		for _, n := range []int{least - 1, least, least + 1, 3*least + 2} {
			long := strings.Repeat(text, n/len(text)+1)
			compare(t, long[:n], "short", long)
			compare(t, "x"+long, "xy"+long, "xyz"+long)
		}
	}
}

func TestALongTextTakesItsOwnMemory(t *testing.T) {
	text := strings.Repeat("It was a bright cold day in April.\n", 200_000)
	var kept Texts
	doc := []byte(encoded(t, document{Texts: []string{kept.Keep(text)}}))
	var out []byte
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	out = kept.Insert(doc)
	runtime.ReadMemStats(&after)
	if taken, most := after.TotalAlloc-before.TotalAlloc, uint64(len(out))*5/4; taken > most {
		t.Errorf("got %d bytes allocated for a document of %d, want at most %d", taken, len(out), most)
	}
}

func FuzzInsert(f *testing.F) {
	f.Add("a long text", uint16(3))
	f.Add("\xff\u2028\"", uint16(0))
	f.Fuzz(func(t *testing.T, text string, shift uint16) {
		if text == "" {
			return
		}
		long := strings.Repeat(text, 2*least/len(text)+2)
		compare(t, long[int(shift)%len(long):], text)
		cut(t, long)
		cut(t, encoded(t, document{Texts: []string{long, text}}))
	})
}
