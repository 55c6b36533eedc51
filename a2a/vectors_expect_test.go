package a2a

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// observedValue returns the value for one of the manifest's rarer expectations, nil for a remark.
func (v *vector) observedValue(t *testing.T, name string, updates []Update) any {
	t.Helper()
	events := all(updates)
	last := &events[len(events)-1]
	switch name {
	case "note":
		return nil
	case "dialect": // of a card inside an answer
		return string(Detect(last.Card).Dialect)
	case "comments":
		return float64(v.comments(t))
	case "sseEvents":
		var names []string
		for _, f := range frames(t, v.body) {
			names = append(names, f.Event)
		}
		return names
	case "field":
		return firstViolation(t, last.Err)
	case "supportedVersions":
		var versions []string
		for _, u := range updates {
			for _, e := range u.Saw {
				if strings.Contains(e.Reason, "offers") {
					versions = append(versions, DialectName(e.Value).Number())
				}
			}
		}
		return versions
	case "data":
		if bytes.HasPrefix(last.Err.Data, []byte(`"`)) {
			return "string"
		}
		return string(last.Err.Data)
	case "next":
		return v.next(updates[0])
	default:
		t.Errorf("got expectation %q in the manifest, want a known one", name)
		return nil
	}
}

// comments counts the comment lines in the frames of a stream.
func (v *vector) comments(t *testing.T) (n int) {
	t.Helper()
	for _, f := range frames(t, v.body) {
		for line := range bytes.Lines(f.Raw) {
			if bytes.HasPrefix(line, []byte(":")) {
				n++
			}
		}
	}
	return n
}

// next returns the request that a gateway expects after an answer.
func (v *vector) next(u Update) string {
	x := tally{status: v.HTTP.Status}
	x.add(u)
	b := samBinding{dialect: &dialectSAMHTTP}
	out, _, _ := b.next(&Request{Call: &Call{Op: ops[v.Op]}}, outgoingRequest{}, &x.Answer)
	return out.method + " " + out.url
}

// firstViolation returns the first field violation of an error.
func firstViolation(t *testing.T, e *RPCError) string {
	t.Helper()
	var details []struct {
		FieldViolations []struct{ Field string }
	}
	if err := json.Unmarshal(e.Data, &details); err != nil {
		t.Fatal(err)
	}
	for _, d := range details {
		if len(d.FieldViolations) > 0 {
			return d.FieldViolations[0].Field
		}
	}
	return ""
}

// expectClose checks a stream that ends by closing: no event is final.
func expectClose(t *testing.T, events []Event) {
	t.Helper()
	for _, e := range events {
		if e.Final == True {
			t.Errorf("got final event %+v, want none", e)
		}
	}
	if last := &events[len(events)-1]; last.Kind != EventMessage && !stateOf(last).Terminal() {
		t.Errorf("got last event %+v, want a message or a terminal state", last)
	}
}

// TestSnapshotsUnderOneMessageIDReplaceEachOther decodes the vector that is a list of events.
func TestSnapshotsUnderOneMessageIDReplaceEachOther(t *testing.T) {
	t.Parallel()
	var file struct{ Events []json.RawMessage }
	if err := json.Unmarshal(readVector(t, "hybrid/14-cumulative-status-snapshots.sse.json"), &file); err != nil {
		t.Fatal(err)
	}
	f := NewFold()
	var task *Task
	for _, raw := range file.Events {
		u := Decode(&Call{Op: OpStream}, Input{Body: raw, Stream: true})
		f.Apply(&u.Events[0])
		task = f.Task(u.Events[0].TaskID)
	}
	if got := task.Status.Message.Text(); got != "Hello" {
		t.Errorf("got message %q, want %q", got, "Hello")
	}
	for i := range task.History {
		if task.History[i].ID == task.Status.Message.ID {
			t.Errorf("got status message %q in the history too, want it once", task.History[i].Text())
		}
	}
}

// TestDialectNamesWithABindingDecodeLikeTheVersion decodes every answer over HTTP+JSON under
// the name of its version and of its dialect.
func TestDialectNamesWithABindingDecodeLikeTheVersion(t *testing.T) {
	t.Parallel()
	for _, v := range loadVectors(t) {
		name, ok := v.writable()
		if _, binding := name.version(); !ok || binding != BindingREST || v.Kind == "request" {
			continue
		}
		call := v.call()
		call.Dialect, call.Binding = name, ""
		in := Input{Body: v.body, Status: v.HTTP.Status, ContentType: v.HTTP.ContentType}
		if strings.HasSuffix(v.File, ".sse") {
			in.Body, in.Stream = frames(t, v.body)[0].Data, true
		}
		if got, want := describeUpdate(Decode(call, in)), describeUpdate(Decode(v.call(), in)); got != want {
			t.Errorf("%s:\n got %s\nwant %s", v.File, got, want)
		}
	}
}
