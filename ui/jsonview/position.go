package jsonview

// A Position is where a reader is in a body: the top of the window, and the cursor.
type Position struct{ top, at place }

// Position returns where the reader is.
func (v *View) Position() Position { return v.win.position() }

// Return goes back to a position.
func (v *View) Return(at Position) { v.win.goBack(at) }

// Position returns where the reader is.
func (b *Bytes) Position() Position { return b.win.position() }

// Return goes back to a position.
func (b *Bytes) Return(at Position) { b.win.goBack(at) }

func (s *window) position() Position { return Position{s.top, s.at} }

func (s *window) goBack(at Position) { s.top, s.at, s.full = at.top, at.at, fullWindow{} }
