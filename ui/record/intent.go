package record

// An Intent is something that the view asks its user to do. It is a [Copy], or nil
// when the key was dealt with.
type Intent interface{ intent() }

// Copy asks to copy Text, exactly as it is. What names it, such as "record 10".
type Copy struct{ Text, What string }

func (Copy) intent() {}
