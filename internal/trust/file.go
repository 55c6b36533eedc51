package trust

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"

	"parley/a2a"
	"parley/internal/outlet"
	"parley/internal/sharedfile"
	"parley/session/card"
)

const (
	// maxFile is the longest file that is read, in bytes.
	maxFile = 32 << 20
	// maxBaselines is how many baselines there may be. None is dropped for another one.
	maxBaselines = 500
)

// A File holds the baselines of a user. It is safe for use by several goroutines.
type File struct {
	mu   sync.Mutex
	path string
	now  func() time.Time
	// ReadOnly is set where nothing may be written: then [File.Meet] makes no baseline.
	ReadOnly bool

	list  []Baseline // of the file as it was at stamp
	stamp fs.FileInfo
}

// Open returns the file of that name, which the first baseline creates.
func Open(path string, now func() time.Time) *File { return &File{path: path, now: now} }

// Path returns the file's path.
func (f *File) Path() string { return f.path }

// ErrUnreadable is wrapped by errors about a file whose content is not baselines.
var ErrUnreadable = errors.New("it does not hold approved cards")

// Baselines returns all baselines, the newest first. A file that does not exist has none; the
// error says in a clause what of the file is not used, beside what is.
func (f *File) Baselines() ([]Baseline, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	err := f.load()
	list := slices.Clone(f.list)
	slices.SortStableFunc(list, func(a, b Baseline) int { return b.Approved.Compare(a.Approved) })
	return list, err
}

// Find returns the baseline of a card at a reference. The error is that of [File.Baselines].
func (f *File) Find(ref string, index int, c *a2a.Card) (b Baseline, known bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	err = f.load()
	if i := f.find(Reference(ref, c), index); i >= 0 {
		return f.list[i], true, err
	}
	return b, false, err
}

// Last returns the card that is the baseline at a reference, with the time since when it is; nil if there
// is none. What was a secret in it is masked.
func (f *File) Last(ref string, index int) (*a2a.Card, time.Time) {
	b, known, _ := f.Find(ref, index, nil) // a damaged entry is none
	if !known {
		return nil, time.Time{}
	}
	c, err := b.card()
	if err != nil { // load lets no such baseline pass
		return nil, time.Time{}
	}
	return c, b.Approved
}

func (f *File) find(ref string, index int) int {
	return slices.IndexFunc(f.list, func(b Baseline) bool { return b.Ref == ref && b.Index == index })
}

// load reads the file, unless it is as it was.
func (f *File) load() error {
	info, err := os.Stat(f.path)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR): // without a home there is no folder
		f.list, f.stamp = nil, nil
		return nil
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return &fs.PathError{Op: "open", Path: f.path, Err: errors.New("it is not a regular file")}
	case info.Size() > maxFile:
		return fmt.Errorf("%w: it is too long", ErrUnreadable)
	case f.stamp != nil && os.SameFile(info, f.stamp) && info.ModTime().Equal(f.stamp.ModTime()) && info.Size() == f.stamp.Size():
		return nil
	}
	f.list, f.stamp = nil, nil
	data, err := os.ReadFile(f.path)
	if err != nil {
		return err
	}
	list, err := read(data)
	f.list = list
	if err == nil {
		f.stamp = info
	}
	return err
}

// content is the form of the file.
type content struct {
	About     string            `json:"about"`
	Baselines []json.RawMessage `json:"baselines"`
}

// about stands at the beginning of the file.
const about = "Cards of agents that you approved, written by Parley. parley card trust --forget removes one."

// read returns the baselines in a file. Damaged ones are left out, and the error counts them.
func read(data []byte) (list []Baseline, err error) {
	var c content
	if err := json.Unmarshal(data, &c); err != nil || c.Baselines == nil {
		return nil, ErrUnreadable
	}
	damaged := 0
	for _, raw := range c.Baselines {
		var b Baseline
		if json.Unmarshal(raw, &b) != nil || !keeps(b.Ref) || b.Index < 0 || len(list) >= maxBaselines {
			damaged++
			continue
		}
		if _, err := b.card(); err != nil {
			damaged++
			continue
		}
		list = append(list, b)
	}
	if damaged > 0 {
		return list, fmt.Errorf("%w in %d of its %d entries", ErrUnreadable, damaged, len(c.Baselines))
	}
	return list, nil
}

// Approve makes a card the baseline of an agent, in place of an earlier one. The error is a
// clause.
func (f *File) Approve(ref string, index int, c *a2a.Card) error {
	return f.keep(ref, index, c, card.ByUser)
}

// keep makes a card the baseline of an agent.
func (f *File) keep(ref string, index int, c *a2a.Card, how card.Approval) error {
	b, err := newBaseline(ref, index, c, how, f.now())
	switch {
	case err != nil:
		return err
	case !keeps(b.Ref):
		return errors.New("its address does not lead to it in a later run")
	}
	return f.update(func() error {
		if i := f.find(b.Ref, index); i >= 0 {
			f.list[i] = b
			return nil
		}
		if len(f.list) >= maxBaselines {
			return fmt.Errorf("there are %d approved cards already: forget one first", maxBaselines)
		}
		f.list = append(f.list, b)
		return nil
	})
}

// Meet makes a card the baseline of an agent that has none, on its first use, and returns the
// baseline. It reports false if there is none.
func (f *File) Meet(ref string, index int, c *a2a.Card) (Baseline, bool, error) {
	b, known, err := f.Find(ref, index, c)
	if known || err != nil || f.ReadOnly || !keeps(Reference(ref, c)) {
		return b, known, err
	}
	if err := f.keep(ref, index, c, card.AtFirstSight); err != nil {
		return b, false, err
	}
	return f.Find(ref, index, c)
}

// errUnknown is returned by Forget for an agent without a baseline.
var errUnknown = errors.New("no card of it was approved")

// Forget removes a baseline: the next card of the agent is a first one.
func (f *File) Forget(ref string, index int) error {
	return f.update(func() error {
		i := f.find(ref, index)
		if i < 0 {
			return errUnknown
		}
		f.list = slices.Delete(f.list, i, i+1)
		return nil
	})
}

// update changes the list and writes the file. One that cannot be read is renamed first.
func (f *File) update(change func() error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := outlet.PrivateFolder(filepath.Dir(f.path)); err != nil {
		return err
	}
	unlock, err := sharedfile.Lock(f.path + ".lock")
	if err != nil {
		return err
	}
	defer unlock()
	f.stamp = nil
	err = f.load()
	damaged := errors.Is(err, ErrUnreadable)
	if err != nil && !damaged {
		return err
	}
	if err := change(); err != nil {
		return err
	}
	if damaged {
		if err := sharedfile.PutAside(f.path); err != nil {
			return err
		}
	}
	f.stamp = nil
	return f.write()
}

// write replaces the file.
func (f *File) write() error {
	c := content{About: about, Baselines: make([]json.RawMessage, 0, len(f.list))}
	for i := range f.list {
		raw, err := json.Marshal(&f.list[i])
		if err != nil {
			return err
		}
		c.Baselines = append(c.Baselines, raw)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(&c); err != nil {
		return err
	}
	if b.Len() > maxFile {
		return fmt.Errorf("%s would be too long: forget some of the approved cards first", f.path)
	}
	return sharedfile.Replace(f.path, b.Bytes())
}
