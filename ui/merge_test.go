package ui

import (
	"slices"
	"strings"
	"testing"

	"parley/ui/control"
	"parley/ui/palette"
)

func TestScatteredArtifactsAreMergedInTheFinder(t *testing.T) {
	t.Parallel()
	bubble(t, 100, 30, Options{}, func(d *desk) {
		d.book(midStream)
		entry := func() *palette.Entry {
			all := d.model.entries()
			at := slices.IndexFunc(all, func(e palette.Entry) bool { return strings.HasPrefix(e.Name, "Merge the ") })
			if at < 0 {
				return nil
			}
			return &all[at]
		}
		if got := entry(); got != nil {
			t.Errorf("%q is offered although no artifact is scattered", got.Name)
		}
		task := d.model.conversation().Tasks[0]
		task.Scattered = 12
		got := entry()
		if got == nil || got.Why != "" || !strings.Contains(got.Name, "12 artifacts of task") {
			t.Fatalf("got entry %+v, want one for 12 artifacts", got)
		}
		got.Value.(control.Command).Run()
		if merged := d.engine.CallsOf("merge"); !slices.Equal(merged, []string{task.ID}) {
			t.Errorf("merged %q, want the task once", merged)
		}
		d.model.opts.Engine = RecordingEngine()
		if got := entry(); got == nil || got.Why == "" {
			t.Errorf("got entry %+v in a recording, want one that says why it is refused", got)
		}
	})
}
