package ui

import (
	"context"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
	"parley/ui/control"
	drawn "parley/ui/present"
)

// The records of testdata/booking.jsonl with the itinerary.
const (
	firstChunk = 45
	lastChunk  = 126
)

// workbench returns a model that has applied the recorded booking up to a record, without a
// bubble and without running its commands.
func workbench(b *testing.B, upTo a2a.RecordID) (m *Model, items []log.Item) {
	b.Helper()
	now := time.Date(2026, 11, 20, 11, 19, 6, 0, time.UTC)
	m = New(context.Background(), Options{
		Engine: &fakeEngine{}, Feed: log.NewFeed(), Theme: Theme{Name: "dark"},
		Getenv: func(string) string { return "" }, Now: func() time.Time { return now },
	})
	items = recording(b, "booking.jsonl")
	m.Update(tea.WindowSizeMsg{Width: 200, Height: 60})
	m.Update(batchMsg{Items: items[:upTo]})
	m.goTo(control.Place{Agent: 1, Conversation: 1})
	m.Update(nil)
	for _, job := range m.panes.chat.Jobs() {
		m.rendered(job.Run())
	}
	m.View()
	return m, items
}

// The benchmark draws a frame of 200×60 after a chunk that changed conversation and wire: it
// applies the chunk, draws both panes and composes the frame. The floor joins panes that were
// already drawn.
func BenchmarkFrame(b *testing.B) {
	b.Run("chunk", func(b *testing.B) {
		m, items := workbench(b, midStream)
		chunks := items[firstChunk-1 : lastChunk]
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			at := i % len(chunks)
			m.Update(batchMsg{Items: chunks[at : at+1]})
			m.View()
		}
	})
	b.Run("compose", func(b *testing.B) {
		m, _ := workbench(b, midStream)
		b.ReportAllocs()
		for b.Loop() {
			m.screen.dirty = true
			m.View()
		}
	})
	b.Run("cached", func(b *testing.B) {
		m, _ := workbench(b, midStream)
		b.ReportAllocs()
		for b.Loop() {
			m.View()
		}
	})
	b.Run("floor-lipgloss.JoinHorizontal", func(b *testing.B) {
		m, _ := workbench(b, midStream)
		var panes []string
		l, memo := m.screen.layout, &m.screen.memo
		agents := m.frame(m.panes.agents, "", &memo.agents, l.Agents, false, drawn.Agents, nil)
		wire := m.frame(m.panes.wire, "", &memo.wire, l.Wire, false, drawn.Wire, nil)
		for _, f := range [][]string{agents, m.talkFrame(), wire} {
			panes = append(panes, strings.Join(f, "\n"))
		}
		b.ReportAllocs()
		for b.Loop() {
			_ = lipgloss.JoinHorizontal(lipgloss.Top, panes...)
		}
	})
}

// The benchmark applies a batch of the maximal size. The floor applies its items to a state
// without panes.
func BenchmarkBatch(b *testing.B) {
	batch := func(items []log.Item) []log.Item {
		out := make([]log.Item, maxBatch)
		for i := range out {
			out[i] = items[firstChunk-1+i%(lastChunk-firstChunk)]
		}
		return out
	}
	b.Run("update", func(b *testing.B) {
		m, items := workbench(b, midStream)
		msg := batchMsg{Items: batch(items)}
		b.ReportAllocs()
		for b.Loop() {
			for left := msg.Items; len(left) > 0; left = left[min(len(left), maxSlice):] {
				m.Update(batchMsg{Items: left[:min(len(left), maxSlice)]})
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*maxBatch), "ns/item")
	})
	b.Run("floor-State.Apply", func(b *testing.B) {
		state := model.NewState()
		items := recording(b, "booking.jsonl")
		for _, it := range items[:midStream] {
			state.Apply(it)
		}
		all := batch(items)
		b.ReportAllocs()
		for b.Loop() {
			for i := range all {
				state.Apply(all[i])
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*maxBatch), "ns/item")
	})
}
