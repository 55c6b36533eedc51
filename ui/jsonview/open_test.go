package jsonview

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"charm.land/bubbles/v2/key"

	"parley/themes"
	"parley/ui/canvas"
	"parley/ui/styles"
)

func quoted(text string) string {
	b, _ := json.Marshal(text)
	return string(b)
}

// loud is a stand-in for a Markdown renderer.
func loud(text string, _ int) []string {
	return strings.Split(strings.ToUpper(canvas.Sanitize(text)), "\n")
}

func TestTextIsLookedAtAsWhatItHolds(t *testing.T) {
	png := "\x89PNG\r\n\x1a\n" + strings.Repeat("\x00\x01abcABC789", 40)
	for _, c := range []struct {
		text    string
		formats string
		first   string
	}{
		{`{"fare":412,"legs":[1,2]}`, "as JSON, as Markdown, as text", " 1 ▾ a \"{\\\"fare\\\":412,\\\"legs\\\":[1,2]}\"\n       fare 412\n       legs\n         0 1\n         1 2"},
		{"{broken}", "as Markdown, as text", " 1 ▾ a \"{broken}\"\n     {BROKEN}"},
		{"# Plan\n* one", "as Markdown, as text", " 1 ▾ a \"# Plan\\n* one\"\n     # PLAN\n     * ONE"},
		{base64.StdEncoding.EncodeToString([]byte(png)), "as bytes, as text", "     0000  89 50 4e 47 0d 0a 1a 0a  00 01 61 62 63 41 42 43  .PNG......abcABC\n     0010"},
		{base64.RawURLEncoding.EncodeToString([]byte(png + "\xfb\xff\xfe")), "as bytes, as text", "     0000  89 50"},
		{"[]", "as JSON, as Markdown, as text", " 1 ▾ a \"[]\"\n       []"},
	} {
		v := New(styles.New(themes.Mono(), styles.Unicode()))
		v.SetProse(loud)
		v.SetSize(90, 40)
		v.SetBody([]byte(`{"a":`+quoted(c.text)+`}`), nil)
		var formats []string
		for i := 0; i < 4; i++ {
			l := v.NextFormat().String()
			if i == 0 {
				if got := screen(v.Lines()); !strings.Contains(got, c.first) {
					t.Errorf("%.20q opens\n%s\nwant\n%s", c.text, got, c.first)
				}
			} else if l == formats[0] {
				break
			}
			exact(t, v.Lines(), 90, 40)
			walk(t, v, 1000)
			formats = append(formats, l)
		}
		if got := strings.Join(formats, ", "); got != c.formats {
			t.Errorf("%.20q has formats %s, want %s", c.text, got, c.formats)
		}
		v.Toggle()
		if v.Height(100) != 1 {
			t.Errorf("%.20q has %d lines after closing, want 1", c.text, v.Height(100))
		}
	}
	v := open(`{"in":"[{\"a/b\":\"deep \\u00e9\"},7]"}`, 60, 9)
	v.NextFormat()
	v.Move(3)
	if text, at := v.Selection(); text != "deep é" || at != "/in /0/a~1b" {
		t.Errorf("selection is %q at %q, want %q at %q", text, at, "deep é", "/in /0/a~1b")
	}
	v = open(`{"n":1,"s":"","t":"x"}`, 60, 5)
	if v.HasFormats() || v.NextFormat() != Closed {
		t.Error("number: got HasFormats or a format from NextFormat, want neither")
	}
	if v.Move(1); v.HasFormats() {
		t.Error("empty string: got HasFormats, want false")
	}
	if v.Move(1); v.NextFormat() != AsText {
		t.Error("NextFormat without a renderer: got another format, want AsText")
	}
}

func TestLongTextOpensPieceByPiece(t *testing.T) {
	v := open(`{"a":"`+strings.Repeat("0123456789abcde\\n", 10_000)+`"}`, 60, 20)
	v.NameFold(key.NewBinding(key.WithHelp("space", "fold or open text")))
	v.Toggle()
	one := v.Height(1 << 20)
	v.Bottom()
	if got := screen(v.Lines()); !strings.Contains(got, "more; space opens more") {
		t.Fatalf("got no offer of more at the end of the first piece, want it:\n%s", got)
	}
	v.Toggle()
	if two := v.Height(1 << 20); two < 2*one-10 {
		t.Errorf("second piece makes %[2]d lines, want about twice %[1]d", one, two)
	}
	v.Bottom()
	v.Toggle()
	v.Bottom()
	if got := screen(v.Lines()); strings.Contains(got, "more") || !strings.HasSuffix(got, "0123456789abcde") {
		t.Errorf("got a screen without the end of the text, want it:\n%s", got)
	}
	walk(t, v, 1<<20)
}

