package a2a

import (
	"fmt"
	"strings"
	"testing"
)

// badVectors maps each malformed payload to what Decode makes of it: the kinds of its events,
// "!" for an error, then the findings.
var badVectors = map[string]string{
	"001-truncated.json":                   "! ENV-002 error",
	"002-empty-body.json":                  "! ENV-002 error",
	"003-html-body.json":                   "!",
	"005-id-number-became-string.json":     "task",
	"006-id-null-on-success.json":          "task ENV-004 error",
	"007-id-missing.json":                  "task ENV-004 error",
	"009-neither-result-nor-error.json":    "! ENV-005 error",
	"010-error-null.json":                  "task ENV-006 info",
	"011-result-null.json":                 "empty",
	"013-jsonrpc-1.0.json":                 "task ENV-001 error",
	"014-batch-array.json":                 "task ENV-010 error",
	"015-error-code-string.json":           "error ENV-007 error",
	"017-fastapi-detail.json":              "error",
	"018-double-encoded-result.json":       "task ENV-013 error",
	"019-bom.json":                         "task ENV-002 warning",
	"021-comments.json":                    "! ENV-002 error",
	"022-nan.json":                         "! ENV-002 error",
	"023-duplicate-keys.json":              "task ENV-008 warning",
	"025-lone-surrogate.json":              "message ENV-009 warning",
	"026-big-integers.json":                "task",
	"027-deep-nesting.json":                "! ENV-014 warning",
	"029-ndjson-stream.txt":                "status status ENV-010 error",
	"030-json-instead-of-stream.json":      "error",
	"031-json-task-instead-of-stream.json": "task",
	"041-parts-missing-or-empty.json":      "message MSG-001 error",
	"042-part-null.json":                   "message PART-013 warning",
	"043-part-unknown-kind.json":           "message PART-013 warning",
	"045-part-two-contents.json":           "message PART-004 error",
	"046-parts-are-strings.json":           "message PART-001 error PART-001 error",
	"047-unknown-event-kind.json":          "unknown MIX-002 warning",
	"049-state-unknown-word.json":          "task STAT-001 error",
	"050-state-number.json":                "task STAT-002 warning",
	"051-status-is-string.json":            "task TASK-001 error",
	"053-bad-timestamps.json":              "unknown MIX-002 warning",
	"054-bytes-not-base64.json":            "message PART-007 error",
	"055-bytes-url-safe-unpadded.json":     "message PART-007 info",
	"057-file-bytes-and-uri.json":          "message PART-005 error",
	"058-file-data-member.json":            "message PART-006 error",
	"059-message-id-outside-message.json":  "message MIX-001 warning",
	"061-role-unknown.json":                "message MSG-002 error",
	"062-artifact-index-odd.sse":           "artifact ART-008 error, artifact, artifact ART-008 error",
	"063-terminal-escapes.json":            "message",
	"065-history-explodes.json":            "task MSG-001 error MSG-003 warning",
	"070-crlf.sse":                         "status, status",
	"071-cr-only.sse":                      "status, status",
	"073-pretty-json-one-prefix.sse":       "status SSE-004 error",
	"074-comments-and-retry.sse":           "status",
	"075-no-final-blank-line.sse":          "status, status SSE-003 warning",
	"077-huge-line.sse":                    "artifact, status",
	"078-truncated-event.sse":              "status, ! ENV-002 error",
	"079-no-space-after-colon.sse":         "status",
	"081-named-ping.sse":                   "not A2A SSE-007 info, not A2A SSE-007 info, status",
	"082-done-sentinel.sse":                "status, not A2A SSE-007 warning",
	"083-events-after-final.sse":           "status, artifact",
	"085-two-finals.sse":                   "status, status",
	"086-id-changes.sse":                   "status, status",
	"087-other-task.sse":                   "status, status",
	"089-glued-events.sse":                 "status status SSE-002 error",
	"090-error-mid-stream.sse":             "status, error, status",
	"091-leading-space-fields.sse":         "status",
	"093-status-204-stream.sse":            "",
	"100-card-relative-url.json":           "card",
	"101-card-wildcard-host.json":          "card",
	"103-card-operation-url.json":          "card",
	"104-card-is-card-url.json":            "card",
	"105-card-future-version.json":         "card",
	"107-card-array.json":                  "card card",
	"108-card-html.json":                   "!",
	"109-card-dangerous-urls.json":         "card",
	"111-card-interface-conflict.json":     "card",
	"112-card-transport-odd-case.json":     "card",
	"113-card-prefix-junk.json":            "!",
}

func TestBadVectorsAreReadAsFarAsTheyCanBe(t *testing.T) {
	t.Parallel()
	seen := 0
	for _, v := range loadVectors(t) {
		if v.Dialect != "bad" {
			continue
		}
		seen++
		name := strings.TrimPrefix(v.File, "bad/")
		want, listed := badVectors[name]
		if !listed {
			t.Errorf("got vector %s, want it listed in badVectors", name)
			continue
		}
		got := ""
		if strings.Contains(name, "-card-") {
			got = describeCards(ParseCard(v.body, "https://agent.example.com/.well-known/agent-card.json"))
		} else {
			var all []string
			for _, u := range v.decode(t) {
				all = append(all, describeUpdate(u))
			}
			got = strings.Join(all, ", ")
		}
		if got != want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, want)
		}
	}
	if seen != len(badVectors) {
		t.Errorf("got %d bad vectors, badVectors has %d", seen, len(badVectors))
	}
}

