package shot

import (
	"bytes"
	"encoding/json"
	"errors"
	"hash/fnv"
	"image"
	"image/gif"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/image/draw"

	"parley/themes"
	"parley/ui/styles"
)

// dark is the ground of the tests.
func dark() Ground { return GroundOf(themes.Dark()) }

// decode returns the picture of a frame.
func decode(t *testing.T, f Frame) image.Image {
	t.Helper()
	b, err := f.PNG()
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		t.Fatalf("got %v, want a PNG", err)
	}
	return img
}

// inked reports whether a picture has anything but its background in a rectangle.
func inked(img image.Image, r image.Rectangle) bool {
	ground := img.At(0, 0)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			if img.At(x, y) != ground {
				return true
			}
		}
	}
	return false
}

// place returns the pixels of a cell in a PNG.
func place(x, y int) image.Rectangle {
	w, h := cellWidth*sharp, cellHeight*sharp
	return image.Rect(w+x*w, w+y*h, w+(x+1)*w, w+(y+1)*h)
}

func TestEverySignOfTheInterfaceHasAShape(t *testing.T) {
	p := newPen(2)
	for _, g := range []styles.Glyphs{styles.Unicode(), styles.ASCII()} {
		seen := map[uint64]string{}
		for _, text := range g {
			m := p.mask(&cell{text: text, width: 1})
			if m == nil || bytes.Count(m.Pix, []byte{0}) == len(m.Pix) {
				t.Errorf("%q: got no ink", text)
				continue
			}
			box := image.NewAlpha(m.Rect)
			p.codePoint(box, []rune(text)[0])
			if bytes.Equal(box.Pix, m.Pix) {
				t.Errorf("%q: got the box of an unknown character", text)
			}
			h := fnv.New64()
			h.Write(m.Pix)
			if other := seen[h.Sum64()]; other != "" && other != text {
				t.Errorf("%q looks like %q", text, other)
			}
			seen[h.Sum64()] = text
		}
	}
}

// A border that is drawn has no gap, and touches nothing beside its corners.
func TestLinesMeet(t *testing.T) {
	for _, box := range []string{"╭─┬─╮\n│ │ │\n├─┼─┤\n╰─┴─╯", "┏━┳━┓\n┃ ┃ ┃\n┣━╋━┫\n┗━┻━┛", "╔═╦═╗\n║ ║ ║\n╠═╬═╣\n╚═╩═╝"} {
		img := decode(t, Read(box, 5, 4, dark(), nil))
		top, left := place(0, 0), place(0, 0)
		for x := place(1, 0).Min.X; x < place(4, 0).Min.X; x++ {
			if !inked(img, image.Rect(x, top.Min.Y, x+1, top.Max.Y)) {
				t.Errorf("%q: got a gap in the upper line at %d", box[:3], x)
			}
		}
		for y := place(0, 1).Min.Y; y < place(0, 3).Min.Y; y++ {
			if !inked(img, image.Rect(left.Min.X, y, left.Max.X, y+1)) {
				t.Errorf("%q: got a gap in the left line at %d", box[:3], y)
			}
		}
		if inked(img, place(1, 1)) || inked(img, image.Rect(left.Min.X, top.Min.Y, left.Min.X+3, top.Min.Y+3)) {
			t.Errorf("%q: got ink beside the lines", box[:3])
		}
	}
	full := decode(t, Read("██\n██", 2, 2, Ground{Text: dark().Text, Back: dark().Back}, nil))
	for _, at := range []image.Point{place(0, 0).Min, place(1, 1).Max.Sub(image.Pt(1, 1)), place(1, 0).Min} {
		if got := full.At(at.X, at.Y); solid(got) != dark().Text {
			t.Errorf("got %v at %v, want blocks without seams", got, at)
		}
	}
}

func TestColoursAndAttributes(t *testing.T) {
	const text = "\x1b[31;44mA\x1b[7mB\x1b[0;4m \x1b[0;9m \x1b[0;1mC\x1b[0;3mC\x1b[0mC\x1b[2mC\x1b[8mC"
	f := Read(text, 10, 1, dark(), &Point{9, 0})
	a, b := f.at(0, 0), f.at(1, 0)
	if a.fg == dark().Text || a.fg != b.bg || a.bg != b.fg {
		t.Errorf("got %v and %v, want the second reversed", a, b)
	}
	img := decode(t, f)
	for x := 2; x < 8; x++ {
		if !inked(img, place(x, 0)) {
			t.Errorf("got no ink in cell %d", x)
		}
	}
	if inked(img, place(8, 0)) {
		t.Error("got ink of a concealed letter")
	}
	if cursor := f.at(9, 0); cursor.bg != dark().Text {
		t.Errorf("got %v, want the cursor in the colour of text", cursor)
	}
	for x := 4; x < 8; x++ {
		for y := 4; y < x; y++ {
			if same(img, place(x, 0), place(y, 0)) {
				t.Errorf("cells %d and %d look the same, want bold, italic, plain and faint", x, y)
			}
		}
	}
}

