package compare_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"parley/a2a"
	"parley/a2a/lint"
	"parley/internal/golden"
	"parley/session/compare"
	"parley/session/export"
	"parley/session/log"
	"parley/session/model"
	"parley/session/sessiontest"
)

// booking is a recorded session.
const booking = "../export/testdata/booking.jsonl"

// anew replaces what is new in every run: ids, times and the port of the agent.
var anew = []string{
	"91c2e0d4-77f1", "aaaae0d4-77f1", "7f3a11b9-02c8", "bbbb11b9-02c8", "m-1", "m-9", "c41f-", "d52f-", "2026-11-20", "2026-11-22", ":4711", ":5822",
}

// read reads a session whose text is changed.
func read(t testing.TB, path string, changes ...string) *model.State {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), "session.jsonl")
	if err := os.WriteFile(path, []byte(strings.NewReplacer(changes...).Replace(string(text))), 0o600); err != nil {
		t.Fatal(err)
	}
	s, _, err := export.Read(t.Context(), export.Source{Path: path, Rules: func() log.Checker { return lint.New() }, Report: func(int64, int64) {}})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// text writes a result as the tests compare it.
func text(r *compare.Result) string {
	var b strings.Builder
	b.WriteString("- " + r.First.Name + ": " + r.First.About + "\n+ " + r.Second.Name + ": " + r.Second.About + "\n")
	for _, l := range r.Lines() {
		b.WriteString(string(l.Mark) + l.Text + "\n")
	}
	return b.String()
}

