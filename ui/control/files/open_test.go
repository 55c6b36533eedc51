package files

import (
	"strings"
	"testing"
)

func TestOnlyAFileThatIsOnlyShownRaisesNoDoubt(t *testing.T) {
	for _, c := range []struct{ name, media, head, want string }{
		{"a.EXE", "", "", "a .exe file may run"}, {"a.txt", "", "#!/bin/sh", "program"}, {"a.png", "", "MZ\x90", "program"},
		{"a", "", "\x7fELF", "program"}, {"a.desktop", "", "", "program"}, {"a.html", "", "", "browser"}, {"a.svg", "", "", "browser"},
		{"a.docm", "", "", "macros"}, {"a.zip", "", "", ".zip"}, {"a.inetloc", "", "", ".inetloc"}, {"a.png.scr", "image/png", "", ".scr"},
		{"a.made-up", "text/plain", "", ".made-up"}, {"a", "", "", "no extension"}, {"a.pdf", "text/html; charset=utf-8", "", "text/html"},
		{"a.png", "image/svg+xml", "", "image/svg+xml"}, {"a.txt", "application/x-sh", "", "application/x-sh"},
		{"a.png", "image/png", "\x89PNG", ""}, {"a.pdf", "application/pdf", "%PDF", ""}, {"a.md", "Text/Markdown; charset=utf-8", "# a", ""},
		{"a.CSV", "", "", ""}, {"a.mp4", "video/mp4", "", ""}, {"a.json", "application/json", "{", ""}, {"a.txt", "application/octet-stream", "", ""},
	} {
		if got := doubt(c.name, c.media, []byte(c.head)); !strings.Contains(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%s of %q with %q: %q, want %q", c.name, c.media, c.head, got, c.want)
		}
	}
}
