package cli

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"parley/internal/units"
	"parley/session/journal"
)

// sessionFile returns the file that a word names: a file, a recorded session, or the beginning of
// a name that no other session has. A word that names none of them is returned as it is.
func (a *app) sessionFile(word string) (path string, err error) {
	if _, err := os.Stat(word); err == nil || word == "" || strings.ContainsAny(word, `/\`) {
		return word, nil
	}
	dir, err := journal.SessionsDir(runtime.GOOS, a.env.get)
	if err != nil {
		return word, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return word, nil
	}
	name := strings.TrimSuffix(word, ".jsonl")
	var found []string
	for _, e := range entries {
		session, ok := strings.CutSuffix(e.Name(), ".jsonl")
		switch {
		case !ok:
		case session == name:
			return filepath.Join(dir, e.Name()), nil
		case strings.HasPrefix(session, name):
			found = append(found, filepath.Join(dir, e.Name()))
		}
	}
	switch len(found) {
	case 0:
		return word, nil
	case 1:
		return found[0], nil
	default:
		return "", usage("%q is the beginning of %s: write more of the name.", line(word), units.Plural(len(found), "session name"))
	}
}

// sessionWord returns the shortest word that names a session file on a command line: when the session
// began, its whole name, or the path.
func (a *app) sessionWord(path string) string {
	name := strings.TrimSuffix(filepath.Base(path), ".jsonl")
	words := []string{name}
	const form = "20060102-150405" // as names of files begin
	began := name[:min(len(name), len(form))]
	if _, err := time.Parse(form, began); err == nil {
		words = []string{began, name}
	}
	for _, word := range words {
		if found, err := a.sessionFile(word); err == nil && found == path && word != path {
			return shellWord(word)
		}
	}
	if strings.HasPrefix(path, "-") {
		path = "./" + path // else it is a flag
	}
	return shellWord(path)
}

// named returns the session that a word names, as sessionFile does. That nothing has this name is
// an error.
func (a *app) named(word string) (path string, err error) {
	path, err = a.sessionFile(word)
	if err != nil {
		return "", err
	}
	if path != word { // the name of a recording
		return path, nil
	}
	if info, err := os.Stat(path); err == nil && !info.IsDir() && !info.Mode().IsRegular() { // opening a pipe would wait
		return "", misnamed("%s is not the file of a session: parley sessions lists the recorded sessions.", line(word))
	}
	r, err := journal.Open(path)
	if err != nil {
		return "", notOpened(word, err)
	}
	r.Close()
	return path, nil
}

// onSession does something with the file that a word names, as sessionFile finds it.
func (a *app) onSession(word string, do func(path string) error) error {
	path, err := a.sessionFile(word)
	if err != nil {
		return err
	}
	return do(path)
}
