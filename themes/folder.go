package themes

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// A Folder has the themes of a user, a file NAME.toml for each, and the built-in ones. Its zero
// value has those alone.
type Folder struct {
	Path string // empty for none; it need not exist
}

// CheckName says in a clause why a name cannot be that of a theme, empty if it can.
func CheckName(name string) string {
	const most = 40 // bytes
	odd := func(r rune) bool {
		return r != '-' && r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	}
	switch {
	case name == "" || len(name) > most:
		return fmt.Sprintf("the name of a theme has 1 to %d characters", most)
	case strings.ContainsFunc(name, odd):
		return "the name of a theme consists of letters, digits, - and _"
	case name == "auto":
		return "auto is the name for the theme that the terminal's background chooses"
	default:
		return ""
	}
}

// File returns the path of a theme's file, which need not exist.
func (f Folder) File(name string) string { return filepath.Join(f.Path, name+".toml") }

// Load returns the theme of that name: the user's, which may have the name of a built-in one, or
// the built-in one. What is wrong with the user's file is in sentences. It reports false if there
// is no such theme.
func (f Folder) Load(name string) (t Theme, mistakes []string, ok bool) {
	if f.Path == "" || CheckName(name) != "" {
		t, ok = ByName(name)
		return t, nil, ok
	}
	content, err := readFile(f.File(name))
	switch {
	case err == nil:
		t, mistakes = Read(name, f.File(name), content)
		return t, mistakes, true
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, errNoFolder):
	default:
		mistakes = []string{fmt.Sprintf("%s is not used: %v", f.File(name), err)}
	}
	t, ok = ByName(name)
	return t, mistakes, ok
}

// Has reports whether the user has a theme of that name.
func (f Folder) Has(name string) bool {
	if f.Path == "" || CheckName(name) != "" {
		return false
	}
	_, err := os.Stat(f.File(name))
	return err == nil
}

// Own returns the names of the user's themes in order.
func (f Folder) Own() []string {
	const most = 200 // a folder with more has something else in it
	if f.Path == "" {
		return nil
	}
	dir, err := os.Open(f.Path)
	if err != nil {
		return nil // usually there is none
	}
	defer dir.Close()
	entries, _ := dir.ReadDir(most)
	var out []string
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".toml"); ok && !e.IsDir() && CheckName(name) == "" {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// Names returns the names of the built-in themes, then those of the user's that are not changes
// of one of these.
func (f Folder) Names() []string {
	out := Names()
	for _, name := range f.Own() {
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// errNoFolder is the error for a path through something that is not a folder.
var errNoFolder = errors.New("its folder is a file")

// readFile reads a small regular file. The error is a clause.
func readFile(path string) ([]byte, error) {
	const most = 1 << 20 // Read names the limit for themes
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, err
	case errors.Is(err, syscall.ENOTDIR): // HOME=/dev/null is usual
		return nil, errNoFolder
	case err != nil:
		return nil, errors.New("it cannot be read; check its permissions")
	case !info.Mode().IsRegular(): // opening a pipe would wait
		return nil, errors.New("it is not a regular file")
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, errors.New("it cannot be read; check its permissions")
	}
	defer file.Close()
	content, err := io.ReadAll(io.LimitReader(file, most))
	if err != nil {
		return nil, errors.New("it cannot be read; check the disk")
	}
	return content, nil
}
