package wire

import (
	"testing"

	"parley/themes"
	"parley/ui/canvas"
)

// Rows and record have each their thumb; the position is that of the selected row.
func TestRowsAndRecordSayWhatPartIsVisible(t *testing.T) {
	p := openPane(streamOf(100), themes.Mono(), 78, 36)
	for _, id := range []int{1, 40, 101} {
		p.rows.choose(id - 1)
		p.Lines()
		rows := p.Scrolls()[0]
		if rows.At != id || rows.Of != 101 || rows.Y != 1 || rows.H != p.listHeight() || rows.Shown >= rows.All {
			t.Errorf("record %d: got %+v, want row %d of 101", id, rows, id)
		}
		if first, last := rows.Top == 0, rows.Top+rows.Shown == rows.All; first != (id == 1) || last != (id == 101) {
			t.Errorf("record %d: got %+v, want the window of that row", id, rows)
		}
	}
	p = openPane(booking(), themes.Mono(), 62, 24)
	p.Select(7)
	press(p, "d")
	p.Lines()
	press(p, "G")
	p.Lines()
	rows, below := p.Scrolls()[0], p.Scrolls()[1]
	if below.Y != rows.Y+rows.H+1 || below.Shown == 0 || below.Top+below.Shown != below.All {
		t.Errorf("got %+v, want the end of the record below its rule\n%s", below, screen(p))
	}
	press(p, "esc", "s")
	p.Lines()
	if below := p.Scrolls()[1]; below.All != p.stream.view.Window().All || below.All == 0 {
		t.Errorf("got %+v, want that of the stream", below)
	}
	p = openPane(booking(), themes.Mono(), 62, 60)
	if rows := p.Scrolls()[0]; rows.Shown != rows.All {
		t.Errorf("got %+v where all rows are visible, want all", rows)
	}
	p.SetSize(0, 0)
	p.Lines()
	if got := p.Scrolls(); got[0].Shown != 0 || got[1] != (canvas.Scroll{Y: got[1].Y}) {
		t.Errorf("got %+v without a size, want nothing", got)
	}
}
