package jsontok

import (
	"errors"
	"strings"
	"testing"
)

var broken = []struct {
	src    string
	offset int
	msg    string
	cut    bool
}{
	{"", 0, "an empty body", true},
	{" \n", 2, "an empty body", true},
	{"\x00\x00", 0, "an empty body", true},
	{"<!doctype html>", 0, "HTML or XML, not JSON", false},
	{"{\"a\":1 // x\n}", 7, "a comment", false},
	{"{/* x */}", 1, "a comment", false},
	{"[# x\n]", 1, "a comment", false},
	{`{"a" /**/ :1}`, 5, "a comment", false},
	{`{"a":NaN}`, 5, "NaN, which Python's json writes", false},
	{`[Infinity]`, 1, "Infinity, which Python's json writes", false},
	{`[-Infinity]`, 1, "-Infinity, which Python's json writes", false},
	{`[True]`, 1, "True, which is Python, not JSON", false},
	{`[None]`, 1, "None, which is Python, not JSON", false},
	{`[undefined]`, 1, "undefined, which is JavaScript, not JSON", false},
	{`{"a":1,}`, 6, "a trailing comma", false},
	{`[1, ]`, 2, "a trailing comma", false},
	{`[1 2]`, 3, "a missing comma", false},
	{`{"a":1 "b":2}`, 7, "a missing comma", false},
	{`[,1]`, 1, "',' in place of a value", false},
	{`{"a" 1}`, 5, "'1' in place of a colon", false},
	{`{a:1}`, 1, "a name without quotes", false},
	{`{'a':1}`, 1, "a name in single quotes", false},
	{`{1:1}`, 1, "'1' in place of a name", false},
	{`['a']`, 1, "a string in single quotes", false},
	{`[1}`, 2, "'}' in place of ']' or a comma", false},
	{`{"a":1]`, 6, "']' in place of '}' or a comma", false},
	{`[1;2]`, 2, "';' in place of a comma", false},
	{"[1\x1b[2J]", 2, "byte 0x1B in place of a comma", false},
	{"[\xff]", 1, "byte 0xFF in place of a value", false},
	{`[01]`, 1, "a number with a leading zero", false},
	{`[-012]`, 1, "a number with a leading zero", false},
	{`[+1]`, 1, "a number with a leading plus sign", false},
	{`[.5]`, 1, "a number that starts with its point", false},
	{`[5.]`, 3, "a number without a digit after its point", false},
	{`[5e]`, 3, "a number without a digit in its exponent", false},
	{`[5e+]`, 4, "a number without a digit in its exponent", false},
	{`[-]`, 2, "a minus sign without a digit after it", false},
	{`[0x1F]`, 1, "a hexadecimal number", false},
	{`[12abc]`, 3, "'a' inside a number", false},
	{`[1.2.3]`, 4, "'.' inside a number", false},
	{`[tru]`, 1, "'t' in place of a value", false},
	{`["\x"]`, 2, "an escape that JSON does not define", false},
	{`["\u12G4"]`, 2, `a \u escape without four hexadecimal digits`, false},
	{"[\"a\nb\"]", 3, "a line break inside a string", false},
	{"[\"a\x1bb\"]", 3, "control character 0x1B inside a string", false},
	{`{"a":"long text that is c`, 25, "body ends inside a string", true},
	{`["\`, 3, "body ends inside a string", true},
	{`["\u00`, 6, "body ends inside a string", true},
	{`{"a`, 3, "body ends inside a string", true},
	{`{"a"`, 4, "body ends inside an object", true},
	{`{"a":`, 5, "body ends inside an object", true},
	{`{"a":1`, 6, "body ends inside an object", true},
	{`{"a":1,`, 7, "body ends inside an object", true},
	{`{`, 1, "body ends inside an object", true},
	{`[1, `, 4, "body ends inside an array", true},
	{`[tru`, 1 + 3, "body ends inside the word true", true},
	{`[-`, 2, "body ends inside a number", true},
	{`[5.`, 3, "body ends inside a number", true},
	{`[5e+`, 4, "body ends inside a number", true},
	{`{"a":1}{"b":2}`, 7, "a second value after the end of the first", false},
	{`{"a":1};`, 7, "';' after the end of the value", false},
	{"\xEF\xBB\xBF\xEF\xBB\xBF{}", 3, "byte 0xEF in place of a value", false},
}

func TestSyntaxErrorsNameWhatWasFound(t *testing.T) {
	for _, c := range broken {
		var d Doc
		err := d.Parse([]byte(c.src))
		var got *SyntaxError
		if !errors.As(err, &got) {
			t.Errorf("%q: got %v, want a SyntaxError", c.src, err)
			continue
		}
		if *got != (SyntaxError{Offset: c.offset, Msg: c.msg, Cut: c.cut, Deep: strings.Contains(c.msg, "levels")}) {
			t.Errorf("%q: got error %+v, want %d %q cut %v", c.src, *got, c.offset, c.msg, c.cut)
		}
		if !strings.Contains(got.Error(), c.msg) {
			t.Errorf("%q: got Error() %q, want %q in it", c.src, got.Error(), c.msg)
		}
	}
}

func TestBrokenBodyStaysReadableUpToTheBreak(t *testing.T) {
	var d Doc
	err := d.Parse([]byte(`{"id":"7","result":{"parts":[{"text":"half a sent`))
	if err == nil {
		t.Fatal("got no error of a broken body")
	}
	if got := d.Root().Get("id").Text(); got != "7" {
		t.Errorf("id: got %q, want %q", got, "7")
	}
	text := d.Root().Get("result").Get("parts")
	for part := range text.Elems() {
		text = part.Get("text")
	}
	if got := text.Text(); got != "half a sent" {
		t.Errorf("text: got %q, want %q", got, "half a sent")
	}
	if text.Pointer() != "/result/parts/0/text" || d.At(45) != text {
		t.Errorf("got pointer %q and At(45) %q, want /result/parts/0/text", text.Pointer(), d.At(45).Pointer())
	}
	if whole := d.Node(2); d.Token(2).Torn || !d.Token(0).Torn || !d.Token(text.Index()).Torn {
		t.Errorf("got Torn %v of the id and %v of the root, want false and true", d.Token(2).Torn, d.Token(0).Torn)
	} else if whole.Text() != "7" {
		t.Errorf("got text %q of token 2, want %q", whole.Text(), "7")
	}
	if len(d.Tail()) != 0 {
		t.Errorf("got tail %q, want none", d.Tail())
	}
}

func TestTornObjectWithoutALastValue(t *testing.T) {
	for _, src := range []string{`{"a":1,"b"`, `{"a":1,"b":`, `{"a":1,"b":x}`, `{"a":1,"b`, `{"a":1,"b\u00`, `{"a":1,"b\`} {
		var d Doc
		if d.Parse([]byte(src)) == nil {
			t.Fatalf("%s: got no error", src)
		}
		root := d.Root()
		if root.Len() != 1 || root.Get("a").Number() != "1" || root.Get("b").Exists() {
			t.Errorf("%s: got %d members, want a alone", src, root.Len())
		}
		for name := range root.Members() {
			if name != "a" {
				t.Errorf("%s: got member %q, want a alone", src, name)
			}
		}
		if key := d.Node(3); key.Text() != "b" || key.Pointer() != "/b" {
			t.Errorf("%s: got name %q at %q, want b at /b", src, key.Text(), key.Pointer())
		}
		for range d.Duplicates() {
			t.Errorf("%s: got a duplicate name, want none", src)
		}
	}
}
