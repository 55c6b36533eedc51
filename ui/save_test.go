package ui

import (
	"os"
	"path/filepath"
	"testing"

	"parley/ui/control"
)

func TestTheBodyOfARecordIsSavedToAFile(t *testing.T) {
	t.Parallel()
	bubble(t, 160, 40, Options{}, func(d *desk) {
		d.book(allBooked)
		dir := d.model.opts.Dir
		d.model.panes.wire.Select(asksWhere - 1)
		d.model.setFocus(control.OnWire)
		d.press("w")
		d.says("saved 625 B to " + dir[:20])
		body := d.model.state.Log.At(asksWhere - 1).Record.Payload()
		if data, err := os.ReadFile(filepath.Join(dir, "record-33.json")); err != nil || string(data) != string(body) {
			t.Errorf("the file holds %q, %v, want the payload", data, err)
		}
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		d.press("w")
		d.says("Could not save the body of record 33 in this directory: no such file or directory.")
	})
}
