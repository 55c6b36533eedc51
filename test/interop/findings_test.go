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
	"a2a-go-2.4.0 v0.3-rest": {"PUSH-001 of delivery": newPush},
	"a2a-go-2.4.0 v0.3-grpc": {"STRM-002 of stream": "final is never set in the messages of 0.3", "PUSH-001 of delivery": newPush},
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
	"a2a-js-0.3.14 v0.3":      {"TASK-010 of get": storedTwice},
	"a2a-js-0.3.14 v0.3-rest": {"TASK-010 of get": storedTwice},
	"a2a-js-0.3.14 v0.3-grpc": {"TASK-010 of get": storedTwice},
	"a2a-js-1.3.0 v1.0":       {"CARD-001 of card": inner, "TASK-010 of get": storedTwiceByCancel},
	"a2a-js-1.3.0 v1.0-rest":  {"CARD-001 of card": inner, "TASK-010 of get": storedTwiceByCancel},
	"a2a-js-1.3.0 v1.0-grpc":  {"CARD-001 of card": inner, "TASK-010 of get": storedTwiceByCancel},
	"a2a-go-0.3.3 v0.3": {
		"HTTP-001 of cancel":        asText,
		"HTTP-001 of extended-card": asText,
		"HTTP-001 of get":           asText,
		"HTTP-001 of push-get":      asText,
		"HTTP-001 of push-list":     asText,
		"HTTP-001 of push-set":      asText,
		"HTTP-001 of send":          asText,
	},
	"trpc-a2a-go-0.2.5 v0.2": {
		"ART-001 of get":     "every chunk of an artifact is stored as an artifact of its own",
		"ART-001 of send":    "as above",
		"ART-001 of stream":  sometimes + "as above, where parley serve streams a recorded answer",
		"ART-001 of cancel":  "as above",
		"STRM-006 of stream": "a cancel ends the streams of the task without a word",
		"TASK-012 of cancel": sometimes + "a cancel that comes after the end is answered as if it had come before",
	},
	"trpc-a2a-go-0.0.3 v0.1": {
		"STRM-002 of stream":    "the last chunk of an artifact says “final”, and so does the last status",
		"STRM-002 of subscribe": "as above",
		"STRM-004 of stream":    "the last status comes after that chunk",
		"STRM-004 of subscribe": "as above",
	},
}

const (
	// sometimes begins the reason of a finding that depends on the speed of the agent, or that only some tests meet.
	sometimes   = "sometimes: "
	storedTwice = sometimes + "a chunk that comes while two streams of the task are open is stored twice"
	// storedTwiceByCancel is what the cancel of a2a-js-1.3.0 does: it stores the events of the task too until it has ended.
	storedTwiceByCancel = sometimes + "a chunk that comes while a cancel waits for the end of the task is stored twice"

	newPush = sometimes + "webhooks get the objects of 1.0, whatever the version of the call that registered them"
	asText  = "JSON is labelled as text/plain"
	inner   = "the public card has its security schemes in the SDK's internal form, with $case and value"
)

// goV2 occurs over both bindings.
var goV2 = map[string]string{
	"MSG-008 of send":    "NewMessage makes a message without a contextId, and nothing adds it",
	"MSG-008 of stream":  "as above",
	"STRM-001 of stream": "the stream that answers a later message of a task does not begin with the task",
}

// sentences are those that the findings of violations cite, word for word, by rule and version, where the rule has no
// obligation (see [lint.Obligation]) that says it.
var sentences = map[string]struct{ section, sentence string }{
	"ART-001 0.2":  {"0.2 §6.7, a2a.proto, Artifact.artifact_id", "Unique id for the artifact. It must be at least unique within a task."},
	"MSG-008 1.0":  {"1.0 §4.1.4, a2a.proto, Message", "For server messages, context_id must be provided, and task_id only if a task was created."},
	"PUSH-001 0.3": {"0.3 §9.5", "HTTP Body (Task object is sent as JSON payload)"},
	"STRM-002 0.1": {"0.1 §7.2.2", awaitsNoMore},
	"STRM-002 0.3": {"0.3 §7.2.2, a2a.proto, TaskStatusUpdateEvent.final", "Whether this is the last status update expected for this task."},
	"STRM-004 0.1": {"0.1 §7.2.2", awaitsNoMore},
	"STRM-006 0.2": {"0.2 §7.2", "Sends a message to an agent to initiate/continue a task AND subscribes the client to real-time updates for that task"},
	"TASK-010 1.0": {"1.0 §4.2.2, a2a.proto, TaskArtifactUpdateEvent.append", "If true, the content of this artifact should be appended to a previously sent artifact with the same ID."},
	"TASK-010 0.3": {"0.3 §7.2.3, a2a.proto, TaskArtifactUpdateEvent.append", "Whether this should be appended to a prior one produced"},
	"TASK-012 0.2": {"0.2 §8.2", "An attempt was made to cancel a task that is not in a cancelable state (e.g., it has already reached a terminal state like completed, failed, or canceled)."},
}

const awaitsNoMore = "This means the task has reached a state like completed, failed, canceled, or input-required, and the server does not expect to send more updates for this specific sendSubscribe request."

func TestEveryViolationHasASentence(t *testing.T) {
	t.Parallel()
	used := map[string]bool{}
	for agent, known := range violations {
		_, name, _ := strings.Cut(agent, " ")
		version := a2a.DialectName(name).Number()
		for key, why := range known {
			rule, _, _ := strings.Cut(key, " ")
			r, ok := lint.Lookup(rule)
			if !ok || why == "" || strings.TrimPrefix(why, sometimes) == "" {
				t.Errorf("%s, %s: got no such rule, or no reason %q", agent, key, why)
			}
			if s := sentences[rule+" "+version]; s.sentence != "" {
				used[rule+" "+version] = true
				if !strings.HasPrefix(s.section, version+" §") {
					t.Errorf("%s, %s: got a sentence of %s", agent, key, s.section)
				}
				continue
			}
			cites := func(o lint.Obligation) bool { return o.Sentence != "" && strings.Contains(o.Section, version+" §") }
			if !slices.ContainsFunc(r.Obligations, cites) {
				t.Errorf("%s, %s: got no sentence of the specification of %s, want one", agent, key, version)
			}
		}
	}
	for key := range sentences {
		if !used[key] {
			t.Errorf("nothing cites the sentence for %s", key)
		}
	}
	for agent, failed := range failures {
		for check, f := range failed {
			if f.why == "" || f.section == "" || f.sentence == "" {
				t.Errorf("%s, %s: got %+v, want a reason and a sentence", agent, check, f)
			}
		}
	}
}

// broken are the checks of doctor, check and conformance that fail because of findings of a rule.
var broken = map[string]string{
	"Failed: the card is valid": "CARD-001",
	"Warning: rules":            "CARD-001",
}

// failures are other checks that fail with these SDKs, each with the reason and what it breaks.
var failures = map[string]map[string]failure{
	"a2a-js-0.3.14 v0.3-rest": {
		"Failed: a task that does not exist has no stream": noRefusal,
		"Warning: requests": noRefusal,
	},
}

// A failure is a failed check, with its reason and the sentence that says what is expected.
type failure struct{ why, section, sentence string }

var noRefusal = failure{
	"the SDK fails to encode its refusal of a stream", "0.3 §8.2",
	"The specified task id does not correspond to an existing or active task. It might be invalid, expired, or already completed and purged.",
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
