package interop

import (
	"os"
	"slices"
	"testing"
	"time"

	"parley/a2a"
	"parley/test/matrix"
)

// Whatever its card says and whichever optional methods it lacks, an agent of every SDK answers
// a plain and a streamed message. MATRIX=all tries every cell, otherwise enough cells for every
// pair of values.
func TestMatrixOfSDKs(t *testing.T) {
	served := map[string][]int{}
	list := slices.Concat(sdks, restSDKs)
	var modules []string
	for i, s := range list {
		if s.tenant != "" {
			continue // a card that names no tenant cannot lead there
		}
		if served[s.module] == nil {
			modules = append(modules, s.module)
		}
		served[s.module] = append(served[s.module], i)
	}
	for _, module := range modules {
		t.Run(module, func(t *testing.T) {
			t.Parallel()
			url := start(t, module)
			for _, i := range served[module] {
				agent := realAgent(t, url, &list[i])
				for _, c := range matrix.Cells(i, os.Getenv("MATRIX") == "all") {
					t.Run(string(list[i].dialect)+" "+c.String(), func(t *testing.T) { matrix.Try(t, agent, c) })
				}
			}
		})
	}
}

// realAgent returns the real endpoint of an agent.
func realAgent(t *testing.T, url string, s *sdk) matrix.Agent {
	t.Helper()
	o := a2a.Options{Pins: s.pins(url), NewID: newID, Trace: a2a.Trace{
		Put: func(a2a.Record, a2a.Update) a2a.RecordID { return 1 }, Now: time.Now,
	}}
	d := a2a.Discover(t.Context(), url, nil, o, a2a.Hooks{})
	if d.Card == nil || d.Profile.Endpoint == "" {
		t.Fatalf("got no endpoint of %s: %+v", s.module, d)
	}
	dialect, binding, _ := a2a.ParseDialect(string(s.dialect))
	if binding == "" {
		binding = a2a.BindingJSONRPC
	}
	return matrix.Agent{Name: s.module, Endpoint: d.Profile.Endpoint, Dialect: dialect, Binding: binding}
}
