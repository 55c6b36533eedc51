package jsonview

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"parley/themes"
	"parley/ui/styles"
)

// The caches have no visible effect: after any operation the lines equal those of a view
// without caches.
func TestFramesAreWhatTheyWouldBeAnew(t *testing.T) {
	long := strings.Repeat("many words ", 40)
	bodies := []string{
		`{"a":{"b":[1,2,{"c":"` + long + `"},[],{}],"d":"{\"in\":[1,2,3]}"},"e":"x\ny","a":null,"list":[` + strings.Repeat(`{"id":"i","parts":[1,[2]]},`, 300) + `0]}`,
		`[[1,2],{"torn":"` + long,
		"not JSON at all\n" + strings.Repeat("bytes in a line of some length\n", 90),
	}
	rnd := rand.New(rand.NewPCG(5, 5))
	looks := []*styles.Styles{styles.New(themes.Dark(), styles.Unicode()), styles.New(themes.Mono(), styles.ASCII())}
	for _, body := range bodies {
		v, b := New(looks[0]), NewBytes(looks[0])
		v.SetProse(func(text string, _ int) []string { return []string{"prose of " + text[:1]} })
		v.SetBody([]byte(body), nil)
		b.SetBody([]byte(body))
		for step := range 700 {
			n := rnd.IntN(41) - 20
			what := rnd.IntN(16)
			switch what {
			case 0, 1, 2, 3:
				v.Scroll(n)
				b.Scroll(n)
			case 4, 5:
				v.Move(n)
			case 6:
				v.Toggle()
			case 7:
				v.NextFormat()
			case 8:
				v.FoldAll(n > 0)
			case 9:
				w, h := rnd.IntN(70), rnd.IntN(30)
				v.SetSize(w, h)
				b.SetSize(w, h)
			case 10:
				v.SetMarks([]Mark{{Offset: rnd.IntN(len(body)), Text: "marked"}})
				b.SetHex(n > 0)
			case 11:
				st := looks[rnd.IntN(len(looks))]
				v.SetStyles(st)
				b.SetStyles(st)
			case 12:
				v.Go(rnd.IntN(len(body)), "")
				b.Go(rnd.IntN(len(body)))
			case 13:
				v.Top()
				b.Bottom()
			case 14:
				v.Bottom()
				b.Top()
			case 15:
				v.Click(rnd.IntN(30))
				v.SetFocused(n > 0)
			}
			freshView, freshBytes := *v, *b
			freshView.memo = memo{marks: v.memo.marks}
			freshView.win.invalidate()
			freshBytes.win.invalidate()
			if got, want := v.Lines(), freshView.Lines(); !slices.Equal(got, want) || v.win.at != freshView.win.at {
				t.Fatalf("step %d, %d: tree is\n%s\nwant\n%s", step, what, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			if got, want := b.Lines(), freshBytes.Lines(); !slices.Equal(got, want) {
				t.Fatalf("step %d, %d: bytes are\n%s\nwant\n%s", step, what, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		}
	}
}

// A frame after scrolling one line draws one line.
func TestScrollingDrawsOnlyWhatComesIn(t *testing.T) {
	v := New(styles.New(themes.Dark(), styles.Unicode()))
	v.SetSize(100, 58)
	v.SetBody(megabyte(), nil)
	v.Scroll(20_000)
	all := testing.AllocsPerRun(20, func() {
		v.redraw()
		v.Lines()
	})
	one := testing.AllocsPerRun(100, func() {
		v.Scroll(1)
		v.Lines()
	})
	if one > all/10 {
		t.Errorf("scrolling one line makes %v allocations, want at most a tenth of a frame's %v", one, all)
	}
}
