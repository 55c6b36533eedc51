package interop

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/a2a"
	"parley/internal/golden"
)

// everyOp are the operations in the order of the manual.
var everyOp = []a2a.Op{
	a2a.OpSend, a2a.OpStream, a2a.OpGet, a2a.OpList, a2a.OpCancel, a2a.OpSubscribe,
	a2a.OpPushSet, a2a.OpPushGet, a2a.OpPushList, a2a.OpPushDelete, a2a.OpExtendedCard, a2a.OpArtifact,
}

// The table in docs/dialects.md says of every operation in every dialect whether
// it is there, and how that is proven. What operations tries is the proof of the
// strongest word.
func TestManualOfDialects(t *testing.T) {
	const path = "../../docs/dialects.md"
	const begin, end = "<!-- table -->\n", "<!-- end of table -->\n"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), begin)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s has no place for the table", path)
	}
	golden.File(t, path, before+begin+table(t)+end+after)
}

func table(t *testing.T) string {
	t.Helper()
	names := a2a.Dialects()
	var b strings.Builder
	b.WriteString("| Operation |")
	for _, name := range names {
		fmt.Fprintf(&b, " %s |", name)
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(names)) + "\n")
	for _, op := range everyOp {
		fmt.Fprintf(&b, "| %s |", op)
		for _, name := range names {
			fmt.Fprintf(&b, " %s |", proof(t, op, name))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// proof is the word for an operation in a dialect.
func proof(t *testing.T, op a2a.Op, name a2a.DialectName) string {
	t.Helper()
	d, ok := a2a.Lookup(name)
	if !ok || !d.Supports(op) {
		return "–"
	}
	served := map[string]bool{}
	for _, s := range append(append([]sdk{}, sdks...), besides...) {
		if s.dialect == name && s.serves(op) {
			served[s.module] = true
		}
	}
	if len(served) > 0 {
		return fmt.Sprintf("live (%d)", len(served))
	}
	written := filepath.Join("..", "..", "a2a", "testdata", "encode", string(name), string(op)+".golden")
	if _, err := os.Stat(written); err != nil {
		t.Errorf("%s of %s is in no file and was tried with no agent", op, name)
	}
	return "files"
}
