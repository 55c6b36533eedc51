package preview

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/png"
	"strings"
	"testing"
	"time"

	"parley/internal/panetest"
	"parley/themes"
	"parley/ui/media"
	"parley/ui/styles"
)

func mono() *styles.Styles { return styles.New(themes.Mono(), styles.ASCII()) }

func still() time.Time { return time.Time{} }

// file returns a file with the given content.
func file(name, mediaType string, data []byte) File {
	form, language := media.Of(mediaType, name)
	return File{Name: name, About: mediaType, Form: form, Language: language, Data: func() ([]byte, error) { return data, nil }}
}

// show returns a pane that shows the last of files, after all its jobs.
func show(t *testing.T, w, h int, files ...File) *Pane {
	t.Helper()
	p := New(mono(), still)
	p.SetSize(w, h)
	p.Show(files, len(files)-1)
	settle(t, p)
	return p
}

func settle(t *testing.T, p *Pane) {
	t.Helper()
	p.Lines()
	for range 20 {
		job, ok := p.Job()
		if !ok {
			panetest.Exact(t, p.Lines(), p.w, p.h)
			return
		}
		if _, again := p.Job(); again {
			t.Fatal("got a second job while one runs, want none")
		}
		p.Apply(job.Run())
		p.Lines()
	}
	t.Fatal("got a job after 20 jobs, want none")
}

func press(t *testing.T, p *Pane, names ...string) (last Intent) {
	t.Helper()
	for _, name := range names {
		last = p.Key(panetest.Key(name))
		settle(t, p)
	}
	return last
}

func screen(p *Pane) string { return strings.TrimRight(panetest.Text(p.Lines()), "\n") }

// has fails the test unless the screen contains texts.
func has(t *testing.T, p *Pane, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(screen(p), text) {
			t.Fatalf("got a screen without %q, want it:\n%s", text, screen(p))
		}
	}
}

func squares(rows, columns int) []byte {
	var b strings.Builder
	for c := range columns {
		fmt.Fprintf(&b, "column %d,", c)
	}
	for r := range rows {
		b.WriteString("\n")
		for c := range columns {
			fmt.Fprintf(&b, "%d,", r*c)
		}
	}
	return []byte(b.String() + "\n")
}

func TestAHundredThousandRowsAreReached(t *testing.T) {
	p := show(t, 80, 20, file("squares.csv", "text/csv", squares(100_000, 3)))
	has(t, p, "column 2")
	if note := p.Note(); note != "text/csv, as table of 100,000 rows" {
		t.Errorf("note is %q, want 100,000 rows", note)
	}
	press(t, p, "G")
	has(t, p, "100000         0", "199998")
	if got := press(t, p, "y"); got != (Copy{"0,99999,199998,", "squares.csv"}) {
		t.Errorf("y returned %+v, want the last row", got)
	}
	press(t, p, "g", "pgdown", "pgdown")
	if p.grid.At != 32 {
		t.Errorf("two pages down selected row %d, want 32", p.grid.At)
	}
	press(t, p, "/")
	for _, r := range "777,1554" {
		press(t, p, string(r))
	}
	press(t, p, "enter")
	if p.grid.At != 777 {
		t.Errorf("search selected row %d, want 777:\n%s", p.grid.At, screen(p))
	}
	press(t, p, "n")
	has(t, p, "There is no match for \"777,1554\".")
	press(t, p, "N")
	has(t, p, "There is no earlier match")
	press(t, p, "enter")
	has(t, p, "column 1\n  ")
	press(t, p, "esc")
	has(t, p, "column 1")
}

func TestManyColumnsAreReached(t *testing.T) {
	p := show(t, 60, 12, file("wide.csv", "text/csv", squares(5, 40)))
	has(t, p, "column 0", "more columns")
	for range 60 {
		press(t, p, "l")
	}
	has(t, p, "column 39", "columns before")
	if strings.Contains(screen(p), "more columns") {
		t.Errorf("got more columns announced behind the last one, want none:\n%s", screen(p))
	}
	press(t, p, "enter")
	has(t, p, "column 0\n  0\ncolumn 1\n  0")
}

func TestJSONIsATableATreeAndText(t *testing.T) {
	p := show(t, 60, 20, file("f.json", "", []byte(`[{"flight":"OS 411","stops":["MUC","FRA"]},{"flight":"BA 763","stops":[]}]`)))
	has(t, p, "flight", `1  OS 411  ["MUC","FRA"]`)
	press(t, p, "v")
	has(t, p, `flight "OS 411"`)
	press(t, p, "j", "j", "j", "j")
	if got := press(t, p, "y"); got != (Copy{"MUC", "f.json"}) {
		t.Errorf("y returned %+v, want %q", got, "MUC")
	}
	press(t, p, "k", "space")
	has(t, p, "stops [2]")
	press(t, p, "v")
	has(t, p, `[{"flight":"OS 411"`)
	press(t, p, "v", "x")
	has(t, p, "5b 7b 22")
	if got := press(t, p, "Y").(Copy).Text; !strings.HasPrefix(got, `[{"flight"`) {
		t.Errorf("Y copied %q, want the whole file", got)
	}
}

func TestLargeJSONIsIndexedInAJob(t *testing.T) {
	data := []byte(`{"list":[` + strings.Repeat(`"a text of some length, so that there is much of it",`, 30_000) + `0]}`)
	p := show(t, 60, 20, file("f.json", "", data))
	has(t, p, "list")
	if strings.Contains(screen(p), "Reading") {
		t.Errorf("got no tree after the job, want it:\n%s", screen(p))
	}
}

