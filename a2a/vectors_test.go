package a2a

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parley/a2a/sse"
)

// vector is one file of testdata/vectors and its expectations.
type vector struct {
	File    string
	Dialect string
	Op      string
	Kind    string
	HTTP    struct {
		Method, AltMethod, Path, ContentType string
		Status                               int
		Headers                              map[string]string
	}
	Expect map[string]any
	body   []byte
}

// alone reports whether the vector is an agent's answer and not a list for a test of its own.
func (v *vector) alone() bool {
	return v.Kind != "fragment" || strings.Contains(v.File, ".message.")
}

// ops maps the manifest's names of operations to Op.
var ops = map[string]Op{
	"card": OpCard, "send": OpSend, "stream": OpStream, "get": OpGet, "list": OpList, "cancel": OpCancel,
	"subscribe": OpSubscribe, "pushSet": OpPushSet, "pushGet": OpPushGet, "pushList": OpPushList,
	"pushDelete": OpPushDelete, "extendedCard": OpExtendedCard,
}

func loadVectors(t testing.TB) []vector {
	t.Helper()
	raw, err := os.ReadFile("testdata/vectors/manifest.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []vector
	if err := json.Unmarshal(raw, &all); err != nil {
		t.Fatal(err)
	}
	if len(all) < 200 {
		t.Fatalf("got %d vectors, want at least 200", len(all))
	}
	for i := range all {
		all[i].body = readVector(t, all[i].File)
	}
	return all
}

func readVector(t testing.TB, name string) []byte {
	t.Helper()
	body, err := os.ReadFile(filepath.Join("testdata/vectors", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return body
}

// call returns the call that the vector answers.
func (v *vector) call() *Call {
	if v.Kind == "webhook" {
		return nil
	}
	c := &Call{Op: ops[v.Op], Binding: BindingJSONRPC}
	switch dialect := strings.TrimSuffix(v.Dialect, "-rest"); dialect {
	case "v0.1", "v0.2", "v0.3", "v1.0":
		c.Dialect = DialectName(dialect)
	case "v1.0-draft":
		c.Dialect = V10
	}
	if strings.HasSuffix(v.Dialect, "-rest") {
		c.Binding = BindingREST
	}
	if c.Dialect == Unknown {
		c.Binding = ""
	}
	return c
}

// decode decodes the vector as a client does: one update for a body, one for each frame of a
// stream.
func (v *vector) decode(t testing.TB) []Update {
	t.Helper()
	in := Input{Body: v.body, Status: v.HTTP.Status, ContentType: v.HTTP.ContentType}
	if !strings.HasSuffix(v.File, ".sse") {
		return []Update{Decode(v.call(), in)}
	}
	var updates []Update
	for _, f := range frames(t, v.body) {
		in.Body, in.Stream, in.Event, in.Torn, in.Unprefixed = f.Data, true, f.Event, f.Torn, f.Unprefixed
		updates = append(updates, Decode(v.call(), in))
	}
	return updates
}

func frames(t testing.TB, body []byte) []sse.Frame {
	t.Helper()
	var all []sse.Frame
	dec := sse.NewDecoder(bytes.NewReader(body))
	for {
		f, err := dec.Next()
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		if f.HasData || f.Unprefixed {
			all = append(all, f)
		}
	}
}

// released are the dialects whose vectors come from conforming software.
var released = map[string]bool{
	"v0.1": true, "v0.2": true, "v0.3": true, "v1.0": true, "v0.3-rest": true, "v1.0-rest": true,
}

// odd are vectors of released dialects that get a warning all the same.
var odd = map[string]bool{
	"v0.1/29-error-no-id.response.json":            true, // no id
	"v0.3-rest/21-send-go-2.0-snake.response.json": true, // snake_case
	"v0.2/10-stream.sse":                           true, // times without a zone
	"v0.2/18-resubscribe.sse":                      true,
	"v0.3/09-stream.sse":                           true,
}

// expectedNames maps the manifest's short names to Decode's.
var expectedNames = map[string]string{
	"Parse": "JSONParseError",
}

func TestVectorsDecodeToWhatTheManifestExpects(t *testing.T) {
	t.Parallel()
	for _, v := range loadVectors(t) {
		if v.Dialect == "bad" || v.Kind == "request" || !v.alone() {
			continue
		}
		t.Run(v.File, func(t *testing.T) {
			updates := v.decode(t)
			events := all(updates)
			for _, u := range updates {
				if u.Err != nil {
					t.Errorf("got error %s, want none", u.Err)
				}
				if len(u.Events) == 0 {
					t.Error("got an update without an event")
				}
			}
			if v.Kind == "card" {
				checkCard(t, &v)
				return
			}
			for _, u := range updates {
				for _, f := range u.Findings {
					if f.Severity > Info && released[v.Dialect] && !odd[v.File] {
						t.Errorf("got finding %s at %s: %s", f.Rule, f.Pointer, f.Message)
					}
				}
				if released[v.Dialect] && v.Kind != "webhook" && len(u.Saw) > 0 && events[0].Kind != EventError {
					t.Errorf("got evidence %+v, want none", u.Saw)
				}
			}
			expect(t, &v, updates)
		})
	}
}

func all(updates []Update) (events []Event) {
	for _, u := range updates {
		events = append(events, u.Events...)
	}
	return events
}

// expect checks a decoded vector against the manifest.
func expect(t *testing.T, v *vector, updates []Update) {
	t.Helper()
	events := all(updates)
	last := &events[len(events)-1]
	fold := NewFold()
	for i := range events {
		fold.Apply(&events[i])
	}
	for name, value := range v.Expect {
		var got any
		switch name {
		case "event":
			got = last.Kind.String()
		case "events":
			var kinds []any
			for _, e := range events {
				kinds = append(kinds, e.Kind.String())
			}
			got = kinds
		case "state":
			got = stateOf(last).String()
		case "contextId":
			got = last.ContextID
		case "taskId":
			got = last.TaskID
		case "role":
			value, _, _ = strings.Cut(value.(string), " ")
			got = last.Message.Role.String()
		case "final":
			if _, ok := value.(bool); !ok {
				expectClose(t, events)
				continue
			}
			got = last.Final == True
		case "configs":
			got = float64(len(last.PushConfigs))
		case "tasks":
			got = float64(len(last.Tasks))
		case "artifacts":
			got = float64(len(last.Task.Artifacts))
		case "ok":
			got = last.Kind == EventEmpty
		case "parts":
			got = kindsOf(partsOf(last), value)
		case "artifactParts":
			got = float64(len(fold.Task(last.TaskID).Artifacts[0].Parts))
		case "text":
			got = textOf(fold.Task(last.TaskID).Artifacts[0].Parts)
		case "error":
			expectError(t, value.(string), last.Err)
			continue
		default:
			if got = v.observedValue(t, name, updates); got == nil {
				continue
			}
		}
		if g, w := mustJSON(t, got), mustJSON(t, value); g != w {
			t.Errorf("%s: got %s, want %s", name, g, w)
		}
	}
}

// expectError compares an error's name with the manifest's short one, which may have a remark
// behind it.
func expectError(t *testing.T, want string, got *RPCError) {
	t.Helper()
	want, _, _ = strings.Cut(want, " ")
	if full := expectedNames[want]; full != "" {
		want = full
	}
	if !strings.Contains(got.Name, strings.TrimSuffix(want, "Error")) {
		t.Errorf("got error %q, want %q", got.Name, want)
	}
}

func mustJSON(t testing.TB, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func stateOf(e *Event) State {
	switch {
	case e.Status != nil:
		return e.Status.State
	case e.Task != nil:
		return e.Task.Status.State
	}
	return StateOther
}

func partsOf(e *Event) (parts []Part) {
	switch {
	case e.Artifact != nil:
		return e.Artifact.Parts
	case e.Message != nil:
		return e.Message.Parts
	}
	for _, a := range e.Task.Artifacts {
		parts = append(parts, a.Parts...)
	}
	return parts
}

// kindsOf returns the kinds of parts as the manifest writes them in this place: "url" and "raw"
// differ only if the manifest has them.
func kindsOf(parts []Part, want any) (kinds []any) {
	exact := strings.Contains(mustString(want), "url") || strings.Contains(mustString(want), "raw")
	for _, p := range parts {
		switch {
		case exact && p.Kind == PartURL:
			kinds = append(kinds, "url")
		case exact && p.Kind == PartBytes:
			kinds = append(kinds, "raw")
		default:
			kinds = append(kinds, p.Kind.String())
		}
	}
	return kinds
}

func mustString(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}

func textOf(parts []Part) (s string) {
	for _, p := range parts {
		s += p.Text
	}
	return s
}

func checkCard(t *testing.T, v *vector) {
	t.Helper()
	cards, _, err := ParseCard(v.body, "https://agent.example.com"+v.HTTP.Path)
	if err != nil {
		t.Fatal(err)
	}
	card := cards[0]
	p := Detect(card)
	for name, value := range v.Expect {
		switch name {
		case "dialect":
			if !strings.HasPrefix(value.(string), string(p.Dialect)) && p.Problem == "" {
				t.Errorf("got dialect %q, want %v (%+v)", p.Dialect, value, p.Evidence)
			}
		case "transport":
			if got := string(card.Interfaces[0].Binding); got != value {
				t.Errorf("got transport %q, want %v", got, value)
			}
		case "url":
			if p.Endpoint != value {
				t.Errorf("got endpoint %q, want %v", p.Endpoint, value)
			}
		case "interfaces":
			if float64(len(card.Interfaces)) != value {
				t.Errorf("got %d interfaces, want %v", len(card.Interfaces), value)
			}
		case "extendedCard":
			if (card.Capabilities.ExtendedAgentCard == True) != value {
				t.Errorf("got extended card %v, want %v", card.Capabilities.ExtendedAgentCard, value)
			}
		case "signed":
			if (len(card.Signatures) > 0) != value {
				t.Errorf("got %d signatures, want any: %v", len(card.Signatures), value)
			}
		case "ambiguous":
			if got := p.Evidence[slices.IndexFunc(p.Evidence, func(e Evidence) bool { return e.Field == "dialect" })]; (got.Confidence < Certain) != value {
				t.Errorf("got dialect evidence %+v, want ambiguous: %v", got, value)
			}
		case "fallback":
			if !slices.ContainsFunc(p.Alternatives, func(w Way) bool { return string(w.Dialect) == value }) {
				t.Errorf("got alternatives %+v, want %v", p.Alternatives, value)
			}
		case "pick":
			if p.Dialect != V10 {
				t.Errorf("got dialect %q of %+v, want %s", p.Dialect, card.Interfaces, V10)
			}
		case "auth":
			if got := card.SecuritySchemes[0].Scheme; mustJSON(t, []string{got}) != mustJSON(t, value) {
				t.Errorf("got auth %q, want %v", got, value)
			}
		default:
			t.Errorf("got expectation %q in the manifest, want a known one", name)
		}
	}
	if len(card.Unknown) > 0 && v.Dialect != "hybrid" {
		t.Errorf("got unknown members %+v, want none", card.Unknown)
	}
}
