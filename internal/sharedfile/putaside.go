package sharedfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// maxAside is how many damaged files are kept beside one.
const maxAside = 100

// PutAside renames a damaged file, since the user may be able to repair it: its name ends in .broken-1
// or higher then. The caller holds a lock that excludes other writers. The error is a clause.
func PutAside(path string) error {
	for n := 1; n <= maxAside; n++ {
		free := fmt.Sprintf("%s.broken-%d", path, n)
		if _, err := os.Lstat(free); errors.Is(err, fs.ErrNotExist) {
			return os.Rename(path, free)
		}
	}
	return fmt.Errorf("it is damaged, and %d renamed files are beside it: remove some of them", maxAside)
}
