package plaintext

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

const secret = "PLA-NT_9x/Q+z=7"

// each writes every character in a way.
func each(format string) string {
	var b strings.Builder
	for _, c := range secret {
		fmt.Fprintf(&b, format, c)
	}
	return b.String()
}

// quoted returns a text as it stands between the quotes of JSON.
func quoted(s string) string {
	b, _ := json.Marshal(s)
	return string(b[1 : len(b)-1])
}

// spellings are the ways in which agents repeat a secret.
var spellings = map[string]string{
	"plain": secret, "percent-lower": each("%%%02x"), "percent-upper": each("%%%02X"), "query": url.QueryEscape(secret), "path": url.PathEscape(secret),
	"html-dec": each("&#%d;"), "html-hex": each("&#x%x;"), "html-named": strings.ReplaceAll(secret, "-", "&hyphen;"), "html": html.EscapeString(secret),
	"json-u": each(`\u%04x`), "json-u in JSON": quoted(each(`\u%04x`)), "json-u in JSON in JSON": quoted(quoted(each(`\u%04x`))),
	"zero-width": each("%c\u200b"), "joiners": each("%c\u2060\ufe0f"), "soft-hyphen": strings.ReplaceAll(secret, "-", "\u00ad-"),
	"md-escape": strings.NewReplacer("-", `\-`, "_", `\_`).Replace(secret), "md-escape in JSON": quoted(strings.NewReplacer("-", `\-`, "_", `\_`).Replace(secret)),
	"md-strong": "PLA-**NT_9x**/Q+z=7", "md-code": "PLA-`NT`_9x/Q+z=7", "md-link": "[PLA](http://x/a_(b))-NT_9x/Q+z=7", "md-underscores": "PLA-NT_9x/__Q__+z=7", "md-reference": "[PLA][1]-NT_9x/Q+z=7", "md-quote": "PLA-NT\n> _9x/Q+z=7", "md-struck": "~~PLA~~-NT_9x/Q+z=7",
	"html-tag": "PLA<b></b>-NT<br/>_9x/Q+z=7", "html-comment": "PLA<!-- a > b -->-NT_9x/Q+z=7",
	"no-break-hyphen": strings.ReplaceAll(secret, "-", "\u2011"), "minus": strings.ReplaceAll(secret, "-", "\u2212"),
	"full-width": strings.Map(func(r rune) rune { return r + 0xfee0 }, secret),
	"colours":    "PLA\x1b[31m-NT\x1b]8;;http://x\a_9x/Q\x1b[0m+z=7", "controls": "PLA\x00-NT\r\n_9x\b/Q+z=7", "lines": "PLA-N\nT_9x/\n  Q+z=7", "no-break space": "PLA-NT\u00a0_9x/Q+z=7",
}

func TestEverySpellingHasOnePlainText(t *testing.T) {
	t.Parallel()
	want := Plain(secret)
	if want != "PLA-NT9x/Q+z=7" {
		t.Fatalf("got %q, want the secret without the character that may be a mark", want)
	}
	for name, s := range spellings {
		if got := Plain(s); got != want {
			t.Errorf("%s: %q is read as %q, want %q", name, s, got, want)
		}
		var text Text
		text.Read([]byte("before " + s + " behind"))
		at := bytes.Index(text.Plain, []byte(want))
		if at < 0 {
			t.Errorf("%s: got %q, want the secret in it", name, text.Plain)
			continue
		}
		from, to := text.Source(at, at+len(want))
		if got := ("before " + s + " behind")[from:to]; Plain(got) != want {
			t.Errorf("%s: the source of the secret is %q, want all of it", name, got)
		}
	}
}

