package journal

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"parley/session/sessiontest"
)

// fragments are pieces of escaped text, valid and invalid.
var fragments = []string{
	"", "word ", `{\"text\":\"`, `\n`, `\\`, `\"`, `\t\r`, `\u001b`, `\u0001`, "é", "世界", "🌍", "\xe4", "\x80", `\`, `\u00`, `1b`, `"`, `\x`, `\u00e9`, `\/`, "\x00", `\"}}}\n\n`,
}

func TestBodiesAreUnescapedAlikeWithAPatternAndWithout(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	text := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteString(fragments[random.IntN(len(fragments))])
		}
		return b.String()
	}
	sound := 0
	for range 3000 {
		var u unescaper
		head, tail := text(random.IntN(6)), text(random.IntN(6))
		for range 6 {
			s := []byte(head + text(random.IntN(4)) + tail)
			got, ok := u.unescape(s)
			want, fine := new(unescaper).unescape(s)
			if ok && (!fine || !bytes.Equal(got, want)) {
				t.Fatalf("%q after pattern %q: got %q, want %q (valid: %v)", s, u.escaped, got, want, fine)
			}
			if ok {
				sound++
			}
		}
	}
	if sound < 500 {
		t.Errorf("got %d valid texts, want at least 500", sound)
	}
}

// TestWhatIsSoundIsUnescapedByItself checks that the reader leaves nothing that appendEscaped
// wrote to the general parser.
func TestWhatIsSoundIsUnescapedByItself(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	var u unescaper
	for i := range 5000 {
		plain := fmt.Appendf(nil, "id: %d\ndata: {\"text\":\"%s é\\n%c\"}\n\n", i, strings.Repeat("\t\"", random.IntN(4)), rune(random.IntN(0x300)))
		line, _ := appendEscaped(nil, plain)
		got, ok := u.unescape(line)
		if !ok || !bytes.Equal(got, plain) {
			t.Fatalf("got %[2]q (%[3]v), want %[1]q", plain, got, ok)
		}
	}
}

// TestReadingALineOfAStreamAllocatesItsBodyOnly counts the allocations per line.
func TestReadingALineOfAStreamAllocatesItsBodyOnly(t *testing.T) {
	var lines [][]byte
	for i := range 8 {
		r := sessiontest.ChunkRecord()
		r.ID, r.Raw = 7, bytes.Replace(r.Raw, []byte("10 to 17"), fmt.Appendf(nil, "%d to 17", i), 1)
		lines = append(lines, bytes.TrimSuffix(appendRecord(nil, &r), []byte("\n")))
	}
	var p lineParser
	i := 0
	n := testing.AllocsPerRun(100, func() {
		if r, err := p.record(lines[i%len(lines)]); err != nil || len(r.Raw) == 0 {
			t.Fatal(r, err)
		}
		i++
	})
	if n > 1 {
		t.Errorf("got %v allocations per line, want at most 1", n)
	}
	if len(p.bodies.escapes) == 0 || bytes.Contains(p.bodies.plain, []byte("1 to 17")) {
		t.Error("lines that are alike are read whole, want only the difference read")
	}
}
