// Package config finds the settings that a person keeps outside the command
// line: in the environment and in .env files (A2A CLI specification 0.2 §8.3), and
// in a config.toml, which also names agents.
//
// The same names stand in the first two: PARLEY_ or A2ACLI_ and the flag's name in
// upper snake case, so that --agent-card is PARLEY_AGENT_CARD. In config.toml it is
// the flag's name as it is. Files are only read.
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
	"syscall"

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
	File     string // empty for the environment; with the line for config.toml
	Layer    int    // 0 is the strongest
	// Mild is set for what stands in config.toml, where a mistake costs only itself.
	Mild bool
}

// Place names the variable and its file for a sentence.
func (v Value) Place() string {
	if v.File == "" {
		return v.Variable
	}
	return v.Variable + " in " + v.File
}

// Settings are the layers of settings. The zero value has none.
type Settings struct {
	// Agents are those that config.toml names, in its order.
	Agents []Agent

	layers []layer
	last   map[string]Value // of config.toml, by flag
}

type layer struct {
	file string
	get  func(name string) string
}

// Lookup returns the setting for a flag. The environment wins over the local
// file, which wins over the global one, which wins over config.toml; in each but
// the last PARLEY_ wins over A2ACLI_. An empty value is none.
func (s Settings) Lookup(flag string) (Value, bool) {
	for i, l := range s.layers {
		for _, name := range Variables(flag) {
			if text := l.get(name); text != "" {
				return Value{Text: text, Variable: name, File: l.file, Layer: i}, true
			}
		}
	}
	v := s.last[flag]
	v.Layer = len(s.layers)
	if name, ok := VariableIn(v.Text); ok && v.Mild {
		v.Text = s.Variable(name)
	}
	return v, v.Text != ""
}

// Refuse takes a setting out of config.toml that cannot be used.
func (s Settings) Refuse(flag string) { delete(s.last, flag) }

// Variable returns the value of a variable that config.toml refers to: of the
// environment, else of a .env file; empty if there is none.
func (s Settings) Variable(name string) string {
	for _, l := range s.layers {
		if text := l.get(name); text != "" {
			return text
		}
	}
	return ""
}

// Options say where to look.
type Options struct {
	Getenv func(string) string
	// Dir is where the search for a local .env begins; it goes up from there and
	// ends at the first one.
	Dir string
	// File stands in for the local .env, if it is set; one whose name ends in .toml for
	// config.toml.
	File string
	// Folder is that of config.toml, empty for none.
	Folder string
	// Flags are those that config.toml may set, nil for any.
	Flags []string
	// Check says in a clause why an agent of config.toml cannot be used, empty if it can.
	// Nil asks nothing more than that it has a name and a place.
	Check func(*Agent) string
}

// Load reads the layers. Files that were found and cannot be used are left out
// with a sentence in warnings; a file that was asked for is an error.
func Load(o Options) (s Settings, warnings []string, err error) {
	s.layers = append(s.layers, layer{get: o.Getenv})
	local := o.File
	if filepath.Ext(local) == ".toml" {
		local = ""
	}
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
	more, err := s.loadTOML(o)
	return s, append(warnings, more...), err
}

// loadTOML reads config.toml into the weakest layer.
func (s *Settings) loadTOML(o Options) (warnings []string, err error) {
	path := o.File
	if filepath.Ext(path) != ".toml" {
		if path = filepath.Join(o.Folder, "config.toml"); o.Folder == "" {
			return nil, nil
		}
	}
	d, err := readTOML(path, o)
	switch {
	case err != nil && path == o.File:
		return nil, err
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return []string{err.Error() + "; its settings are not used"}, nil
	}
	s.last, s.Agents = d.values, d.agents
	return d.warnings, nil
}

// global returns the path of the person's own file, empty without a home.
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

// read reads one file. It warns when others can read the secrets in it.
func read(path string) (l layer, warning string, err error) {
	content, mode, err := slurp(path, maxFile)
	if err != nil {
		return l, "", err
	}
	values, err := godotenv.Parse(bytes.NewReader(content))
	if err != nil {
		// The parser quotes lines of the file, which may hold secrets.
		return l, "", fmt.Errorf("the settings file %s is not written as KEY=value lines", path)
	}
	if runtime.GOOS != "windows" && mode.Perm()&0o077 != 0 && holdsSecret(values) {
		warning = fmt.Sprintf("%s holds credentials and can be read by others: run chmod 600 on it", path)
	}
	return layer{file: path, get: func(name string) string { return values[name] }}, warning, nil
}

// slurp reads a settings file that has a sensible size.
func slurp(path string, longest int64) ([]byte, fs.FileMode, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR): // HOME=/dev/null is usual
		return nil, 0, fmt.Errorf("there is no settings file %s: check --config: %w", path, fs.ErrNotExist)
	case err != nil:
		return nil, 0, fmt.Errorf("the settings file %s cannot be looked at: check its permissions", path)
	case !info.Mode().IsRegular():
		return nil, 0, fmt.Errorf("%s is not a regular file and is not read as settings", path)
	case info.Size() > longest:
		return nil, 0, fmt.Errorf("the settings file %s is longer than %d bytes, which no such file is", path, longest)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, 0, fmt.Errorf("the settings file %s cannot be read: check its permissions", path)
	}
	defer file.Close()
	content, err := io.ReadAll(io.LimitReader(file, longest))
	if err != nil {
		return nil, 0, fmt.Errorf("the settings file %s cannot be read: check the disk", path)
	}
	return content, info.Mode(), nil
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
