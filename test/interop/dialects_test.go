package interop

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parley/a2a"
	"parley/internal/golden"
)

// everyOp lists the operations in the order of the manual.
var everyOp = []a2a.Op{
	a2a.OpSend, a2a.OpStream, a2a.OpGet, a2a.OpList, a2a.OpCancel, a2a.OpSubscribe,
	a2a.OpPushSet, a2a.OpPushGet, a2a.OpPushList, a2a.OpPushDelete, a2a.OpExtendedCard, a2a.OpArtifact,
}

// The table in docs/dialects.md says for every operation and dialect whether it exists, and how
// that is proven. The strongest word requires a call in operations.
func TestManualOfDialects(t *testing.T) {
	t.Parallel()
	const path = "../../docs/dialects.md"
	written, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := string(written)
	for name, rows := range map[string]string{"table": table(t), "further messages": followTable()} {
		begin, end := "<!-- "+name+" -->\n", "<!-- end of "+name+" -->\n"
		before, rest, ok := strings.Cut(text, begin)
		_, after, closed := strings.Cut(rest, end)
		if !ok || !closed {
			t.Fatalf("%s: got no section for the %s, want one", path, name)
		}
		text = before + begin + rows + end + after
	}
	golden.File(t, path, text)
}

// followTable describes what happens to further messages to a task: by the text of each
// dialect, and with each agent.
func followTable() string {
	var b strings.Builder
	b.WriteString("| |")
	for _, c := range situations {
		fmt.Fprintf(&b, " %s |", c.situation)
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(situations)) + "\n")
	words := map[a2a.Reception]string{a2a.Expected: "**wanted**", a2a.Unspecified: "may be refused", a2a.Forbidden: "**forbidden**"}
	for _, name := range []a2a.DialectName{a2a.V10, a2a.V03, a2a.V02, a2a.V01} {
		d, _ := a2a.LookupDialect(name)
		fmt.Fprintf(&b, "| A2A %s |", name.Number())
		for _, c := range situations {
			word := words[d.Receives(c.state)]
			switch {
			case c.situation == nowhere && name == a2a.V01:
				word = "begins it"
			case c.state == a2a.StateOther:
				word = "an error"
			case c.situation == asksAuth && name == a2a.V01:
				word = "–"
			}
			fmt.Fprintf(&b, " %s |", word)
		}
		b.WriteByte('\n')
	}
	for _, s := range sdks {
		fmt.Fprintf(&b, "| %s |", s.module)
		for _, c := range situations {
			word := "taken"
			if name := s.follows[c.situation]; name != "" {
				word = strings.TrimSuffix(name, "Error")
			}
			if c.situation == asksAuth && !s.auth {
				word = "–"
			}
			fmt.Fprintf(&b, " %s |", word)
		}
		b.WriteByte('\n')
	}
	return b.String()
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

// proof returns the manual's word for an operation in a dialect.
func proof(t *testing.T, op a2a.Op, name a2a.DialectName) string {
	t.Helper()
	d, ok := a2a.LookupDialect(name)
	if !ok || !d.Supports(op) {
		return "–"
	}
	served := map[string]bool{}
	for _, s := range slices.Concat(sdks, restSDKs, grpcSDKs) {
		if s.dialect == name && s.serves(op) {
			served[s.module] = true
		}
	}
	if len(served) > 0 {
		return fmt.Sprintf("live (%d)", len(served))
	}
	written := filepath.Join("..", "..", "a2a", "testdata", "encode", string(name), string(op)+".golden")
	if _, err := os.Stat(written); err != nil {
		t.Errorf("%s of %s: got no attempt with an agent and no file, want one of them", op, name)
	}
	return "files"
}