func TestGoUnfoldsAndShowsThePlace(t *testing.T) {
	v := open(`{"a":[`+strings.Repeat(`{"n":1},`, 5000)+`{"b/c":{"~":"here"}}],"z":0}`, 60, 12)
	v.FoldAll(true)
	if !v.Go(-1, "/a/5000/b~1c/~0") {
		t.Error("Go to an existing pointer: got false, want true")
	}
	if got := v.Pointer(); got != "/a/5000/b~1c/~0" {
		t.Errorf("cursor is at %q, want /a/5000/b~1c/~0", got)
	}
	got := screen(v.Lines())
	if !strings.Contains(got, `~ "here"`) || !strings.Contains(got, "▾ b/c") {
		t.Errorf("got a screen without the selected value, want it:\n%s", got)
	}
	if v.Go(-1, "/a/5000/nothing") || v.Pointer() != "/a/5000" {
		t.Errorf("Go to a missing member moved to %q, want false and /a/5000", v.Pointer())
	}
	v.Go(5+8*700+6, "")
	if got := v.Pointer(); got != "/a/700/n" {
		t.Errorf("Go to byte %d moved to %q, want /a/700/n", 5+8*700+6, got)
	}
	broken := open(`{"a":1} and `+strings.Repeat("x", 500)+"!", 40, 6)
	broken.Go(500, "")
	if got := screen(broken.Lines()); !strings.Contains(got, "xxx") || strings.Contains(got, " and ") {
		t.Errorf("got a screen without the byte after the tree, want it:\n%s", got)
	}
	if open("", 40, 6).Go(-1, "/a") {
		t.Error("Go in an empty body: got true, want false")
	}
}

func TestGoWaitsForTheTree(t *testing.T) {
	v := open(`{"items":[`+strings.Repeat(`{"n":1},`, inline/8)+`{"last":true}]}`, 60, 10)
	v.Go(-1, "/items/100000/n")
	job, _ := v.Job()
	v.Apply(job.Run())
	if got := v.Pointer(); got != "/items/100000/n" {
		t.Errorf("cursor is at %q, want /items/100000/n", got)
	}
}

func find(pattern string) canvas.Finder {
	re := regexp.MustCompile("(?i)" + pattern)
	return func(text []byte) (int, int) {
		if at := re.FindIndex(text); at != nil {
			return at[0], at[1]
		}
		return -1, -1
	}
}

func TestSeekGoesFromMatchToMatch(t *testing.T) {
	v := open(`{"one":"first needle","two":{"needle":[1,"a needle and a NEEDLE"]},"long":"`+strings.Repeat("hay ", 100)+`needle `+strings.Repeat("hay ", 100)+`"}`, 60, 30)
	v.SetFinder(find("needle"))
	v.FoldAll(true)
	var at []string
	for v.Seek(false) {
		at = append(at, v.Pointer())
	}
	if got, want := strings.Join(at, " "), "/one /two/needle /two/needle/1 /two/needle/1 /long"; got != want {
		t.Errorf("forwards got %s, want %s", got, want)
	}
	line := v.Lines()[v.row()]
	if !strings.Contains(line, v.st.Mark.S("needle")[:len(v.st.Mark.On)+6]) {
		t.Errorf("got no highlighted match in the cursor's line of long text, want one: %q", line)
	}
	at = nil
	for v.Seek(true) {
		at = append(at, v.Pointer())
	}
	if got, want := strings.Join(at, " "), "/two/needle/1 /two/needle/1 /two/needle /one"; got != want {
		t.Errorf("backwards got %s, want %s", got, want)
	}
	v.SetFinder(nil)
	if v.Seek(false) {
		t.Error("Seek without a finder: got true, want false")
	}
}

// row returns the row of the window with the cursor.
func (v *View) row() int {
	n := 0
	for p := v.win.top; p != v.win.at; n++ {
		p, _ = v.next(p)
	}
	return n
}