func TestOtherTextsStayApart(t *testing.T) {
	t.Parallel()
	for _, s := range []string{strings.ToLower(secret), secret[:8] + "x" + secret[8:], "100 % sure", "R&D", `C:\windows`, "a < b > c", "f(x)[1](2)", "&#;", "%2", `\u12`} {
		if got := Plain(s); strings.Contains(got, secret) {
			t.Errorf("%q is read as %q", s, got)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range spellings {
		f.Add([]byte(s))
	}
	f.Add([]byte("\xff\xfe"))
	f.Add([]byte(`000000\u00\u004111`)) // the second escape completes the first one
	f.Add([]byte(`000000\u0\u003\u003011111`))
	f.Add([]byte("%25%32%35\\\\\\u005c&amp;amp;<!--<a\x1b[\x1b]]((()"))
	f.Fuzz(func(t *testing.T, source []byte) {
		var text Text
		text.Read(source)
		if len(text.Plain) != len(text.spans) {
			t.Fatalf("got %d bytes and %d places", len(text.Plain), len(text.spans))
		}
		for i := range text.Plain {
			from, to := text.Source(i, i+1)
			if from < 0 || from >= to || to > len(source) || i > 0 && from < int(text.spans[i-1].from) {
				t.Fatalf("byte %d came from %d to %d of %d", i, from, to, len(source))
			}
		}
		if utf8.Valid(source) && bytes.ContainsAny(text.Plain, " \n\t\x00") && !bytes.ContainsAny(source, "%&\\\uff01") {
			t.Fatalf("%q is read as %q, which has white space", source, text.Plain)
		}
		checkPairs(t, source, string(text.Plain))
		var again Text
		again.Read([]byte("x"))
		again.Read(source)
		if !bytes.Equal(again.Plain, text.Plain) {
			t.Fatalf("a text that is read again differs: %q and %q", text.Plain, again.Plain)
		}
	})
}

// checkPairs checks that the pairs of every part of a plain text find it in the source.
func checkPairs(t *testing.T, source []byte, plain string) {
	t.Helper()
	const size, parts = 4, 30
	spaceless := strings.ReplaceAll(string(source), " ", "")
	for i := 0; i+size <= len(plain); i += 1 + len(plain)/parts {
		var wanted pairs
		part := plain[i : i+size]
		wanted.add(part)
		if !strings.Contains(spaceless, part) && !wanted.may(source) {
			t.Fatalf("%q is read as %q, and told not to have %q", source, plain, part)
		}
		part = plain[len(plain)-size:]
		var pending pairs
		pending.add(part + "x")
		if from := pending.end(source); !strings.HasSuffix(Plain(string(source[from:])), part) {
			t.Fatalf("the end of %q that may begin a text is %q, want all of %q", source, source[from:], part)
		}
	}
}

func TestMostTextsAreToldAtAGlance(t *testing.T) {
	t.Parallel()
	var wanted pairs
	wanted.add(Plain(secret))
	for _, s := range []string{"", "**What** is `this`? A \"quoted\" <b>word</b>, — “so” … 漢字 😀\r\n", `{"text":"a \"quoted\" line\n"}`, strings.ToLower(secret), "PLA", "http://x/NT-PLA", "100%20percent&nbsp;sure"} {
		if wanted.may([]byte(s)) {
			t.Errorf("%q may have the secret, want that it is told to have none", s)
		}
	}
	for name, s := range spellings {
		if s != secret && !wanted.may([]byte("before "+s+" behind")) {
			t.Errorf("%s: told to have no secret", name)
		}
	}
	for text, from := range map[string]int{"and PLA": 4, "and then PLA": 9, "and P\u00adL\n": 4, "and": 3, "and then ": 9, "and PL&": 7, "and PL%41": 0, "and then it was": 15} {
		if got := wanted.end([]byte(text)); got != from {
			t.Errorf("%q: got an end from %d, want %d", text, got, from)
		}
	}
}

func BenchmarkMay(b *testing.B) {
	var wanted pairs
	wanted.add(Plain(secret))
	source := []byte(strings.Repeat(`{"jsonrpc":"2.0","result":{"artifactUpdate":{"artifact":{"parts":[{"text":"The **Lamplighter**, Bloomsbury.\n"}]}}}}`, 3))
	b.SetBytes(int64(len(source)))
	b.ReportAllocs()
	for b.Loop() {
		if wanted.may(source) {
			b.Fatal("found")
		}
	}
}

func BenchmarkRead(b *testing.B) {
	source := []byte(strings.Repeat(`{"jsonrpc":"2.0","result":{"artifactUpdate":{"artifact":{"parts":[{"text":"The **Lamplighter**, Bloomsbury.\n"}]}}}}`, 3))
	var text Text
	b.SetBytes(int64(len(source)))
	b.ReportAllocs()
	for b.Loop() {
		text.Read(source)
	}
}

func BenchmarkMayPlain(b *testing.B) {
	var wanted pairs
	wanted.add(Plain(secret))
	source := []byte(`{"jsonrpc":"2.0","id":"3f0c1c52-9d0e-4d7e-8f59-2b7f4f4f1d11","result":{"artifactUpdate":{"taskId":"0b9bd2c6-4a0f-4c69-9a6a-6a9d7b5f7a01",` +
		`"contextId":"5e2f7a3c-1f3e-4f0f-9a55-0c1f0e6b2a77","append":true,"artifact":{"artifactId":"a","parts":[{"text":" and the next words\n"}]}}}}`)
	b.SetBytes(int64(len(source)))
	for b.Loop() {
		if wanted.may(source) {
			b.Fatal("found")
		}
	}
}

// Hostile texts cost a constant per byte: the time of a text grows as its length does.
func BenchmarkNearMisses(b *testing.B) {
	for _, near := range []string{"<a", "<a \"", "<!--", "](", "](a", "\x1b]", "\x1b[1", "&a", "%2", `\u00`, "PLA-N", "P*", "P&#76;"} {
		b.Run(fmt.Sprintf("%q", near), func(b *testing.B) {
			var wanted pairs
			wanted.add(Plain(secret))
			source := bytes.Repeat([]byte(near), 1<<20/len(near))
			b.SetBytes(int64(len(source)))
			var text Text
			for b.Loop() {
				wanted.may(source)
				wanted.end(source)
				text.Read(source)
			}
		})
	}
}

func TestNoHalfOfAMarkIsLeft(t *testing.T) {
	t.Parallel()
	f := NewFinder([]string{secret}, nil, 8)
	for source, want := range map[string]string{
		"a **PLA-**NT_9x/Q+z=7 b": "a • b", "a PLA-**NT_9x/Q+z=7** b": "a • b", "a [PLA](http://x/)-NT_9x/Q+z=7 b": "a • b", "a [PLA][1]-NT_9x/Q+z=7 b": "a • b",
		"a `PLA-`NT_9x/Q+z=7` b": "a • b", "**a** PLA<b>-NT_9x/Q+z=7 **b**": "**a** • **b**", "*PLA&#45;NT_9x/Q+z=7*": "*•*", `["PLA&#45;NT_9x/Q+z=7"]`: `["•"]`,
	} {
		got := ""
		f.Find([]byte(source), func(from, to int) { got = source[:from] + "•" + source[to:] })
		if got != want {
			t.Errorf("%q: got %q, want %q", source, got, want)
		}
	}
}

// A byte that is told to be plain begins no character that is left out or replaced, and so does a character that is told
// to be frequent.
func TestPlainCharactersAreLeftAsTheyAre(t *testing.T) {
	t.Parallel()
	for r := rune(utf8.RuneSelf); r <= unicode.MaxRune; r++ {
		raw := []byte(string(r))
		if r == utf8.RuneError || classes[raw[0]] != plain && !frequent(r) {
			continue
		}
		if got := slowRune(r, raw); string(got) != string(r) {
			t.Errorf("%U is left as %q, and told to be plain", r, got)
		}
	}
}

// Texts of any script cost no memory to be told to have nothing.
func TestALookAllocatesNothing(t *testing.T) {
	var wanted pairs
	wanted.add(Plain(secret))
	for _, s := range []string{"Ein Satz über Äpfel.", "Слова и слова", "漢字、かな", "한국어", "“so” — and … 100% of it 😀", "naïve a\u200bb \\\"quoted\\\" 50%20"} {
		source := []byte(s)
		if n := testing.AllocsPerRun(10, func() { wanted.may(source); wanted.end(source) }); n > 0 {
			t.Errorf("%q: got %v allocations, want none", s, n)
		}
	}
}

func TestAShortTextIsFoundWithoutItsMarks(t *testing.T) {
	t.Parallel()
	f := NewFinder([]string{"klZ-O_j2", "_________", "short"}, nil, 8)
	for source, want := range map[string]int{"it is kl&#90;-O_j2.": 1, "klZ-**O_j2**": 1, "__**__": 0, "sh<b>ort</b>": 0} {
		got := 0
		f.Find([]byte(source), func(int, int) { got++ })
		if got != want {
			t.Errorf("%q: found %d times, want %d", source, got, want)
		}
	}
}
