// Package roster saves the agents of a user between runs: those that were saved under a name,
// and those that were opened last.
//
// It is one TOML file, agents.toml, that only Parley writes; what a user writes by hand belongs
// in config.toml, which Parley only reads. Several runs may change the file at once and a run
// may be killed at any time: each change applies to the present content of the file, under a
// lock that ends with its process, and the new file replaces the old one atomically.
//
// Neither file contains a secret, only the name of its variable.
package roster

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"

	"parley/internal/config"
	"parley/internal/outlet"
	"parley/internal/sharedfile"
)

const (
	// maxFile is the longest file that is read, in bytes.
	maxFile = 1 << 20
	// maxRecents is how many unnamed agents are remembered.
	maxRecents = 20
)

// A Recent is an agent that was opened.
type Recent struct {
	Ref  string `toml:"ref"`
	Name string `toml:"name"` // on its card
	// Dialect names the version and the binding that it spoke then, empty if unknown.
	Dialect string    `toml:"dialect,omitempty"`
	Time    time.Time `toml:"time"`
}

// Content is what the file holds.
type Content struct {
	Agents  []config.Agent `toml:"agent"`
	Recents []Recent       `toml:"recent"` // the newest first
	// Mistakes are the unusable parts, each as a sentence with file and line. They disappear
	// when the file is written, and the earlier file is saved beside it.
	Mistakes []string `toml:"-"`
}

// A File is the file of the agents. It is safe for use by several goroutines.
type File struct {
	mu   sync.Mutex // serialises changes
	path string
	// Misfit says in a clause what is wrong with a value of an agent, empty if nothing is; nil
	// accepts every value. It is set before the file is used.
	Misfit  func(member, value string) string
	content atomic.Pointer[Content]
}

// Open returns the file of that name, which the first change creates.
func Open(path string) *File { return &File{path: path} }

// Content returns the content at the last read, and reads only if there was none.
func (f *File) Content() Content {
	if c := f.content.Load(); c != nil {
		return *c
	}
	c, _ := f.Load() // a caller who needs the reason calls Load
	return c
}

// Path returns the file's path.
func (f *File) Path() string { return f.path }

// ErrUnreadable is wrapped by errors about a file whose content is not agents.
var ErrUnreadable = errors.New("it is not valid TOML")

// Load returns the content. A file that does not exist is empty; for an unreadable one, the
// error says why in a clause.
func (f *File) Load() (Content, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	c, err := f.load()
	f.content.Store(&c)
	return c, err
}

func (f *File) load() (c Content, err error) {
	info, err := os.Stat(f.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return c, nil
	case err != nil:
		return c, err
	case !info.Mode().IsRegular():
		return c, &fs.PathError{Op: "open", Path: f.path, Err: errors.New("it is not a regular file")}
	case info.Size() > maxFile:
		return c, fmt.Errorf("%w: it is too long", ErrUnreadable)
	}
	if why := config.OthersMayWrite(f.path, info); why != "" { // an agent can name a program
		return Content{Mistakes: []string{fmt.Sprintf("%s is the list of saved agents and %s; it is not used", f.path, why)}}, nil
	}
	data, err := os.ReadFile(f.path)
	if err != nil {
		return c, err
	}
	var shape struct {
		Agents  []any            `toml:"agent"`
		Recents []map[string]any `toml:"recent"`
	}
	if err := toml.Unmarshal(data, &shape); err != nil {
		at := ""
		if wrong, ok := errors.AsType[*toml.DecodeError](err); ok {
			row, column := wrong.Position()
			at = fmt.Sprintf(" at line %d, column %d", row, column)
		}
		return Content{}, fmt.Errorf("%w%s", ErrUnreadable, at)
	}
	c.Agents, c.Mistakes = config.ReadAgents(f.path, data, f.Misfit)
	for _, table := range shape.Recents {
		var r Recent
		r.Ref, _ = table["ref"].(string)
		r.Name, _ = table["name"].(string)
		r.Dialect, _ = table["dialect"].(string)
		r.Time, _ = table["time"].(time.Time)
		c.Recents = append(c.Recents, r)
	}
	c.tidy()
	return c, nil
}

// tidy removes unusable entries: the file may have been edited by hand.
func (c *Content) tidy() {
	var agents []config.Agent
	for _, a := range c.Agents {
		for _, secret := range []*string{&a.Bearer, &a.APIKey} {
			if _, ok := config.VariableIn(*secret); !ok {
				*secret = ""
			}
		}
		if a.Check() == "" && find(agents, a.Name) < 0 {
			agents = append(agents, a)
		}
	}
	c.Agents = agents
	c.Recents = slices.DeleteFunc(c.Recents, func(r Recent) bool { return !memorable(r.Ref) })
	for i := range c.Recents {
		for _, text := range []*string{&c.Recents[i].Name, &c.Recents[i].Dialect} {
			*text = strings.ToValidUTF8(*text, "\ufffd")
		}
	}
	slices.SortStableFunc(c.Recents, func(a, b Recent) int { return b.Time.Compare(a.Time) })
	c.Recents = c.Recents[:min(len(c.Recents), maxRecents)]
}

// memorable reports whether a reference leads to an agent in a later run, too.
func memorable(ref string) bool {
	odd := func(r rune) bool { return r < ' ' || r == 0x7f }
	return utf8.ValidString(ref) && ref != "" && ref != "-" && len(ref) <= 4<<10 && !strings.ContainsFunc(ref, odd) && !config.HoldsPassword(ref)
}

func find(agents []config.Agent, name string) int {
	return slices.IndexFunc(agents, func(a config.Agent) bool { return strings.EqualFold(a.Name, name) })
}

// Find returns the agent with a name in any case.
func (c *Content) Find(name string) (config.Agent, bool) {
	if i := find(c.Agents, name); i >= 0 {
		return c.Agents[i], true
	}
	return config.Agent{}, false
}

// Update changes the content and returns the new one. An error of change is returned unchanged,
// and nothing is written. An unreadable file, or one with mistakes, is first renamed.
func (f *File) Update(change func(*Content) error) (Content, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := outlet.PrivateFolder(filepath.Dir(f.path)); err != nil {
		return Content{}, err
	}
	unlock, err := sharedfile.Lock(f.path + ".lock")
	if err != nil {
		return Content{}, err
	}
	defer unlock()
	c, err := f.load()
	broken := errors.Is(err, ErrUnreadable) || len(c.Mistakes) > 0
	if err != nil && !broken {
		return Content{}, err
	}
	if err := change(&c); err != nil {
		return Content{}, err
	}
	c.tidy()
	c.Mistakes = nil
	if broken {
		if err := sharedfile.PutAside(f.path); err != nil {
			return Content{}, err
		}
	}
	if err := f.write(&c); err != nil {
		return Content{}, err
	}
	f.content.Store(&c)
	return c, nil
}

// head is the beginning of the file.
const head = "# Written by Parley. Agents that are written by hand belong into config.toml.\n\n"

// write replaces the old file by a new one.
func (f *File) write(c *Content) error {
	text := bytes.NewBufferString(head)
	if err := toml.NewEncoder(text).Encode(c); err != nil {
		return err
	}
	return sharedfile.Replace(f.path, text.Bytes())
}
