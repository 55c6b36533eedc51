package chat

import (
	"slices"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

func TestTheLastStateIsNotAloneInItsLine(t *testing.T) {
	k := open(mono(), nil, 40, 8).renderer
	var got []string
	for _, line := range k.linked([]string{"+ submitted", "+ working 2.4 s", "+ completed"}, 40) {
		got = append(got, ansi.Strip(line))
	}
	if want := []string{"+ submitted", "+ working 2.4 s -- + completed"}; !slices.Equal(got, want) {
		t.Errorf("got lines %q, want %q", got, want)
	}
	if got := k.linked([]string{"+ submitted"}, 5); len(got) != 1 {
		t.Errorf("got lines %q, want the only state", got)
	}
}
