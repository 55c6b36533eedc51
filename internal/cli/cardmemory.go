package cli

import (
	"encoding/json"
	"path/filepath"
	"runtime"
	"time"

	"parley/a2a"
	"parley/internal/roster"
	"parley/internal/trust"
	"parley/internal/units"
	"parley/session/card"
	"parley/session/journal"
)

// A cardMemory compares the cards of agents with those of earlier runs.
type cardMemory struct {
	cards *roster.Cards
	now   func() time.Time
	// securityOnly is set if only security changes are reported. The others wait for a run that
	// reports them, so that none is lost.
	securityOnly bool
}

// cardFolder returns the folder of saved cards, nil if there is none.
func (a *app) cardFolder() *roster.Cards {
	sessions, err := journal.SessionsDir(runtime.GOOS, a.env.get)
	if err != nil {
		return nil
	}
	return roster.OpenCards(filepath.Join(filepath.Dir(sessions), "cards"))
}

// compare returns the differences between a card and that of an earlier run, with the time of
// that run, and saves the card. An unreadable file counts as missing.
func (m *cardMemory) compare(ref string, index int, c card.Snapshot) ([]card.Change, time.Time) {
	ref = a2a.MaskReference(trust.WholePath(ref))
	kept, known := m.cards.Load(ref, index)
	var before card.Snapshot
	known = known && json.Unmarshal(kept.Card, &before) == nil
	var changes []card.Change
	if known {
		changes = card.Compare(before, c)
	}
	if m.securityOnly && len(changes) > 0 && card.CountSecurity(changes) == 0 {
		return nil, time.Time{}
	}
	if data, err := json.Marshal(c); err == nil {
		_ = m.cards.Store(ref, index, roster.SavedCard{Seen: m.now(), Card: data}) // the workbench reports what cannot be saved
	}
	if len(changes) == 0 {
		return nil, time.Time{}
	}
	return changes, kept.Seen
}

// warnOfChanges reports the card's security changes since an earlier run. A card that was approved
// is compared with that one instead.
func (op *operation) warnOfChanges() {
	n := card.CountSecurity(op.openSignal.Changes)
	if n == 0 || op.approval.isKnown() {
		return
	}
	const most = 5
	since := units.Date(op.openSignal.Since)
	for _, c := range op.openSignal.Changes[:min(n, most)] {
		op.app.note("Warning", "the agent's card has changed since %s: %s", since, c.Sentence)
	}
	if n > most {
		op.app.note("Warning", "the card has %s about security; parley card get shows all of it.", units.Plural(n-most, "other change"))
	}
}
