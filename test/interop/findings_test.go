package interop

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"parley/a2a"
)

// violations are what Parley finds in the answers of these SDKs, as "rule of an
// operation", each with the reason why the SDK is wrong and not the finding.
var violations = map[string]map[string]string{
	"trpc-a2a-go-0.2.5 v0.2": {
		"ENV-004 of extended-card": "the endpoint answers a GET with a JSON-RPC error that has no id, not even null",
	},
	"trpc-a2a-go-0.0.3 v0.1": {
		"ENV-004 of card": "the endpoint is the whole origin, and answers the GET of a card that is not there as above",
	},
}

// findings are the warnings and errors about the answers of one agent.
type findings map[string]string

func (f findings) add(p *peer) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, u := range p.updates {
		for _, found := range u.Findings {
			if found.Severity == a2a.Info {
				continue
			}
			op := a2a.Op("")
			if c := p.records[i].Call; c != nil {
				op = c.Op
			}
			key := fmt.Sprintf("%s of %s", found.Rule, op)
			f[key] = fmt.Sprintf("%s at %q in %.400s", found.Message, found.Pointer, p.records[i].Payload())
		}
	}
}

// compare fails for a finding that nobody has explained, and for an explanation
// of what is no longer found.
func (f findings) compare(t *testing.T, agent string) {
	t.Helper()
	known := violations[agent]
	var wrong []string
	for key, example := range f {
		if known[key] == "" {
			wrong = append(wrong, key+": "+example)
		}
	}
	for key := range known {
		if f[key] == "" {
			wrong = append(wrong, key+" is no longer found")
		}
	}
	slices.Sort(wrong)
	if len(wrong) > 0 {
		t.Errorf("findings:\n%s", strings.Join(wrong, "\n"))
	}
}
