package journal

import (
	"errors"
	"path/filepath"
	"strings"
	"time"
)

// SessionsDir returns where journals are kept on a platform (a GOOS):
// $XDG_STATE_HOME/parley/sessions, or the platform's own folder for such files.
func SessionsDir(goos string, getenv func(string) string) (string, error) {
	home := getenv("HOME")
	base := getenv("XDG_STATE_HOME")
	switch {
	case filepath.IsAbs(base):
	case goos == "windows":
		if base = getenv("LOCALAPPDATA"); base == "" {
			return "", errors.New("%LOCALAPPDATA% is not set, so Parley has no folder for its files; set it, or use --record FILE")
		}
	case home == "":
		return "", errors.New("neither $XDG_STATE_HOME nor $HOME is set, so Parley has no folder for its files; set one of them, or use --record FILE")
	case goos == "darwin":
		base = filepath.Join(home, "Library", "Application Support")
	default:
		base = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(base, "parley", "sessions"), nil
}

// FileName names the journal of a session by its start, so that names sort by time, and by
// the beginning of an id of its own.
func FileName(began time.Time, id string) string {
	const short = 6
	var some strings.Builder
	for _, r := range id {
		if some.Len() < short && ('a' <= r && r <= 'z' || '0' <= r && r <= '9') {
			some.WriteRune(r)
		}
	}
	return began.UTC().Format("20060102-150405") + "-" + some.String() + ".jsonl"
}
