package lint

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/a2a/sse"
)

// A vector is a body that was validated against the schema of its version.
type vector struct {
	File    string
	Dialect a2a.DialectName
	Op      a2a.Op
	Kind    string // request, response, stream, …
	Schema  string // empty if it deviates on purpose
}

func readVectors(t *testing.T) (sound []vector) {
	t.Helper()
	text, err := os.ReadFile("../testdata/vectors/manifest.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []vector
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	for _, v := range all {
		_, released := a2a.LookupDialect(v.Dialect)
		if v.Schema != "" && released && !strings.HasPrefix(v.File, "bad/") {
			sound = append(sound, v)
		}
	}
	return sound
}

// steps plays a vector as its kind of record.
func (v vector) steps(body []byte) []step {
	asks := sends(v.Dialect)
	if v.Dialect == a2a.V01 { // the answers are about other tasks
		asks = asked(`{"jsonrpc":"2.0","id":"1","method":"tasks/get"}`)
	}
	switch {
	case v.Kind == "request":
		return []step{asked(string(body))}
	case strings.HasSuffix(v.File, ".sse"):
		steps := []step{asks, headed(200, "Content-Type: text/event-stream")}
		d := sse.NewDecoder(bytes.NewReader(body))
		for f, err := d.Next(); err == nil; f, err = d.Next() {
			steps = append(steps, raw(string(f.Raw), string(f.Data)))
		}
		return append(steps, ended(a2a.Ended))
	case v.Kind == "response":
		return []step{asks, headed(200, "Content-Type: application/json"), answered(string(body)), ended(a2a.Ended)}
	}
	return nil
}

// A valid vector has no findings except about what no schema covers.
func TestSoundBodiesAreQuiet(t *testing.T) {
	known := map[string]string{
		"v1.0-rest/10-subscribe.sse STAT-006": "the question is missing",
	}
	wrong, played := maps.Clone(known), 0
	for _, v := range readVectors(t) {
		body, err := os.ReadFile("../testdata/vectors/" + v.File)
		if err != nil {
			t.Fatal(err)
		}
		steps := v.steps(body)
		if len(steps) == 0 {
			continue
		}
		played++
		s := play(on(v.Dialect, v.Op), append([]step{later(10_000 * time.Hour)}, steps...)...)
		for _, f := range s.rules {
			switch group, _, _ := strings.Cut(f.Rule, "-"); {
			case group == "HTTP", group == "METH", group == "ENV", f.Severity == a2a.Info: // the heads are invented
			case known[v.File+" "+f.Rule] == "":
				t.Errorf("%s: got finding %+v, want none", v.File, f)
			default:
				delete(wrong, v.File+" "+f.Rule)
			}
		}
	}
	if played < 80 || len(wrong) > 0 {
		t.Errorf("got %d vectors played, want 80; expected findings that are missing: %v", played, wrong)
	}
}
