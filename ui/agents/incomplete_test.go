package agents

import (
	"strings"
	"testing"

	"parley/internal/panetest"
	"parley/session/model"
	"parley/themes"
	"parley/ui/styles"
)

// The row of an agent whose card arrives slowly counts its bytes.
func TestTheRowCountsBytesOfTheCard(t *testing.T) {
	a := &model.Agent{ID: 1, Ref: "localhost:1", Phase: model.Discovering}
	p := New(styles.New(themes.Mono(), styles.Unicode()))
	p.SetSize(30, 5)
	p.SetAgents([]*model.Agent{a})
	for _, c := range []struct {
		bytes int64
		words string
	}{{1_500_000, "1.5 MB"}, {9_000_000, "9 MB"}, {0, ""}} {
		a.Incomplete = c.bytes
		got := panetest.Text(p.Lines())
		if !strings.Contains(got, c.words) || c.bytes == 0 && strings.Contains(got, "MB") {
			t.Errorf("%d bytes: got a screen without %q, want it:\n%s", c.bytes, c.words, got)
		}
	}
}
