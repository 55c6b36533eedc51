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

	"parley/internal/outlet"
)

const (
	// maxCard is the longest snapshot of a card that is saved, in bytes.
	maxCard = 256 << 10
	// maxCards is how many agents' cards are saved.
	maxCards = 500
)

// Cards saves the last card of each agent. It is a folder with a file for each agent, so that
// several runs need no lock and one broken file affects one agent. The files are readable only
// by the user.
type Cards struct{ dir string }

// OpenCards returns the cards in a folder, which the first of them creates.
func OpenCards(dir string) *Cards { return &Cards{dir} }

// A SavedCard is a card as a file stores it.
type SavedCard struct {
	Seen time.Time       `json:"seen"`
	Card json.RawMessage `json:"card"` // its snapshot, which the caller reads
}

// path returns the file of an agent. Its name does not reveal the reference.
func (c *Cards) path(ref string, index int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %s", index, strings.TrimRight(ref, "/")))
	return filepath.Join(c.dir, hex.EncodeToString(sum[:16])+".json")
}

// Load returns card number index at a reference, false if there is none that can be read.
func (c *Cards) Load(ref string, index int) (SavedCard, bool) {
	path := c.path(ref, index)
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxCard {
		return SavedCard{}, false
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return SavedCard{}, false
	}
	var seen SavedCard
	if json.Unmarshal(data, &seen) != nil || seen.Seen.IsZero() {
		return SavedCard{}, false
	}
	return seen, true
}

// Store saves a card in place of the previous one. A reference that no later run can use, or
// that contains a secret, is skipped without an error.
func (c *Cards) Store(ref string, index int, seen SavedCard) error {
	if !memorable(ref) {
		return nil
	}
	seen.Seen = seen.Seen.UTC().Truncate(time.Second)
	data, err := json.Marshal(seen)
	switch {
	case err != nil:
		return err
	case len(data) > maxCard:
		return errors.New("the card is too long to be saved")
	}
	if err := c.Check(); err != nil {
		return err
	}
	path := c.path(ref, index)
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		c.makeRoom()
	}
	return outlet.Replace(path, data) // another run may do the same
}

// Check creates the folder if necessary.
func (c *Cards) Check() error { return outlet.PrivateFolder(c.dir) }

// Dir returns the folder of the cards.
func (c *Cards) Dir() string { return c.dir }

// makeRoom removes the oldest cards if there are too many, and temporary files of killed runs.
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
