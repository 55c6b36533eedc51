package session

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestStoreListsItsJournalsNewestFirst(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "sessions")
	at := epoch
	s := NewStore(dir, func() time.Time { return at }, func() string { return "9F-a1b2c3d4" })
	if list, err := s.List(); err != nil || len(list) != 0 {
		t.Fatalf("a store that was never used: %v, %v", list, err)
	}
	var made []string
	for range 3 {
		path := s.New()
		j, err := CreateJournal(path, JournalOptions{Now: func() time.Time { return at }})
		if err != nil {
			t.Fatal(err)
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		made = append(made, path)
		at = at.Add(time.Hour)
	}
	for _, other := range []string{"notes.txt", "x.jsonl", "20261399-000000-x.jsonl"} {
		if err := os.WriteFile(filepath.Join(dir, other), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	list, err := s.List()
	if err != nil || len(list) != 3 {
		t.Fatalf("List: %+v, %v", list, err)
	}
	for i, got := range list {
		if got.Path != made[2-i] || got.Size == 0 {
			t.Errorf("place %d: %+v, want %s", i, got, made[2-i])
		}
	}
	if want := epoch.Add(2 * time.Hour).Truncate(time.Second); !list[0].Time.Equal(want) {
		t.Errorf("the newest began %v, want %v", list[0].Time, want)
	}
	if want := filepath.Join(dir, "20261120-140207-9a1b2c.jsonl"); made[0] != want {
		t.Errorf("name %s, want %s", made[0], want)
	}
}

func TestSessionsDirIsThePlatformsOwn(t *testing.T) {
	tests := []struct {
		goos string
		env  map[string]string
		want string // empty: an error
	}{
		{"linux", map[string]string{"HOME": "/home/a"}, "/home/a/.local/state/parley/sessions"},
		{"linux", map[string]string{"HOME": "/home/a", "XDG_STATE_HOME": "/s"}, "/s/parley/sessions"},
		{"linux", map[string]string{"HOME": "/home/a", "XDG_STATE_HOME": "relative"}, "/home/a/.local/state/parley/sessions"},
		{"darwin", map[string]string{"HOME": "/Users/a"}, "/Users/a/Library/Application Support/parley/sessions"},
		{"windows", map[string]string{"LOCALAPPDATA": "/local"}, "/local/parley/sessions"},
		{"windows", nil, ""},
		{"linux", nil, ""},
	}
	for _, tt := range tests {
		got, err := SessionsDir(tt.goos, func(k string) string { return tt.env[k] })
		if got != filepath.FromSlash(tt.want) || (err != nil) != (tt.want == "") {
			t.Errorf("%s with %v: %q, %v; want %q", tt.goos, tt.env, got, err, tt.want)
		}
	}
}
