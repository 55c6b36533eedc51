package page

import (
	"testing"

	"parley/session/export/excerpt"
	"parley/session/model"
)

// excerptOf returns an empty session, so that records are numbers without links.
func excerptOf(t testing.TB) *excerpt.Excerpt {
	t.Helper()
	p, err := excerpt.Choose(model.NewState(), "empty", excerpt.Choice{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}
