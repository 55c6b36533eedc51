package lint

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"parley/a2a"
	"parley/a2a/jsontok"
)

func TestTheTableIsComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, group := range table() {
		for _, r := range group {
			if seen[r.id] {
				t.Errorf("got rule %s twice in the table, want it once", r.id)
			}
			seen[r.id] = true
			if r.checks == "" || r.fix == "" || r.in == 0 || r.in.String() == "" {
				t.Errorf("got incomplete rule %s: %+v, want what it checks, its fix and its dialects", r.id, r.public())
			}
			if (r.at == 0) != (r.run == nil) {
				t.Errorf("rule %s: got places %v and a function: %t, want both or neither", r.id, r.at, r.run != nil)
			}
			for _, line := range []string{r.checks, r.fix, r.section} {
				if strings.ContainsAny(line, "\n|") || strings.HasSuffix(line, ".") {
					t.Errorf("%s: got text %q, want one line without | or a full stop", r.id, line)
				}
			}
		}
	}
}

// Every finding of the decoder has a rule in the table with at least its severity.
func TestTheDecoderKeepsToTheTable(t *testing.T) {
	for path, body := range vectors(t) {
		for _, d := range []a2a.DialectName{a2a.V01, a2a.V03, a2a.V10} {
			for _, f := range everyWay(d, a2a.OpStream, string(body)).decoder {
				if r, ok := Lookup(f.Rule); !ok || f.Severity > r.Severity {
					t.Errorf("%s: got %+v, want it no graver than %+v", path, f, r)
				}
			}
		}
	}
}

func TestAnUnknownDialectIsNotJudged(t *testing.T) {
	call := on(a2a.Unknown, a2a.OpSend)
	s := play(call, asked(`{"jsonrpc":"2.0","id":"1","method":"whatever","params":{"message":{"text":null}}}`), headed(200, "Content-Type: text/plain"),
		says("fine"), ended(a2a.Ended))
	if len(s.rules) > 0 {
		t.Errorf("got findings %v of an unknown dialect, want none", s.rules)
	}
	s = play(call, asked(`{"jsonrpc":"1.0","id":null,"method":"whatever"}`), headed(401), says(`\u001b[2J`))
	for _, rule := range []string{"ENV-001", "ENV-003", "HTTP-008", "SEC-001"} {
		if len(s.of(rule)) != 1 {
			t.Errorf("%s applies to all dialects: got findings %v, want one of it", rule, s.rules)
		}
	}
}

func TestAProbeIsNotJudgedByTheDialectItAsksIn(t *testing.T) {
	s := play(on(a2a.V10, a2a.OpProbe), asked("POST https://agent.example/\nA2A-Version: 1.0\n\n"+get10), headed(200, isJSON),
		failed(`{"code":-32600,"message":"task not found","data":"1.0?"}`), ended(a2a.Ended))
	if len(s.rules) > 0 {
		t.Errorf("got findings %v of a probe, want none", s.rules)
	}
}

func TestWhatTheDecoderSaidIsNotRepeated(t *testing.T) {
	body := `{"jsonrpc":"2.0","id":"1","result":{"id":"t"},"error":{"code":"x","message":"no"}}`
	s := play(on(a2a.V03, a2a.OpGet), asked(get03), headed(200, isJSON), answered(body))
	places := map[string]int{}
	for _, f := range slices.Concat(s.decoder, s.rules) {
		places[f.Rule+" "+f.Pointer]++
	}
	for place, n := range places {
		if n > 1 {
			t.Errorf("%s: got %d findings, want 1", place, n)
		}
	}
}

func TestTheSameRecordsGiveTheSameFindings(t *testing.T) {
	for _, c := range cases() {
		if a, b := play(c.call, c.fires...), play(c.call, c.fires...); !reflect.DeepEqual(a.rules, b.rules) {
			t.Errorf("%s: got findings %v, then %v, want them equal", c.rule, a.rules, b.rules)
		}
	}
}