func TestCodeAndMarkdown(t *testing.T) {
	p := show(t, 60, 20, file("main.go", "", []byte("package main\n\n// # no heading\nfunc main() {}\n")))
	has(t, p, "package main", "// # no heading")
	p = show(t, 60, 20, file("a.md", "", []byte("# Title\n\n* one\n* two\n")))
	press(t, p, "v")
	has(t, p, "* one")
	press(t, p, "/", "t", "w", "o", "enter")
	if p.sheet.hit != 3 {
		t.Errorf("match is in line %d, want 3", p.sheet.hit)
	}
	press(t, p, "n")
	has(t, p, `There is no match for "two".`)
}

func TestPicturesTakeTheRoomThatThereIs(t *testing.T) {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewNRGBA(image.Rect(0, 0, 400, 400))); err != nil {
		t.Fatal(err)
	}
	p := show(t, 150, 50, file("map.png", "image/png", b.Bytes()))
	has(t, p, "400 by 400 pixels, PNG")
	if n := len(p.sheet.lines); n != 49 {
		t.Errorf("picture has %d lines, want 49", n)
	}
	p.SetSize(60, 20)
	settle(t, p)
	if n := len(p.sheet.lines); n != 19 {
		t.Errorf("picture in a smaller pane has %d lines, want 19", n)
	}
	if got := press(t, p, "y"); got != nil {
		t.Errorf("y on a picture returned %+v, want nil", got)
	}
	if got, ok := press(t, p, "v", "y").(Refused); !ok {
		t.Errorf("y on bytes returned %+v, want Refused", got)
	}
}

func TestVersionsAreSteppedThrough(t *testing.T) {
	one, two := file("plan.md", "", []byte("The first plan.")), file("plan.md", "", []byte("The second plan."))
	one.Version, two.Version = "version 1 of 2", "version 2 of 2"
	p := show(t, 60, 10, one, two)
	has(t, p, "The second plan.")
	press(t, p, "]")
	press(t, p, "[")
	has(t, p, "The first plan.")
	if p.Title() != "plan.md, version 1 of 2" {
		t.Errorf("title is %q, want version 1 of 2", p.Title())
	}
	if got := press(t, p, "w"); got.(Save).File.Version != "version 1 of 2" {
		t.Errorf("w returned %+v, want version 1", got)
	}
	if got := press(t, p, "y"); got != (Copy{"The first plan.", "plan.md"}) {
		t.Errorf("y returned %+v, want the first version", got)
	}
	press(t, p, "]")
	has(t, p, "The second plan.")
}

func TestWhatCannotBeReadSaysWhy(t *testing.T) {
	p := show(t, 60, 10, File{Name: "x", Data: func() ([]byte, error) { return nil, errors.New("its content is not base64") }})
	has(t, p, "This cannot be previewed, because its content is not base64.")
	for _, key := range []string{"j", "G", "pgdown", "v", "space", "y", "Y", "w", "/", "n", "x", "h", "enter", "["} {
		if got := press(t, p, key); got != nil {
			t.Errorf("%s returned %+v, want nil", key, got)
		}
	}
	p.Clear()
	if got := press(t, p, "q"); got != (Close{}) || p.Title() != "preview" {
		t.Errorf("q returned %+v with title %q, want Close", got, p.Title())
	}
}

func TestAJobForAnotherFileIsNotTaken(t *testing.T) {
	p := New(mono(), still)
	p.SetSize(40, 5)
	p.Show([]File{file("a", "text/plain", []byte("first"))}, 0)
	job, _ := p.Job()
	p.Show([]File{file("b", "text/plain", []byte("second"))}, 0)
	if p.Apply(job.Run()) {
		t.Error("Apply accepted the result for an earlier file, want it discarded")
	}
	settle(t, p)
	has(t, p, "second")
}

func TestHostileFiles(t *testing.T) {
	bad := "\x1b]0;x\x07\x1b[31m\u202e\u009b\xff\x00,\"\n{\"a\":\"\\u001b[2J\"}\n"
	for _, name := range []string{"a.csv", "a.json", "a.md", "a.go", "a.txt", "a.png", "a.html", strings.Repeat("\U0001F468", 1000)} {
		for _, data := range []string{"", bad, strings.Repeat(bad, 50), "[" + strings.Repeat(`{"`+bad+`":1},`, 3) + "{}]", strings.Repeat("[", 100_000)} {
			for _, size := range [][2]int{{0, 0}, {1, 1}, {3, 2}, {40, 10}} {
				p := show(t, size[0], size[1], file(name, "", []byte(data)))
				for _, key := range []string{"v", "v", "v", "j", "G", "pgup", "enter", "space", "l", "i", "x", "-", "+", "/", "a", "enter", "n", "N"} {
					press(t, p, key)
					for _, line := range append(p.Lines(), p.Title(), p.Note()) {
						if strings.ContainsAny(line, "\x00\a\u202e\u009b") || strings.Contains(line, "\x1b]") || strings.Contains(line, "\x1b[2J") {
							t.Fatalf("%s with %q: got unsanitized text in a row, want none: %q", name, data[:min(len(data), 40)], line)
						}
					}
				}
			}
		}
	}
}
