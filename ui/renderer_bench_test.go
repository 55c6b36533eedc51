package ui

import (
	"testing"

	uv "github.com/charmbracelet/ultraviolet"
)

// BenchmarkRenderer is the floor of [BenchmarkFrame]: Bubble Tea's renderer with a frame of
// 200×60 in which a chunk has changed something. It parses the frame into cells, compares them
// with those on the screen and writes the rest.
func BenchmarkRenderer(b *testing.B) {
	m, items := workbench(b, midStream)
	before := m.View().Content
	m.Update(batchMsg{Items: items[midStream : midStream+1]})
	frames := []*uv.StyledString{uv.NewStyledString(before), uv.NewStyledString(m.View().Content)}
	written := &counter{}
	screen := uv.NewTerminalRenderer(written, []string{"TERM=xterm-256color", "COLORTERM=truecolor"})
	screen.SetFullscreen(true)
	cells := uv.NewScreenBuffer(200, 60)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		cells.Clear()
		frames[i%2].Draw(cells, cells.Bounds())
		screen.Render(cells.RenderBuffer)
		if err := screen.Flush(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(written.n)/float64(b.N), "B-written/op")
}

// counter counts the bytes written to it.
type counter struct{ n int64 }

func (c *counter) Write(p []byte) (int, error) {
	c.n += int64(len(p))
	return len(p), nil
}
