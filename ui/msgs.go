package ui

import (
	"time"

	"parley/session/log"
	"parley/ui/chat"
)

// The messages of the root model, beside Bubble Tea's own.
type (
	// batchMsg is sent when items have arrived, at most once per frame.
	batchMsg struct {
		Items []log.Item
		began time.Time // when the first of the batch was applied; zero before
	}
	// feedClosedMsg is sent when the session is over and no item will follow.
	feedClosedMsg struct{}
	// renderedMsg is sent when a markdown job is done.
	renderedMsg struct{ Done chat.Result }
	// workedMsg is sent when a background job is done. Arrive takes over its result, and
	// reports whether anything changed.
	workedMsg struct{ Arrive func() bool }
	// dueMsg is sent when text that was held back may be rendered.
	dueMsg struct{}
	// clockMsg is sent when something that is shown has to change although nothing came: each second while
	// something works, for durations, rates and stalls, otherwise at the next step of an age. It has the
	// time for which it was asked.
	clockMsg time.Time
	// noticeTimeMsg is sent when the notice with this number was shown long enough to be read,
	// and again when its time is over.
	noticeTimeMsg struct {
		Seq  int
		Over bool
	}
	// skimmedMsg is sent when the next frame of a recording that is being read may be painted.
	skimmedMsg struct{}
	// catchUpMsg is sent to check again whether a slow terminal has caught up.
	catchUpMsg struct{}
)
