package themes

import (
	"image/color"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestAFileChangesABuiltInTheme(t *testing.T) {
	got, mistakes := Read("mine", "mine.toml", []byte("base = \"nord\"\naccent = \"#fff\"\nabout = \"for the beamer\"\ntags = [\"#010203\", \"#ffffff\"]\n"))
	want, _ := ByName("nord")
	want.Name, want.About, want.Accent = "mine", "for the beamer", color.RGBA{R: 255, G: 255, B: 255, A: 255}
	for i := range want.Tags {
		want.Tags[i] = []color.Color{color.RGBA{R: 1, G: 2, B: 3, A: 255}, want.Accent}[i%2]
	}
	if got != want || len(mistakes) > 0 {
		t.Errorf("got %+v and %v, want %+v", got, mistakes, want)
	}
	if got, _ := Read("dracula", "dracula.toml", nil); got.Ground != named("dracula").Ground || got.Name != "dracula" {
		t.Errorf("got %+v, want the built-in theme of that name as the base", got)
	}
	if got, _ := Read("mine", "mine.toml", []byte("ground = \"#ffffff\"\ntext = \"#000000\"")); got.Dark || got.Accent != Dark().Accent {
		t.Errorf("got %+v, want a light theme on the base dark", got)
	}
}

// The band lies between the ground and the well of the file, unless the file says where.
func TestABandFollowsItsGrounds(t *testing.T) {
	read := func(content string) Theme {
		t.Helper()
		got, mistakes := Read("mine", "mine.toml", []byte(content))
		if len(mistakes) > 0 {
			t.Fatalf("got mistakes %v in %s", mistakes, content)
		}
		return got
	}
	if got := read(`accent = "#ffffff"`); got.Band != Dark().Band {
		t.Errorf("got band %v, want the one of the base, %v", got.Band, Dark().Band)
	}
	for _, base := range []string{"dark", "high-contrast"} { // the second names its band
		got := read("base = \"" + base + "\"\nground = \"#402000\"\nwell = \"#705030\"")
		r, g, b, _ := got.Band.RGBA()
		if band, well := Contrast(got.Band, got.Ground), Contrast(got.Well, got.Ground); band < 1.1 || band > well-0.1 || r <= g || g <= b {
			t.Errorf("%s: got band %v, want a brown between ground and well", base, got.Band)
		}
	}
	if got, want := read("ground = \"#000000\"\nband = \"#123456\""), (color.RGBA{R: 0x12, G: 0x34, B: 0x56, A: 0xff}); got.Band != want {
		t.Errorf("got band %v, want that of the file, %v", got.Band, want)
	}
	loud := read(`band = "#c8d0e6"`).Shortfalls()
	if len(loud) == 0 || !strings.Contains(loud[0], "text on band has a contrast of 1.0:1") {
		t.Errorf("got shortfalls %q, want the texts on a band as bright as text", loud)
	}
}

func TestMistakesInAFileNameTheirLineAndWhatIsAllowed(t *testing.T) {
	for _, tt := range []struct{ name, content, want string }{
		{"a typo", "\nacent = \"#ffffff\"", "my.toml:2: a theme has no \"acent\": it has base, about, contrast, ground,"},
		{"a name", "accent = \"blue\"", "my.toml:1: accent is \"blue\", which is no colour: write \"#rrggbb\""},
		{"a number", "accent = 12", "my.toml:1: accent is this, which is no colour"},
		{"a sign", "accent = \"#+12345\"", "my.toml:1: accent is \"#+12345\", which is no colour"},
		{"an escape", "accent = \"\\u001b[2J\"", `accent is "\x1b[2J", which`},
		{"a long value", "accent = \"" + strings.Repeat("ä", 100) + "\"", "…\", which is no colour"},
		{"a base", "base = \"nrd\"", "my.toml:1: the base is not the name of a built-in theme; it is one of dark, light, catppuccin-latte,"},
		{"mono", "base = \"mono\"", "my.toml:1: the base cannot be mono"},
		{"contrast", "contrast = 2", "my.toml:1: contrast is a number from 4.5 to 21"},
		{"no number", "contrast = nan", "my.toml:1: contrast is a number from 4.5 to 21"},
		{"no tags", "tags = []", "my.toml:1: tags is a list of 1 to 6 colours"},
		{"a tag", "tags = [\"#000000\", \"x\"]", "my.toml:1: a tag is \"x\", which is no colour"},
		{"a table", "[colours]\naccent = \"#ffffff\"", "my.toml:1: a theme has no \"[colours]\""},
		{"an about", "about = 3", "my.toml:1: about is a text of at most 60 bytes"},
		{"no TOML", "accent = #ffffff", "my.toml:1:"},
		{"too long", strings.Repeat("#", 65<<10), "my.toml is longer than 65536 bytes"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, mistakes := Read("my", "my.toml", []byte(tt.content))
			if len(mistakes) != 1 || !strings.Contains(mistakes[0], tt.want) {
				t.Errorf("got %q, want one mistake with %q", mistakes, tt.want)
			}
			if got.Accent != Dark().Accent || got.Name != "my" {
				t.Errorf("got %+v, want the base", got)
			}
		})
	}
	got, mistakes := Read("my", "my.toml", []byte("accent = \"x\"\nuser = \"#123456\"\nbase = \"none\""))
	if len(mistakes) != 2 || got.User != (color.RGBA{R: 0x12, G: 0x34, B: 0x56, A: 0xff}) {
		t.Errorf("got %v and %v, want two mistakes that cost only themselves", mistakes, got.User)
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{"", "base = 'nord'", "tags = ['#fff', 3, [1]]", "a.b = {c=1}", "[[x]]\ny=1", "ground = '''\n#fff'''", "contrast = 1e9", "\xff", "tags = [ # no\n'#123']"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		theme, mistakes := Read("x", "x.toml", content)
		if theme.Colorless() || theme.Name != "x" {
			t.Errorf("got %+v, want a theme of that name with colours", theme)
		}
		for _, m := range mistakes {
			if !strings.HasPrefix(m, "x.toml") || strings.ContainsFunc(m, func(r rune) bool { return r < ' ' }) {
				t.Errorf("got mistake %q, want a sentence with its place", m)
			}
		}
		theme.Shortfalls()
		theme.OnSelection()
	})
}

