package model

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// tagCells is how wide a tag is at most, on a terminal.
const tagCells = 4

// Tags give each agent a tag: a few letters and digits that tell it from the agents before it. A tag never
// changes, and it depends on the records alone, in their order, so that a replay shows the same ones.
type Tags struct {
	taken map[string]bool // in lower case
	names [][]string      // the words of the names so far
	next  map[string]int  // the next number for a beginning
}

// Limits of what is read for a tag, because names and their number come from others.
const (
	tagNameLimit  = 512 // bytes of a name
	tagNamesLimit = 500 // earlier names that are compared with it
	firstNumber   = 2   // of the second agent with a name
)

// Several reports whether the session has had several agents, which tags tell apart.
func (t *Tags) Several() bool { return len(t.names) > 1 }

// give gives an agent its tag, once its name is known or it turned out to have none.
func (t *Tags) give(a *Agent) {
	if a.Given != "" || a.Phase != Discovering {
		t.settle(a)
	}
}

// settle gives an agent its tag by what is known of its name now.
func (t *Tags) settle(a *Agent) {
	if a.Tag != "" {
		return
	}
	if t.taken == nil {
		t.taken, t.next = map[string]bool{}, map[string]int{}
	}
	own := tagWords(a.Name())
	if a.Name() == a.Ref {
		own = addressWords(a.Ref)
	}
	if len(own) == 0 {
		own = []string{"a" + strconv.FormatUint(uint64(a.ID), 10)}
	}
	a.Tag = t.choose(own)
	t.taken[strings.ToLower(a.Tag)] = true
	t.names = append(t.names, own)
}

// choose returns the first tag for a name that no other agent has.
func (t *Tags) choose(own []string) string {
	known := t.names[max(0, len(t.names)-tagNamesLimit):]
	equal := func(other []string) bool { return slices.EqualFunc(own, other, strings.EqualFold) }
	short := shortWords(own)
	if !slices.ContainsFunc(known, equal) {
		last := own[len(own)-1]
		all := []string{short}
		if hasDigit(last) && !isNumber(last) && cellsOf(last) <= tagCells {
			all = []string{last, short}
		}
		for _, other := range known {
			if rest := withoutCommon(own, other); len(rest) > 0 {
				all = append(all, shortWords(rest))
			}
		}
		ends := strings.Join(own, "")
		all = append(all, headOf(ends, tagCells/2)+tailOf(ends, tagCells/2))
		for _, tag := range all {
			if tag != "" && cellsOf(tag) <= tagCells && !t.taken[strings.ToLower(tag)] {
				return tag
			}
		}
	}
	from := strings.ToLower(short)
	for n := max(t.next[from], firstNumber); ; n++ {
		number := strconv.Itoa(n)
		if tag := headOf(short, tagCells-len(number)) + number; !t.taken[strings.ToLower(tag)] {
			t.next[from] = n + 1
			return tag
		}
	}
}

// tagWords returns the words of a name that a tag can be made of: letters and digits that can be seen.
func tagWords(name string) []string {
	if len(name) > tagNameLimit { // names often differ in their end
		name = name[:tagNameLimit/2] + " " + name[len(name)-tagNameLimit/2:]
	}
	name = strings.Map(func(r rune) rune {
		if r == utf8.RuneError || unicode.IsMark(r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) {
			return -1
		}
		return r
	}, name)
	return strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// addressWords returns the words of an address: its port alone if it has one, which tells agents of one machine apart.
func addressWords(ref string) []string {
	if at := strings.LastIndexByte(ref, '@'); at >= 0 { // a user and a password stand before it
		ref = ref[at+1:]
	}
	_, rest, ok := strings.Cut(ref, "://")
	if !ok {
		rest = ref
	}
	host, _, _ := strings.Cut(rest, "/")
	if at := strings.LastIndexByte(host, ':'); at >= 0 && isNumber(host[at+1:]) {
		return []string{host[at+1:]}
	}
	return tagWords(rest)
}

// shortWords shortens words to a tag: a word alone to its beginning, several to their first letters. Digits at the end
// stay, because names are often numbered.
func shortWords(words []string) string {
	last := words[len(words)-1]
	if len(words) == 1 {
		digits := last[len(strings.TrimRightFunc(last, unicode.IsDigit)):]
		switch {
		case cellsOf(last) <= tagCells || digits == "":
			return headOf(last, tagCells)
		case digits == last: // such as a port
			return tailOf(last, tagCells)
		}
		digits = tailOf(digits, tagCells-1)
		return headOf(last, 1) + digits
	}
	end := headOf(last, firstCells(last))
	if hasDigit(last) {
		end = tailOf(last, tagCells)
	}
	var b strings.Builder
	room := tagCells - cellsOf(end)
	for _, w := range words[:len(words)-1] {
		first := headOf(w, firstCells(w))
		if isNumber(w) {
			first = w
		}
		if room -= cellsOf(first); room < 0 {
			break
		}
		b.WriteString(first)
	}
	return b.String() + end
}

// withoutCommon returns a name without the words, and the letters of a word, with which another one begins too.
func withoutCommon(own, other []string) []string {
	n := 0
	for n < len(own) && n < len(other) && strings.EqualFold(own[n], other[n]) {
		n++
	}
	if n == len(own) || n == 0 && len(own)+len(other) > 2 {
		return nil
	}
	rest := slices.Clone(own[n:])
	if n < len(other) && strings.EqualFold(headOf(rest[0], tagCells), headOf(other[n], tagCells)) && cellsOf(rest[0]) > tagCells {
		a, b := []rune(rest[0]), []rune(other[n])
		same := 0
		for same < len(a) && same < len(b) && a[same] == b[same] {
			same++
		}
		if same < len(a) {
			rest[0] = string(a[same:])
		}
	}
	return rest
}

// cells returns how wide a letter is at most. Terminals know no narrower ones among those that are wide somewhere.
func cells(r rune) int {
	const wide = 0x1100 // the first letters of two cells
	if r < wide {
		return 1
	}
	return 2
}

// cellsOf returns how wide a text is at most.
func cellsOf(s string) (n int) {
	for _, r := range s {
		n += cells(r)
	}
	return n
}

// firstCells returns how wide the first letter of a word is.
func firstCells(word string) int {
	r, _ := utf8.DecodeRuneInString(word)
	return cells(r)
}

// headOf returns the beginning of a text that is at most w cells wide.
func headOf(s string, w int) string {
	for i, r := range s {
		if w -= cells(r); w < 0 {
			return s[:i]
		}
	}
	return s
}

// tailOf returns the end of a text that is at most w cells wide.
func tailOf(s string, w int) string {
	for i := len(s); i > 0; {
		r, n := utf8.DecodeLastRuneInString(s[:i])
		if w -= cells(r); w < 0 {
			return s[i:]
		}
		i -= n
	}
	return s
}

func hasDigit(s string) bool { return strings.ContainsFunc(s, unicode.IsDigit) }

func isNumber(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsDigit(r) })
}
