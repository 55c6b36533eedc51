package a2a

import (
	"bytes"
	"encoding/json"
	"net/url"
	"strings"
	"testing"
)

func TestWhatIsWrittenHasNoSecret(t *testing.T) {
	t.Parallel()
	const secret = "Zk7-x9/Qw4mB-tok"
	var s Secrets
	if s.Drawn() != nil || s.Drawn().Mask(secret) != secret {
		t.Error("a session without secrets masks something")
	}
	s.Know(secret, "wordsalone")
	s.Add("an answer-77")
	if first := s.Drawn(); first == nil || s.Drawn() != first {
		t.Error("got another finder for the same secrets, want the same one")
	}
	for _, c := range []struct {
		text, want string
		markup     bool
	}{
		{"plain " + secret + ", wordsalone, an answer-77", "plain •••, wordsalone, •••", false},
		{"Zk7<b>-x9</b>/Qw4mB-tok", "•••", false},
		{"Zk7<b>-x9</b>/Qw4mB-tok <i>x</i>", "•••<b></b> <i>x</i>", true},
		{`{"a":"Zk7-x9\/Qw4mB-tok"}`, `{"a":"•••"}`, false},
		{secret + secret, "••••••", false},
		{"", "", false},
	} {
		for _, size := range []int{1, 7, 1 << 20} {
			var b bytes.Buffer
			w := s.Drawn().Writer(&b, c.markup)
			for rest := c.text; len(rest) > 0; rest = rest[min(size, len(rest)):] {
				if n, err := w.Write([]byte(rest[:min(size, len(rest))])); err != nil || n != min(size, len(rest)) {
					t.Fatalf("got %d bytes written, %v", n, err)
				}
			}
			if err := w.Close(); err != nil || b.String() != c.want {
				t.Errorf("%q in pieces of %d: got %q, %v, want %q", c.text, size, b.String(), err, c.want)
			}
		}
	}
}

// A secret that lies across the end of what is searched at once is masked, and nothing else is lost or doubled.
func TestALongTextIsWrittenWhole(t *testing.T) {
	t.Parallel()
	for _, secret := range []string{"Zk7-x9/Qw4mB-tok", strings.Repeat("Zk7-x9/Qw4mB+tok", 512)} {
		var s Secrets
		s.Know(secret)
		spelled := url.QueryEscape(secret)
		for shift := 7; shift < 3*drawnBlock/2; shift += 2011 {
			var b bytes.Buffer
			w := s.Drawn().Writer(&b, false)
			text := strings.Repeat("x", shift) + " " + spelled + " " + strings.Repeat("y", 3*drawnBlock)
			for rest := []byte(text); len(rest) > 0; rest = rest[min(1000, len(rest)):] {
				if _, err := w.Write(rest[:min(1000, len(rest))]); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Close(); err != nil || b.String() != strings.Replace(text, spelled, Mask, 1) {
				t.Fatalf("%d bytes, shift %d: got %d bytes of %d, %v, want one mask in the same text", len(secret), shift, b.Len(), len(text), err)
			}
		}
	}
}

// Twenty secrets of 8 to 8,192 bytes, with spaces, line ends, other letters and digits alone, are masked in one
// text of JSON, which stays JSON.
func TestSecretsOfEverySizeAreMasked(t *testing.T) {
	t.Parallel()
	var s Secrets
	var all []string
	for i := range 20 {
		size := 8 << (i % 11)
		secret := strings.Repeat([]string{"k3y-", "pass phrase 1 ", "line\n2 ", "schlüssel9", "31415926"}[i%5], size)[:size]
		secret = strings.ToValidUTF8(string(rune('A'+i))+secret, "?")
		all = append(all, secret)
	}
	s.Know(all...)
	text, _ := json.Marshal(map[string]any{"said": all, "more": strings.Join(all, ", ")})
	m := newMasker(nil)
	m.vault = &s
	for name, got := range map[string]string{"what came": string(first(m.body(OpSend, text))), "what is drawn": s.Drawn().Mask(string(text))} {
		if !json.Valid([]byte(got)) {
			t.Errorf("%s: got no JSON: %.200s", name, got)
		}
		for i, secret := range all {
			if quoted, _ := json.Marshal(secret); strings.Contains(got, string(quoted[1:len(quoted)-1])) {
				t.Errorf("%s: secret %d of %d bytes is left", name, i, len(secret))
			}
		}
	}
}

func first[A, B any](a A, _ B) A { return a }
