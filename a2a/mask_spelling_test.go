package a2a

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"parley/a2a/plaintext"
	"parley/internal/secrettest"
)

// leftOf returns the longest stretch of a secret that a reader sees in a text.
func leftOf(text, secret string) string {
	seen := shows(plaintext.Plain(text), secret)
	coded := base64.StdEncoding.EncodeToString([]byte(secret))
	if s := shows(plaintext.Plain(text), coded[:len(coded)-4]); len(s) > 2*len(seen) {
		return s
	}
	return seen
}

// A secret that is spelled so that only Markdown, HTML or a terminal would show it is masked like a plain
// one, in one text and in chunks, as the credential of a client and as a secret answer.
func TestASecretIsMaskedInOddSpellings(t *testing.T) {
	t.Parallel()
	const secret = "Zk7-x9/Qw_4mB-tok"
	for name, spell := range secrettest.Spellings {
		spelled := spell(secret)
		for kind, know := range map[string]func(*masker){
			"credential":    func(m *masker) { m.know(secret) },
			"secret answer": func(m *masker) { m.vault.Add(secret) },
		} {
			m := newMasker(nil)
			know(m)
			quoted, _ := json.Marshal("you sent " + spelled + " as I see")
			clean, gone := m.body(OpSend, []byte(`{"result":{"parts":[{"text":`+string(quoted)+`}]}}`))
			var v struct{ Result struct{ Parts []Part } }
			if err := json.Unmarshal(clean, &v); err != nil || len(gone) != 1 {
				t.Fatalf("%s, %s: got %s (%v) with %d redactions, want JSON with one", name, kind, clean, err, len(gone))
			}
			if got := v.Result.Parts[0].Text; leftOf(got, secret) != shows("you sent as I see", secret) && len(leftOf(got, secret)) > 1 || !strings.HasPrefix(got, "you sent ") || !strings.HasSuffix(got, " as I see") {
				t.Errorf("%s, %s: got %q", name, kind, got)
			}
		}
		for _, size := range []int{1, 2, 5, 13} {
			m, e := newMasker(nil), &echo{}
			m.know(secret)
			var got strings.Builder
			for _, chunk := range inChunks("you sent "+spelled+" as I see", size) {
				data := chunkFrame("a", chunk)
				_, clean, _ := m.frame(OpStream, []byte("data: "+string(data)+"\n\n"), data, e)
				got.WriteString(chunkText(t, clean))
			}
			if left := leftOf(got.String(), secret); len(left) >= 2*leastPiece || !strings.HasPrefix(got.String(), "you sent ") || !strings.HasSuffix(got.String(), "I see") {
				t.Errorf("%s in chunks of %d characters: %q is left in %q", name, size, left, got.String())
			}
		}
	}
}

// inChunks divides a text after so many characters each.
func inChunks(text string, size int) (chunks []string) {
	for runes := []rune(text); len(runes) > 0; {
		n := min(size, len(runes))
		chunks, runes = append(chunks, string(runes[:n])), runes[n:]
	}
	return chunks
}

// A credential that is a word of the protocol is masked in headers alone, and the user is told.
func TestACommonWordIsMaskedWhereItIsSent(t *testing.T) {
	t.Parallel()
	c := NewClient(Profile{Dialect: V10, Endpoint: "https://agent.example"}, nil, Options{Bearer: "completed", UserAddresses: []string{"https://agent.example"}, Trace: Trace{Now: time.Now}})
	body := `{"result":{"status":{"state":"completed"}}}`
	if got, gone := c.wire.mask.body(OpGet, []byte(body)); string(got) != body || gone != nil {
		t.Errorf("got %s, want the state as it came", got)
	}
	head, _ := c.wire.mask.header(http.Header{"Authorization": {"Bearer completed"}})
	if got := head.Get("Authorization"); got != Mask {
		t.Errorf("got header %s, want the mask", got)
	}
	if got := strings.Join(c.Cautions(""), "\n"); !strings.Contains(got, "a credential is a common word of the protocol") || strings.Contains(got, "completed") {
		t.Errorf("got cautions %q, want one that does not name the word", got)
	}
	other := NewClient(Profile{Dialect: V10, Endpoint: "https://agent.example"}, nil, Options{Bearer: "complete-secret", Trace: Trace{Now: time.Now}})
	if got := other.Cautions(""); len(got) > 0 {
		t.Errorf("got cautions %q about a credential that is no word, want none", got)
	}
}
