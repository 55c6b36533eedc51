package a2a

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// chunkFrame returns a stream event with a text.
func chunkFrame(artifact, text string) []byte {
	quoted, _ := json.Marshal(text)
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,"result":{"artifactUpdate":{"taskId":"t","artifact":{"artifactId":%q,"parts":[{"text":%s}]},"append":true}}}`, artifact, quoted)
}

// chunkText returns the texts of the parts in a masked event.
func chunkText(t *testing.T, data []byte) string {
	t.Helper()
	var v struct {
		Result struct {
			ArtifactUpdate struct {
				Artifact struct{ Parts []struct{ Text string } }
			}
		}
	}
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatalf("got frame %s (%v), want JSON", data, err)
	}
	var all strings.Builder
	for _, p := range v.Result.ArtifactUpdate.Artifact.Parts {
		all.WriteString(p.Text)
	}
	return all.String()
}

// shows returns the longest stretch of a secret that is in a text.
func shows(text, secret string) (longest string) {
	for from := range secret {
		for to := from + len(longest) + 1; to <= len(secret) && strings.Contains(text, secret[from:to]); to++ {
			longest = secret[from:to]
		}
	}
	return longest
}

// A credential that an agent repeats in pieces is masked wherever it is divided, in the raw
// frame too: at most its first three characters are shown.
func TestACredentialIsMaskedInTheChunksThatDivideIt(t *testing.T) {
	t.Parallel()
	for name, spell := range echoes {
		secret := `Zk7-x"9/Qw+ä_4mB`
		if name == "plain" {
			secret = "token/Zk7+x9&Qw" // looks like a scheme, but is none
		}
		whole := spell(secret)
		if name == "all escaped" || strings.HasPrefix(name, "ASCII") || name == "solidus" {
			continue // JSON is decoded before the search
		}
		alone := newMasker(nil)
		alone.know(secret)
		_, gone := alone.body(OpSend, []byte(whole))
		hidden := gone[0].Original // without base64's special characters
		divide := [][]string{strings.Split(whole, "")}
		for i := 1; i < len(whole); i++ {
			divide = append(divide, []string{whole[:i], whole[i:]})
			for j := i + 1; j < len(whole); j += 3 {
				divide = append(divide, []string{whole[:i], whole[i:j], whole[j:]})
			}
		}
		for _, chunks := range divide {
			if strings.ContainsRune(strings.Join(chunks, "|"), '\uFFFD') || !validUTF8(chunks) {
				continue // no agent can send half a character
			}
			m, e := newMasker(nil), &echo{}
			m.know(secret)
			var got, raws strings.Builder
			chunks := append([]string{"you sent "}, chunks...)
			for _, c := range append(chunks, " as I see") {
				data := chunkFrame("a", c)
				raw, clean, _ := m.frame(OpStream, []byte("data: "+string(data)+"\n\n"), data, e)
				if want := "data: " + string(clean) + "\n\n"; string(raw) != want {
					t.Fatalf("got frame %s\nwith data %s, want the same text in both", raw, clean)
				}
				got.WriteString(chunkText(t, clean))
				raws.Write(raw)
			}
			if s := shows(got.String(), hidden); len(s) >= leastPiece {
				t.Errorf("%s, chunks %q: %q is shown in %s", name, chunks, s, got.String())
			}
			if !strings.HasPrefix(got.String(), "you sent ") || !strings.HasSuffix(got.String(), " as I see") {
				t.Errorf("%s: text around the secret is masked: %s", name, got.String())
			}
		}
	}
}

func validUTF8(chunks []string) bool {
	for _, c := range chunks {
		if strings.ToValidUTF8(c, "") != c {
			return false
		}
	}
	return true
}

