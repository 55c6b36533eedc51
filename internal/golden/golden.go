// Package golden compares what a test drew with a file in testdata.
//
// A golden file is meant to be read in a review. Styled text is stored twice: first as a user
// sees it, then row by row with its escape sequences, ESC shown as ␛. Run the tests of a
// package with -update to write its files, and review the changes.
package golden

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aymanbagabas/go-udiff"
	"github.com/charmbracelet/x/ansi"
)

var update = flag.Bool("update", false, "write golden files instead of comparing with them")

const styledHeading = "════ styled ════"

// Compare fails t unless got equals the golden file of that name, which may have
// slashes, in the test's testdata directory. With -update it writes the file.
func Compare(t testing.TB, name, got string) {
	t.Helper()
	file(t, filepath.Join("testdata", filepath.FromSlash(name)+".golden"), format(got), diff)
}

// File fails t unless text equals the file at path: for generated files that are also read
// elsewhere, such as a table in the manual. With -update it writes the file.
func File(t testing.TB, path, text string) {
	t.Helper()
	file(t, path, text, changes)
}

func file(t testing.TB, path, text string, differ func(want, got string) string) {
	t.Helper()
	if *update {
		if err := write(path, text); err != nil {
			t.Fatal(err)
		}
		return
	}
	if err := check(path, text, differ); err != nil {
		t.Error(err)
	}
}

// format makes styled text readable: see the package comment.
func format(got string) string {
	plain := ansi.Strip(got)
	if plain == got {
		return got + "\n"
	}
	var b strings.Builder
	for row := range strings.SplitSeq(plain, "\n") {
		b.WriteString(strings.TrimRight(row, " ") + "\n")
	}
	b.WriteString(styledHeading + "\n")
	b.WriteString(strings.ReplaceAll(got, "\x1b", "␛") + "\n")
	return b.String()
}

func write(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o644)
}

func check(path, got string, differ func(want, got string) string) error {
	file, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s does not exist; run with -update to write it\n%s", path, got)
	}
	if err != nil {
		return err
	}
	// Git may check the file out with CRLF.
	want := strings.ReplaceAll(string(file), "\r\n", "\n")
	if want == got {
		return nil
	}
	return fmt.Errorf("the drawn text differs from %s (- file, + drawn; run with -update to accept):\n%s", path, differ(want, got))
}

// changes shows the lines that differ, by content: lines of a document move.
func changes(want, got string) string {
	const limit = 60
	text, err := udiff.ToUnified("file", "drawn", want, udiff.Lines(want, got), 2)
	if err != nil {
		return err.Error()
	}
	lines := strings.SplitAfter(text, "\n")
	if len(lines) > limit {
		lines = append(lines[:limit], "and more\n")
	}
	return strings.Join(lines, "")
}

// diff shows the rows that differ, by position: rows of a screen do not move. The
// styled rows are shown only when the plain ones are the same.
func diff(want, got string) string {
	wantText, wantStyled, _ := strings.Cut(want, styledHeading+"\n")
	gotText, gotStyled, _ := strings.Cut(got, styledHeading+"\n")
	if wantText != gotText {
		return rows(wantText, gotText)
	}
	return "the text is the same, the style is not\n" + rows(wantStyled, gotStyled)
}

func rows(want, got string) string {
	const limit = 20
	var b strings.Builder
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	shown := 0
	for i := range max(len(w), len(g)) {
		old, drawn := "(no row)", "(no row)"
		if i < len(w) {
			old = w[i]
		}
		if i < len(g) {
			drawn = g[i]
		}
		if old == drawn {
			continue
		}
		if shown++; shown > limit {
			b.WriteString("and more\n")
			break
		}
		fmt.Fprintf(&b, "%4d - %s\n     + %s\n", i+1, old, drawn)
	}
	return b.String()
}
