package model

import (
	"slices"
	"testing"

	"parley/a2a"
	"parley/session/log"
)

// seen is a checker that reports for every record how many artifacts were known before.
type seen struct{ folds []bool }

func (s *seen) Check(r *a2a.Record, u *a2a.Update, known *a2a.Fold) []a2a.Finding {
	s.folds = append(s.folds, known != nil)
	return slices.Concat(u.Findings, []a2a.Finding{{Rule: "TEST-001", Message: string(r.Kind)}})
}

func TestEveryRecordIsCheckedBeforeItIsApplied(t *testing.T) {
	s, c := NewState(), &seen{}
	s.Check(c)
	call := &a2a.Call{Agent: 1, Conversation: 1, Turn: 1, Op: a2a.OpSend}
	s.Apply(log.Item{Record: a2a.Record{ID: 1, Exchange: 1, Kind: a2a.KindRequest, Call: call}})
	s.Apply(log.Item{Signal: &log.Signal{Kind: log.SignalOpening, Agent: 1}})
	found := make([]a2a.Finding, 1, 8)
	found[0] = a2a.Finding{Rule: "ENV-001"}
	s.Apply(log.Item{Record: a2a.Record{ID: 2, Exchange: 1, Kind: a2a.KindBody, Call: call}, Update: a2a.Update{Findings: found}})
	if len(c.folds) != 2 || c.folds[0] || !c.folds[1] {
		t.Errorf("got folds %v, want none for the first record and one for the second", c.folds)
	}
	got := s.Log.At(2).Findings
	if len(got) != 2 || got[0].Rule != "ENV-001" || got[1].Rule != "TEST-001" || got[1].Message != "body" {
		t.Errorf("got findings %v, want the decoder's ENV-001 and the rule's TEST-001", got)
	}
	if found[:2][1].Rule != "" {
		t.Error("got other findings of the decoder, want them unchanged")
	}
}
