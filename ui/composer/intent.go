package composer

import "parley/session/model"

// An Intent is something that the composer asks its user to do. It is one of
// [Send], [Run], [Refused], [Retarget], [Edit], [Attach], [Change], [OpenOptions], [Detached],
// [Hidden], [Resume] and [Unqueue], or nil when the key was dealt with.
type Intent interface{ intent() }

// Send asks to send Draft to Target. The composer is empty afterwards; when
// nothing of the message was accepted, [Composer.Restore] brings it back.
type Send struct {
	Draft  Draft
	Target model.Target
	Ghost  bool // the text is the suggestion, taken by enter alone
	Queued bool // not now, but when the turn that is under way is over
}

// Refused reports that enter could not send, and why. The text is kept.
type Refused struct{ Why string }

// Retarget reports that the user chose target Index.
type Retarget struct{ Index int }

// Edit asks to open Text in the user's editor and to give what was saved to
// [Composer.SetValue].
type Edit struct{ Text string }

// Detached reports that a part called Name no longer goes with the text.
type Detached struct{ Name string }

func (Send) intent()     {}
func (Refused) intent()  {}
func (Retarget) intent() {}
func (Edit) intent()     {}
func (Detached) intent() {}