func same(img image.Image, a, b image.Rectangle) bool {
	for y := range a.Dy() {
		for x := range a.Dx() {
			if img.At(a.Min.X+x, a.Min.Y+y) != img.At(b.Min.X+x, b.Min.Y+y) {
				return false
			}
		}
	}
	return true
}

// What nothing can draw is a box that tells characters apart; a wide one fills two cells.
func TestAnUnknownCharacterIsABoxWithItsCodePoint(t *testing.T) {
	img := decode(t, Read("🚀x👋x한x\u0600", 12, 1, dark(), nil))
	for _, x := range []int{0, 1, 3, 4, 6, 7} {
		if !inked(img, place(x, 0)) {
			t.Errorf("got no ink in cell %d, want a box over two cells", x)
		}
	}
	if same(img, place(0, 0), place(3, 0)) && same(img, place(1, 0), place(4, 0)) {
		t.Error("two characters look the same")
	}
}

func TestControlCharactersHaveNames(t *testing.T) {
	img := decode(t, Read("␊␍␛␛", 4, 1, dark(), nil))
	if same(img, place(0, 0), place(1, 0)) || same(img, place(1, 0), place(2, 0)) || !same(img, place(2, 0), place(3, 0)) {
		t.Error("want a shape of its own for each control character")
	}
}

// Nothing that a frame contains stops the drawing, and no picture is larger than its frame.
func TestHostileFramesAreDrawn(t *testing.T) {
	for _, text := range []string{"", "\x1b", "\x1b[", "\x1b[38;2;999m", "\x1b[999;999Hx", "\x1b]8;;http://x\x07y\x1b]8;;\x07", "é́́́́́", "👨‍👩‍👧‍👦👨‍👩‍👧‍👦", strings.Repeat("x", 5000), strings.Repeat("\n", 500), "\x00\x01\x02\xff\xfe", "\u202eabc", "﷽﷽", "a\rb", "\ta"} {
		for _, size := range [][2]int{{1, 1}, {20, 5}, {0, 0}, {-3, 2}} {
			f := Read(text, size[0], size[1], dark(), &Point{100, -1})
			img := decode(t, f)
			if w := img.Bounds().Dx(); w != (max(size[0], 1)+2)*cellWidth*sharp {
				t.Errorf("%.20q: got a picture of %d pixels", text, w)
			}
		}
	}
}

