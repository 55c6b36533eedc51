package ui

import (
	"context"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"parley/a2a"
	"parley/session"
)

// benchModel is a screen of 200×60 in the middle of the booking's itinerary, and
// the chunk that comes next.
func benchModel(b *testing.B) (*Model, session.Item) {
	b.Helper()
	m := New(context.Background(), Options{
		Engine: &fakeEngine{}, Feed: session.NewFeed(), Theme: "dark", Now: time.Now, Getenv: func(string) string { return "" },
	})
	m.Update(tea.WindowSizeMsg{Width: 200, Height: 60})
	items := recording(b, "booking.jsonl")
	for i := range items[:midStream] {
		m.Update(batchMsg{Items: items[i : i+1]})
	}
	for at := range m.state.Agents[0].Conversations {
		m.goTo(place{agent: 1, conv: m.state.Agents[0].Conversations[at].ID})
	}
	for _, job := range m.panes.chat.Jobs() {
		m.Update(renderedMsg{Done: job.Run()})
	}
	m.View()
	return m, items[midStream]
}

// BenchmarkFrame is a frame of 200×60: composed again though no pane changed, and
// composed because a chunk came. Its floors are lipgloss joining the same panes, and
// the renderer's own work on a changed frame: parse, compare, write.
func BenchmarkFrame(b *testing.B) {
	b.Run("compose", func(b *testing.B) {
		m, _ := benchModel(b)
		b.ReportAllocs()
		for b.Loop() {
			m.touch()
			m.View()
		}
	})
	b.Run("chunk", func(b *testing.B) {
		m, next := benchModel(b)
		items := []session.Item{next}
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			items[0].Record.ID = a2a.RecordID(m.state.Log.Len() + 1)
			m.Update(batchMsg{Items: items})
			m.View()
			if i%1000 == 999 { // a long stream is measured in test/bench
				b.StopTimer()
				m, _ = benchModel(b)
				b.StartTimer()
			}
		}
	})
	b.Run("unchanged", func(b *testing.B) {
		m, _ := benchModel(b)
		for b.Loop() {
			m.View()
		}
	})
	b.Run("floor-lipgloss", func(b *testing.B) {
		m, _ := benchModel(b)
		l := m.screen.layout
		agents, talk := strings.Join(m.agentsFrame(), "\n"), strings.Join(m.talkFrame(), "\n")
		wire := strings.Join(m.panes.wire.Lines(), "\n")
		wire = lipgloss.NewStyle().Border(lipgloss.RoundedBorder()).Padding(0, 1).Width(l.Wire.W).Height(l.Wire.H).Render(wire)
		header, footer := m.header(200), m.footer(200)
		b.ReportAllocs()
		for b.Loop() {
			lipgloss.JoinVertical(lipgloss.Left, header, lipgloss.JoinHorizontal(lipgloss.Top, agents, talk, wire), footer)
		}
	})
	b.Run("floor-renderer", func(b *testing.B) {
		m, next := benchModel(b)
		before := m.View().Content
		next.Record.ID = a2a.RecordID(m.state.Log.Len() + 1)
		m.Update(batchMsg{Items: []session.Item{next}})
		frames := []*uv.StyledString{uv.NewStyledString(before), uv.NewStyledString(m.View().Content)}
		written := &counter{}
		screen := uv.NewTerminalRenderer(written, []string{"TERM=xterm-256color", "COLORTERM=truecolor"})
		screen.SetFullscreen(true)
		cells := uv.NewScreenBuffer(200, 60)
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			cells.Clear()
			frames[i%2].Draw(cells, cells.Bounds())
			screen.Render(cells.RenderBuffer)
			if err := screen.Flush(); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(written.n)/float64(b.N), "B-written/op")
	})
}

// counter counts what is written to it.
type counter struct{ n int64 }

func (c *counter) Write(p []byte) (int, error) {
	c.n += int64(len(p))
	return len(p), nil
}
