package findings

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/panetest"
	"parley/session/log"
	"parley/session/model"
	"parley/themes"
	"parley/ui/styles"
)

// A bench is a pane of a session with findings.
type bench struct {
	t     *testing.T
	state *model.State
	pane  *Pane
}

func newBench(t *testing.T, w, h int) *bench {
	t.Helper()
	b := &bench{t: t, state: model.NewState()}
	b.pane = New(styles.New(themes.Mono(), styles.Unicode()), func(rule string) About {
		if rule != "STAT-001" {
			return About{}
		}
		return About{Checks: "A state is one of the nine words.", Section: "0.3.0 §6.3", Fix: "Spell it as the specification does."}
	}, func(id a2a.AgentID) string { return fmt.Sprintf("Agent %d", id) }, func(id a2a.AgentID) string { return fmt.Sprintf("A%d", id) })
	b.pane.SetLog(b.state.Log)
	b.pane.SetSize(w, h)
	return b
}

// put adds a record with findings of rules, each followed by the letter of its severity.
func (b *bench) put(rules ...string) {
	var found []a2a.Finding
	for _, rule := range rules {
		id, grade, _ := strings.Cut(rule, " ")
		found = append(found, a2a.Finding{
			Rule: id, Severity: map[string]a2a.Severity{"E": a2a.Error, "W": a2a.Warning}[grade],
			Message: "what " + id + " says", Pointer: "/result/status/state", Offset: 120,
		})
	}
	b.state.Apply(log.Item{
		Record: a2a.Record{ID: a2a.RecordID(b.state.Log.Len() + 1), Kind: a2a.KindNote, Note: &a2a.Note{Type: "something"}},
		Update: a2a.Update{Findings: found},
	})
}

func (b *bench) press(keys ...string) (last Intent) {
	for _, k := range keys {
		last = b.pane.Key(panetest.Key(k))
	}
	return last
}

func (b *bench) text() string {
	b.t.Helper()
	panetest.Exact(b.t, b.pane.Lines(), b.pane.W, b.pane.H)
	return panetest.Text(b.pane.Lines())
}

func (b *bench) sees(words ...string) {
	b.t.Helper()
	panetest.Sees(b.t, b.text(), words...)
}

func TestRulesAreListedWithWhatToDo(t *testing.T) {
	b := newBench(t, 90, 20)
	b.sees("No findings: the records conform", "enter goes to it")
	b.put("CASE-002 i", "STAT-001 E", "SSE-005 W", "STAT-001 E")
	b.put("STAT-001 E")
	text := b.text()
	if e, w, i := strings.Index(text, "E STAT-001"), strings.Index(text, "W SSE-005"), strings.Index(text, "i CASE-002"); e < 0 || w < e || i < w {
		t.Errorf("got rules in another order, want errors, warnings, remarks:\n%s", text)
	}
	b.sees("×3", "STAT-001 · error · 3 findings in 2 records · 0.3.0 §6.3", "rule        A state is one of the nine words.",
		"remedy      Spell it", "1 of 2 · #1 · something · /result/status/state byte 120 · and 1 more in it")
	if got := b.pane.Note(); got != "3 errors · 1 warning · 1 remark" {
		t.Errorf("got note %q, want the findings counted by severity", got)
	}
}

func TestAFindingNamesItsAgent(t *testing.T) {
	b := newBench(t, 90, 20)
	b.put("SSE-005 W")
	found := func(agent a2a.AgentID, rule string) {
		id := a2a.RecordID(b.state.Log.Len() + 1)
		b.state.Apply(log.Item{
			Record: a2a.Record{ID: id, Exchange: a2a.ExchangeID(id), Kind: a2a.KindRequest, Call: &a2a.Call{Agent: agent, Op: a2a.OpGet}},
			Update: a2a.Update{Findings: []a2a.Finding{{Rule: rule, Severity: a2a.Error, Message: "what " + rule + " says"}}},
		})
	}
	found(1, "STAT-001")
	found(1, "STAT-002")
	found(2, "STAT-002")
	b.sees("STAT-001", "A1 Agent 1: what STAT-001 says", "A1, A2: what STAT-002 says", "W SSE-005")
	if text := b.text(); !strings.Contains(text, " · A1 Agent 1") || strings.Contains(text, "Agent 0") {
		t.Errorf("got no agent beside the record:\n%s", text)
	}
}

func TestEnterLeadsFromRecordToRecord(t *testing.T) {
	b := newBench(t, 80, 20)
	for range 3 {
		b.put("STAT-001 E", "SSE-005 W")
	}
	var got []string
	for range 4 {
		got = append(got, fmt.Sprint(b.press("enter")))
	}
	if want := "{1 STAT-001 1 3} {2 STAT-001 2 3} {3 STAT-001 3 3} {1 STAT-001 1 3}"; strings.Join(got, " ") != want {
		t.Errorf("got intents %s, want %s", got, want)
	}
	if got := b.press("N", "enter"); got.(Show).Record != 3 {
		t.Errorf("got intent %+v after N and enter, want record 3", got)
	}
	if got := b.press("j", "n", "enter"); got.(Show) != (Show{Record: 2, Rule: "SSE-005", Nth: 2, Of: 3}) {
		t.Errorf("got intent %+v for the next rule, want its second record", got)
	}
	if got := b.press("k", "enter"); got.(Show).Record != 1 {
		t.Errorf("got intent %+v, want the first rule's record 1 as before", got)
	}
}

