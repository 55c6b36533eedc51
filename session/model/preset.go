package model

import "parley/a2a"

// A Preset is a request for one method of a dialect, as a start for a request by hand.
type Preset struct {
	Op      a2a.Op
	Name    string // "SendMessage", "GET /tasks/{task}"; with the dialect before it if that is not known
	Request a2a.RawRequest
}