func TestAHostileRecordIsNotWorthAThousandFindings(t *testing.T) {
	skill := `{"id":"s","inputModes":["x"]},`
	body := strings.Replace(card03, `"skills":[`, `"skills":[`+strings.Repeat(skill, 1000), 1)
	if s := play(cardCall, fetched, headed(200, isJSON), answered(body)); len(s.rules) > maxPerRecord || len(s.rules) == 0 {
		t.Errorf("got %d findings, want 1 to %d", len(s.rules), maxPerRecord)
	}
}

func TestLongPayloadsAreNotLookedInto(t *testing.T) {
	for size, want := range map[int]int{1 << 10: 1, maxPayload: 0} {
		s := play(on(a2a.V03, a2a.OpGet), asked(get03), headed(200, isJSON), says(`\u001b[2J`+strings.Repeat("x", size)))
		if found := s.of("SEC-001"); len(found) != want {
			t.Errorf("%d bytes: got findings %v, want %d", size, found, want)
		}
	}
}

func TestWhatIsRememberedIsBounded(t *testing.T) {
	s := play(on(a2a.V03, a2a.OpGet))
	for i := range 3 * maxExchanges { // none of which ends
		asked(fmt.Sprintf(`{"jsonrpc":"2.0","id":"%d","method":"tasks/get","params":{"id":"t"}}`, i))(s)
	}
	if n := len(s.linter.exchanges.entries); n > maxExchanges {
		t.Errorf("got %d exchanges in memory, want at most %d", n, maxExchanges)
	}
}

func TestARecentMapKeepsTheNewest(t *testing.T) {
	m := recent[int, int]{max: 4}
	for i := range 100 {
		m.put(i, i)
		m.put(i, -i)
		if i%3 == 0 {
			m.drop(i)
		}
		if len(m.entries) > 4 || len(m.order) != len(m.entries) {
			t.Fatalf("got %d entries and %d keys in order, want at most 4 and as many", len(m.entries), len(m.order))
		}
	}
	for i, want := range map[int]bool{99: false, 98: true, 97: true, 95: true, 94: false} {
		if v, ok := m.get(i); ok != want || ok && v != -i {
			t.Errorf("entry %d: got %d, %v, want present %v", i, v, ok, want)
		}
	}
	m.put(95, 1) // a known key keeps its place
	m.put(100, 100)
	m.put(101, 101)
	if _, ok := m.get(95); ok {
		t.Error("got the oldest entry, want it removed")
	}
	if m.add(101, 0) || !m.add(102, 102) {
		t.Error("want only an unknown key to be added")
	}
	if v, _ := m.get(101); v != 101 {
		t.Errorf("got %d, want the value of a known key to stay", v)
	}
}

func TestALongStreamOutlivesManyShortExchanges(t *testing.T) {
	s := play(on(a2a.V03, a2a.OpGet), asked(get03))
	first := s.id
	for i := range 3 * maxExchanges {
		asked(fmt.Sprintf(`{"jsonrpc":"2.0","id":"a%d","method":"tasks/get","params":{"id":"t"}}`, i))(s)
		ended(a2a.Ended)(s)
	}
	if _, ok := s.linter.exchanges.get(first); !ok {
		t.Error("the open exchange was removed, want it in memory")
	}
}

func TestRulesAreNotShownAHundredThousandObjects(t *testing.T) {
	steps := hostileBodies()["parts"]
	s := play(on(a2a.V03, a2a.OpGet), steps[:2]...)
	shown := 0
	count := rule{id: "COUNT", in: anywhere, at: atPart, run: func(*pass, jsontok.Node) { shown++ }}
	s.linter.add(&count)
	steps[2](s)
	if shown == 0 || shown > maxObjects {
		t.Errorf("got %d objects passed to rules, want 1 to %d", shown, maxObjects)
	}
}