func describeUpdate(u Update) string {
	var words []string
	for _, e := range u.Events {
		words = append(words, e.Kind.String())
	}
	if u.Err != nil {
		words = append(words, "!")
	}
	for _, f := range u.Findings {
		words = append(words, f.Rule, f.Severity.String())
	}
	return strings.Join(words, " ")
}

func describeCards(cards []*Card, findings []Finding, failure *DecodeError) string {
	if failure != nil {
		return "!"
	}
	words := strings.Fields(strings.Repeat("card ", len(cards)))
	for _, f := range findings {
		words = append(words, f.Rule)
	}
	return strings.Join(words, " ")
}

func TestContentOfBadVectorsIsKept(t *testing.T) {
	t.Parallel()
	event := func(name string) Event {
		t.Helper()
		v := vector{File: "bad/" + name, body: readVector(t, "bad/"+name)}
		u := v.decode(t)[0]
		if len(u.Events) != 1 {
			t.Fatalf("%s: got %d events, want 1: %s", name, len(u.Events), describeUpdate(u))
		}
		return u.Events[0]
	}
	for _, c := range []struct {
		name string
		got  func() any
		want string
	}{
		{"digits beyond 2^53", func() any { return string(event("026-big-integers.json").Task.Artifacts[0].Parts[0].Data) },
			`{"big":12345678901234567890,"f":0.1}`},
		{"big id", func() any { return event("026-big-integers.json").RPCID }, "9007199254740993"},
		{"last duplicate", func() any { return event("023-duplicate-keys.json").Task.Status.State }, "completed"},
		{"lone surrogate", func() any { return event("025-lone-surrogate.json").Message.Text() }, "half \uFFFD emoji"},
		{"code in a string", func() any { return event("015-error-code-string.json").Err.Error() },
			"TaskNotFoundError (-32001): Task not found"},
		{"validation error", func() any { return event("017-fastapi-detail.json").Err.Message }, "body.params: Field required"},
		{"double encoding", func() any { return event("018-double-encoded-result.json").TaskID },
			"363422be-b0f9-4692-a24d-278670e7c7f1"},
		{"strings for parts", func() any { return event("046-parts-are-strings.json").Message.Text() }, "helloworld"},
		{"unknown part", func() any { return string(event("043-part-unknown-kind.json").Message.Parts[0].Raw[:20]) },
			"{\n        \"kind\": \"v"},
		{"unknown state", func() any { return event("049-state-unknown-word.json").Task.Status.Word }, "paused"},
		{"numbered state", func() any { return event("050-state-number.json").Task.Status.State }, "completed"},
		{"bare state", func() any { return event("051-status-is-string.json").Task.Status.State }, "completed"},
		{"url beside bytes", func() any { return event("057-file-bytes-and-uri.json").Message.Parts[0].URL }, "https://example.com/a.png"},
		{"bytes called data", func() any { return event("058-file-data-member.json").Message.Parts[0].Size() }, "70"},
		{"url-safe bytes", func() any {
			b, err := event("055-bytes-url-safe-unpadded.json").Message.Parts[0].Bytes()
			return fmt.Sprint(b, err)
		}, "[251 255 191 0 1] <nil>"},
		{"second content", func() any { return string(event("045-part-two-contents.json").Message.Parts[0].Data[:8]) }, "{\n      "},
		{"role word", func() any { return event("061-role-unknown.json").Message.RoleWord }, "assistant"},
		{"role", func() any { return event("061-role-unknown.json").Message.Role }, "agent"},
		{"negative index", func() any { return event("062-artifact-index-odd.sse").Artifact.Key }, "#-1"},
		{"duplicate in history", func() any { return len(event("065-history-explodes.json").Task.History) }, "1"},
		{"unknown event's task", func() any { return event("047-unknown-event-kind.json").TaskID }, "363422be-b0f9-4692-a24d-278670e7c7f1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := fmt.Sprint(c.got()); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// Unread JSON gives no finding about the agent; JSON that ends too soon does.
func TestABodyThatWasNotReadToItsEndIsNotInvalid(t *testing.T) {
	t.Parallel()
	const half = `{"name":"x","descr`
	call := &Call{Op: OpCard, Dialect: V10}
	for _, c := range []struct {
		in   Input
		want int
	}{
		{Input{Body: []byte(half), Status: 200}, 1},
		{Input{Body: []byte(half), Status: 200, Torn: true}, 0},
		{Input{Body: []byte(half), Status: 200, Omitted: 100}, 0},
		{Input{Body: []byte(`{"name":oops`), Status: 200, Torn: true}, 1},
	} {
		u := Decode(call, c.in)
		if len(u.Findings) != c.want || u.Err == nil {
			t.Errorf("%+v: got %d findings, want %d and an error: %+v", c.in, len(u.Findings), c.want, u.Findings)
		}
	}
}
