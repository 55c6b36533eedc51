package ui

import (
	"slices"
	"strings"
	"testing"
)

func TestAConversationIsRenamed(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(asksWhere)
		d.write("/rename Trip to London")
		d.press("enter")
		d.sees("the conversation is now named Trip to London")
		d.write("/rename")
		d.press("enter")
		d.sees("rename conversation Book me a flight")
		d.press("ctrl+u")
		d.write("Holidays")
		d.press("enter")
		for _, want := range []string{`"Trip to London"`, `"Holidays"`} {
			if got := d.engine.CallsOf("conversation"); !slices.ContainsFunc(got, func(call string) bool { return strings.HasSuffix(call, want) }) {
				t.Errorf("got calls %q, want one with %s", got, want)
			}
		}
	})
}
