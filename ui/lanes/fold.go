package lanes

import (
	"net/http"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/log"
	"parley/ui/axis"
	"parley/ui/canvas"
	"parley/ui/looks"
	"parley/ui/styles"
)

// foldKind says which exchanges are folded together.
type foldKind int

const (
	foldCards foldKind = iota
	foldChecks
	foldOthers
	foldKinds
)

// foldNames name one exchange of a kind.
var foldNames = [foldKinds]string{"card request", "check", "other request"}

// A fold is a line for the exchanges that bring no events: they are many, and few want to see them.
type fold struct {
	kind  foldKind
	line  *lane // whose parts are the exchanges that pass the filter
	lanes []*lane
	ended int // exchanges
	open  bool
}

// foldOf returns which fold an exchange belongs to.
func foldOf(s *log.Stream) (k foldKind, folded bool) {
	if s.Call == nil {
		return 0, false
	}
	switch s.Call.Op {
	case a2a.OpCard, a2a.OpExtendedCard, a2a.OpCatalog:
		return foldCards, true
	case a2a.OpGet, a2a.OpList, a2a.OpProbe, a2a.OpPushSet, a2a.OpPushGet, a2a.OpPushList, a2a.OpPushDelete:
		if s.Call.Check {
			return foldChecks, true
		}
		return foldOthers, true
	default:
		return 0, false
	}
}

// onFold returns the fold of the selected lane, nil if it has none.
func (p *Pane) onFold() *fold {
	if l := p.lane(); l != nil {
		return l.fold
	}
	return nil
}

// toggleFold unfolds the selected line, or folds what the selected lane belongs to.
func (p *Pane) toggleFold() {
	f := p.onFold()
	if f == nil {
		return
	}
	if f.open = !f.open; !f.open {
		p.line = f
	}
	p.session.unfolded++
	p.list()
}

// foldWords says how many exchanges are folded, and how many of them failed.
func (p *Pane) foldWords(f *fold) string {
	failed, missing := 0, 0
	for _, x := range f.line.parts {
		if sign, _ := looks.Outcome(p.St, p.log, x.s); sign != styles.Failed {
			continue
		}
		failed++
		if p.log.StatusOf(x.s.Exchange) == http.StatusNotFound {
			missing++
		}
	}
	words := []string{units.Plural(len(f.line.parts), foldNames[f.kind])}
	switch {
	case failed == 0:
	case failed == missing:
		words = append(words, units.Count(failed)+" not found")
	default:
		words = append(words, units.Count(failed)+" failed")
	}
	return p.Join(words...)
}

// foldRow draws the line of a fold.
func (p *Pane) foldRow(f *fold) string {
	now := look{st: p.St, records: len(f.line.parts), steps: f.ended, open: f.open, end: p.W}
	if p.listed.filtered {
		now.hits = int(p.listed.hits)
	}
	l := f.line
	if l.cells[0] != "" && l.drawn == now {
		return l.cells[0]
	}
	p.work.lanes++
	sign := styles.Folded
	if f.open {
		sign = styles.Unfolded
	}
	words := p.St.Faint.S(p.St.G[sign]) + " " + p.St.Dim.S(p.foldWords(f))
	words = p.Cell(words, max(p.nameWidth(), canvas.Width(words)+1)) + " "
	signs := axis.NewRow(max(p.W-canvas.Width(words), 0))
	for i, x := range l.parts[:min(len(l.parts), p.W)] {
		sign, paint := looks.Outcome(p.St, p.log, x.s)
		signs.Put(i, p.St.G[sign], paint)
	}
	l.drawn, l.cells[0] = now, p.Cut(words+signs.String())
	return l.cells[0]
}
