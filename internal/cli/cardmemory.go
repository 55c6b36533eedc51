package cli

import (
	"encoding/json"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"parley/a2a"
	"parley/internal/roster"
	"parley/internal/units"
	"parley/session"
)

// A cardMemory compares the cards of agents with those that earlier runs saw.
type cardMemory struct {
	cards *roster.Cards
	now   func() time.Time
	// securityOnly is set where only changes of security are told. The others wait for a run
	// that tells them, so that nothing goes by unsaid.
	securityOnly bool
}

// cardFolder returns where cards are kept, nil where there is no place.
func (a *app) cardFolder() *roster.Cards {
	sessions, err := session.SessionsDir(runtime.GOOS, a.env.get)
	if err != nil {
		return nil
	}
	return roster.OpenCards(filepath.Join(filepath.Dir(sessions), "cards"))
}

// compare returns what a card says otherwise than in an earlier run and when it was seen
// then, and keeps the card. A file that cannot be read or written is as if there were none.
func (m *cardMemory) compare(ref string, index int, card session.CardSnapshot) ([]session.CardChange, time.Time) {
	ref = a2a.MaskReference(wholePath(ref))
	kept, known := m.cards.Load(ref, index)
	var before session.CardSnapshot
	known = known && json.Unmarshal(kept.Card, &before) == nil
	var changes []session.CardChange
	if known {
		changes = session.CompareCards(before, card)
	}
	if m.securityOnly && len(changes) > 0 && session.CountSecurity(changes) == 0 {
		return nil, time.Time{}
	}
	if data, err := json.Marshal(card); err == nil {
		_ = m.cards.Store(ref, index, roster.SeenCard{Seen: m.now(), Card: data}) // the workbench says where it cannot be kept
	}
	if len(changes) == 0 {
		return nil, time.Time{}
	}
	return changes, kept.Seen
}

// wholePath returns a reference so that it names the same agent from every folder.
func wholePath(ref string) string {
	if strings.HasPrefix(ref, ".") || strings.HasSuffix(ref, ".json") && !strings.Contains(ref, "://") {
		if whole, err := filepath.Abs(ref); err == nil {
			return whole
		}
	}
	return ref
}

// warnOfChanges says which changes of security the card shows since an earlier run.
func (op *operation) warnOfChanges() {
	n := session.CountSecurity(op.opened.Changes)
	if n == 0 {
		return
	}
	const most = 5
	since := units.Date(op.opened.Since)
	for _, c := range op.opened.Changes[:min(n, most)] {
		op.app.note("Warning", "the agent's card has changed since %s: %s", since, c.Sentence)
	}
	if n > most {
		op.app.note("Warning", "the card has %s of security besides; parley card get shows it whole.", units.Plural(n-most, "other change"))
	}
}
