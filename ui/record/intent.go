package record

import "parley/a2a"

// An Intent is what the view asks the pane to do: [Copy], [Save], [Select] or [Say], or nil if
// nothing.
type Intent interface{ intent() }

// Copy asks to copy Text unchanged. What names it, such as "record 10".
type Copy struct{ Text, What string }

// Save asks to write Data to a new file. Name is a portable file name; What names the data,
// such as "the body of record 10".
type Save struct {
	Name, What string
	Data       []byte
}

// Select asks to select another record of the log.
type Select struct{ Record a2a.RecordID }

// Say asks to show Text, one sentence.
type Say struct{ Text string }

func (Copy) intent()   {}
func (Save) intent()   {}
func (Select) intent() {}
func (Say) intent()    {}