// compared compares two sides.
func compared(t testing.TB, first, second *compare.Side, o compare.Options) *compare.Result {
	t.Helper()
	r, err := compare.Compare(t.Context(), first, second, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestARunWithNewIDsAndTimesIsTheSame(t *testing.T) {
	r := compared(t, compare.Whole("a", read(t, booking)), compare.Whole("b", read(t, booking, anew...)), compare.Options{Only: compare.Aspects()})
	if r.Differs() {
		t.Errorf("got\n%s\nwant no difference", text(r))
	}
}

func TestRunsAreCompared(t *testing.T) {
	after := read(t, booking, append([]string{
		`\"version\":\"1.0.0\"`, `\"version\":\"1.1.0\"`, "| OS 411 | 07:25 | 9 |", "| OS 411 | 08:10 | 4 |", `\"OS 411\":164`, `\"OS 411\":171`,
		"itinerary.md", "plan.md", "TASK_STATE_COMPLETED", "TASK_STATE_FAILED", "What is the weather?", "What is the wind?",
		`"firstByte":41000000`, `"firstByte":4100000000`, `\"mediaType\":\"text/markdown\"`, `\"mediaType\":\"\"`,
	}, anew...)...)
	r := compared(t, compare.Whole("before.jsonl", read(t, booking)), compare.Whole("after.jsonl", after), compare.Options{})
	golden.Compare(t, "runs.txt", text(r))
	raw, err := r.JSON()
	if err != nil {
		t.Fatal(err)
	}
	golden.Compare(t, "runs.json", string(raw)+"\n")
	if !r.Differs() {
		t.Error("got no difference that counts, want some")
	}
	for _, c := range []struct {
		only   string
		ignore string
		want   bool
	}{
		{"states", "", true}, {"artifacts", "", true}, {"card", "", true}, {"answers", "", true}, {"timing", "", true},
		{"artifacts", "/artifacts", false}, {"artifacts", "/artifacts/0/name", true}, {"card", "/artifacts", true},
	} {
		o := compare.Options{}
		if o.Only, err = compare.ParseAspects(c.only); err != nil {
			t.Fatal(err)
		}
		if c.ignore != "" {
			p, err := compare.ParsePointer(c.ignore)
			if err != nil {
				t.Fatal(err)
			}
			o.Ignore = compare.Pointers{p}
		}
		r := compared(t, compare.Whole("a", read(t, booking)), compare.Whole("b", after), o)
		if r.Differs() != c.want || len(r.Aspects) != 1 {
			t.Errorf("%+v: got differs %v and aspects %v, want %v\n%s", c, r.Differs(), r.Aspects, c.want, text(r))
		}
	}
}

// Answers and timing differ in every run of a model: they count only where they are named.
func TestAnswersDoNotCountUnlessNamed(t *testing.T) {
	other := read(t, booking, append([]string{"pack light", "pack a coat", `"firstByte":41000000`, `"firstByte":4100000000`}, anew...)...)
	a, b := compare.Whole("a", read(t, booking)), compare.Whole("b", other)
	if r := compared(t, a, b, compare.Options{}); r.Differs() || !strings.Contains(text(r), "+  2. `pack a coat`") && !strings.Contains(text(r), "pack a coat") {
		t.Errorf("got\n%s\nwant listed differences that do not count", text(r))
	}
	for _, only := range []compare.Aspect{compare.Answers, compare.Timings} {
		if r := compared(t, a, b, compare.Options{Only: []compare.Aspect{only}}); !r.Differs() {
			t.Errorf("%s: got no difference, want one", only)
		}
	}
}

func TestTheAgentsOfASideAreListedAsASentenceDoes(t *testing.T) {
	p := sessiontest.NewTape()
	for i, name := range []string{"Desk", "Clerk", "Scribe"} {
		id := strconv.Itoa(i + 1)
		p.Put(a2a.Record{Kind: a2a.KindNote, Note: &a2a.Note{Type: log.NoteOpening, Attrs: map[string]string{log.AttrAgent: id, log.AttrName: name}}})
		call := sessiontest.CallOf(a2a.OpSend, a2a.TurnID(i+1))
		call.Agent, call.Conversation = a2a.AgentID(i+1), a2a.ConversationID(i+1)
		p.Ask(call, "hi")
	}
	if got, want := compare.Whole("x", p.State).About(), "Desk, Clerk and Scribe"; !strings.HasSuffix(got, want) {
		t.Errorf("got %q, want %q at the end", got, want)
	}
}

func TestPartsAreSelected(t *testing.T) {
	s := read(t, booking)
	for _, c := range []struct{ part, about, fails string }{
		{"", "3 prompts, 26 records, Travel Desk", ""},
		{"2", "1 prompt, Travel Desk", ""},
		{"conversation=flight", "2 prompts, Travel Desk", ""},
		{"task=91c2", "2 prompts, Travel Desk", ""},
		{"agent=travel", "3 prompts, Travel Desk", ""},
		{"agent=1", "3 prompts, Travel Desk", ""},
		{"agent=Nobody", "", "no such agent: it has 1 (Travel Desk)"},
		{"task=ff", "", "no such task: it has 91c2e0d4-"},
		{"9", "", "no such conversation"},
		{"task=", "", "names nothing"},
	} {
		side, err := compare.Select("x", s, c.part)
		if c.fails != "" {
			if err == nil || !strings.Contains(err.Error(), c.fails) {
				t.Errorf("%q: got %v, want %q", c.part, err, c.fails)
			}
			continue
		}
		if err != nil || side.About() != c.about {
			t.Errorf("%q: got %v, %v, want %q", c.part, side, err, c.about)
		}
	}
	one, _ := compare.Select("one", s, "1")
	two, _ := compare.Select("two", s, "2")
	r := compared(t, one, two, compare.Options{})
	if len(r.Prompts) != 2 || !r.Differs() || len(r.Cards) != 1 || r.Cards[0].Differs() {
		t.Errorf("got\n%s\nwant two rows and one card", text(r))
	}
	if r := compared(t, one, one, compare.Options{Only: compare.Aspects()}); r.Differs() {
		t.Errorf("got\n%s\nwant no difference of a part from itself", text(r))
	}
}

// Whatever a session contains, the comparison ends with a result.
func TestUnusualSessionsAreCompared(t *testing.T) {
	hostile := read(t, "../export/testdata/hostile.jsonl")
	empty := model.NewState()
	for _, pair := range [][2]*model.State{{hostile, empty}, {empty, hostile}, {empty, empty}, {hostile, read(t, booking)}, {hostile, hostile}} {
		r := compared(t, compare.Whole("a", pair[0]), compare.Whole("b", pair[1]), compare.Options{})
		if _, err := r.JSON(); err != nil || len(r.Lines()) == 0 {
			t.Errorf("got error %v and %d lines, want a result", err, len(r.Lines()))
		}
		if r.Differs() == (pair[0] == pair[1]) {
			t.Errorf("got differs %v\n%s", r.Differs(), text(r))
		}
	}
}

// many returns a session with a conversation of n prompts.
func many(t testing.TB, n int, prompt func(i int) string) *model.State {
	t.Helper()
	var b strings.Builder
	b.WriteString(`{"parley":"session","version":1,"created":"2026-11-20T14:02:03Z"}` + "\n")
	id := 0
	add := func(format string, args ...any) {
		id++
		fmt.Fprintf(&b, `{"id":%d,`+format+"\n", append([]any{id}, args...)...)
	}
	add(`"kind":"note","time":"2026-11-20T14:02:03Z","note":{"type":"opening","attrs":{"agent":"1","ref":"http://127.0.0.1:4711"}}}`)
	for i := range n {
		text, _ := json.Marshal(prompt(i))
		body, _ := json.Marshal(`{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":` + string(text) + `}]}}}`)
		add(`"exchange":%d,"kind":"request","dir":"out","time":"2026-11-20T14:02:03Z","call":{"agent":1,"conversation":1,"turn":%d,"op":"send","dialect":"v1.0","binding":"JSONRPC"},"raw":%s}`, id+1, i+1, body)
	}
	path := filepath.Join(t.TempDir(), "many.jsonl")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	s, faults, err := export.Read(t.Context(), export.Source{Path: path, Report: func(int64, int64) {}})
	if err != nil || len(faults) > 0 {
		t.Fatalf("got %v, %q", err, faults)
	}
	return s
}

// Long conversations are aligned, and where no text divides them a sentence says how.
func TestManyPromptsAreAligned(t *testing.T) {
	const n = 20_000
	a := many(t, n, func(i int) string { return fmt.Sprint("question ", i) })
	b := many(t, n-2, func(i int) string { return fmt.Sprint("Question  ", i+1+i/(n/2)) }) // without the first one and one of the middle
	r := compared(t, compare.Whole("a", a), compare.Whole("b", b), compare.Options{Only: []compare.Aspect{compare.States}})
	if len(r.Prompts) != n || r.Aspects[0].Differ != 2 || len(r.Notes) > 0 {
		t.Errorf("got %d rows, %d of them different, notes %q; want %d and 2", len(r.Prompts), r.Aspects[0].Differ, r.Notes, n)
	}
	same := many(t, 3000, func(int) string { return "continue" })
	r = compared(t, compare.Whole("a", same), compare.Whole("b", many(t, 3001, func(int) string { return "continue" })), compare.Options{})
	if len(r.Prompts) != 3001 || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "aligned by their order alone") {
		t.Errorf("got %d rows and notes %q, want a note", len(r.Prompts), r.Notes)
	}
	r = compared(t, compare.Whole("a", a), compare.Whole("none", model.NewState()), compare.Options{})
	if lines := r.Lines(); len(lines) > 6000 || !strings.Contains(text(r), "19,000 more prompts") {
		t.Errorf("got %d lines, want a limit", len(lines))
	}
}

// A comparison allocates little for a prompt, so that the sessions themselves decide how much
// memory it needs, and it can be canceled at every prompt.
func TestAComparisonOfManyPromptsIsSmall(t *testing.T) {
	const n, most = 1000, 12 << 10
	a, b := many(t, n, func(i int) string { return fmt.Sprint("question ", i) }), many(t, n, func(i int) string { return fmt.Sprint("question ", i+1) })
	compared(t, compare.Whole("a", a), compare.Whole("b", b), compare.Options{}) // compiles the patterns
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	steps, last := 0, [2]int{}
	compared(t, compare.Whole("a", a), compare.Whole("b", b), compare.Options{Report: func(done, total int) { steps, last = steps+1, [2]int{done, total} }})
	runtime.ReadMemStats(&after)
	if each := (after.TotalAlloc - before.TotalAlloc) / n; each > most && !raced {
		t.Errorf("got %d bytes for each prompt, want at most %d", each, most)
	}
	if steps != 4*n || last != [2]int{4 * n, 4 * n} {
		t.Errorf("got %d steps, the last %v, want %d", steps, last, 4*n)
	}
	for _, at := range []int{0, 3 * n} {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		steps = 0
		_, err := compare.Compare(ctx, compare.Whole("a", a), compare.Whole("b", b), compare.Options{Report: func(done, _ int) {
			if steps++; done >= at {
				cancel()
			}
		}})
		if err == nil || steps > max(at, 2*n)+2 {
			t.Errorf("canceled at %d: got %v after %d steps", at, err, steps)
		}
	}
}

// Of many long prompts the result lists the beginnings, and says so.
func TestLongPromptsAreListedInPart(t *testing.T) {
	s := many(t, 200, func(i int) string { return fmt.Sprint(i, strings.Repeat(" word", 10_000)) })
	r := compared(t, compare.Whole("a", s), compare.Whole("b", s), compare.Options{})
	size := 0
	for i := range r.Prompts {
		size += len(r.Prompts[i].Text)
	}
	if size > 10<<20 || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "only the beginning is listed") || r.Differs() {
		t.Errorf("got %d bytes and notes %q", size, r.Notes)
	}
}
