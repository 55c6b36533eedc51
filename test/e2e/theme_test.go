//go:build unix

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A theme that is kept in the list is there in the next run, one of the user's files too. A wrong
// file is reported and stops nothing.
func TestAThemeThatIsKeptIsThereInTheNextRun(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	env := []string{"XDG_CONFIG_HOME=" + filepath.Join(dir, "config"), "XDG_STATE_HOME=" + filepath.Join(dir, "state"), "HOME=" + dir}
	folder := filepath.Join(dir, "config", "parley", "themes")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	write := func(content string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(folder, "mine.toml"), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("base = \"nord\"\nground = \"#010203\"\n")
	const ground = "48;2;1;2;3"

	s := parleyWith(t, 120, 40, env, "demo", "--no-record")
	s.WaitFor(`❯ Book me`)
	s.Keys("M-t")
	s.WaitFor(`  mine `) // the file has been read
	s.Keys("G")
	s.WaitFor(`^│.*based on nord`)
	inTheme := func(styled string) bool { return strings.Contains(styled, ground) }
	s.WaitStyled("the ground of the selected theme", inTheme)
	s.Keys("Escape")
	s.WaitGone(`─ themes ─`)
	s.WaitStyled("the theme of before", func(styled string) bool { return !inTheme(styled) })
	s.Keys("M-t")
	s.WaitFor(`  mine `)
	s.Keys("G", "Enter")
	s.WaitFor(`theme mine, saved in`)

	write("base = \"nord\"\nground = \"#010203\"\nacent = \"#ffffff\"\n")
	s = parleyWith(t, 120, 40, env, "demo", "--no-record")
	s.WaitFor(`mine.toml:3: a theme has`)
	s.WaitFor(`❯ Book me`)
	s.WaitStyled("the theme that was kept", inTheme)
}
