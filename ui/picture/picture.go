// Package picture draws images in cells: as half blocks, two pixels above each other in
// every cell, or with what else a terminal has.
//
// What is drawn comes from anywhere. [Draw] reads the size that an image says it has
// before it makes room for it, takes no more bytes and pixels than a terminal is worth,
// and survives decoders that do not; it may take a second and belongs in a goroutine of
// its own.
package picture

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	_ "image/gif" // the formats that are read: their first frame
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
	// maxPixels is how many pixels an image may have: decoded, they take up to eight
	// bytes each.
	maxPixels = 16 << 20
)

// A Picture is an image as it was drawn.
type Picture struct {
	Lines         []string // painted, none wider than was asked for
	Width, Height int      // of the image, in pixels
	Format        string   // png, jpeg, gif or webp, whatever its media type says
}

// Known reports whether a file begins like an image that can be drawn.
func Known(head []byte) bool {
	switch http.DetectContentType(head) {
	case "image/png", "image/jpeg", "image/gif", "image/webp":
		return true
	default:
		return false
	}
}

// Draw draws the image in data in at most w columns and h rows, never larger than it is.
// The error goes on from "The picture is not drawn:".
func Draw(data []byte, w, h int, look Look) (p Picture, err error) {
	defer func() {
		if recover() != nil { // a decoder met what its author did not think of
			p, err = Picture{}, errors.New("it is broken")
		}
	}()
	if len(data) > MaxBytes {
		return p, fmt.Errorf("%s exceed the limit for one", units.Bytes(int64(len(data))))
	}
	size, format, err := image.DecodeConfig(bytes.NewReader(data))
	if fw, fh := webpFrame(data); format == "webp" && fw > 0 && fh > 0 && fw*fh > size.Width*size.Height {
		size.Width, size.Height = fw, fh
	}
	switch {
	case errors.Is(err, image.ErrFormat):
		return p, fmt.Errorf("the file is not PNG, JPEG, GIF or WebP; it looks like %s", kind(data))
	case err != nil:
		return p, errors.New("its beginning is broken or incomplete")
	case size.Width <= 0 || size.Height <= 0:
		return p, errors.New("it has no pixels")
	case size.Width > maxPixels/size.Height:
		return p, fmt.Errorf("%s by %s pixels exceed the limit", units.Count(size.Width), units.Count(size.Height))
	}
	img, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return p, errors.New("it is broken or incomplete")
	}
	if w < 1 || h < 1 {
		return p, errors.New("the pane is too small")
	}
	return Picture{Lines: look.lines(fit(img, w, 2*h)), Width: size.Width, Height: size.Height, Format: format}, nil
}

// kind names what data looks like.
func kind(data []byte) string {
	kind, _, _ := strings.Cut(http.DetectContentType(data), ";")
	if kind == "application/octet-stream" {
		return "an unknown format"
	}
	return kind
}

// fit returns the image in at most w×h pixels, as it is if it has no more.
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
		draw.BiLinear.Scale(out, to, img, from, draw.Src, nil) // which looks at every pixel
	}
	return out
}
