package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/themes"
)

// themed returns an environment with folders for settings and state.
func themed(t *testing.T) (vars []string, config, saved string) {
	t.Helper()
	dir := t.TempDir()
	vars = []string{"XDG_CONFIG_HOME=" + filepath.Join(dir, "config"), "XDG_STATE_HOME=" + filepath.Join(dir, "state"), "HOME=" + dir}
	config = filepath.Join(dir, "config", "parley")
	if err := os.MkdirAll(filepath.Join(config, "themes"), 0o700); err != nil {
		t.Fatal(err)
	}
	return vars, config, filepath.Join(dir, "state", "parley", "theme")
}

func put(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestThemesAreListedWithTheirMistakes(t *testing.T) {
	t.Parallel()
	vars, config, _ := themed(t)
	put(t, filepath.Join(config, "themes", "mine.toml"), "base = \"nord\"\ntext = \"#2e3440\"\nacent = \"#fff\"\n")
	r := commandLine{args: []string{"themes"}, env: vars}.run(t)
	if r.code != 0 {
		t.Fatalf("got status %d: %s", r.code, r.err)
	}
	for _, want := range append(themes.Names(), "mine", "based on nord", "mine.toml:3: a theme has no \"acent\": it has base,", "text on ground has a contrast of 1.0:1, and needs 4.5:1") {
		if !strings.Contains(r.out, want) {
			t.Errorf("got no %q in the list, want it:\n%s", want, r.out)
		}
	}
	var rows []themeRow
	r = commandLine{args: []string{"themes", "-o", "json"}, env: vars}.run(t)
	if err := json.Unmarshal([]byte(r.out), &rows); err != nil || len(rows) != len(themes.Names())+1 {
		t.Fatalf("got %d themes in JSON (%v), want one more than are built in", len(rows), err)
	}
	if last := rows[len(rows)-1]; last.Name != "mine" || last.Background != "dark" || last.File == "" || len(last.Mistakes) < 2 {
		t.Errorf("got %+v, want the user's theme with its mistakes", last)
	}
	if r := (commandLine{args: []string{"themes", "-o", "xml"}, env: vars}).run(t); r.code != 2 {
		t.Errorf("got status %d for another format, want 2", r.code)
	}
}

// A name that was just typed and that no theme has is an error; one in a file costs only itself.
func TestANameWithoutAThemeIsReported(t *testing.T) {
	t.Parallel()
	vars, config, saved := themed(t)
	r := commandLine{args: []string{"demo", "--theme", "nrd\x1b[2J"}, env: vars}.run(t)
	if r.code != 2 || !strings.Contains(r.err, "There is no theme nrd") || !strings.Contains(r.err, "parley themes lists them") || strings.Contains(r.err, "\x1b") {
		t.Errorf("got status %d and %q, want an error that names the list", r.code, r.err)
	}
	if r = (commandLine{args: []string{"config", "show"}, env: append(vars, "PARLEY_THEME=nrd")}).run(t); r.code != 2 {
		t.Errorf("got status %d for a variable, want 2", r.code)
	}
	put(t, filepath.Join(config, "config.toml"), "theme = \"nrd\"\n")
	r = commandLine{args: []string{"config", "show"}, env: vars}.run(t)
	if r.code != 0 || !strings.Contains(r.err, "config.toml:1: there is no theme nrd") {
		t.Errorf("got status %d and %q, want a warning with file and line", r.code, r.err)
	}
	put(t, filepath.Join(config, "config.toml"), "")
	for content, want := range map[string]string{"nord\n": "theme: nord, " + saved, "nrd\n": "theme: nrd, " + saved, "../x": "theme: auto, built-in default", "\x1b[2J": "theme: auto, built-in default"} {
		put(t, saved, content)
		r = commandLine{args: []string{"config", "show"}, env: vars}.run(t)
		if r.code != 0 || !strings.Contains(r.out, want) {
			t.Errorf("%q: got status %d and %q, want %q", content, r.code, r.out, want)
		}
		if warned := strings.Contains(r.err, "there is no theme nrd"); warned != (content == "nrd\n") {
			t.Errorf("%q: got %q", content, r.err)
		}
	}
	put(t, saved, "nord\n")
	if r = (commandLine{args: []string{"config", "show", "--theme", "light"}, env: vars}).run(t); !strings.Contains(r.out, "theme: light, flag") {
		t.Errorf("got %q, want the flag to win over the saved name", r.out)
	}
	put(t, filepath.Join(config, "themes", "mine.toml"), "x = 1")
	if r = (commandLine{args: []string{"config", "show", "--theme", "mine"}, env: vars}).run(t); r.code != 0 || !strings.Contains(r.err, "mine.toml:1: a theme has no") {
		t.Errorf("got status %d and %q, want a warning about the file of the theme", r.code, r.err)
	}
}

func TestAChosenThemeIsSaved(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "state", "theme")
	if err := saveTheme(path, "nord"); err != nil || savedTheme(path) != "nord" {
		t.Errorf("got %q (%v), want nord", savedTheme(path), err)
	}
	if err := saveTheme(filepath.Join(path, "below"), "nord"); err == nil || !strings.Contains(err.Error(), "cannot be written") {
		t.Errorf("got %v below a file, want a clause that says so", err)
	}
	if got := savedTheme(filepath.Join(t.TempDir(), "none")) + savedTheme(""); got != "" {
		t.Errorf("got %q from no file, want nothing", got)
	}
}
