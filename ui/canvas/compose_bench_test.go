package canvas

import (
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
)

// frame consists of three panes of a 200×60 screen, with cached rows.
func frame() [][]string {
	st := dark()
	panes := [][]string{}
	for _, w := range []int{30, 100, 70} {
		iw, ih := Inner(w, 60)
		rows := make([]string, ih)
		for i := range rows {
			rows[i] = Fit(st.Faint.S("12:00 ")+st.Text.S(strings.Repeat("word ", 30)), iw)
		}
		panes = append(panes, Box(st, Frame{Title: "pane"}, w, 60, rows))
	}
	return panes
}

func BenchmarkCompose(b *testing.B) {
	panes := frame()
	blocks := make([]string, len(panes))
	for i, p := range panes {
		blocks[i] = strings.Join(p, "\n")
	}
	b.Run("Columns", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_ = strings.Join(Columns(panes...), "\n")
		}
	})
	b.Run("floor-lipgloss.JoinHorizontal", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_ = lipgloss.JoinHorizontal(lipgloss.Top, blocks...)
		}
	})
}

func BenchmarkBox(b *testing.B) {
	st := dark()
	iw, ih := Inner(100, 60)
	rows := make([]string, ih)
	for i := range rows {
		rows[i] = Fit(st.Text.S(strings.Repeat("word ", 30)), iw)
	}
	border := lipgloss.NewStyle().Border(lipgloss.RoundedBorder()).Padding(0, 1).Width(100)
	b.Run("canvas", func(b *testing.B) {
		for b.Loop() {
			Box(st, Frame{Title: "pane", Note: "4"}, 100, 60, rows)
		}
	})
	b.Run("floor-lipgloss.Style", func(b *testing.B) {
		text := strings.Join(rows, "\n")
		for b.Loop() {
			_ = border.Render(text)
		}
	})
}

func BenchmarkOverlay(b *testing.B) {
	base := Columns(frame()...)
	box := Box(dark(), Frame{Title: "find"}, 80, 20, nil)
	for b.Loop() {
		Overlay(base, box, 60, 10)
	}
}
