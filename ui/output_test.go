package ui

import (
	"testing"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
)

// A countingRenderer is Bubble Tea's renderer; it counts the bytes that it writes.
type countingRenderer struct {
	*uv.TerminalRenderer
	last    string // content that is not drawn again
	cells   uv.ScreenBuffer
	written counter
}

func newCountingRenderer(w, h int) *countingRenderer {
	r := &countingRenderer{cells: uv.NewScreenBuffer(w, h)}
	r.TerminalRenderer = uv.NewTerminalRenderer(&r.written, []string{"TERM=xterm-256color", "COLORTERM=truecolor"})
	r.SetFullscreen(true)
	return r
}

// draw writes what differs from the frame before and returns the number of bytes.
func (r *countingRenderer) draw(t *testing.T, v tea.View) int64 {
	t.Helper()
	if v.Content == r.last {
		return 0
	}
	before := r.written.n
	r.last = v.Content
	r.cells.Clear()
	uv.NewStyledString(v.Content).Draw(r.cells, r.cells.Bounds())
	r.Render(r.cells.RenderBuffer)
	if err := r.Flush(); err != nil {
		t.Fatal(err)
	}
	return r.written.n - before
}

// Only what changed is written: a few bytes for a letter, no more than the changed panes for a
// chunk, nothing for the same frame.
func TestAFrameWritesWhatChanged(t *testing.T) {
	t.Parallel()
	bubble(t, 200, 60, Options{}, func(d *desk) {
		d.book(midStream)
		r := newCountingRenderer(200, 60)
		all := r.draw(t, d.model.View())
		if n := r.draw(t, d.model.View()); n != 0 {
			t.Errorf("the same frame again wrote %d bytes, want 0", n)
		}
		d.press("x")
		r.draw(t, d.model.View()) // the suggestion disappears
		d.press("y")
		if n := r.draw(t, d.model.View()); n == 0 || n > 100 {
			t.Errorf("a typed letter wrote %d bytes, want 1 to 100", n)
		}
		chunks, written := d.items[midStream:lastChunk], int64(0)
		for i := range chunks {
			d.send(batchMsg{Items: chunks[i : i+1]})
			written += r.draw(t, d.model.View())
		}
		if each := written / int64(len(chunks)); each == 0 || each > all/2 {
			t.Errorf("a chunk wrote %d bytes, want at most half of the screen's %d", each, all)
		}
	})
}
