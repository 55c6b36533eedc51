package sessiontest

import (
	"testing"

	"parley/session/log"
)

// Drain takes items until there are n.
func Drain(t *testing.T, f *log.Feed, n, limit int) []log.Item {
	t.Helper()
	var got []log.Item
	for len(got) < n {
		items, err := f.Next(t.Context(), limit)
		if err != nil {
			t.Fatalf("Next after %d items: %v", len(got), err)
		}
		if limit > 0 && len(items) > limit {
			t.Fatalf("Next(%d) returned %d items", limit, len(items))
		}
		got = append(got, items...)
	}
	return got
}
