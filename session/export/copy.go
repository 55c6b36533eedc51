package export

import (
	"context"
	"slices"

	"parley/a2a"
	"parley/session/journal"
	"parley/session/log"
	"parley/session/model"
)

// Copy returns the state of a session at one moment, which may go on meanwhile: any goroutine may
// export it. Its findings are those of the session. The error is that of ctx.
func Copy(ctx context.Context, view log.LogView, report func(done, total int)) (*model.State, error) {
	state, decode, found := model.NewState(), journal.NewDecoder(), &found{}
	state.Check(found)
	for id := a2a.RecordID(1); int(id) <= view.Len(); id++ {
		old := view.At(id)
		it := decode.Decode(old.Record)
		found.next = slices.Clone(old.Findings)
		state.Apply(it)
		report(int(id), view.Len())
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return state, nil
}

// found are findings that are known.
type found struct{ next []a2a.Finding } // of the next record

// Check returns the findings of the next record.
func (f *found) Check(*a2a.Record, *a2a.Update, *a2a.Fold) []a2a.Finding { return f.next }
