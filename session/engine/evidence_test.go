package engine

import "testing"

// Evidence that follows from the card names the card's record.
func TestEvidenceFromTheCardNamesItsRecord(t *testing.T) {
	t.Parallel()
	d := newHarness(t, nil)
	a := d.state.Agent(d.openAgent(agent(t, asker).URL))
	d.finish()
	if a.CardRecord == 0 || len(a.Profile.Evidence) == 0 {
		t.Fatalf("got card record %d, evidence %+v; want both", a.CardRecord, a.Profile.Evidence)
	}
	for _, ev := range a.Profile.Evidence {
		if ev.Record != a.CardRecord {
			t.Errorf("evidence %s %q (%s): got record %d, want %d", ev.Field, ev.Value, ev.Reason, ev.Record, a.CardRecord)
		}
	}
}
