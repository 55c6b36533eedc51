// Package config finds the settings that a person keeps outside the command
// line: in the environment and in .env files (A2A CLI specification 0.2 §8.3).
//
// The same names stand in both: PARLEY_ or A2ACLI_ and the flag's name in upper
// snake case, so that --agent-card is PARLEY_AGENT_CARD. Files are only read.
package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/joho/godotenv"
)

// maxFile is the longest .env file that is read, in bytes.
const maxFile = 64 << 10

// prefixes of the variables, the one that wins first.
var prefixes = [...]string{"PARLEY_", "A2ACLI_"}

// Variables returns the names under which a flag's value may stand, the one
// that wins first.
func Variables(flag string) []string {
	name := strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
	return []string{prefixes[0] + name, prefixes[1] + name}
}

// A Value is a setting and where it stands.
type Value struct {
	Text     string
	Variable string
	File     string // empty for the environment
	Layer    int    // 0 is the strongest
}

// Place names the variable and its file for a sentence.
func (v Value) Place() string {
	if v.File == "" {
		return v.Variable
	}
	return v.Variable + " in " + v.File
}

// Settings are the layers of settings. The zero value has none.
type Settings struct{ layers []layer }

type layer struct {
	file string
	get  func(name string) string
}

// Lookup returns the setting for a flag. The environment wins over the local
// file, which wins over the global one; in each of them PARLEY_ wins over
// A2ACLI_. An empty value is none.
func (s Settings) Lookup(flag string) (Value, bool) {
	for i, l := range s.layers {
		for _, name := range Variables(flag) {
			if text := l.get(name); text != "" {
				return Value{Text: text, Variable: name, File: l.file, Layer: i}, true
			}
		}
	}
	return Value{}, false
}

// Options say where to look.
type Options struct {
	Getenv func(string) string
	// Dir is where the search for a local .env begins; it goes up from there and
	// ends at the first one.
	Dir string
	// File stands in for the local .env, if it is set.
	File string
}

// Load reads the layers. Files that were found and cannot be used are left out
// with a sentence in warnings; a file that was asked for is an error.
func Load(o Options) (s Settings, warnings []string, err error) {
	s.layers = append(s.layers, layer{get: o.Getenv})
	local := o.File
	if local == "" {
		local = findUp(o.Dir)
	}
	for _, path := range []string{local, global(o.Getenv)} {
		if path == "" {
			continue
		}
		l, warning, err := read(path)
		switch {
		case err != nil && path == o.File:
			return Settings{}, nil, err
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			warnings = append(warnings, err.Error()+"; its settings are not used")
			continue
		case warning != "":
			warnings = append(warnings, warning)
		}
		s.layers = append(s.layers, l)
	}
	return s, warnings, nil
}

// global returns the path of the person's own file, empty without a home.
func global(getenv func(string) string) string {
	home := getenv("HOME")
	if home == "" && runtime.GOOS == "windows" {
		home = getenv("USERPROFILE")
	}
	if home == "" {
		return ""
	}
	return filepath.Join(home, ".config", "a2a-cli", ".env")
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

// read reads one file. It warns when others can read the secrets in it.
func read(path string) (l layer, warning string, err error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return l, "", fmt.Errorf("there is no settings file %s: check --config: %w", path, fs.ErrNotExist)
	case err != nil:
		return l, "", fmt.Errorf("the settings file %s cannot be looked at: check its permissions", path)
	case !info.Mode().IsRegular():
		return l, "", fmt.Errorf("%s is not a regular file and is not read as settings", path)
	case info.Size() > maxFile:
		return l, "", fmt.Errorf("the settings file %s is longer than %d bytes, which no such file is", path, maxFile)
	}
	values, err := parse(path)
	if err != nil {
		return l, "", err
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 && holdsSecret(values) {
		warning = fmt.Sprintf("%s holds credentials and can be read by others: run chmod 600 on it", path)
	}
	return layer{file: path, get: func(name string) string { return values[name] }}, warning, nil
}

func parse(path string) (map[string]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("the settings file %s cannot be opened: check its permissions", path)
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, maxFile))
	if err != nil {
		return nil, fmt.Errorf("the settings file %s cannot be read: check the disk", path)
	}
	values, err := godotenv.Parse(bytes.NewReader(content))
	if err != nil {
		// The parser quotes lines of the file, which may hold secrets.
		return nil, fmt.Errorf("the settings file %s is not written as KEY=value lines", path)
	}
	return values, nil
}

func holdsSecret(values map[string]string) bool {
	for _, flag := range [...]string{"bearer", "api-key"} {
		for _, name := range Variables(flag) {
			if values[name] != "" {
				return true
			}
		}
	}
	return false
}
