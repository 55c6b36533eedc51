package picture

import (
	"bytes"
	"errors"
	"image"

	"github.com/charmbracelet/x/ansi/kitty"
)

const (
	// A cell is assumed to have this many pixels.
	cellWidth, cellHeight = 8, 16
	// maxSent is how many bytes of an image are sent to a terminal.
	maxSent = 8 << 20
)

// Kitty returns the sequences of the Kitty graphics protocol that draw an image in at most w
// columns and h rows, never enlarged. The cursor is then behind the last row. The image is sent as
// it was decoded here, not as it came, so that the terminal reads no file of a stranger.
func Kitty(data []byte, w, h int) (out string, err error) {
	defer guard(&out, &err)
	img, _, err := decode(data)
	if err != nil {
		return "", err
	}
	if w < 1 || h < 1 {
		return "", errors.New("the pane is too small")
	}
	small := fit(img, w*cellWidth, h*cellHeight)
	size := small.Bounds().Size()
	var b bytes.Buffer
	err = kitty.EncodeGraphics(&b, image.Image(small), &kitty.Options{
		Action: kitty.TransmitAndPut, Transmission: kitty.Direct, Format: kitty.PNG, Quiet: 2, Chunk: true,
		Columns: cells(size.X, cellWidth), Rows: cells(size.Y, cellHeight),
	})
	switch {
	case err != nil:
		return "", errors.New("it cannot be sent to the terminal")
	case b.Len() > maxSent:
		return "", errors.New("it is too large for the terminal")
	}
	return b.String(), nil
}

// cells returns how many cells pixels take.
func cells(pixels, cell int) int { return max(1, (pixels+cell-1)/cell) }
