package wire

import "parley/a2a"

// An Intent is something that the pane asks its user to do. It is one of [Reveal],
// [Copy], [Save] and [Say], or nil when the key was dealt with.
type Intent interface{ intent() }

// Reveal asks to show in the conversation what Record built.
type Reveal struct{ Record a2a.RecordID }

// Copy asks to copy Text, exactly as it is. What names it, such as "record 10".
type Copy struct{ Text, What string }

// Save asks to write Data to a new file. Name is a file name that is safe anywhere;
// What names the data, such as "the body of record 10".
type Save struct {
	Name, What string
	Data       []byte
}

// Say asks to tell Text, one sentence, where the user looks.
type Say struct{ Text string }

func (Reveal) intent() {}
func (Copy) intent()   {}
func (Save) intent()   {}
func (Say) intent()    {}
