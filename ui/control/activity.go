package control

import (
	"context"

	tea "charm.land/bubbletea/v2"
)

// An Activity is work outside of Update that may take long. The user sees its progress and can cancel it.
type Activity struct {
	Name     string // what it is in one word: "export"
	About    string // what it makes: "the session as html"
	Note     string // what it means to cancel it
	Canceled string // the sentence after the user canceled it
	// Work does it. It calls report with the progress and stops with the error of ctx when that
	// ends. It returns what Update does with the result.
	Work func(ctx context.Context, report func(done, total int)) (func() tea.Cmd, error)
}