func TestBytesInHexadecimalKeepTheirPlace(t *testing.T) {
	b := raw(strings.Repeat("line of text\n", 500), 100, 10)
	b.Scroll(100)
	b.SetHex(true)
	if got := screen(b.Lines()[:1]); !strings.HasPrefix(got, "0510  ") || !b.Hex() {
		t.Errorf("first row is %q, want offset 0510", got)
	}
	b.SetSize(60, 10)
	exact(t, b.Lines(), 60, 10)
	walk(t, &b.dump, 10_000)
	b.Bottom()
	if got := screen(b.Lines()); !strings.HasSuffix(got, "ext.") {
		t.Errorf("got a screen without the end, want it:\n%s", got)
	}
	b.SetHex(false)
	if got := screen(b.Lines()); !strings.Contains(got, "line of text␊") {
		t.Errorf("got another place after the switch to text, want the same:\n%s", got)
	}
	if b.SetBody(bytes.Repeat([]byte("\x00\xff\xfe\x01PNG"), 20)); !b.Hex() {
		t.Error("binary body: got text, want hex")
	}
	if from, to := b.VisibleRange(); from != 0 || to != 80 {
		t.Errorf("Shown() = %d, %d; want 0, 80", from, to)
	}
	b.SetSize(0, 0)
	b.Go(7)
	b.SetSize(12, 3)
	exact(t, b.Lines(), 12, 3)
}

func TestBytesSeek(t *testing.T) {
	b := raw(strings.Repeat("hay\n", 1000)+"needle\n"+strings.Repeat("hay\n", 1000)+"Needle\n", 40, 10)
	b.SetFinder(find("needle"))
	for i, want := range []int{4000, 8007} {
		if !b.Seek(false) || b.hit != want {
			t.Errorf("match %d is at %d, want %d", i, b.hit, want)
		}
		if got := screen(b.Lines()); !strings.Contains(strings.ToLower(got), "needle") {
			t.Errorf("got a screen without match %d, want it:\n%s", i, got)
		}
	}
	if b.Seek(false) || !b.Seek(true) || b.hit != 4000 || b.Seek(true) {
		t.Errorf("backwards moved to %d, want one match at 4000", b.hit)
	}
}

// The cost of a frame depends on the window, not on the body.
func TestHugeBodiesAreDrawnLazily(t *testing.T) {
	for _, c := range []struct{ name, body string }{
		{"1 M lines", "[" + strings.Repeat("1,", 1_000_000) + "0]"},
		{"one string of 16 MB", `{"a":"` + strings.Repeat("x", 16<<20) + `"}`},
		{"NULs", strings.Repeat("\x00", 4<<20)},
		{"not UTF-8", `{"a":"` + strings.Repeat("\xff", 4<<20) + `"}`},
		{"a line of 50 kB", `{"a":` + strings.Repeat(" ", 50_000) + `1}`},
	} {
		v := open(c.body, 80, 40)
		if job, ok := v.Job(); ok {
			v.Apply(job.Run())
		}
		v.Lines()
		allocs := testing.AllocsPerRun(1, func() {
			v.Bottom()
			v.Lines()
			v.Top()
			v.NextFormat()
			v.Toggle()
			v.Toggle()
			v.Scroll(30)
			v.Lines()
		})
		if allocs > 3*piece { // an opened text lays out one piece
			t.Errorf("%s: %s allocations for a few frames, want at most %d", c.name, strconv.Itoa(int(allocs)), 3*piece)
		}
	}
}

// The offsets of a message have four digits, so that a narrow pane shows eight bytes in a line;
// those of more than 64 KiB have eight.
func TestOffsetsHaveAsManyDigitsAsTheyNeed(t *testing.T) {
	for _, c := range []struct{ w, size, row, digits int }{
		{42, 100, 8, 4}, {42, 1 << 16, 8, 4}, {42, 1<<16 + 1, 4, 8}, {72, 100, 16, 4}, {20, 100, 4, 4}, {160, 100, 32, 4},
	} {
		if row, digits := hexRow(c.w, c.size), offsetDigits(c.size); row != c.row || digits != c.digits {
			t.Errorf("%d bytes in %d cells: got %d bytes in a line and %d digits, want %d and %d", c.size, c.w, row, digits, c.row, c.digits)
		}
	}
}
