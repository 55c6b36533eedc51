package tap

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/session/journal"
	"parley/session/log"
	"parley/session/model"
	"parley/session/tap/relay"
)

// A session is what a tap records, applied to a state.
type session struct {
	t     *testing.T
	feed  *log.Feed
	rec   *journal.Recorder
	state *model.State
	items []log.Item
}

func newSession(t *testing.T) *session {
	feed := log.NewFeed()
	return &session{t: t, feed: feed, rec: journal.NewRecorder(feed, nil), state: model.NewState()}
}

// wait applies items until enough is true.
func (s *session) wait(enough func() bool) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), time.Minute) // only a failure takes so long
	defer cancel()
	for !enough() {
		items, err := s.feed.Next(ctx, 0)
		if err != nil {
			s.t.Fatalf("got nothing more (%v) after\n%s", err, s.describe())
		}
		for _, it := range items {
			s.state.Apply(it)
			s.items = append(s.items, it)
		}
	}
}

// ends waits until so many exchanges have ended, and what is noted after the last one.
func (s *session) ends(n int) {
	s.t.Helper()
	s.wait(func() bool { return len(s.records(a2a.KindEnd)) >= n })
}

func (s *session) records(kind a2a.RecordKind) (all []*log.Item) {
	for i := range s.items {
		if s.items[i].Signal == nil && s.items[i].Record.Kind == kind {
			all = append(all, &s.items[i])
		}
	}
	return all
}

// notes returns the sentences of notes of a type.
func (s *session) notes(kind string) (all []string) {
	for _, it := range s.records(a2a.KindNote) {
		if it.Record.Note.Type == kind {
			all = append(all, it.Record.Note.Attrs[log.AttrSentence])
		}
	}
	return all
}

// waitNote waits for a note that contains a text.
func (s *session) waitNote(kind, text string) {
	s.t.Helper()
	s.wait(func() bool {
		return slices.ContainsFunc(s.notes(kind), func(said string) bool { return strings.Contains(said, text) })
	})
}

func (s *session) describe() string {
	var b strings.Builder
	for i := range s.items {
		if it := &s.items[i]; it.Signal == nil {
			b.WriteString(string(it.Record.Kind) + " " + log.Describe(it) + "\n")
		}
	}
	return b.String()
}

// everything is all that was recorded, as text.
func (s *session) everything() string {
	var b bytes.Buffer
	w, err := journal.NewWriter(&b, time.Time{})
	if err != nil {
		s.t.Fatal(err)
	}
	for i := range s.items {
		if s.items[i].Signal == nil {
			if err := w.Write(&s.items[i].Record); err != nil {
				s.t.Fatal(err)
			}
		}
	}
	return b.String()
}

// tapped starts an agent and a tap in front of it, and returns the base that clients use.
func tapped(t *testing.T, s *session, agent http.HandlerFunc, change ...func(*Options)) (base string, tap *Tap, target *url.URL) {
	server := httptest.NewServer(agent)
	t.Cleanup(server.Close)
	target, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Target: target, Recorder: s.rec, Secrets: &a2a.Secrets{}}
	for _, f := range change {
		f(&o)
	}
	tap = New(o)
	r, err := relay.Start(t.Context(), relay.Options{Target: o.Target, Observer: tap})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	tap.At(r.URL())
	return r.URL(), tap, target
}
