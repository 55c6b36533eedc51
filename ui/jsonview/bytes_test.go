package jsonview

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"parley/themes"
	"parley/ui/styles"
)

func raw(body string, w, h int) *Bytes {
	b := NewBytes(styles.New(themes.Mono(), styles.Unicode()))
	b.SetSize(w, h)
	b.SetBody([]byte(body))
	return b
}

func TestBytesShowEveryByte(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{"data: {}\r\n\r\n", "data: {}␍␊\n␍␊"},
		{"a\tb\x00c\x1b[31md\x7f", "a␉b␀c␛[31md␡"},
		{"\xff\xc3(", "⟨FF⟩⟨C3⟩("},
		{"\u202eabc\u200bd\u0085\u009b", "⟨U+202E⟩abc⟨U+200B⟩d⟨U+0085⟩⟨U+009B⟩"},
		{"\uFEFF{}", "⟨U+FEFF⟩{}"},
		{"e\u0301 \u0301", "e\u0301 \u0301"},
		{"\u0301x", "⟨U+0301⟩x"},
		{"한국어 日本", "한국어 日本"},
		{"no end", "no end"},
		{"", ""},
	} {
		if got := screen(raw(c.body, 60, 4).Lines()); got != c.want {
			t.Errorf("%q is shown as %q, want %q", c.body, got, c.want)
		}
	}
}

func TestBytesHaveSignsInASCIIToo(t *testing.T) {
	b := NewBytes(styles.New(themes.Mono(), styles.ASCII()))
	b.SetSize(60, 4)
	b.SetBody([]byte("a\x00\x1b\x7f\xff\u202e\r\n"))
	if got, want := screen(b.Lines()), "a^@^[^?<FF><U+202E>^M^J"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	walk(t, &b.flow, 100)
}

func TestBytesBreakLongLinesAtTheWidth(t *testing.T) {
	if got, want := screen(raw("0123456789ab\n\nxy", 5, 8).Lines()), "01234\n56789\nab␊\n␊\nxy"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got, want := screen(raw("日本語日本語", 5, 8).Lines()), "日本\n語日\n本語"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestBytesStepUpAsTheyStepDown(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"a", "日", "\n", "\r\n", "\xff", "\u202e", "e\u0301", "\x80\x80\x80", "longer text ", "\t", "🇩🇪", "\u1100\u1161"}
	for range 20 {
		var body strings.Builder
		for range rng.IntN(3000) {
			body.WriteString(pieces[rng.IntN(len(pieces))])
		}
		b := raw(body.String(), 1+rng.IntN(40), 5)
		walk(t, &b.flow, 1<<30)
		for range 10 {
			w := 1 + rng.IntN(60)
			b.Scroll(rng.IntN(200) - 90)
			top := b.win.top.sub
			b.SetSize(w, 5)
			exact(t, b.Lines(), w, 5)
			if p := b.win.top; p.sub > top {
				t.Fatalf("window starts at byte %[2]d, want byte %[1]d in it", top, p.sub)
			}
		}
	}
}

func TestBytesOfOneHugeLine(t *testing.T) {
	b := raw(strings.Repeat("0123456789", 800_000), 100, 40)
	b.Bottom()
	exact(t, b.Lines(), 100, 40)
	if b.win.top.sub != 8_000_000-4000 {
		t.Errorf("last window starts at byte %d, want %d", b.win.top.sub, 8_000_000-4000)
	}
	for range 100 {
		b.Scroll(-3)
	}
	exact(t, b.Lines(), 100, 40)
	b.SetSize(33, 40)
	exact(t, b.Lines(), 33, 40)
	b.Top()
	if got := screen(b.Lines()[:1]); got != "012345678901234567890123456789012" {
		t.Errorf("first line is %q, want 33 digits", got)
	}
}

// megabyte returns a JSON body of about 1 MB.
func megabyte() []byte {
	var b bytes.Buffer
	b.WriteString(`{"jsonrpc":"2.0","id":"1","result":{"items":[`)
	for b.Len() < 1_000_000 {
		b.WriteString(`{"id":"91c2e0d4-77f1","state":"TASK_STATE_WORKING","n":412.50,"ok":true,"parts":[{"text":"Day 1: arrive"}]},`)
	}
	b.WriteString(`null]}}`)
	return b.Bytes()
}

func BenchmarkFirstScreen1MB(b *testing.B) {
	body := megabyte()
	v := New(styles.New(themes.Dark(), styles.Unicode()))
	v.SetSize(100, 58)
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		v.SetBody(body, nil)
		v.Lines()
	}
}

// BenchmarkFloorIndent measures the standard library's indentation of the same bytes, without
// drawing.
func BenchmarkFloorIndent(b *testing.B) {
	body := megabyte()
	var out bytes.Buffer
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		out.Reset()
		if json.Indent(&out, body, "", "  ") != nil {
			b.Fatal("got an invalid JSON body, want a valid one")
		}
	}
}

func BenchmarkScroll1MB(b *testing.B) {
	v := New(styles.New(themes.Dark(), styles.Unicode()))
	v.SetSize(100, 58)
	v.SetBody(megabyte(), nil)
	v.Scroll(20_000)
	n := 3
	for b.Loop() {
		v.Scroll(n)
		v.Lines()
		n = -n
	}
}

func BenchmarkScrollBytes1MB(b *testing.B) {
	v := NewBytes(styles.New(themes.Dark(), styles.Unicode()))
	v.SetSize(100, 58)
	v.SetBody(megabyte())
	v.Scroll(5_000)
	n := 3
	for b.Loop() {
		v.Scroll(n)
		v.Lines()
		n = -n
	}
}
