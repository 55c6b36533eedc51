package ui

import (
	"slices"
	"testing"

	"parley/ui/control/jsonsheet"
	"parley/ui/control/records"
)

// The keys that edit text have the same words in the text field, in a request and in JSON.
func TestTextIsEditedWithTheSameKeysEverywhere(t *testing.T) {
	t.Parallel()
	m := plainModel()
	does := map[string]string{}
	for _, b := range m.panes.composer.FullHelp()[1] {
		for _, name := range b.Keys() {
			does[name] = b.Help().Desc
		}
	}
	for _, s := range m.sheets {
		if s.Name != records.RequestSheet && s.Name != jsonsheet.SheetName {
			continue
		}
		same := 0
		for _, b := range slices.Concat(s.Keys()[1:]...) {
			for _, name := range b.Keys() {
				if want, ok := does[name]; ok && b.Help().Desc != want {
					t.Errorf("%s: %s is %q, in the text field %q, want the same", s.Name, name, b.Help().Desc, want)
				} else if ok {
					same++
				}
			}
		}
		if same != len(does) {
			t.Errorf("%s has %d of the %d keys of the text field", s.Name, same, len(does))
		}
	}
}
