package config

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/joho/godotenv"
)

// foundFlags are the settings that a .env file may contain that nobody named: it was only found
// in the working directory or above it.
var foundFlags = [...]string{"bearer", "api-key", "agent-card"}

// A dotenv is one .env file.
type dotenv struct {
	path   string
	values map[string]string
	// found is set for a file that nobody named: its settings are limited.
	found bool
}

// get returns the value of a variable that may set a flag, or of any variable if there is no
// flag.
func (d *dotenv) get(name, flag string) string {
	if d.found && flag != "" && !slices.Contains(foundFlags[:], flag) {
		return ""
	}
	return d.values[name]
}

// refused lists the settings in a found file that it may not make, in order.
func (d *dotenv) refused() (names []string) {
	if !d.found {
		return nil
	}
	for name, value := range d.values {
		allowed := slices.ContainsFunc(foundFlags[:], func(flag string) bool { return slices.Contains(Variables(flag), name) })
		if !allowed && value != "" && slices.ContainsFunc(prefixes[:], func(p string) bool { return strings.HasPrefix(name, p) }) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// global returns the path of the user's own file, empty without a home.
func global(getenv func(string) string) string {
	if dir := home(getenv); dir != "" {
		return filepath.Join(dir, ".config", "a2a-cli", ".env")
	}
	return ""
}

// findUp returns the first file named .env in dir or above it.
func findUp(dir string) string {
	for dir != "" {
		path := filepath.Join(dir, ".env")
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return path
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			break
		}
		dir = parent
	}
	return ""
}

// same reports whether two paths lead to one file.
func same(a, b string) bool {
	first, err := os.Stat(a)
	if err != nil {
		return false
	}
	second, err := os.Stat(b)
	return err == nil && os.SameFile(first, second)
}

// readDotenv reads one file. One that nobody named and that others may change is an error. It warns of
// dangerous permissions and of ignored settings.
func readDotenv(path string, by origin) (d *dotenv, warnings []string, err error) {
	content, info, err := slurp(path, maxFile)
	if err != nil {
		return nil, nil, err
	}
	if err := by.distrust(path, info); err != nil {
		return nil, nil, err
	}
	values, err := godotenv.Parse(bytes.NewReader(content))
	if err != nil {
		// The parser quotes lines of the file, which may hold secrets.
		return nil, nil, fmt.Errorf("the settings file %s is not written as KEY=value lines", path)
	}
	d = &dotenv{path: path, values: values, found: by == foundHere}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 && holdsSecret(values) {
		warnings = append(warnings, path+" contains credentials and others can read it: run chmod 600 on it")
	}
	if names := d.refused(); len(names) > 0 {
		warnings = append(warnings, fmt.Sprintf("%s was only found here, so it may only set credentials and name an agent: %s not used. Name the file with --config if you trust it",
			path, subject(names)))
	}
	return d, warnings, nil
}

// subject lists names as the subject of a sentence, with its verb.
func subject(names []string) string {
	const most = 6
	verb := "are"
	if len(names) == 1 {
		verb = "is"
	}
	if more := len(names) - most; more > 0 {
		names = append(slices.Clone(names[:most]), fmt.Sprintf("%d more", more))
	}
	if last := len(names) - 1; last > 0 {
		return strings.Join(names[:last], ", ") + " and " + names[last] + " " + verb
	}
	return names[0] + " " + verb
}

// OthersMayWrite says in a clause why another user may decide the content of a file, with what
// to do about it; empty if none may.
func OthersMayWrite(path string, info fs.FileInfo) string {
	if link, err := os.Lstat(path); err == nil && link.Mode()&fs.ModeSymlink != 0 && foreign(link) {
		return "the link to it belongs to another user: create your own"
	}
	switch {
	case foreign(info):
		return "belongs to another user: copy it to a file of your own"
	case sharedWith(info):
		return "others can write it: run chmod go-w on it"
	default:
		return ""
	}
}

func holdsSecret(values map[string]string) bool {
	for _, flag := range secrets {
		for _, name := range Variables(flag) {
			if values[name] != "" {
				return true
			}
		}
	}
	return false
}
