package ui

import (
	"testing"
	"time"
)

// The list of waiting tasks is drawn at the steps of its ages, and a list without any never.
func TestAListOfAgesIsDrawnAtTheirSteps(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(asksWhere)
		d.write("/waiting")
		d.press("enter")
		d.wait(2 * time.Minute)
		d.sees("2 min")
		drawn := d.frames
		if d.wait(59 * time.Second); d.frames > drawn+1 {
			t.Errorf("got %d frames within a minute, want one at most", d.frames-drawn)
		}
	})
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(allBooked)
		d.wait(noticeTime * 3)
		drawn := d.frames
		if d.wait(time.Hour / 4); d.frames != drawn {
			t.Errorf("got %d frames on an idle screen, want none", d.frames-drawn)
		}
	})
}
