package list

import (
	"fmt"
	"testing"
)

// model is a simple, slow List: it has all lines in one slice.
type model struct {
	src        *lines
	h          int
	follow     bool
	item, line int
}

// flat returns the item and line of every line, and where each item begins.
func (m *model) flat() (all [][2]int, start []int) {
	for i, h := range m.src.heights {
		start = append(start, len(all))
		for y := range h {
			all = append(all, [2]int{i, y})
		}
	}
	return all, start
}

// top returns the line in the first row.
func (m *model) top() int {
	all, start := m.flat()
	end := max(len(all)-m.h, 0)
	if m.follow {
		return end
	}
	m.item = min(max(m.item, 0), len(start)-1)
	m.line = min(max(m.line, 0), max(m.src.heights[m.item]-1, 0))
	return min(start[m.item]+m.line, end)
}

func (m *model) set(top int) {
	all, _ := m.flat()
	if len(all) == 0 {
		m.item, m.line = 0, 0
		return
	}
	at := all[min(max(top, 0), len(all)-1)]
	m.item, m.line = at[0], at[1]
}

func (m *model) atEnd() bool {
	all, _ := m.flat()
	return m.top() >= len(all)-m.h
}

func (m *model) scroll(n int) {
	if n == 0 {
		return
	}
	all, _ := m.flat()
	before := m.top()
	top := min(max(before+n, 0), max(len(all)-m.h, 0))
	follow := m.follow && top == before
	m.follow = false
	m.set(top)
	m.follow = n < 0 && follow || n > 0 && m.atEnd()
}

func (m *model) window() []string {
	all, _ := m.flat()
	rows := []string{}
	for y := m.top(); y < min(m.top()+m.h, len(all)); y++ {
		rows = append(rows, row(all[y][0], all[y][1], 8))
	}
	for len(rows) < m.h {
		rows = append(rows, row(0, 0, 8)[:0]+"        ")
	}
	return rows
}

func FuzzListAgainstModel(f *testing.F) {
	f.Add([]byte{0, 3, 1, 5, 2, 9, 3, 1, 4, 0, 5, 0, 6, 2, 7, 1})
	f.Add([]byte{0, 200, 0, 7, 4, 0, 2, 130, 0, 9, 1, 3, 3, 255})
	f.Fuzz(func(t *testing.T, ops []byte) {
		for _, knows := range []bool{false, true} {
			src := source(1)
			var l List
			l.SetSource(src)
			if knows {
				l.SetSource(measured{src})
			}
			l.SetSize(8, 4)
			compare(t, &l, &model{src: src, h: 4}, ops)
		}
	})
}

// measured is a source that knows heights.
type measured struct{ *lines }

func (s measured) Height(i, _ int) int { return s.heights[i] }

// compare applies operations to a list and to its model.
func compare(t *testing.T, l *List, m *model, ops []byte) {
	t.Helper()
	for ; len(ops) >= 2; ops = ops[2:] {
		arg := int(int8(ops[1]))
		apply(l, m, ops[0]%8, arg)
		got, want := fmt.Sprintf("%q", l.Lines()), fmt.Sprintf("%q", m.window())
		if got != want {
			t.Fatalf("after op %d(%d):\n got %s\nwant %s", ops[0]%8, arg, got, want)
		}
		if l.Following() != m.follow || l.AtBottom() != m.atEnd() {
			t.Fatalf("after op %d(%d): following %v, at bottom %v; want %v, %v",
				ops[0]%8, arg, l.Following(), l.AtBottom(), m.follow, m.atEnd())
		}
	}
}

func apply(l *List, m *model, op byte, arg int) {
	src := m.src
	switch op {
	case 0:
		src.add((arg & 0xff) % 7)
	case 1:
		i := (arg & 0xff) % len(src.heights)
		src.resize(i, (src.heights[i]+arg&3)%7)
	case 2:
		l.ScrollBy(arg)
		m.scroll(arg)
	case 3:
		l.ScrollTo(arg, arg&3)
		m.follow, m.item, m.line = false, arg, arg&3
		m.set(m.top())
	case 4:
		l.End()
		m.follow = true
	case 5:
		m.set(m.top())
		l.SetFollow(arg&1 == 0)
		m.follow = arg&1 == 0
	case 6:
		m.h = 1 + (arg&0xff)%8
		l.SetSize(8, m.h)
	case 7:
		l.Invalidate(arg)
	}
	m.set(m.top()) // the list corrects its position when it draws
}
