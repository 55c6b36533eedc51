package catalog

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"parley/a2a"
	"parley/internal/sharedfile"
	"parley/session/annotation"
	"parley/session/journal"
	"parley/session/log"
)

// A Session is one session file of the folder.
type Session struct {
	Path     string
	Size     int64
	Modified time.Time
	// Held is set while a Parley writes the file, or goes on with its session in a new one.
	Held bool
	// Continues is the name of the session that goes on in this one, which may be gone, and
	// ContinuedIn that of the newest session of the folder in which this one goes on.
	Continues, ContinuedIn string
	// Summary is what the file contains, nil until it has been read.
	Summary *Summary
	// Annotations are what the user added. AnnotationProblem says in a clause why they cannot be
	// used, empty if they can.
	Annotations       annotation.Content
	AnnotationProblem string
}

// Name returns the name of the file without its end.
func (s *Session) Name() string { return strings.TrimSuffix(filepath.Base(s.Path), suffix) }

// Began returns when the session began: as its name says, or its first record.
func (s *Session) Began() time.Time {
	const form = "20060102-150405"
	if name := s.Name(); len(name) >= len(form) {
		if t, err := time.Parse(form, name[:len(form)]); err == nil {
			return t
		}
	}
	if s.Summary != nil && !s.Summary.Began.IsZero() {
		return s.Summary.Began
	}
	return s.Modified
}

// Interrupted reports whether the recording ended in the middle of something, because Parley was
// killed, and the session does not go on in another file.
func (s *Session) Interrupted() bool {
	return !s.Held && s.ContinuedIn == "" && s.Summary != nil && s.Summary.Interrupted > 0
}

// Title returns what names the session for the user: the title that it was given, or its first
// prompt; empty if it has neither.
func (s *Session) Title() string {
	if s.Annotations.Title != "" || s.Summary == nil {
		return s.Annotations.Title
	}
	return s.Summary.Prompt
}

const suffix = ".jsonl"

// Options are what a catalog needs besides its folder.
type Options struct {
	// Rules returns a new checker for the findings of one session; nil finds none.
	Rules func() log.Checker
	// Formats render messages that are not JSON.
	Formats map[a2a.Binding]a2a.Format
	// MaxDecoded is the longest file whose tasks and findings are counted, in bytes, 0 for 1 GiB.
	MaxDecoded int64
}

// A Catalog lists the sessions of a folder. It is safe for use by several goroutines.
type Catalog struct {
	dir string
	o   Options

	mu    sync.Mutex
	cache *cache // nil until it is read
}

// Open returns the catalog of a folder. It reads nothing yet.
func Open(dir string, o Options) *Catalog { return &Catalog{dir: dir, o: o} }

// Dir returns the folder.
func (c *Catalog) Dir() string { return c.dir }

// List returns the sessions, the newest first, with the summaries that are cached. A missing
// folder has none.
func (c *Catalog) List() ([]Session, error) {
	files, err := journals(c.dir)
	if err != nil {
		return nil, err
	}
	list := make([]Session, 0, len(files))
	for _, info := range files {
		s := Session{Path: filepath.Join(c.dir, info.Name()), Size: info.Size(), Modified: info.ModTime()}
		s.refresh()
		s.Summary = c.cached(&s)
		list = append(list, s)
	}
	slices.SortStableFunc(list, func(x, y Session) int {
		return cmp.Or(y.Began().Compare(x.Began()), strings.Compare(y.Path, x.Path))
	})
	joinContinued(list)
	return list, nil
}

// joinContinued notes which session goes on in which; of several that continue the same one, the
// first of the list counts.
func joinContinued(list []Session) {
	byName := map[string]*Session{}
	for i := range list {
		byName[list[i].Name()] = &list[i]
	}
	for i := range list {
		name := strings.TrimSuffix(journal.Continues(list[i].Path), suffix)
		if name == list[i].Name() {
			continue
		}
		list[i].Continues = cut(name, maxName)
		if before := byName[name]; before != nil {
			before.ContinuedIn = cmp.Or(before.ContinuedIn, list[i].Name())
		}
	}
}

// refresh reads what changes besides the records.
func (s *Session) refresh() {
	s.Held = sharedfile.Held(s.Path)
	var err error
	s.Annotations, err = annotation.Open(s.Path).Load()
	switch {
	case err != nil:
		s.AnnotationProblem = fmt.Sprintf("%s is not used: %s", filepath.Base(annotation.Path(s.Path)), plain(err))
	case len(s.Annotations.Mistakes) > 0:
		s.AnnotationProblem = fmt.Sprintf("%s has a mistake: %s", filepath.Base(annotation.Path(s.Path)), strings.TrimSuffix(s.Annotations.Mistakes[0], "."))
	}
}

// journals lists the session files of a folder.
func journals(dir string) ([]fs.FileInfo, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var files []fs.FileInfo
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && info.Mode().IsRegular() && strings.HasSuffix(e.Name(), suffix) {
			files = append(files, info)
		}
	}
	return files, nil
}

// Size returns the bytes of all session files, in one pass over the folder.
func Size(dir string) (total int64) {
	files, err := journals(dir)
	if err != nil {
		return 0
	}
	for _, info := range files {
		total += info.Size()
	}
	return total
}

// plain removes the operation and the path from a file error: the sentence around it names them.
func plain(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	return err
}

// Mentions reports whether a text occurs in what names the session, in either case.
func (s *Session) Mentions(text string) bool {
	all := append([]string{s.Name(), s.Title(), s.Annotations.Note}, s.Annotations.Tags...)
	if s.Summary != nil {
		all = append(append(all, s.Summary.Prompt), s.Summary.Agents...)
	}
	text = strings.ToLower(strings.TrimSpace(text))
	return slices.ContainsFunc(all, func(in string) bool { return strings.Contains(strings.ToLower(in), text) })
}
