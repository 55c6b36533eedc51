// Package canvas is the only place in Parley that counts terminal cells.
//
// A block is a []string of rows; a row has no line break, is exactly as many
// cells wide as its block, and leaves no attribute switched on behind it. Panes
// build blocks with [Fit] and [Wrap], or of rows of any size with [Block] and [Stack],
// frame them with [Box], and the root model puts blocks beside each other with
// [Columns] and on top of each other with [Overlay]. Since every row is exact, joining
// them is concatenation.
//
// Nothing that came from a network, a file or a keyboard may be measured or drawn
// before it went through [Sanitize], [SanitizeLine] or, when a renderer of our own
// has styled it, [SanitizeRendered].
package canvas
