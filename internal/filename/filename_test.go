package filename

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestSafeKeepsWhatIsAName(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"map.png", "map.png"},
		{"The trip, day 1.md", "The trip, day 1.md"},
		{"Reise nach Köln 东京.pdf", "Reise nach Köln 东京.pdf"},
		{"../../x", "x"},
		{"../../etc/passwd", "passwd"},
		{`..\..\boot.ini`, "boot.ini"},
		{"/etc/cron.d/", "file"},
		{"..", "file"},
		{".", "file"},
		{"", "file"},
		{" . ", "file"},
		{".bashrc", "bashrc"},
		{"-rf", "rf"},
		{"~root", "root"},
		{"a\x00b\x1b[2Jc\n.txt", "ab[2Jc .txt"},
		{"invoice\u202Efdp.exe", "invoicefdp.exe"},
		{"a<b>c:d|e?f*g\"h", "a-b-c-d-e-f-g-h"},
		{"C:file.txt", "C-file.txt"},
		{"x.txt:stream", "x.txt-stream"},
		{"trailing.. ", "trailing"},
		{"CON", "_CON"},
		{"nul.txt", "_nul.txt"},
		{"com1.tar.gz", "_com1.tar.gz"},
		{"COM¹", "_COM¹"},
		{"lpt9 .txt", "_lpt9 .txt"},
		{"comma.txt", "comma.txt"},
		{"bad\xff\xfeutf8", "badutf8"},
	} {
		if got := Safe(c.in, "file"); got != c.want {
			t.Errorf("Safe(%q): got %q, want %q", c.in, got, c.want)
		}
	}
}

func TestSafeCutsWhatNoFileSystemTakes(t *testing.T) {
	dir := t.TempDir()
	for _, in := range []string{
		strings.Repeat("🧳", 1000) + ".png", strings.Repeat("x", 5000), strings.Repeat("é", 4000) + "." + strings.Repeat("y", 4000), strings.Repeat("a.", 3000),
	} {
		name := Safe(in, "file")
		if !utf8.ValidString(name) || len(name) > most {
			t.Errorf("Safe(%q…): got %d bytes %q, want at most %d of UTF-8", in[:8], len(name), name, most)
		}
		if err := os.WriteFile(filepath.Join(dir, Twin(name, 999)), nil, 0o600); err != nil {
			t.Errorf("no file can have that name: %v", err)
		}
	}
	if got := Safe(strings.Repeat("🧳", 1000)+".png", "file"); !strings.HasSuffix(got, "🧳.png") {
		t.Errorf("got name %q, want its extension kept", got)
	}
}

func FuzzSafe(f *testing.F) {
	for _, seed := range []string{"map.png", "../../x", "CON.txt", "\u202Egnp.exe", strings.Repeat("🧳", 1000), ". .", "a/b\\c", "\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		name := Safe(in, "file")
		if name == "" || len(name) > most+1 || !utf8.ValidString(name) || strings.ContainsAny(name, `/\:`) || strings.HasPrefix(name, ".") ||
			filepath.Base(name) != name || strings.ContainsFunc(name, unicode.IsControl) || reserved(name) {
			t.Errorf("Safe(%q): got %q, want a safe name", in, name)
		}
		if again := Safe(name, "file"); again != name {
			t.Errorf("Safe(%q): got %q, and Safe of that is %q", in, name, again)
		}
	})
}

func TestTwinsAreNumberedInFrontOfTheExtension(t *testing.T) {
	for name, want := range map[string]string{"a.png": "a (2).png", "a": "a (2)", "a.tar.gz": "a.tar (2).gz"} {
		if got := Twin(name, 2); got != want || Twin(name, 1) != name {
			t.Errorf("second file %q: got %q, want %q", name, got, want)
		}
	}
}

func TestExtensionFollowsTheMediaTypeThenTheBytes(t *testing.T) {
	for _, c := range []struct{ kind, head, want string }{
		{"image/png", "", ".png"},
		{"TEXT/Markdown; charset=utf-8", "", ".md"},
		{"", "\x89PNG\r\n\x1a\n", ".png"},
		{"", " {\"a\":1}", ".json"},
		{"application/x-nobody", "hello", ".txt"},
		{"application/octet-stream", "\x00\x01\x02", ".bin"},
	} {
		if got := Extension(c.kind, []byte(c.head)); got != c.want {
			t.Errorf("%q with %q: got extension %q, want %q", c.kind, c.head, got, c.want)
		}
	}
}