func TestAFolderHasTheUsersThemes(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("zebra.toml", "accent = \"#ffffff\"")
	write("nord.toml", "accent = \"#eeeeee\"")
	write("a b.toml", "")
	write("auto.toml", "")
	write("notes.txt", "")
	if err := os.Mkdir(filepath.Join(dir, "dir.toml"), 0o700); err != nil {
		t.Fatal(err)
	}
	f := Folder{Path: dir}
	if got := f.Own(); !slices.Equal(got, []string{"nord", "zebra"}) {
		t.Errorf("got own themes %v, want nord and zebra", got)
	}
	if got := f.Names(); len(got) != len(builtin)+1 || got[len(got)-1] != "zebra" {
		t.Errorf("got names %v, want the built-in ones and zebra", got)
	}
	if got, mistakes, ok := f.Load("nord"); !ok || len(mistakes) > 0 || got.Accent != (color.RGBA{R: 0xee, G: 0xee, B: 0xee, A: 0xff}) {
		t.Errorf("got %v, %v and %t, want nord with the user's accent", got.Accent, mistakes, ok)
	}
	for _, name := range []string{"none", "../zebra", "", "auto"} {
		if _, mistakes, ok := f.Load(name); ok || len(mistakes) > 0 {
			t.Errorf("Load(%q): got a theme or %v, want neither", name, mistakes)
		}
	}
	if _, mistakes, ok := (Folder{Path: filepath.Join(dir, "notes.txt")}).Load("light"); !ok || len(mistakes) > 0 {
		t.Errorf("got %v and %t, want the built-in theme if the folder is a file", mistakes, ok)
	}
}
