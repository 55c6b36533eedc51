package filter

import (
	"strings"
	"testing"

	"parley/a2a"
	"parley/session/log"
)

// offers completes a filter whose cursor is at ‸ and returns the line for each candidate.
func offers(t *testing.T, line string, env *Env) []string {
	t.Helper()
	at := strings.Index(line, "‸")
	text := strings.Replace(line, "‸", "", 1)
	var out []string
	for _, c := range Complete(text, at, env) {
		out = append(out, text[:c.From]+c.Text+text[c.To:])
	}
	return out
}

func TestCompletionOffersWhatFits(t *testing.T) {
	env := desk().env()
	for _, c := range []struct{ line, want string }{
		{"st‸", "state:|status:"}, {"a st‸", "a state:|a status:"}, {"(si‸", "(size>|(since:"}, {"not ma‸", "not marked"}, {"ERR‸", "error"}, {"error‸", ""},
		{"dir:‸", "dir:in|dir:out|dir:local"}, {"dir:o‸", "dir:out|dir:local"}, {"dir:in‸", ""}, {"dir:in,l‸", "dir:in,local"}, {"a dir:o‸ b", "a dir:out b|a dir:local b"},
		{"di‸r:in", "dir:in"},
		{"kind:st‸", "kind:status|kind:request"}, {"state:in‸", "state:input-required|state:working|state:\"pondering\""}, {"state:pon‸", `state:"pondering"`}, {`state:"po‸`, `state:"pondering"`},
		{"method:‸", "method:GetTask|method:SendStreamingMessage"}, {"method:stream‸", "method:SendStreamingMessage"},
		{"task:‸", "task:0017|task:91c2"}, {"ctx:7‸", "ctx:7f3a"}, {"agent:‸", `agent:"Old Clerk"|agent:"Travel Desk"`}, {`agent:"tr‸`, `agent:"Travel Desk"`}, {`agent:"Tr‸avel D" x`, `agent:"Travel Desk" x`},
		{"artifact:‸", "artifact:itinerary.md"}, {"status:‸", "status:404|status:200|status:4xx|status:5xx"}, {"finding:‸", "finding:error|finding:warning|finding:info|finding:STAT-009|finding:STAT-004|finding:ART-003"},
		{"size>‸", "size>1k|size>10k|size>100k|size>1M"}, {"gap>‸", "gap>100ms|gap>500ms|gap>2s|gap>10s"}, {"gap:‸", "gap:max"}, {"ga‸", "gap>|gap:max"}, {"gap:m‸", "gap:max"}, {"foo:‸", ""}, {`"st‸`, ""}, {"/st‸", ""}, {"zz‸", ""}, {"task:/9‸", ""},
		{"a o‸", "a or"}, {"o‸", ""}, {"dir:x o‸", "dir:x or"},
	} {
		if got := strings.Join(offers(t, c.line, env), "|"); got != c.want {
			t.Errorf("%s: got candidates %s, want %s", c.line, got, c.want)
		}
	}
	if all := offers(t, "‸", env); len(all) < len(fields) || all[0] != "dir:" {
		t.Errorf("empty line: got candidates %q, want all fields, dir: first", all)
	}
	if got := offers(t, "task:‸", nil); got != nil {
		t.Errorf("without an environment: got candidates %q, want none", got)
	}
}

func TestEveryOfferIsUnderstood(t *testing.T) {
	env := desk().env()
	for i := range fields {
		f := &fields[i]
		if f.note == "" || f.compile == nil && f.flag == nil {
			t.Errorf("field %s: got no meaning or no note, want both", f.name)
		}
		for _, line := range offers(t, f.form()+"‸", env) {
			if _, err := Parse(line); err != nil {
				t.Errorf("completed line %s is not a filter: %v", line, err)
			}
		}
	}
}

func TestSeenIsBoundedAndKeepsTheNewest(t *testing.T) {
	var s Values
	f := newRecording()
	for i := range 3 * maxValues {
		f.Call = &a2a.Call{Agent: a2a.AgentID(i + 1), Op: a2a.OpGet, Dialect: a2a.V10}
		f.request(1, "m"+strings.Repeat("x", i%80), "{}")
		s.Add(f.State.Log.At(a2a.RecordID(i + 1)))
	}
	agents := s.newest(agentValues)
	if len(agents) != maxValues || agents[0] != "600" || len(s.sets[agentValues].has) != maxValues {
		t.Errorf("got %d agents, the newest %s; want %d, 600", len(agents), agents[0], maxValues)
	}
	for _, m := range s.newest(methodValues) {
		if len(m) > maxValueText {
			t.Errorf("got a method of %d bytes, want at most %d", len(m), maxValueText)
		}
	}
	for _, hostile := range []string{"a\x1b[31m", "b\u202e", "c\n", "\xff"} {
		s.Add(&log.Item{Artifact: hostile})
	}
	if got := s.newest(artifactValues); got != nil {
		t.Errorf("got artifacts %q, want none", got)
	}
}
