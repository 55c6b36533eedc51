package roster

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const (
	// maxCard is the longest snapshot of a card that is kept, in bytes.
	maxCard = 256 << 10
	// maxCards is how many agents' cards are kept.
	maxCards = 500
)

// Cards keeps what the card of each agent said when it was seen last. It is a folder with
// a file for each agent, so that several runs need no lock and one broken file concerns one
// agent. The files are readable by the user alone.
type Cards struct{ dir string }

// OpenCards returns the cards kept in a folder, which is made with the first of them.
func OpenCards(dir string) *Cards { return &Cards{dir} }

// A SeenCard is what is kept of one card.
type SeenCard struct {
	Seen time.Time       `json:"seen"`
	Card json.RawMessage `json:"card"` // its snapshot, which the caller reads
}

// path returns the file of an agent. Its name does not tell the reference.
func (c *Cards) path(ref string, index int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %s", index, strings.TrimRight(ref, "/")))
	return filepath.Join(c.dir, hex.EncodeToString(sum[:16])+".json")
}

// Load returns what is kept of card number index at a reference, false if that is
// nothing that can be read.
func (c *Cards) Load(ref string, index int) (SeenCard, bool) {
	path := c.path(ref, index)
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxCard {
		return SeenCard{}, false
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return SeenCard{}, false
	}
	var seen SeenCard
	if json.Unmarshal(data, &seen) != nil || seen.Seen.IsZero() {
		return SeenCard{}, false
	}
	return seen, true
}

// Store keeps a card in the place of the one before. A reference that no later run can use,
// or that holds a secret, is left out without an error.
func (c *Cards) Store(ref string, index int, seen SeenCard) error {
	if !memorable(ref) {
		return nil
	}
	seen.Seen = seen.Seen.UTC().Truncate(time.Second)
	data, err := json.Marshal(seen)
	switch {
	case err != nil:
		return err
	case len(data) > maxCard:
		return errors.New("the card is too long to be kept")
	}
	if err := c.Check(); err != nil {
		return err
	}
	path := c.path(ref, index)
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		c.makeRoom()
	}
	return replace(path, data)
}

// Check makes the folder unless it is there.
func (c *Cards) Check() error { return os.MkdirAll(c.dir, 0o700) }

// Dir returns where the cards are kept.
func (c *Cards) Dir() string { return c.dir }

// replace puts a new file in the place of the old one, whole: another run may do the same.
func replace(path string, data []byte) error {
	file, err := os.CreateTemp(filepath.Dir(path), ".card-*") // readable by the user alone
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		_ = os.Remove(file.Name())
	}
	return err
}

// makeRoom removes the cards that were seen longest ago, as far as there are too many, and
// what was left behind when a run was killed.
func (c *Cards) makeRoom() {
	entries, err := os.ReadDir(c.dir)
	if err != nil || len(entries) < maxCards {
		return
	}
	times := make(map[string]time.Time, len(entries))
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			times[e.Name()] = info.ModTime()
		}
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int {
		return cmp.Or(times[a.Name()].Compare(times[b.Name()]), cmp.Compare(a.Name(), b.Name()))
	})
	for _, e := range entries[:len(entries)-maxCards+1] {
		_ = os.Remove(filepath.Join(c.dir, e.Name()))
	}
}
