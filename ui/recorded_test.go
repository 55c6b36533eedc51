package ui

import (
	"testing"
	"time"
)

// Below the agents stands how much is recorded, and that stands still while nothing comes.
func TestTheListSaysHowMuchIsRecorded(t *testing.T) {
	t.Parallel()
	size := int64(245_000)
	bubble(t, 160, 45, Options{Recorded: true, Size: func() int64 { return size }}, func(d *desk) {
		d.book(asksDates)
		d.sees("· 245 kB", "tasks    ◐ 1", "lanes, newest 30 s")
		d.upTo(allBooked)
		d.sees("tasks    ✓ 1", "▌Book me a …   ✓ ")
		d.wait(10 * time.Second)
		was := d.model.View().Content
		d.wait(time.Hour)
		d.model.touch()
		d.settle()
		if d.model.View().Content != was {
			t.Error("got another frame an hour later although nothing came, want the same")
		}
		d.model.opts.Unrecorded = true // the disk is full
		d.model.touch()
		d.settle()
		d.sees("not recorded ")
	})
}
