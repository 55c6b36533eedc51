package jsonview

import (
	"strings"
	"testing"
)

// The window of a tree counts lines of the unfolded tree, so that what is folded away counts too; at
// the end of the document it ends there.
func TestTheWindowOfATreeIsTold(t *testing.T) {
	v := open(status, 60, 5)
	last := -1
	for range 30 {
		w := v.Window()
		if w.H != 5 || w.All != 15 || w.Top < last || w.Top+w.Shown > 15 {
			t.Fatalf("got %+v after %d, want a window further down in 15 lines", w, last)
		}
		last = w.Top
		v.Scroll(1)
	}
	if w := v.Window(); last != 10 || w.Shown != 5 {
		t.Errorf("got %+v at the end, want the last 5 lines", w)
	}
	v.FoldAll(true)
	if w := v.Window(); w.Top != 0 || w.Shown != w.All {
		t.Errorf("got %+v with all of a folded tree in the window, want all", w)
	}
	if w := open("no JSON", 60, 5).Window(); w.Shown != 0 {
		t.Errorf("got %+v for a text, want nothing", w)
	}
	large := open(`["`+strings.Repeat("x", inline)+`"]`, 60, 5)
	if w := large.Window(); w.Shown != 0 {
		t.Errorf("got %+v before the index is there, want nothing", w)
	}
	d, _ := large.Job()
	large.Apply(d.Run())
	if w := large.Window(); w.All == 0 || w.Shown != w.All {
		t.Errorf("got %+v for the tree of a large body, want all of it", w)
	}
}
