package picture

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

var (
	red  = color.NRGBA{0xff, 0, 0, 0xff}
	blue = color.NRGBA{0, 0, 0xff, 0xff}
)

// flag is red in the upper half and blue in the lower half.
func flag(w, h int) image.Image {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			img.Set(x, y, red)
			if y >= h/2 {
				img.Set(x, y, blue)
			}
		}
	}
	return img
}

func encoded(t testing.TB, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestTwoPixelsStandInEachCell(t *testing.T) {
	for look, want := range map[Mode]string{
		Blocks:  "\x1b[48;2;0;0;255m\x1b[38;2;255;0;0m▀▀\x1b[m",
		Spaces:  "\x1b[48;2;127;0;127m  \x1b[m",
		Letters: "..",
	} {
		p, err := Draw(encoded(t, flag(2, 2)), 80, 20, look)
		if err != nil || len(p.Lines) != 1 || p.Lines[0] != want {
			t.Errorf("look %d: %q, %v; want %q", look, p.Lines, err, want)
		}
		if p.Width != 2 || p.Height != 2 || p.Format != "png" {
			t.Errorf("got %+v, want a PNG of 2×2", p)
		}
	}
}

func TestWhatIsTransparentShowsTheGround(t *testing.T) {
	img := image.NewNRGBA(image.Rect(0, 0, 4, 3))
	img.Set(0, 0, red)
	img.Set(1, 1, blue)
	img.Set(2, 0, red)
	img.Set(2, 1, red)
	p, err := Draw(encoded(t, img), 80, 20, Blocks)
	want := []string{"\x1b[38;2;255;0;0m▀\x1b[38;2;0;0;255m▄\x1b[48;2;255;0;0m \x1b[m ", "    "}
	if err != nil || strings.Join(p.Lines, "|") != strings.Join(want, "|") {
		t.Errorf("drawn as %q, %v; want %q", p.Lines, err, want)
	}
}

func TestPicturesFitAndKeepTheirShape(t *testing.T) {
	for _, c := range []struct{ w, h, cols, rows, wide, high int }{
		{100, 100, 40, 40, 40, 20}, // a cell is two pixels high
		{100, 100, 400, 10, 20, 10},
		{1000, 2, 10, 10, 10, 1},
		{2, 1000, 10, 10, 1, 10},
		{3, 3, 80, 20, 3, 2},
	} {
		for _, look := range []Mode{Blocks, Spaces, Letters} {
			p, err := Draw(encoded(t, flag(c.w, c.h)), c.cols, c.rows, look)
			if err != nil || len(p.Lines) != c.high {
				t.Errorf("%+v: got %d lines, error %v, want %d", c, len(p.Lines), err, c.high)
			}
			for _, line := range p.Lines {
				if w := ansi.StringWidth(line); w != c.wide {
					t.Errorf("%+v: got a line of %d cells, want %d: %q", c, w, c.wide, line)
				}
			}
		}
	}
}

func TestOtherFormatsAreDrawnWhateverTheyAreCalled(t *testing.T) {
	var j, g bytes.Buffer
	if err := jpeg.Encode(&j, flag(20, 20), nil); err != nil {
		t.Fatal(err)
	}
	if err := gif.Encode(&g, flag(20, 20), nil); err != nil {
		t.Fatal(err)
	}
	for format, data := range map[string][]byte{"jpeg": j.Bytes(), "gif": g.Bytes()} {
		if p, err := Draw(data, 20, 20, Blocks); err != nil || p.Format != format || len(p.Lines) != 10 || !Supported(data) {
			t.Errorf("%s: got %+v, error %v, want 10 lines in that format", format, p, err)
		}
	}
}

// header returns a PNG whose header declares w×h.
func header(t testing.TB, w, h uint32) []byte {
	data := encoded(t, flag(2, 2))
	binary.BigEndian.PutUint32(data[16:], w)
	binary.BigEndian.PutUint32(data[20:], h)
	binary.BigEndian.PutUint32(data[29:], crc32.ChecksumIEEE(data[12:29]))
	return data
}

// webp returns a file that declares 1×1 and has a frame of w×h.
func webp(id string, frame []byte) []byte {
	chunk := func(id string, body []byte) []byte {
		return append(binary.LittleEndian.AppendUint32([]byte(id), uint32(len(body))), body...)
	}
	body := append([]byte("WEBP"), chunk("VP8X", make([]byte, 10))...)
	return chunk("RIFF", append(body, chunk(id, frame)...))
}

func TestHostileImagesAreASentence(t *testing.T) {
	whole := encoded(t, flag(50, 50))
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"nothing", nil, "the file is not PNG, JPEG, GIF or WebP; it looks like text/plain"},
		{"a page", []byte("<html><script>"), "looks like text/html"},
		{"a document", []byte("%PDF-1.7 "), "looks like application/pdf"},
		{"bytes", []byte{0, 1, 2, 3, 0xff}, "looks like an unknown format"},
		{"a signature alone", whole[:8], "broken or incomplete"},
		{"half", whole[:len(whole)/2], "broken or incomplete"},
		{"a bomb", header(t, 1<<20, 1<<20), "1,048,576 by 1,048,576 pixels exceed the limit"},
		{"no height", header(t, 10, 0), "broken or incomplete"},
		{"other than it says", header(t, 4000, 4000), "broken or incomplete"},
		{"too many bytes", append(whole, make([]byte, MaxBytes)...), "33.6 MB exceed the limit for one"},
		{"a frame larger than its file", webp("VP8L", []byte{0x2f, 0xff, 0xff, 0xff, 0x0f, 0}), "16,384 by 16,384 pixels exceed the limit"},
		{"a lossy one", webp("VP8 ", []byte{0, 0, 0, 0x9d, 1, 0x2a, 0xff, 0x3f, 0xff, 0x3f}), "16,383 by 16,383 pixels exceed the limit"},
	} {
		p, err := Draw(c.data, 40, 20, Blocks)
		if err == nil || !strings.Contains(err.Error(), c.want) || p.Lines != nil {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

func FuzzDraw(f *testing.F) {
	f.Add(encoded(f, flag(9, 9)))
	f.Add(header(f, 100, 100))
	f.Add(webp("VP8L", []byte{0x2f, 0, 0, 0, 0, 0}))
	f.Add([]byte("GIF89a"))
	f.Add([]byte("\xff\xd8\xff"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := Draw(data, 7, 5, Blocks)
		if err == nil && (len(p.Lines) == 0 || len(p.Lines) > 5) {
			t.Errorf("got %d lines, want 1 to 5", len(p.Lines))
		}
		for _, line := range p.Lines {
			if ansi.StringWidth(line) > 7 || strings.Contains(strings.ReplaceAll(line, "\x1b[", ""), "\x1b") {
				t.Errorf("got line %q, want at most 7 cells and only colours", line)
			}
		}
	})
}

func BenchmarkDraw(b *testing.B) {
	data := encoded(b, flag(1000, 1000))
	for b.Loop() {
		if _, err := Draw(data, 80, 20, Blocks); err != nil {
			b.Fatal(err)
		}
	}
}