func TestPiecesAreFollowedInEachArtifactByItself(t *testing.T) {
	t.Parallel()
	const secret = "Zk7-x9Qw-4mB-token"
	m, e := newMasker(nil), &echo{}
	m.know("Bearer "+secret, secret)
	var got [2]strings.Builder
	for _, c := range []struct {
		artifact int
		text     string
	}{{0, "Zk7-x9"}, {1, "The Bearer"}, {1, " of Zk7"}, {0, "Qw-4"}, {1, "-x9Qw-4mB-token"}, {0, "mB-token."}, {1, " news Zk7-x9"}, {1, "-other"}} {
		data := chunkFrame(fmt.Sprint(c.artifact), c.text)
		_, clean, _ := m.frame(OpStream, data, data, e)
		got[c.artifact].WriteString(chunkText(t, clean))
	}
	if got[0].String() != "•••••••••." || got[1].String() != "The Bearer of Zk7••• news •••-other" {
		t.Errorf("got artifacts\n%s\n%s", got[0].String(), got[1].String())
	}
}

func TestPiecesInOneBodyAreMasked(t *testing.T) {
	t.Parallel()
	m := newMasker(nil)
	m.know("Zk7-x9Qw-4mB-token")
	body := `{"parts":[{"kind":"text","text":"it is Z\u006b7-x"},{"kind" : "text" , "text" : "9Qw-4mB"},{"text":"-token, see"}],"more":"Zk7-x"}`
	got, gone := m.body(OpGet, []byte(body))
	if want := `{"parts":[{"kind":"text","text":"it is •••"},{"kind" : "text" , "text" : "•••"},{"text":"•••, see"}],"more":"Zk7-x"}`; string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if string(restoreSecrets(got, gone)) != body {
		t.Errorf("cannot unmask %s", got)
	}
}

// Between chunks only the start of a possible credential is stored, so the cost of a chunk does
// not grow.
func TestLittleIsKeptBetweenChunks(t *testing.T) {
	m, e := newMasker(nil), &echo{}
	m.know("Zk7-x9Qw-4mB-token")
	for i := range 2 * maxEchoes {
		for range 20 {
			data := chunkFrame(fmt.Sprint(i), "a text that says Zk7-x9 and more and more and ends in Zk7-")
			m.frame(OpStream, data, data, e)
		}
		kept := 0
		for _, end := range e.joiner.ends {
			kept = max(kept, len(end))
		}
		if kept != len("Zk7-") || len(e.joiner.ends) > maxEchoes {
			t.Fatalf("got %d bytes buffered of an artifact, and %d artifacts; want %d and at most %d", kept, len(e.joiner.ends), len("Zk7-"), maxEchoes)
		}
	}
	data := chunkFrame("0", "and the next words\n")
	m.frame(OpStream, data, data, e)
	if n := testing.AllocsPerRun(100, func() { m.frame(OpStream, data, data, e) }); n > 0 {
		t.Errorf("got %v allocations an event, want 0", n)
	}
}

func FuzzPieces(f *testing.F) {
	f.Add("Zk7-x9Qw-4mB-token", "a Zk7-x9", "Qw-4mB-token b", `{"text":"x"}`)
	f.Add("aaaaaaaaaaaa", "aaaaaaa", "aaaaaaaaaaaaa", `{"text":"\u00`)
	f.Add("\"\\\"\\\"\\\"\\", "\"\\\"", "\\\"\\\"\\", `{"text"`)
	f.Fuzz(func(t *testing.T, secret, one, two, other string) {
		m, e := newMasker(nil), &echo{}
		m.know(secret)
		for _, data := range [][]byte{chunkFrame("a", one), chunkFrame("a", two), []byte(other)} {
			raw := append(append([]byte("data: "), data...), "\n\n"...)
			clean, text, gone := m.frame(OpStream, raw, data, e)
			if json.Valid(data) && !json.Valid(text) {
				t.Errorf("got invalid JSON %q of valid %q", text, data)
			}
			if s := string(restoreSecrets(clean, gone)); s != string(raw) && !strings.Contains(string(data), "\n") {
				t.Errorf("got %q restored from %q, want %q", s, clean, raw)
			}
		}
	})
}
