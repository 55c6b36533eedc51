package sendoptions

import (
	"slices"
	"testing"

	"parley/a2a"
	"parley/session/model"
)

func TestWhatADialectHasNoMemberForIsNamed(t *testing.T) {
	history := 2
	all := model.SendOptions{Config: a2a.SendConfig{Wait: true, AcceptedOutputModes: []string{"text/plain"}, HistoryLength: &history}}
	for _, c := range []struct {
		dialect    a2a.DialectName
		options    model.SendOptions
		extensions []string
		want       []string
	}{
		{a2a.V01, model.SendOptions{}, nil, nil},
		{a2a.V01, all, []string{"https://x.example/a"}, []string{"blocking", "accepted types", "extensions"}},
		{a2a.V10, all, []string{"https://x.example/a"}, nil},
	} {
		d, _ := a2a.LookupDialect(c.dialect)
		if got := missingOptions(d, &c.options, c.extensions); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.dialect, got, c.want)
		}
	}
}
