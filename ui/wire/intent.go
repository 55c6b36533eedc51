package wire

import "parley/a2a"

// An Intent is what the pane asks the root model to do: [Reveal], [Copy], [Save] or [Say], or
// nil if nothing.
type Intent interface{ intent() }

// Reveal asks to show Record's place in the conversation.
type Reveal struct{ Record a2a.RecordID }

// Copy asks to copy Text unchanged. What names it, such as "record 10".
type Copy struct{ Text, What string }

// Save asks to write Data to a new file. Name is a portable file name; What names the data,
// such as "the body of record 10".
type Save struct {
	Name, What string
	Data       []byte
}

// Say asks to show Text, one sentence.
type Say struct{ Text string }

// AskComment asks for a comment on a record.
type AskComment struct{ Record a2a.RecordID }

func (Reveal) intent() {}
func (Copy) intent()   {}
func (Save) intent()   {}
func (Say) intent()    {}

func (AskComment) intent() {}
