package composer

import "parley/session/model"

// An Intent is something that the composer asks its caller to do. It is one of [Send], [Run],
// [Refused], [Retarget], [Edit], [Attach], [Change], [OpenOptions], [Detached], [Hidden],
// [Resume] and [Unqueue], or nil if the composer handled the key alone.
type Intent interface{ intent() }

// Send sends Draft to Target. The composer is empty afterwards; if the message could not be
// sent, [Composer.Restore] brings it back.
type Send struct {
	Draft  Draft
	Target model.Target
	Ghost  bool // the text is the suggestion, which the user did not write
	Queued bool // send it when the current turn ends
}

// Refused says why enter could not send. The draft stays.
type Refused struct {
	Why   string
	Shown bool // the line above the text says it in whole, so that nothing else has to
}

// Retarget reports that the user selected target Index.
type Retarget struct{ Index int }

// Edit opens Text in the user's editor; the caller passes the saved text to
// [Composer.SetValue].
type Edit struct{ Text string }

// Detached reports that the part called Name was removed from the draft.
type Detached struct{ Name string }

func (Send) intent()     {}
func (Refused) intent()  {}
func (Retarget) intent() {}
func (Edit) intent()     {}
func (Detached) intent() {}
