package cli

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
)

// dot is a PNG of 1×2 pixels, red and blue.
var dot = func() []byte {
	img := image.NewNRGBA(image.Rect(0, 0, 1, 2))
	img.Set(0, 0, color.NRGBA{0xff, 0, 0, 0xff})
	img.Set(0, 1, color.NRGBA{0, 0, 0xff, 0xff})
	var b bytes.Buffer
	_ = png.Encode(&b, img) // a buffer takes everything
	return b.Bytes()
}()
