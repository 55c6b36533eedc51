package lint

import (
	"os"
	"path/filepath"
	"testing"

	"parley/a2a"
)

// vectors returns the bodies of the decoder's tests, good and bad, without the huge ones.
func vectors(t testing.TB) map[string][]byte {
	t.Helper()
	paths, err := filepath.Glob("../testdata/vectors/*/*")
	if err != nil || len(paths) == 0 {
		t.Fatalf("got no vectors: %v", err)
	}
	all := map[string][]byte{}
	for _, path := range paths {
		body, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if len(body) < 64<<10 {
			all[path] = body
		}
	}
	return all
}

// everyWay plays a body as a request, an answer, a frame and a card in one dialect.
func everyWay(d a2a.DialectName, op a2a.Op, body string) *script {
	return play(on(d, op), asked("POST https://agent.example/\nA2A-Version: 1.0\n\n"+body), headed(200, isJSON), answered(body),
		framed(body), framed(body), ended(a2a.Ended), under(func(c *a2a.Call) { *c = cardCall }), fetched, answered(body), ended(a2a.Cut))
}

func FuzzCheck(f *testing.F) {
	for _, body := range vectors(f) {
		f.Add(string(body), byte(1), byte(1))
	}
	f.Fuzz(func(t *testing.T, body string, dialect, op byte) {
		d := dialects[int(dialect)%len(dialects)]
		s := everyWay(d, operations[int(op)%len(operations)], body)
		for _, found := range s.rules {
			if r, ok := Lookup(found.Rule); !ok || found.Message == "" || found.Fix == "" || found.Severity > r.Severity {
				t.Errorf("got finding %+v, want one of a rule, with its fix and no graver than the rule", found)
			}
			if found.Offset < -1 || found.Offset > len(body)+3 {
				t.Errorf("got offset %d in a body of %d bytes: %+v", found.Offset, len(body), found)
			}
		}
	})
}

// TestEveryVectorIsCheckedInEveryDialect checks that no body makes the rules of any dialect
// panic.
func TestEveryVectorIsCheckedInEveryDialect(t *testing.T) {
	for path, body := range vectors(t) {
		for _, d := range dialects {
			if s := everyWay(d, a2a.OpStream, string(body)); s.next == 0 {
				t.Fatalf("%s: got no records, want them checked", path)
			}
		}
	}
}

// TestABodyThatIsCutAnywhereIsChecked cuts an answer at every byte, including between the
// quotes of a file's content.
func TestABodyThatIsCutAnywhereIsChecked(t *testing.T) {
	file := map[a2a.DialectName]string{
		a2a.V03: `{"kind":"file","file":{"name":"a","mimeType":"image/png","bytes":"` + jpegBytes + `"}}`,
		a2a.V10: `{"raw":"` + jpegBytes + `","mediaType":"image/png","filename":"a"}`,
	}
	for d, part := range file {
		body := `{"jsonrpc":"2.0","id":1,"params":{"message":{"messageId":"m","role":"agent","parts":[` + part + `]}},"result":{"kind":"message","parts":[` + part + `]}}`
		for n := range len(body) {
			if s := everyWay(d, a2a.OpSend, body[:n]); s.next == 0 {
				t.Fatalf("got no records for body %s, want them checked", body[:n])
			}
		}
	}
}
