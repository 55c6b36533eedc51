package wire

import (
	"parley/a2a"
	"parley/ui/record"
)

// An Intent is something that the pane asks its user to do. It is one of [Reveal],
// [Copy] and [Say], or nil when the key was dealt with.
type Intent interface{ intent() }

// Reveal asks to show in the conversation what Record built.
type Reveal struct{ Record a2a.RecordID }

// Copy asks to copy Text, exactly as it is. What names it, such as "record 10".
type Copy struct{ Text, What string }

// Say asks to tell Text, one sentence, where the person looks.
type Say struct{ Text string }

func (Reveal) intent() {}
func (Copy) intent()   {}
func (Say) intent()    {}

// asked returns what the record's view asks for as the pane's intent.
func asked(in record.Intent) Intent {
	if c, ok := in.(record.Copy); ok {
		return Copy(c)
	}
	return nil
}
