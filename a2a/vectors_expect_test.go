package a2a

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// observed returns what was seen of a rarer expectation of the manifest, nil if it
// is a remark for people.
func (v *vector) observed(t *testing.T, name string, updates []Update) any {
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
		return violated(t, last.Err)
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
		t.Errorf("nobody checks %q", name)
		return nil
	}
}

// comments counts the comment lines that the frames of a stream keep.
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

// next is the request that a gateway wants after an answer.
func (v *vector) next(u Update) string {
	x := tally{status: v.HTTP.Status}
	x.add(u)
	b := samBinding{dialect: &dialectSAMHTTP}
	out, _, _ := b.next(&Request{Call: &Call{Op: ops[v.Op]}}, outgoing{}, &x.Outcome)
	return out.method + " " + out.url
}

// violated returns the first field that an error says is wrong.
func violated(t *testing.T, e *RPCError) string {
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

// expectClose checks a stream whose end is that it closes: no event says final.
func expectClose(t *testing.T, events []Event) {
	t.Helper()
	for _, e := range events {
		if e.Final == True {
			t.Errorf("%+v is final", e)
		}
	}
	if last := &events[len(events)-1]; last.Kind != EventMessage && !stateOf(last).Terminal() {
		t.Errorf("the last event is %+v", last)
	}
}

// TestSnapshotsUnderOneMessageIDReplaceEachOther reads the vector that is a list of
// events.
func TestSnapshotsUnderOneMessageIDReplaceEachOther(t *testing.T) {
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
		t.Errorf("the message is %q", got)
	}
	for i := range task.History {
		if task.History[i].ID == task.Status.Message.ID {
			t.Errorf("the message stands in the history too: %q", task.History[i].Text())
		}
	}
}

// TestDialectNamesWithABindingDecodeLikeTheVersion reads every answer over
// HTTP+JSON under the dialect's own name.
func TestDialectNamesWithABindingDecodeLikeTheVersion(t *testing.T) {
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
