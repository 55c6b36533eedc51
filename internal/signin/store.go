package signin

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/zalando/go-keyring"

	"parley/internal/crash"
	"parley/internal/outlet"
	"parley/internal/sharedfile"
	"parley/internal/units"
)

// A Vault keeps the secrets of identities. Its errors are clauses.
type Vault interface {
	// Get returns the secrets under a name; [ErrNone] if there are none.
	Get(name string) (Secrets, error)
	Set(name string, s Secrets) error
	Delete(name string) error
	// Place names the vault for users: "the keyring of the system".
	Place() string
}

// ErrNone means that a vault has no secrets under a name.
var ErrNone = errors.New("there are no credentials")

// service is the name of the program in the keyring.
const service = "parley"

// Keyring is the keyring of the system.
type Keyring struct {
	// Patience is how long it may take to give a secret: a locked one answers when the user has
	// unlocked it. 0 is a minute, as for everything else.
	Patience time.Duration
}

// Place names it.
func (Keyring) Place() string { return "the keyring of the system" }

// Get reads secrets.
func (k Keyring) Get(name string) (s Secrets, err error) {
	text, err := within(k.Patience, func() (string, error) { return keyring.Get(service, name) })
	switch {
	case errors.Is(err, keyring.ErrNotFound):
		return s, ErrNone
	case err != nil:
		return s, locked(err)
	}
	if json.Unmarshal([]byte(text), &s) != nil {
		return s, ErrNone // another program wrote it
	}
	return s, nil
}

// Set writes secrets.
func (Keyring) Set(name string, s Secrets) error {
	text, err := json.Marshal(s)
	if err == nil {
		_, err = within(0, func() (string, error) { return "", keyring.Set(service, name, string(text)) })
	}
	switch {
	case errors.Is(err, keyring.ErrSetDataTooBig):
		return errors.New("the token is longer than the keyring of the system accepts")
	case err != nil:
		return locked(err)
	}
	return nil
}

// Delete removes secrets.
func (Keyring) Delete(name string) error {
	if _, err := within(0, func() (string, error) { return "", keyring.Delete(service, name) }); err != nil && !errors.Is(err, keyring.ErrNotFound) {
		return locked(err)
	}
	return nil
}

// within waits for a call of the keyring for a limited time, or a minute. A call that takes longer goes
// on, and what it returns is lost.
func within(limit time.Duration, call func() (string, error)) (string, error) {
	type answer struct {
		text string
		err  error
	}
	done := make(chan answer, 1)
	go func() {
		defer crash.Guard()
		text, err := call()
		done <- answer{text, err}
	}()
	over := time.NewTimer(cmp.Or(limit, time.Minute))
	defer over.Stop()
	select {
	case got := <-done:
		return got.text, got.err
	case <-over.C:
		return "", errors.New("it waits for somebody to unlock it")
	}
}

// locked is the clause for a keyring that does not answer.
func locked(err error) error {
	return fmt.Errorf("the keyring of the system does not answer: unlock it, or set token-store = \"file\" (%s)", printable(err.Error()))
}

// Available reports whether the system has a keyring that answers. Nothing is written.
func (k Keyring) Available() bool {
	_, err := k.Get("availability")
	return err == nil || errors.Is(err, ErrNone)
}

// Memory keeps secrets until the program ends.
type Memory struct {
	mu  sync.Mutex
	all map[string]Secrets
}

// Place names it.
func (*Memory) Place() string { return "memory, until Parley ends" }

// Get reads secrets.
func (m *Memory) Get(name string) (Secrets, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s, ok := m.all[name]
	if !ok {
		return s, ErrNone
	}
	return s, nil
}

// Set keeps secrets.
func (m *Memory) Set(name string, s Secrets) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.all == nil {
		m.all = map[string]Secrets{}
	}
	m.all[name] = s
	return nil
}

// Delete forgets secrets.
func (m *Memory) Delete(name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.all, name)
	return nil
}

// File keeps secrets in a file that only the user can read, as containers without a keyring need.
type File struct{ Path string }

// Place names it.
func (f File) Place() string { return "the file " + f.Path }

// Get reads secrets.
func (f File) Get(name string) (Secrets, error) {
	all, err := readAll[Secrets](f.Path)
	if err != nil {
		return Secrets{}, err
	}
	s, ok := all[name]
	if !ok {
		return s, ErrNone
	}
	return s, nil
}

// Set writes secrets.
func (f File) Set(name string, s Secrets) error {
	return change(f.Path, func(all map[string]Secrets) { all[name] = s })
}

// Delete removes secrets.
func (f File) Delete(name string) error {
	return change(f.Path, func(all map[string]Secrets) { delete(all, name) })
}

// maxFile is the longest file of identities or secrets that is read.
const maxFile = 16 << 20

// readAll reads a file of named things; a file that is not there has none.
func readAll[T any](path string) (map[string]T, error) {
	all := map[string]T{}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return all, nil
	case err != nil:
		return nil, fmt.Errorf("%s cannot be read: %s", path, units.FileError(err))
	case info.Size() > maxFile || !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no file of Parley: remove it and sign in again", path)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %s", path, units.FileError(err))
	}
	if json.Unmarshal(data, &all) != nil || all == nil {
		return nil, fmt.Errorf("%s is damaged: remove it and sign in again", path)
	}
	return all, nil
}

// change changes a file of named things, against its newest content.
func change[T any](path string, do func(map[string]T)) error {
	if err := outlet.PrivateFolder(filepath.Dir(path)); err != nil {
		return fmt.Errorf("%s cannot be written: %s", path, units.FileError(err))
	}
	unlock, err := sharedfile.Lock(path + ".lock")
	if err != nil {
		return fmt.Errorf("%s cannot be written: %s", path, units.FileError(err))
	}
	defer unlock()
	all, err := readAll[T](path)
	if err != nil {
		return err
	}
	do(all)
	data, err := json.MarshalIndent(all, "", "  ")
	if err == nil {
		err = sharedfile.Replace(path, append(data, '\n'))
	}
	if err != nil {
		return fmt.Errorf("%s cannot be written: %s", path, units.FileError(err))
	}
	return nil
}
