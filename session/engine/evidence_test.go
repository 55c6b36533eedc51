package engine

import "testing"

// What follows from the card names the record of the card, so that a reader can look it up.
func TestEvidenceFromTheCardNamesItsRecord(t *testing.T) {
	d := newHarness(t, nil)
	a := d.state.Agent(d.opened(agent(t, asker).URL))
	d.finish()
	if a.CardRecord == 0 || len(a.Profile.Evidence) == 0 {
		t.Fatalf("card in record %d, evidence %+v", a.CardRecord, a.Profile.Evidence)
	}
	for _, ev := range a.Profile.Evidence {
		if ev.Record != a.CardRecord {
			t.Errorf("%s %q (%s) names record %d, want %d", ev.Field, ev.Value, ev.Reason, ev.Record, a.CardRecord)
		}
	}
}
