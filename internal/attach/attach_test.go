package attach

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parley/a2a"
)

func write(t *testing.T, name, content string) string {
	t.Helper()
	name = filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestAFileBecomesAPartThatKnowsItsAddress(t *testing.T) {
	name := write(t, "a b.md", "# hello")
	p, f, err := Read(name)
	if err != nil {
		t.Fatal(err)
	}
	if p.Kind != a2a.PartBytes || string(p.Content) != "# hello" || p.Filename != "a b.md" || p.MediaType != "text/markdown" || f.Size != 7 {
		t.Errorf("got part %+v of file %+v", p, f)
	}
	if !strings.HasPrefix(p.URL, "file:///") || !strings.HasSuffix(p.URL, "/a%20b.md") || Resolve(p.URL, "", "") != name {
		t.Errorf("got address %s, want a file URL that leads back to the file", p.URL)
	}
	if f, err = Look(name); err != nil || f.Part().Kind != a2a.PartURL || f.Part().Content != nil {
		t.Errorf("Look: got %+v, %v, want a part with a URL", f, err)
	}
	if p, _, err = Read(write(t, "empty", "")); err != nil || p.Content == nil || len(p.Content) != 0 || p.MediaType != octets {
		t.Errorf("empty file: got %+v, %v", p, err)
	}
}

func TestWhatIsNoFileIsRefusedInWords(t *testing.T) {
	file := write(t, "x.txt", "x")
	large := write(t, "large.bin", "")
	if err := os.Truncate(large, MaxSize+1); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, want string
		kind       error
	}{
		{filepath.Dir(file), "is a folder", errFolder},
		{file + "y", "There is no file", fs.ErrNotExist},
		{filepath.Join(file, "z"), "There is no file", fs.ErrNotExist},
		{large, "large.bin is larger than 100 MB", ErrTooLarge},
		{os.DevNull, "is a pipe or a device", errors.ErrUnsupported},
		{"a\x00b", "cannot be read", nil},
	} {
		_, _, err := Read(c.name)
		if err == nil || !strings.Contains(err.Error(), c.want) || c.kind != nil && !errors.Is(err, c.kind) {
			t.Errorf("%q: got error %v, want %s", c.name, err, c.want)
		}
	}
	if !IsFolder(errFolder) || IsFolder(ErrTooLarge) {
		t.Errorf("IsFolder: got %t for a folder and %t for a large file, want true and false", IsFolder(errFolder), IsFolder(ErrTooLarge))
	}
}

