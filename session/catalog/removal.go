package catalog

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"parley/internal/sharedfile"
	"parley/session/annotation"
)

// ErrHeld means that a Parley writes the session now, or goes on with it.
var ErrHeld = errors.New("a Parley records it now, or goes on with it; quit that one first")

// Delete deletes a session with its annotations. The error is a clause.
func Delete(path string) error {
	switch err := sharedfile.RemoveUnheld(path); {
	case errors.Is(err, sharedfile.ErrBusy):
		return ErrHeld
	case err != nil:
		return plain(err)
	}
	if err := os.Remove(annotation.Path(path)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("its annotations remain (%w)", plain(err))
	}
	return nil
}

// Old returns the sessions that were last written before a time and are not being written, in
// the order of the list; with keepPinned without the pinned ones. A session whose annotations
// cannot be read may be pinned.
func Old(sessions []Session, before time.Time, keepPinned bool) (old []Session) {
	for _, s := range sessions {
		pinned := s.Annotations.Pinned || s.AnnotationProblem != ""
		if s.Modified.Before(before) && !s.Held && !(keepPinned && pinned) {
			old = append(old, s)
		}
	}
	return old
}
