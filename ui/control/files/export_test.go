package files

import (
	"path/filepath"
	"testing"

	"parley/session/export"
)

func TestEveryFormatHasAKeyOfItsOwn(t *testing.T) {
	used := map[string]string{}
	for _, f := range export.Formats() {
		key := formatKeys[f.Name]
		if key == "" || used[key] != "" {
			t.Errorf("got key %q for %s, which %q has too; want one of its own", key, f.Name, used[key])
		}
		used[key] = f.Name
	}
}

// Without a name an export goes into the working directory, under a name made of its title.
func TestAnExportWithoutANameGoesIntoTheDirectory(t *testing.T) {
	for _, c := range []struct{ dir, path, want string }{
		{"", "", "."}, {"", "talk.md", "talk.md"}, {"/files", "", "/files"}, {"/files", "talk.md", "/files/talk.md"}, {"/files", "~/talk.md", "/home/me/talk.md"},
	} {
		controller := &Controller{opts: Options{Dir: c.dir, Home: "/home/me"}}
		if got := filepath.ToSlash(controller.place(filepath.FromSlash(c.path))); got != c.want {
			t.Errorf("%q in %q: got %q, want %q", c.path, c.dir, got, c.want)
		}
	}
}
