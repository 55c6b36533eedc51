package session

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// journalSuffix ends the names of journals.
const journalSuffix = ".jsonl"

// fileTime is how a journal's name begins: its names sort by time.
const fileTime = "20060102-150405"

// A Store is the folder that holds the journals of earlier sessions.
type Store struct {
	dir string
	now func() time.Time
	id  func() string
}

// NewStore returns the store in dir, which is made with the first journal. The
// names of new files begin with now's time and end with the beginning of an id.
func NewStore(dir string, now func() time.Time, id func() string) *Store {
	return &Store{dir: dir, now: now, id: id}
}

// SessionsDir returns where journals are kept on a platform (a GOOS):
// $XDG_STATE_HOME/parley/sessions, or the platform's own folder for such files.
func SessionsDir(goos string, getenv func(string) string) (string, error) {
	home := getenv("HOME")
	base := getenv("XDG_STATE_HOME")
	switch {
	case filepath.IsAbs(base):
	case goos == "windows":
		if base = getenv("LOCALAPPDATA"); base == "" {
			return "", errors.New("%LOCALAPPDATA% is not set, so there is no place for sessions; use --record FILE or --no-record")
		}
	case home == "":
		return "", errors.New("neither $XDG_STATE_HOME nor $HOME is set, so there is no place for sessions; use --record FILE or --no-record")
	case goos == "darwin":
		base = filepath.Join(home, "Library", "Application Support")
	default:
		base = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(base, "parley", "sessions"), nil
}

// New returns the name of a file that does not exist yet.
func (s *Store) New() string {
	const short = 6
	var id strings.Builder
	for _, r := range s.id() {
		if id.Len() < short && ('a' <= r && r <= 'z' || '0' <= r && r <= '9') {
			id.WriteRune(r)
		}
	}
	return filepath.Join(s.dir, s.now().UTC().Format(fileTime)+"-"+id.String()+journalSuffix)
}

// A StoredSession is a journal in a store.
type StoredSession struct {
	Path string
	Time time.Time // when it began
	Size int64
}

// List returns the store's journals, the newest first. A store that was never
// used is empty.
func (s *Store) List() ([]StoredSession, error) {
	entries, err := os.ReadDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var list []StoredSession
	for _, e := range entries {
		name := e.Name()
		if len(name) < len(fileTime) || !strings.HasSuffix(name, journalSuffix) || !e.Type().IsRegular() {
			continue
		}
		began, err := time.ParseInLocation(fileTime, name[:len(fileTime)], time.UTC)
		if err != nil {
			continue
		}
		info, err := e.Info()
		if err != nil {
			continue // it was deleted meanwhile
		}
		list = append(list, StoredSession{Path: filepath.Join(s.dir, name), Time: began, Size: info.Size()})
	}
	slices.Reverse(list) // ReadDir sorts by name, and names begin with the time
	return list, nil
}
