package annotation

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"

	"parley/internal/sharedfile"
)

const (
	// maxFile is the longest file that is read, in bytes.
	maxFile = 16 << 20
	// Suffix ends the name of the file, in place of the session file's .jsonl.
	Suffix = ".annotations.json"
	// lockName is the file in each folder whose lock excludes other writers.
	lockName = ".annotations.lock"
)

// Path returns the file with the annotations of a session file.
func Path(session string) string { return strings.TrimSuffix(session, ".jsonl") + Suffix }

// A File has the annotations of one session. It is safe for use by several goroutines.
type File struct {
	mu      sync.Mutex // serialises changes
	path    string     // empty if nothing is saved
	content atomic.Pointer[Content]
}

// Open returns the annotations of a session file; the first change creates their file. Without a
// session file, the annotations last as long as the program.
func Open(session string) *File {
	f := &File{}
	if session != "" {
		f.path = Path(session)
	}
	return f
}

// Path returns the name of the file, empty if nothing is saved.
func (f *File) Path() string { return f.path }

// Content returns the content at the last read, and reads only if there was none. The caller
// must not change it.
func (f *File) Content() *Content {
	if c := f.content.Load(); c != nil {
		return c
	}
	_, _ = f.Load() // who needs the reason calls Load
	return f.content.Load()
}

// Known returns the content at the last read, nil if there was none.
func (f *File) Known() *Content { return f.content.Load() }

// Load reads the content. A missing file has none; for an unusable one, the error says why in a
// clause.
func (f *File) Load() (Content, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	c, err := f.load()
	f.content.Store(&c)
	return c, err
}

func (f *File) load() (Content, error) {
	if f.path == "" {
		if c := f.content.Load(); c != nil {
			return *c, nil
		}
		return Content{}, nil
	}
	info, err := os.Stat(f.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Content{}, nil
	case err != nil:
		return Content{}, err
	case !info.Mode().IsRegular():
		return Content{}, &fs.PathError{Op: "open", Path: f.path, Err: errors.New("it is not a regular file")}
	case info.Size() > maxFile:
		return Content{}, fmt.Errorf("%w: it is too long", ErrUnreadable)
	}
	data, err := os.ReadFile(f.path)
	if err != nil {
		return Content{}, err
	}
	return parse(data)
}

// Update changes the content, and returns the new one. An error of change is returned unchanged,
// and nothing is written. A file without annotations, or one with mistakes, is first renamed; a
// newer Parley's is not changed.
func (f *File) Update(change func(*Content) error) (Content, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.path != "" {
		unlock, err := sharedfile.Lock(filepath.Join(filepath.Dir(f.path), lockName))
		if err != nil {
			return *f.known(), err
		}
		defer unlock()
	}
	old, err := f.load()
	broken := errors.Is(err, ErrUnreadable) || len(old.Mistakes) > 0
	if err != nil && !broken {
		return *f.known(), err
	}
	c := old.clone()
	if err := change(&c); err != nil {
		return old, err
	}
	c.Mistakes = nil
	if err := f.save(&c, broken); err != nil {
		return *f.known(), err
	}
	f.content.Store(&c)
	return c, nil
}

func (f *File) known() *Content {
	if c := f.content.Load(); c != nil {
		return c
	}
	return &Content{}
}

// save writes the content; without any, there is no file.
func (f *File) save(c *Content, broken bool) error {
	if f.path == "" {
		return nil
	}
	if broken {
		if err := sharedfile.PutAside(f.path); err != nil {
			return err
		}
	}
	if c.Empty() {
		if err := os.Remove(f.path); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	return sharedfile.Replace(f.path, c.format())
}
