package journal

import (
	"path/filepath"
	"testing"

	"parley/session/sessiontest"
)

func TestAJournalIsNamedByItsTime(t *testing.T) {
	if got, want := FileName(sessiontest.Epoch, "9F-a1b2c3d4"), "20261120-140207-9a1b2c.jsonl"; got != want {
		t.Errorf("got name %s, want %s", got, want)
	}
}

func TestSessionsDirIsThePlatformsOwn(t *testing.T) {
	tests := []struct {
		goos string
		env  map[string]string
		want string // empty for an error
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
			t.Errorf("%s with %v: got directory %q (%v), want %q", tt.goos, tt.env, got, err, tt.want)
		}
	}
}
