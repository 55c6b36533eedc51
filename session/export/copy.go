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
	state, decode := model.NewState(), journal.NewDecoder()
	for id := a2a.RecordID(1); int(id) <= view.Len(); id++ {
		old := view.At(id)
		it := decode.Decode(old.Record)
		it.Checked, it.Findings = true, slices.Clone(old.Findings)
		state.Apply(it)
		report(int(id), view.Len())
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return state, nil
}
