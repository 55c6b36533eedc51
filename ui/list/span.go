package list

// weighed is how many items a list has at most of which [List.Span] asks for the weights, so that its
// cost does not grow with the list.
const weighed = 256

// Span returns where the window begins, how much of the list it shows, and how much there is, in any
// unit. The weight of an item, above 0, says about how high it is: the heights of those outside of
// the window are not known, and what was rendered before must not matter. Without a weight, and in a
// long list, all items weigh the same.
func (l *List) Span(weight func(i int) int) (top, shown, all int) {
	if !l.place() {
		return 0, 0, 0
	}
	n := l.length()
	before := func(i int) int { return i }
	if weight != nil && n <= weighed {
		before = func(i int) (sum int) {
			for k := range i {
				sum += weight(k)
			}
			return sum
		}
	}
	const unit = 1000 // of a weight
	at := func(i, line int) int {
		w := before(i)
		return w*unit + (before(i+1)-w)*unit*line/max(l.height(i), 1)
	}
	top, all = at(l.item, l.line), before(n)*unit
	if l.atBottom() {
		return top, all - top, all
	}
	return top, at(l.last, l.height(l.last)-l.rest) - top, all
}
