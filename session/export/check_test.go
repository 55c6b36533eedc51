package export_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parley/a2a"
	"parley/a2a/lint"
	"parley/session/export"
	"parley/session/log"
)

// ruleNames collects the rules that find something.
type ruleNames struct {
	log.Checker
	found []string
}

func (n *ruleNames) Check(r *a2a.Record, u *a2a.Update, known *a2a.Fold) []a2a.Finding {
	all := n.Checker.Check(r, u, known)
	for i := range all {
		n.found = append(n.found, fmt.Sprint(r.ID, " ", all[i].Rule))
	}
	return all
}

// A check finds what reading the whole session finds, in a file of any kind, and knows its agents.
func TestACheckFindsWhatASessionHas(t *testing.T) {
	cut, err := os.ReadFile(filepath.Join("testdata", "booking.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	torn := filepath.Join(t.TempDir(), "torn.jsonl")
	if err := os.WriteFile(torn, cut[:len(cut)*2/3], 0o600); err != nil {
		t.Fatal(err)
	}
	sessions, err := filepath.Glob("../model/testdata/sessions/*.jsonl")
	if err != nil || len(sessions) == 0 {
		t.Fatalf("got %d sessions and %v, want some", len(sessions), err)
	}
	for _, path := range append(sessions, "testdata/booking.jsonl", "testdata/hostile.jsonl", torn) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			var rules [2]*ruleNames
			source := func(i int) export.Source {
				return export.Source{Path: path, Report: func(int64, int64) {}, Rules: func() log.Checker {
					rules[i] = &ruleNames{Checker: lint.New()}
					return rules[i]
				}}
			}
			whole, faults, err := export.Read(t.Context(), source(0))
			if err != nil {
				t.Fatal(err)
			}
			agents, records, lacks, err := export.Check(t.Context(), source(1))
			if err != nil || records != whole.Log.Len() || !slices.Equal(lacks, faults) {
				t.Errorf("got %d records, %q, %v, want %d, %q and no error", records, lacks, err, whole.Log.Len(), faults)
			}
			if !slices.Equal(rules[0].found, rules[1].found) {
				t.Errorf("got the findings\n%s\nwant\n%s", strings.Join(rules[1].found, "\n"), strings.Join(rules[0].found, "\n"))
			}
			for _, a := range whole.AllAgents() {
				if got := agents.Agent(a.ID); got == nil || got.Name() != a.Name() {
					t.Errorf("got the agent %+v, want %q", got, a.Name())
				}
			}
		})
	}
}

// What a check keeps does not depend on how many records there are.
func TestACheckKeepsWhatNamesAgents(t *testing.T) {
	const turns = 500
	var b strings.Builder
	b.WriteString(`{"parley":"session","version":1,"created":"2026-11-20T14:00:00Z"}` + "\n")
	for i := range turns {
		at, id := `"time":"2026-11-20T14:00:00Z"`, 1+3*i
		fmt.Fprintf(&b, `{"id":%d,"exchange":%d,"kind":"request","dir":"out",%s,"call":{"agent":1,"conversation":1,"turn":%d,"op":"send","dialect":"v1.0","binding":"JSONRPC"},"raw":"{}"}`+"\n", id, id, at, i+1)
		fmt.Fprintf(&b, `{"id":%d,"exchange":%d,"kind":"body","dir":"in",%s,"raw":"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"message\":{\"messageId\":\"m%d\",\"role\":\"ROLE_AGENT\",\"parts\":[{\"text\":\"yes\"}]}}}"}`+"\n", id+1, id, at, i)
		fmt.Fprintf(&b, `{"id":%d,"exchange":%d,"kind":"end","dir":"in",%s,"end":{"reason":"ended"}}`+"\n", id+2, id, at)
	}
	path := filepath.Join(t.TempDir(), "plain.jsonl")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	agents, records, _, err := export.Check(t.Context(), export.Source{Path: path, Report: func(int64, int64) {}, Rules: func() log.Checker { return lint.New() }})
	if err != nil || records != 3*turns || agents.Log.Len() != 1 {
		t.Errorf("got %d records of which %d are kept, %v, want %d of which 1", records, agents.Log.Len(), err, 3*turns)
	}
}
