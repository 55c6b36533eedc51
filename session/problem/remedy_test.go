package problem

import (
	"testing"

	"parley/a2a"
)

func TestARemedyIsForWhatIsOpen(t *testing.T) {
	rest := a2a.Way{Dialect: a2a.V10, Binding: a2a.BindingREST}
	for _, c := range []struct {
		open        bool
		way         a2a.Way
		known, done bool
		want        Remedy
	}{
		{false, rest, true, false, NoRemedy},
		{true, rest, true, true, NoRemedy},
		{true, rest, false, true, NoRemedy},
		{true, rest, true, false, GetTask},
		{true, a2a.Way{Dialect: a2a.V03, Binding: a2a.BindingMQTT}, true, false, SubscribeTask},
		{true, rest, false, false, FindTask},
		{true, a2a.Way{Dialect: a2a.V03, Binding: a2a.BindingJSONRPC}, false, false, ReadLog},
		{true, a2a.Way{}, false, false, ReadLog},
	} {
		if got := (&Problem{Open: c.open}).Remedy(c.way, c.known, c.done); got != c.want {
			t.Errorf("open %v, %v, task known %v, done %v: got %d, want %d", c.open, c.way, c.known, c.done, got, c.want)
		}
	}
}
