package demo

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math"

	"golang.org/x/tools/txtar"
)

// Indexes into the palette of all pictures.
const (
	clearColour = iota
	seaColour
	gridColour
	landColour
	coastColour
	routeColour
	markColour
	ringColour
)

func palette() color.Palette {
	return color.Palette{
		color.NRGBA{},
		color.NRGBA{0x1d, 0x3a, 0x5f, 0xff},
		color.NRGBA{0x26, 0x49, 0x73, 0xff},
		color.NRGBA{0x7f, 0xa8, 0x6b, 0xff},
		color.NRGBA{0x5d, 0x86, 0x55, 0xff},
		color.NRGBA{0xff, 0xd1, 0x66, 0xff},
		color.NRGBA{0xe6, 0x4a, 0x5e, 0xff},
		color.NRGBA{0xff, 0xff, 0xff, 0xff},
	}
}

func picture(name string, img image.Image) txtar.File {
	var b bytes.Buffer
	enc := png.Encoder{CompressionLevel: png.BestCompression}
	_ = enc.Encode(&b, img) // a buffer accepts everything
	return txtar.File{Name: name, Data: b.Bytes()}
}

// A place is a longitude and a latitude in degrees.
type place struct{ lon, lat float64 }

// The map shows Europe between these bounds, wide enough for Iceland and Lisbon.
const (
	west, east   = -27.0, 25.0
	south, north = 35.5, 68.0
	mapWidth     = 120
	mapHeight    = 108
)

// pixel projects a place onto the map.
func pixel(p place) (x, y float64) {
	return (p.lon - west) / (east - west) * mapWidth, (north - p.lat) / (north - south) * mapHeight
}

// europe draws the map without a route.
func europe() *image.Paletted {
	img := image.NewPaletted(image.Rect(0, 0, mapWidth, mapHeight), palette())
	land := landMask()
	for y := range mapHeight {
		for x := range mapWidth {
			img.SetColorIndex(x, y, ground(land, x, y))
		}
	}
	return img
}

// routeMap draws the way from Oslo to a place on a copy of the map.
func routeMap(europe *image.Paletted, to place) image.Image {
	img := image.NewPaletted(europe.Rect, europe.Palette)
	copy(img.Pix, europe.Pix)
	x0, y0 := pixel(place{10.7, 59.9})
	x1, y1 := pixel(to)
	drawRoute(img, x0, y0, x1, y1)
	drawMark(img, x0, y0)
	drawMark(img, x1, y1)
	return img
}

// A mask says which pixels of the map are land. Everything beyond its edge is land, so that the
// edge is not a coast.
type mask [mapHeight][mapWidth]bool

func (m *mask) at(x, y int) bool {
	return x < 0 || y < 0 || x >= mapWidth || y >= mapHeight || m[y][x]
}

func ground(land *mask, x, y int) uint8 {
	switch {
	case !land.at(x, y) && (x%20 == 10 || y%18 == 9):
		return gridColour
	case !land.at(x, y):
		return seaColour
	case land.at(x-1, y) && land.at(x+1, y) && land.at(x, y-1) && land.at(x, y+1):
		return landColour
	default:
		return coastColour
	}
}

// landMask fills the shores: a pixel is inside a closed line if it has an odd
// number of its edges to the right.
func landMask() *mask {
	var m mask
	for _, shore := range shores() {
		var inside mask
		xj, yj := pixel(shore[len(shore)-1])
		for _, p := range shore {
			xi, yi := pixel(p)
			for y := range mapHeight {
				at := float64(y) + 0.5
				if (yi > at) == (yj > at) {
					continue
				}
				crossing := (xj-xi)*(at-yi)/(yj-yi) + xi
				for x := 0; x < mapWidth && float64(x)+0.5 < crossing; x++ {
					inside[y][x] = !inside[y][x]
				}
			}
			xj, yj = xi, yi
		}
		for y := range mapHeight {
			for x := range mapWidth {
				m[y][x] = m[y][x] || inside[y][x]
			}
		}
	}
	return &m
}

// drawRoute draws a dashed arc that bends to the west.
func drawRoute(img *image.Paletted, x0, y0, x1, y1 float64) {
	length := math.Hypot(x1-x0, y1-y0)
	cx, cy := (x0+x1)/2-(y1-y0)*0.18, (y0+y1)/2+(x1-x0)*0.18
	if cx > (x0+x1)/2 {
		cx, cy = (x0+x1)/2+(y1-y0)*0.18, (y0+y1)/2-(x1-x0)*0.18
	}
	steps := int(length * 3)
	for i := range steps {
		if i/9%3 == 2 {
			continue
		}
		t := float64(i) / float64(steps)
		x := (1-t)*(1-t)*x0 + 2*t*(1-t)*cx + t*t*x1
		y := (1-t)*(1-t)*y0 + 2*t*(1-t)*cy + t*t*y1
		drawDisc(img, x, y, 1.1, routeColour)
	}
}

func drawMark(img *image.Paletted, x, y float64) {
	drawDisc(img, x, y, 4.6, ringColour)
	drawDisc(img, x, y, 3.2, markColour)
}

func drawDisc(img *image.Paletted, cx, cy, r float64, colour uint8) {
	for y := int(cy - r); y <= int(cy+r)+1; y++ {
		for x := int(cx - r); x <= int(cx+r)+1; x++ {
			if math.Hypot(float64(x)+0.5-cx, float64(y)+0.5-cy) <= r && image.Pt(x, y).In(img.Rect) {
				img.SetColorIndex(x, y, colour)
			}
		}
	}
}

// icon draws a coin in one colour.
func icon(colour uint8) image.Image {
	img := image.NewPaletted(image.Rect(0, 0, 32, 32), palette())
	drawDisc(img, 16, 16, 15, ringColour)
	drawDisc(img, 16, 16, 12.5, colour)
	drawDisc(img, 16, 16, 5, ringColour)
	return img
}
