package model

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"parley/a2a"
)

func TestRecentCountsEventsOfTheLatestSeconds(t *testing.T) {
	epoch := time.Date(2026, 11, 20, 14, 2, 7, 0, time.UTC)
	st := StreamStats{Start: epoch}
	at := func(ms int) { st.add(epoch.Add(time.Duration(ms)*time.Millisecond), 10) }
	for _, ms := range []int{0, 500, 999, 1000, 3500, 2000} { // of a clock that was set back
		at(ms)
	}
	if want := []int{3, 1, 0, 2}; !reflect.DeepEqual(st.Recent, want) || st.Events != 6 || st.Bytes != 60 {
		t.Errorf("got recent %v of %d events, want %v", st.Recent, st.Events, want)
	}
	for s := 4; s < 40; s++ {
		at(s * 1000)
	}
	if len(st.Recent) != RecentSeconds {
		t.Errorf("got %d seconds, want %d", len(st.Recent), RecentSeconds)
	}
	at(100_000_000)
	if want := []int{1}; !reflect.DeepEqual(st.Recent, want) {
		t.Errorf("got recent %v after a long pause, want %v", st.Recent, want)
	}
}

func TestTitlesAreTheFirstWords(t *testing.T) {
	for text, want := range map[string]string{
		"  Book me\n\ta flight ": "Book me a flight",
		strings.Repeat("ü", 70):  strings.Repeat("ü", 60) + "…",
		" \n ":                   "1",
	} {
		m := &a2a.Message{Parts: []a2a.Part{a2a.DataPart([]byte("1")), a2a.TextPart(text)}}
		if got := title(m, m.Text()); got != want {
			t.Errorf("%q: got title %q, want %q", text, got, want)
		}
	}
}