func TestTypesAreToldByNameAndContent(t *testing.T) {
	const png, pdf = "\x89PNG\r\n\x1a\n0000", "%PDF-1.7\n"
	for _, c := range []struct{ name, head, media, doubt string }{
		{"a.png", png, "image/png", ""},
		{"a.txt", png, "image/png", "text/plain"},
		{"a.png", pdf, "application/pdf", "image/png"},
		{"a.png", "hello", "text/plain", "image/png"},
		{"a.pdf", "hello", "text/plain", "application/pdf"},
		{"a.svg", "<svg/>", "image/svg+xml", ""},
		{"A.MD", "# x", "text/markdown", ""},
		{"a.csv", "a,b", "text/csv", ""},
		{"a.json", "{}", "application/json", ""},
		{"a.docx", "PK\x03\x04", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", ""},
		{"a.html", "<html>", "text/html", ""},
		{"Makefile", "all:\n", "text/plain", ""},
		{"noname", "\x00\x01\xff", octets, ""},
		{"noname", "", octets, ""},
		{"a.png", "", "image/png", ""},
		{".", "x", "text/plain", ""},
	} {
		got := TypeOf(c.name, []byte(c.head))
		if got.Media != c.media || (c.doubt == "") != (got.Doubt == "") || !strings.Contains(got.Doubt, c.doubt) {
			t.Errorf("%s with %q: got %+v, want %s", c.name, c.head, got, c.media)
		}
	}
}

func TestAddressesAreThoseOfTheWeb(t *testing.T) {
	p, ok := Address("https://files.example/a/map.PNG?x=1")
	if !ok || p.Kind != a2a.PartURL || p.Filename != "map.PNG" || p.MediaType != "image/png" {
		t.Errorf("got part %+v, %v, want a URL with name and type", p, ok)
	}
	if p, ok = Address("http://files.example"); !ok || p.Filename != "" || p.MediaType != "" {
		t.Errorf("got part %+v, %v, want a URL without name and type", p, ok)
	}
	for _, ref := range []string{"", "map.png", "file:///a", "ftp://a/b", "https://", "http:/x", "\x00://"} {
		if _, ok := Address(ref); ok {
			t.Errorf("got %q as an address, want none", ref)
		}
	}
}

func TestPathsAreReadAsPeopleWriteThem(t *testing.T) {
	for written, want := range map[string]string{
		"~": "/home/ann", "~/a": "/home/ann/a", "~bob/a": "/srv/~bob/a", "a/../b": "/srv/b", "/a//b/": "/a/b",
		"file:///a%20b": "/a b", "file://localhost/a": "/a", "file://other/a": "/srv/file:/other/a", "": "/srv",
	} {
		if got := filepath.ToSlash(Resolve(written, filepath.FromSlash("/home/ann"), filepath.FromSlash("/srv"))); got != want {
			t.Errorf("%q: got path %s, want %s", written, got, want)
		}
	}
}

func TestDroppedFilesAreToldFromWords(t *testing.T) {
	if filepath.Separator != '/' {
		t.Skip("the paths are those of other systems")
	}
	for _, c := range []struct {
		text string
		want []string
	}{
		{"/a/b.png", []string{"/a/b.png"}},
		{" /a/b.png \n", []string{"/a/b.png"}},
		{"/a/my file.png", []string{"/a/my file.png"}},
		{`/a/my\ file.png`, []string{"/a/my file.png"}},
		{`'/a/my file.png'`, []string{"/a/my file.png"}},
		{`"/a/my file.png" /b`, []string{"/a/my file.png", "/b"}},
		{`'/a/it'\''s.png'`, []string{"/a/it's.png"}},
		{"/a/it's.png", []string{"/a/it's.png"}},
		{"/a\n/b\r\n/c", []string{"/a", "/b", "/c"}},
		{"/a /b", []string{"/a", "/b"}},
		{"file:///a%20b file:///c", []string{"/a b", "/c"}},
		{"~/a.png", []string{"/home/ann/a.png"}},
		{"hello", nil}, {"", nil}, {"/", nil}, {"// a comment", []string{"/ a comment"}}, {"see /a/b.png", nil},
		{"/a/b.png and this", []string{"/a/b.png and this"}}, // the files are checked later
		{"a.png", nil}, {"https://a.example/b.png", nil}, {"/a\x1b[2J", nil}, {"/a/" + strings.Repeat("x", maxPasted), nil},
		{strings.Repeat("/a ", 100), nil},
	} {
		if got := Paths(c.text, "/home/ann"); !slices.Equal(got, c.want) {
			t.Errorf("%.40q: got paths %q, want %q", c.text, got, c.want)
		}
	}
}

func FuzzPaths(f *testing.F) {
	for _, s := range []string{"/a", `'/a b' "/c"`, `/a\ b`, "file:///%zz", "~", "'\"\\"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, pasted string) {
		for _, p := range Paths(pasted, "/home/ann") {
			if !filepath.IsAbs(p) {
				t.Errorf("%q: got path %q, want an absolute one", pasted, p)
			}
		}
	})
}

func TestAFolderListsWhatCanBeAttached(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b.png", "A.txt", ".hidden"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "zoo"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(dir, "zoo"), filepath.Join(dir, "link")); err != nil {
		t.Skip("this file system has no links")
	}
	if err := os.Symlink(filepath.Join(dir, "nowhere"), filepath.Join(dir, "broken")); err != nil {
		t.Fatal(err)
	}
	entries, more, err := List(dir)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name)
	}
	if err != nil || more || !slices.Equal(names, []string{"link", "zoo", ".hidden", "A.txt", "b.png"}) {
		t.Errorf("got names %q, more %v, %v", names, more, err)
	}
	if !entries[0].Folder || !entries[2].Hidden() || entries[4].Media != "image/png" || entries[4].Size != 1 {
		t.Errorf("got entries %+v", entries)
	}
	for _, name := range []string{filepath.Join(dir, "no"), filepath.Join(dir, "b.png")} {
		if _, _, err := List(name); err == nil || !strings.Contains(err.Error(), "There is no folder") {
			t.Errorf("%s: got error %v, want no such folder", name, err)
		}
	}
}
