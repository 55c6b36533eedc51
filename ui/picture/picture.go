// Package picture draws images in cells: as half blocks, with two pixels above each other in
// every cell, or in another [Mode] that the terminal can draw.
//
// Images come from untrusted sources. [Draw] reads the declared size before it allocates
// memory, limits bytes and pixels, and recovers from panics of decoders. It may take a second,
// so it should run in a goroutine of its own.
package picture

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	_ "image/gif" // the supported formats; only the first frame is drawn
	_ "image/jpeg"
	_ "image/png"
	"net/http"
	"strings"

	"golang.org/x/image/draw"
	_ "golang.org/x/image/webp"

	"parley/internal/units"
)

const (
	// MaxBytes is the size of the largest file that is drawn.
	MaxBytes = 32 << 20
	// maxPixels is the largest number of pixels of an image: decoded, each takes up to eight
	// bytes.
	maxPixels = 16 << 20
)

// A Picture is a drawn image.
type Picture struct {
	Lines         []string // painted, at most as wide as requested
	Width, Height int      // of the image, in pixels
	Format        string   // png, jpeg, gif or webp, whatever the media type is
}

// Supported reports whether a file begins like an image that can be drawn.
func Supported(head []byte) bool {
	switch http.DetectContentType(head) {
	case "image/png", "image/jpeg", "image/gif", "image/webp":
		return true
	default:
		return false
	}
}

// Draw draws the image in data in at most w columns and h rows, never enlarged. The error is a
// clause that follows "The picture is not drawn:".
func Draw(data []byte, w, h int, look Mode) (p Picture, err error) {
	defer guard(&p, &err)
	img, p, err := decode(data)
	if err == nil && (w < 1 || h < 1) {
		err = errors.New("the pane is too small")
	}
	if err != nil {
		return Picture{}, err
	}
	p.Lines = look.lines(fit(img, w, 2*h))
	return p, nil
}

// guard turns a panic, which is a defect in a decoder, into an error.
func guard[T any](result *T, err *error) {
	if recover() != nil {
		var none T
		*result, *err = none, errors.New("it is broken")
	}
}

// decode reads an image within the limits.
func decode(data []byte) (img image.Image, p Picture, err error) {
	if len(data) > MaxBytes {
		return nil, p, fmt.Errorf("%s exceed the limit for one", units.Bytes(int64(len(data))))
	}
	size, format, err := image.DecodeConfig(bytes.NewReader(data))
	if fw, fh := webpFrame(data); format == "webp" && fw > 0 && fh > 0 && fw*fh > size.Width*size.Height {
		size.Width, size.Height = fw, fh
	}
	switch {
	case errors.Is(err, image.ErrFormat):
		return nil, p, fmt.Errorf("the file is not PNG, JPEG, GIF or WebP; it looks like %s", kind(data))
	case err != nil:
		return nil, p, errors.New("its beginning is broken or incomplete")
	case size.Width <= 0 || size.Height <= 0:
		return nil, p, errors.New("it has no pixels")
	case size.Width > maxPixels/size.Height:
		return nil, p, fmt.Errorf("%s by %s pixels exceed the limit", units.Count(size.Width), units.Count(size.Height))
	}
	img, _, err = image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, p, errors.New("it is broken or incomplete")
	}
	return img, Picture{Width: size.Width, Height: size.Height, Format: format}, nil
}

// kind describes the detected format of data.
func kind(data []byte) string {
	kind, _, _ := strings.Cut(http.DetectContentType(data), ";")
	if kind == "application/octet-stream" {
		return "an unknown format"
	}
	return kind
}

// fit returns the image scaled down to at most w×h pixels.
func fit(img image.Image, w, h int) *image.NRGBA {
	from := img.Bounds()
	to := image.Rect(0, 0, from.Dx(), from.Dy())
	if to.Dx() > w || to.Dy() > h {
		if to.Dx()*h > to.Dy()*w {
			to = image.Rect(0, 0, w, max(1, to.Dy()*w/to.Dx()))
		} else {
			to = image.Rect(0, 0, max(1, to.Dx()*h/to.Dy()), h)
		}
	}
	out := image.NewNRGBA(to)
	if to.Size() == from.Size() {
		draw.Draw(out, to, img, from.Min, draw.Src)
	} else {
		draw.BiLinear.Scale(out, to, img, from, draw.Src, nil) // reads every pixel
	}
	return out
}
