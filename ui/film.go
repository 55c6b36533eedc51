package ui

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/log"
	"parley/ui/control"
	"parley/ui/shot"
)

// A Film draws a session without a terminal: the frames that a user would have seen while it was
// recorded. It belongs to one goroutine. What runs beside the screen otherwise, such as the
// rendering of Markdown, is done before each frame.
type Film struct {
	m    *Model
	now  time.Time
	rows []string // of the last frame
}

// FilmOptions say how a film looks.
type FilmOptions struct {
	Width, Height int
	Theme         Theme  // auto is dark: there is no terminal to ask
	Name          string // of the session
}

// NewFilm returns a film without records.
func NewFilm(ctx context.Context, o FilmOptions) *Film {
	f := &Film{}
	feed := log.NewFeed()
	feed.Close()
	f.m = New(ctx, Options{
		Engine: RecordingEngine(), Feed: feed, Theme: o.Theme, Name: o.Name, Silent: true,
		Getenv: func(string) string { return "" }, Now: func() time.Time { return f.now }, Paced: func() bool { return true },
	})
	f.m.Update(tea.WindowSizeMsg{Width: o.Width, Height: o.Height})
	return f
}

// Add takes a record. The screen goes to the conversation to which a message is sent.
func (f *Film) Add(it log.Item) {
	r := &it.Record
	f.now = r.Time
	f.m.batch(batchMsg{Items: []log.Item{it}})
	if c := r.Call; r.Kind == a2a.KindRequest && c != nil && c.Conversation != 0 && c.Conversation != f.m.cur.Conversation && f.m.state.Conversation(c.Conversation) != nil {
		f.m.goTo(control.Place{Agent: c.Agent, Conversation: c.Conversation})
	}
}

// Frame draws the screen at a time, and returns the rows that changed since the last frame as
// escape sequences; empty if none did.
func (f *Film) Frame(at time.Time) string {
	f.now = at
	setNow(f.m)
	f.m.touch()
	for range maxJobs {
		prepare(f.m)
		if !f.work() {
			break
		}
	}
	rows := strings.Split(f.m.View().Content, "\n")
	changed := shot.Changes(f.rows, rows)
	f.rows = rows
	return changed
}

// maxJobs is how often a frame is prepared again because jobs changed something.
const maxJobs = 64

// work runs the jobs of the panes. It reports whether there were any.
func (f *Film) work() bool {
	some := false
	for _, p := range f.m.pair.Shown() {
		for _, job := range p.Jobs() {
			some = true
			f.m.rendered(job.Run())
		}
	}
	for _, job := range f.m.panes.wire.Jobs() {
		some = true
		job()()
	}
	f.m.touch()
	return some
}
