// Package canvas is the only place in Parley that counts terminal cells.
//
// A block is a []string of rows; a row has no line break, is exactly as many cells wide as its
// block, and leaves no attribute switched on behind it. Panes build blocks with [Fit] and
// [Wrap], or from rows of any size with [Block] and [Stack], and frame them with [Box]; the
// root model puts blocks beside each other with [Columns] and on top of each other with
// [Overlay]. Since every row is exact, joining them is concatenation.
//
// Text from a network, a file or a keyboard must not be measured or drawn before it went
// through [Sanitize], [SanitizeLine] or, if a renderer of Parley has styled it,
// [SanitizeRendered].
package canvas
