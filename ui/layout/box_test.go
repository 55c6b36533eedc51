package layout

import (
	"testing"

	"parley/ui/canvas"
	"parley/ui/control"
)

// A box is in the page, in its middle, above the text field as long as it has room there, and takes
// the page otherwise. Its top stays, and it never shrinks.
func TestABoxIsInThePage(t *testing.T) {
	for w := 20; w <= 500; w += 7 {
		for h := 0; h <= 200; h += 3 {
			l := Arrange(w, h, Wish{Focus: control.OnComposer, Composer: 4})
			var b Box
			last := canvas.Rect{}
			for _, rows := range []int{2, 9, 5, 14, 1, 40, 3} {
				b.Fit(&l, rows)
				box := b.Frame(&l, BoxWidth)
				left, right := box.X-l.Sheet.X, l.Sheet.X+l.Sheet.W-box.X-box.W
				switch {
				case box == l.Sheet:
				case box.W > BoxWidth && box.W != l.Sheet.W || left < 0 || right-left > 1 || right < left || left > 0 && left < BoxMargin:
					t.Fatalf("%d×%d, %d rows: got frame %+v, want one in the middle of %+v", w, h, rows, box, l.Sheet)
				case box.Y < l.Sheet.Y || box.Y+box.H > l.Composer.Y || box.H < rows:
					t.Fatalf("%d×%d, %d rows: got frame %+v, want one above the text field %+v", w, h, rows, box, l.Composer)
				}
				if last.H > box.H || last.H > 0 && box != l.Sheet && last.Y != box.Y {
					t.Fatalf("%d×%d, %d rows: got frame %+v after %+v, want none that shrinks or moves", w, h, rows, box, last)
				}
				last = box
			}
			if !b.Full(&l) && l.Sheet.H < 40 {
				t.Fatalf("%d×%d: got frame %+v for 40 rows, want the page %+v", w, h, last, l.Sheet)
			}
		}
	}
}

// Where the page changes, a box is measured again.
func TestABoxIsMeasuredForItsPage(t *testing.T) {
	small, large := Arrange(80, 24, Wish{}), Arrange(120, 40, Wish{})
	var b Box
	if b.Fit(&small, 30); !b.Full(&small) {
		t.Error("got a box of 30 rows on 24, want the page")
	}
	if b.Fit(&large, 10); b.Full(&large) || b.Frame(&large, BoxWidth).H != 10 {
		t.Errorf("got frame %+v after the screen grew, want a box of 10 rows", b.Frame(&large, BoxWidth))
	}
}
