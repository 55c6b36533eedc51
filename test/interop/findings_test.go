package interop

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"parley/a2a"
	"parley/a2a/lint"
	"parley/session/log"
)

// violations are the findings in the answers of these SDKs, as "rule of an operation", each
// with the reason why the SDK is wrong and not the rule.
var violations = map[string]map[string]string{
	"a2a-go-2.4.0 v1.0":      goV2,
	"a2a-go-2.4.0 v1.0-rest": goV2,
	"a2a-go-2.4.0 v1.0-grpc": goV2,
	"a2a-go-2.4.0 v0.3-grpc": {"STRM-002 of stream": "final is never set in the messages of 0.3"},
	"a2a-go-0.3.15 v0.3": {
		"HTTP-001 of cancel":        asText,
		"HTTP-001 of extended-card": asText,
		"HTTP-001 of get":           asText,
		"HTTP-001 of push-delete":   asText,
		"HTTP-001 of push-get":      asText,
		"HTTP-001 of push-list":     asText,
		"HTTP-001 of push-set":      asText,
		"HTTP-001 of send":          asText,
	},
	"a2a-js-1.3.0 v1.0":      {"CARD-001 of card": inner},
	"a2a-js-1.3.0 v1.0-rest": {"CARD-001 of card": inner},
	"a2a-js-1.3.0 v1.0-grpc": {"CARD-001 of card": inner},
	"a2a-go-0.3.3 v0.3": {
		"HTTP-001 of cancel":        asText,
		"HTTP-001 of extended-card": asText,
		"HTTP-001 of get":           asText,
		"HTTP-001 of push-get":      asText,
		"HTTP-001 of push-list":     asText,
		"HTTP-001 of push-set":      asText,
		"HTTP-001 of send":          asText,
	},
	"a2a-js-0.2.5 v0.2": {
		"PUSH-006 of push-delete": twoMethods,
		"PUSH-006 of push-list":   twoMethods,
	},
	"trpc-a2a-go-0.2.5 v0.2": {
		"PUSH-006 of push-delete": twoMethods,
		"PUSH-006 of push-list":   twoMethods,
		"ART-001 of get":          "every chunk of an artifact is stored as an artifact of its own",
		"ART-001 of send":         "as above",
		"ART-001 of cancel":       "as above",
		"STRM-006 of stream":      "a cancel ends the streams of the task without a word",
		"TASK-012 of cancel":      sometimes + "a cancel that comes after the end is answered as if it had come before",
	},
	"trpc-a2a-go-0.0.3 v0.1": {
		"STRM-002 of stream":    "the last chunk of an artifact says “final”, and so does the last status",
		"STRM-002 of subscribe": "as above",
		"STRM-004 of stream":    "the last status comes after that chunk",
		"STRM-004 of subscribe": "as above",
	},
}

const (
	// sometimes begins the reason of a finding that depends on the speed of the agent.
	sometimes = "sometimes: "
	asText    = "JSON is labelled as text/plain"
	// twoMethods is about webhooks, which 0.2.5 can also list and delete.
	twoMethods = "webhooks are declared, and can only be set and got"
	inner      = "the public card has its security schemes in the SDK's internal form, with $case and value"
)

// goV2 occurs over both bindings.
var goV2 = map[string]string{
	"MSG-008 of send":    "NewMessage makes a message without a contextId, and nothing adds it",
	"MSG-008 of stream":  "as above",
	"STRM-001 of stream": "the stream that answers a later message of a task does not begin with the task",
}

// findings are the warnings and errors about one agent, each with an example.
type findings map[string]string

// add adds the findings of a client.
func (f findings) add(p *peer) {
	p.mu.Lock()
	defer p.mu.Unlock()
	rules, fold := lint.New(), a2a.NewFold()
	for i := range p.updates {
		r, u := &p.records[i], &p.updates[i]
		if r.Kind == a2a.KindRequest {
			r.Exchange = r.ID
		}
		all := rules.Check(r, u, fold)
		for i := range u.Events {
			fold.Apply(&u.Events[i])
		}
		f.note(r, all)
	}
}

// addLog adds the findings of a session.
func (f findings) addLog(l *log.Log) {
	for id := a2a.RecordID(1); int(id) <= l.Len(); id++ {
		it := l.At(id)
		f.note(&it.Record, it.Findings)
	}
}

func (f findings) note(r *a2a.Record, all []a2a.Finding) {
	for _, found := range all {
		if found.Severity == a2a.Info {
			continue
		}
		op := a2a.Op("")
		if r.Call != nil {
			op = r.Call.Op
		}
		f[fmt.Sprintf("%s of %s", found.Rule, op)] = fmt.Sprintf("%s at %q in %.400s", found.Message, found.Pointer, r.Payload())
	}
}

// compare fails for a finding without an explanation, and for an explanation without its
// finding.
func (f findings) compare(t *testing.T, agent string) {
	t.Helper()
	known := violations[agent]
	var wrong []string
	for key, example := range f {
		if known[key] == "" {
			wrong = append(wrong, key+": "+example)
		}
	}
	for key, why := range known {
		if f[key] == "" && !strings.HasPrefix(why, sometimes) {
			wrong = append(wrong, key+" is no longer found")
		}
	}
	slices.Sort(wrong)
	if len(wrong) > 0 {
		t.Errorf("got unexplained or outdated findings:\n%s", strings.Join(wrong, "\n"))
	}
}
