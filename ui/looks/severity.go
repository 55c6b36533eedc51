package looks

import (
	"parley/a2a"
	"parley/ui/styles"
)

// Severity returns the letter and the paint of a finding's severity. The letter alone
// distinguishes severities where there is no colour.
func Severity(st *styles.Styles, s a2a.Severity) (letter string, paint styles.Paint) {
	switch {
	case s >= a2a.Error:
		return "E", st.Failed
	case s == a2a.Warning:
		return "W", st.Waiting
	default:
		return "i", st.Dim
	}
}