// A frame that shows a photograph has more colours than a palette.
func TestAFrameOfManyColours(t *testing.T) {
	var b strings.Builder
	for i := range 30 * 20 {
		if i > 0 && i%30 == 0 {
			b.WriteByte('\n')
		}
		b.WriteString(styles.Pair(themes.Index(i%200+20), themes.Index(i/3%200+20)).S("▀"))
	}
	f := Read(b.String(), 30, 20, dark(), nil)
	decode(t, f)
	var a Animation
	a.Add(f, 0)
	data, err := a.GIF(0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := gif.DecodeAll(bytes.NewReader(data)); err != nil {
		t.Error(err)
	}
}

// play draws an animation as a viewer does, and returns every screen.
func play(t *testing.T, data []byte) (screens []*image.RGBA, delays []int) {
	t.Helper()
	g, err := gif.DecodeAll(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	screen := image.NewRGBA(image.Rect(0, 0, g.Config.Width, g.Config.Height))
	for _, img := range g.Image {
		draw.Draw(screen, img.Rect, img, img.Rect.Min, draw.Over)
		shown := image.NewRGBA(screen.Rect)
		copy(shown.Pix, screen.Pix)
		screens = append(screens, shown)
	}
	return screens, g.Delay
}

func TestAnAnimationShowsEveryFrame(t *testing.T) {
	texts := []string{"one\n╭──╮", "one two\n╭──╮", "\x1b[31mone\x1b[0m two\n    ", "한 two\n", "xx two\n"}
	var a Animation
	for i, text := range texts {
		a.Add(Read(text, 20, 4, dark(), nil), time.Duration(i)*time.Second)
	}
	a.Add(Read(texts[4], 20, 4, dark(), nil), 6*time.Second) // the same once more
	if a.Len() != len(texts) {
		t.Errorf("got %d frames, want %d: one that changes nothing is none", a.Len(), len(texts))
	}
	data, err := a.GIF(9 * time.Second)
	if err != nil {
		t.Fatal(err)
	}
	screens, delays := play(t, data)
	if want := []int{100, 100, 100, 100, 500}; len(delays) != 5 || delays[0] != want[0] || delays[4] != want[4] {
		t.Errorf("got delays %v, want %v", delays, want)
	}
	for i, text := range texts { // each looks as if it were alone
		var alone Animation
		for _, other := range texts { // with the same palette
			alone.Add(Read(other, 20, 4, dark(), nil), time.Duration(alone.Len())*time.Second)
		}
		alone.frames[0] = Read(text, 20, 4, dark(), nil)
		first, err := alone.GIF(0)
		if err != nil {
			t.Fatal(err)
		}
		whole, _ := play(t, first)
		if !bytes.Equal(whole[0].Pix, screens[i].Pix) {
			t.Errorf("frame %d looks otherwise in the animation", i)
		}
	}
	again, _ := a.GIF(9 * time.Second)
	if !bytes.Equal(again, data) {
		t.Error("got other bytes for the same frames")
	}
}

func TestFramesThatFollowTooSoonAreOne(t *testing.T) {
	var a Animation
	for i := range 100 {
		a.Add(Read(strings.Repeat("x", i), 120, 1, dark(), nil), time.Duration(i)*time.Millisecond)
	}
	if a.Len() > 3 {
		t.Errorf("got %d frames in a tenth of a second, want one each 60 ms", a.Len())
	}
	a.Add(Read("of another size", 7, 3, dark(), nil), time.Second)
	if data, err := a.GIF(0); err != nil {
		t.Error(err)
	} else {
		play(t, data)
	}
}

func TestACastHasTheChangedRows(t *testing.T) {
	var a Animation
	a.Add(Read("one\ntwo", 20, 4, dark(), nil), 0)
	a.Add(Read("one\nthree", 20, 4, dark(), nil), time.Second)
	lines := strings.Split(strings.TrimSpace(string(a.Cast("a \x1b[31mtitle", time.Unix(7, 0), 5*time.Second))), "\n")
	var header struct {
		Version, Width, Height int
		Title                  string
	}
	if err := json.Unmarshal([]byte(lines[0]), &header); err != nil || header.Version != 2 || header.Width != 20 || strings.Contains(header.Title, "\x1b") {
		t.Errorf("got header %s", lines[0])
	}
	if len(lines) != 4 || !strings.Contains(lines[2], `[1.000000, "o", "\u001b[2;1Hthree"]`) || !strings.HasPrefix(lines[3], "[5.0") {
		t.Errorf("got %q, want the second row after a second, and an end", lines)
	}
}

func TestReplaceKeepsWhatParleyDidNotWrite(t *testing.T) {
	dir := t.TempDir()
	f := Read(" parley \nx", 20, 4, dark(), nil)
	var a Animation
	a.Add(f, 0)
	picture, err := f.PNG()
	if err != nil {
		t.Fatal(err)
	}
	animation, err := a.GIF(0)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"a.png": picture, "a.gif": animation, "a.cast": a.Cast("x", time.Time{}, 0), "a.ansi": f.ANSI()} {
		path := filepath.Join(dir, name)
		for range 2 {
			if err := Replace(path, data); err != nil {
				t.Errorf("%s: got %v, want the file replaced", name, err)
			}
		}
		foreign := filepath.Join(dir, "mine"+filepath.Ext(name))
		if err := os.WriteFile(foreign, []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := Replace(foreign, data); !errors.Is(err, ErrForeign) {
			t.Errorf("%s: got %v, want it kept", foreign, err)
		}
		if got, _ := os.ReadFile(foreign); string(got) != "mine" {
			t.Errorf("%s was changed", foreign)
		}
	}
	if err := os.Symlink(filepath.Join(dir, "a.png"), filepath.Join(dir, "link.png")); err == nil {
		if err := Replace(filepath.Join(dir, "link.png"), picture); !errors.Is(err, ErrForeign) {
			t.Errorf("a link: got %v, want it kept", err)
		}
	}
	if err := Replace(filepath.Join(dir, "absent", "a.png"), picture); err == nil {
		t.Error("got no error for a folder that does not exist")
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".parley-*")); len(left) > 0 {
		t.Errorf("got %v left over", left)
	}
}
