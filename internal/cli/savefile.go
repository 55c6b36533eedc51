package cli

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"parley/a2a"
	"parley/internal/filename"
	"parley/internal/outlet"
)

// partialEnd is the ending of a file that is incomplete.
const partialEnd = ".part"

// A newFile is the content of one file to be.
type newFile struct {
	name, mediaType string
	data            []byte
}

// nameOf returns the name of a part's file.
func nameOf(part *a2a.Part, base string, file newFile) string {
	if part.Filename != "" {
		return filename.Safe(part.Filename, base)
	}
	end := filename.Extension(file.mediaType, file.data[:min(len(file.data), 512)])
	switch has := filepath.Ext(base); {
	case part.Kind == a2a.PartText && end == ".bin":
		end = ".txt"
	case has == end || end == ".bin" && isExtension(has):
		return base
	}
	if (part.Kind == a2a.PartText || part.Kind == a2a.PartData) && isExtension(filepath.Ext(base)) {
		return base // "report.md" is a better name than "report.md.txt"
	}
	return filename.Safe(base+end, "artifact"+end)
}

// isExtension reports whether the end of a name looks like an extension: "v1.0" has none.
func isExtension(end string) bool {
	word := strings.TrimPrefix(end, ".")
	return word != "" && len(word) <= 8 && unicode.IsLetter(rune(word[0])) &&
		!strings.ContainsFunc(word, func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// maxTwins is how many files of one name are told apart.
const maxTwins = 1000

// writeFile writes a file with this name or, if another file has it, the next free one. A file
// with the same content is left as it is, and an earlier version of the same part that this run
// wrote and nobody changed is replaced. Until it is complete, a file has a temporary name.
func writeFile(dir, name string, data []byte, before writtenFile) (path string, err error) {
	if same(before.path, before.sum) && filepath.Base(before.path) == name {
		return before.path, replaceFile(before.path, data)
	}
	sum := sha256.Sum256(data)
	for n := 1; n <= maxTwins; n++ {
		path = filepath.Join(dir, filename.Twin(name, n))
		switch info, err := os.Lstat(path); {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return "", err
		case info.Mode().IsRegular() && info.Size() == int64(len(data)) && same(path, sum):
			return path, nil // it was saved before
		default:
			continue
		}
		err = createFile(path, data)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err == nil {
			dropPartial(filepath.Join(dir, name+partialEnd), data)
		}
		return path, err
	}
	return "", fmt.Errorf("there are too many files named %s", name)
}

// same reports whether a file has this content.
func same(path string, sum [sha256.Size]byte) bool {
	if path == "" {
		return false
	}
	old, err := os.ReadFile(path)
	return err == nil && sha256.Sum256(old) == sum
}

// replaceFile writes a file anew.
func replaceFile(path string, data []byte) error {
	return writeDraft(path, data, (*outlet.Draft).Replace)
}

// createFile writes a file that does not exist; the error is fs.ErrExist if it does.
func createFile(path string, data []byte) error { return writeDraft(path, data, (*outlet.Draft).Name) }

// writeDraft writes a file that others may read as far as the user lets them, and ends it by giving it
// its name.
func writeDraft(path string, data []byte, end func(d *outlet.Draft, path string) error) error {
	d, err := outlet.NewDraft(filepath.Dir(path), 0o666)
	if err != nil {
		return err
	}
	defer d.Discard()
	if _, err := d.Write(data); err != nil {
		return err
	}
	return end(d, path)
}

// dropPartial removes the incomplete beginning of a file that is complete now.
func dropPartial(path string, whole []byte) {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > int64(len(whole)) {
		return
	}
	if begun, err := os.ReadFile(path); err == nil && bytes.HasPrefix(whole, begun) {
		os.Remove(path)
	}
}