func TestTheExchangeOfAFindingIsCopied(t *testing.T) {
	b := newBench(t, 80, 20)
	if got := b.press("c"); got != nil {
		t.Errorf("got intent %v for c without findings, want none", got)
	}
	b.put("STAT-001 E")
	b.put("STAT-001 E")
	if got := b.press("n", "c"); got != (CopyAs{Record: 2}) {
		t.Errorf("got intent %v for c, want CopyAs of record 2", got)
	}
}

func TestAMutedRuleIsLastAndNotCounted(t *testing.T) {
	b := newBench(t, 80, 20)
	b.put("STAT-001 E", "SSE-005 W")
	b.press("m")
	text := b.text()
	if strings.Index(text, "SSE-005") > strings.Index(text, "STAT-001") {
		t.Errorf("got the muted rule before another one, want it last:\n%s", text)
	}
	b.sees("muted · what STAT-001 says", "1 finding in 1 record · muted")
	if !b.state.Log.Findings().Muted("STAT-001") || b.pane.Note() != "1 warning" {
		t.Errorf("got note %q, want STAT-001 muted and not counted", b.pane.Note())
	}
	b.press("m")
	if b.state.Log.Findings().Muted("STAT-001") {
		t.Error("STAT-001 is muted after m was pressed twice, want it unmuted")
	}
}

func TestFindingsAreCopiedWithTheirRecords(t *testing.T) {
	b := newBench(t, 80, 20)
	b.put("STAT-001 E", "SSE-005 W")
	b.put("STAT-001 E", "MSG-001 E")
	want := "STAT-001 error: what STAT-001 says\n  rule: A state is one of the nine words.\n  section: 0.3.0 §6.3\n" +
		"  remedy: Spell it as the specification does.\n  #1 something at /result/status/state byte 120\n  #2 something at /result/status/state byte 120\n"
	b.press("j")
	if got := b.press("y").(Copy); got.Text != want {
		t.Errorf("got report %q, want %q", got.Text, want)
	}
	b.pane.Select("MSG-001")
	b.press("m")
	all := b.press("Y").(Copy).Text
	if strings.Contains(all, "MSG-001") || !strings.Contains(all, want) || !strings.Contains(all, "SSE-005 warning") {
		t.Errorf("got report %q, want every rule but the muted one", all)
	}
}

func TestTheListIsFiltered(t *testing.T) {
	b := newBench(t, 80, 20)
	b.put("STAT-001 E", "SSE-005 W", "MSG-001 E")
	b.press("/")
	if !b.pane.Typing() || b.pane.Cursor() == nil {
		t.Fatal("got no input after /, want one with a cursor")
	}
	b.press("n", "i", "n", "e", "enter") // from the description of STAT-001
	if text := b.text(); strings.Contains(text, "SSE-005") || !strings.Contains(text, "/ nine") {
		t.Errorf("got a screen that is not filtered by nine:\n%s", text)
	}
	if got := b.press("esc"); got != nil || !strings.Contains(b.text(), "SSE-005") {
		t.Errorf("got intent %v after esc, want none and all rules:\n%s", got, b.text())
	}
	b.press("/", "x", "x", "x")
	b.sees("no rule with findings contains this")
	b.press("esc")
	if _, closes := b.press("esc").(Close); !closes {
		t.Error("got no Close for esc without a filter, want one")
	}
}

func TestTheSelectionStaysWithItsRule(t *testing.T) {
	b := newBench(t, 80, 16)
	b.put("SSE-005 W", "SSE-001 W")
	b.pane.Select("SSE-005")
	for i := range 40 {
		b.put(fmt.Sprintf("STAT-%03d E", i+2))
	}
	b.sees("SSE-005 · warning")
	if got := b.press("enter").(Show); got.Rule != "SSE-005" {
		t.Errorf("got intent %+v, want the selected rule SSE-005", got)
	}
}

func TestHostileFindingsAreDrawnInAnySize(t *testing.T) {
	b := newBench(t, 80, 20)
	evil := "\x1b[2J\x1b]0;x\a" + strings.Repeat("語\u202e\n", 100)
	b.state.Apply(log.Item{Record: a2a.Record{ID: 1}, Update: a2a.Update{Findings: []a2a.Finding{
		{Rule: evil, Severity: 9, Message: evil, Pointer: evil, Offset: -1, Fix: evil},
		{Rule: "", Severity: a2a.Error},
	}}})
	for w := range 30 {
		for h := range 20 {
			b.pane.SetSize(3*w, h)
			b.text()
			b.press("j")
		}
	}
	panetest.Sanitized(t, b.pane.Lines())
	b.pane.SetLog(log.New())
	for _, k := range []string{"enter", "m", "y", "Y", "n", "N", "j", "g", "G", "space"} {
		b.press(k)
	}
}

func TestAClickSelectsAndASecondOneShows(t *testing.T) {
	b := newBench(t, 80, 20)
	b.put("STAT-001 E", "SSE-005 W")
	click := tea.MouseClickMsg{Button: tea.MouseLeft}
	if got := b.pane.Mouse(click, 3, 1); got != nil {
		t.Errorf("got intent %v for the first click, want none", got)
	}
	if got, ok := b.pane.Mouse(click, 3, 1).(Show); !ok || got.Rule != "SSE-005" {
		t.Errorf("got intent %+v for the second click, want SSE-005 shown", got)
	}
	b.pane.Mouse(tea.MouseWheelMsg{Button: tea.MouseWheelUp}, 0, 0)
	b.sees("STAT-001 · error")
}
