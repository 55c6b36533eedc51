package agents

import (
	"time"

	"parley/session/log"
	"parley/session/model"
)

// About is what the pane shows of the session.
type About struct {
	State *model.State // nil for nothing
	Now   time.Time    // zero in a recording that is not played
}

// log returns the log of the session, nil if there is none.
func (a *About) log() *log.Log {
	if a.State == nil {
		return nil
	}
	return a.State.Log
}

// SetAbout sets what the pane shows of the session. It comes before [Pane.SetAgents].
func (p *Pane) SetAbout(about About) { p.about = about }
