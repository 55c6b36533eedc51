package servertrust_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"strings"
	"testing"

	"parley/a2a/servertrust"
)

func TestFingerprintsAreRead(t *testing.T) {
	t.Parallel()
	sum := sha256.Sum256([]byte("x"))
	digits, letters := hex.EncodeToString(sum[:]), base64.StdEncoding.EncodeToString(sum[:])
	var pairs []string
	for i := range sum {
		pairs = append(pairs, strings.ToUpper(digits[2*i:2*i+2]))
	}
	for text, key := range map[string]bool{
		"sha256:" + digits: false, "SHA256:" + strings.Join(pairs, ":"): false, "sha256//" + letters: true, "sha256//" + strings.TrimRight(letters, "="): true,
	} {
		f, why := servertrust.Parse(text)
		if why != "" || f.Sum != sum || f.Key != key {
			t.Errorf("%s: got %+v, %q", text, f, why)
		}
		if again, why := servertrust.Parse(f.String()); why != "" || again != f {
			t.Errorf("%s: got %+v, %q when it is read again", text, again, why)
		}
	}
	for text, want := range map[string]string{
		"": "begins neither", digits: "begins neither", "sha1:" + digits: "begins neither", "sha256:" + digits[1:]: "pairs of hexadecimal digits", "sha256:" + digits[2:]: "it has 31 bytes",
		"sha256:" + digits + "00": "it has 33 bytes", "sha256:xyz": "pairs of hexadecimal digits", "sha256//" + digits + "!": "base64", "sha256//AAAA": "it has 3 bytes", "sha256:": "it has 0 bytes",
		"sha256:\x1b[2J": "pairs of hexadecimal digits",
	} {
		if _, why := servertrust.Parse(text); !strings.Contains(why, want) {
			t.Errorf("%q: got %q, want %q", text, why, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("sha256:00")
	f.Add("sha256//AAAA=")
	f.Fuzz(func(t *testing.T, text string) {
		if got, why := servertrust.Parse(text); why == "" {
			if again, why := servertrust.Parse(got.String()); why != "" || again != got {
				t.Errorf("got %+v, %q, want %+v", again, why, got)
			}
		}
	})
}
