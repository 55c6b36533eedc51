// Package config reads the settings that a user makes outside the command line: in the
// environment, .env files and config.toml. The first two are as the A2A CLI specification
// 0.2 §8.3 has them; config.toml also names agents.
//
// The same names are used in the first two: PARLEY_ or A2ACLI_ and the flag's name in upper
// snake case, so that --agent-card is PARLEY_AGENT_CARD. In config.toml it is the flag's name
// itself. Files are only read.
package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// maxFile is the longest .env file that is read, in bytes.
const maxFile = 64 << 10

// prefixes of the variables, the one that wins first.
var prefixes = [...]string{"PARLEY_", "A2ACLI_"}

// Variables returns the names of the variables for a flag, the one that wins first.
func Variables(flag string) []string {
	name := strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
	return []string{prefixes[0] + name, prefixes[1] + name}
}

// A Value is a setting and its source.
type Value struct {
	Text     string
	Variable string
	File     string // empty for the environment; with the line for config.toml
	Layer    int    // 0 is the strongest
	// Found is set for a setting in a .env file that nobody named.
	Found bool
	// Mild is set for a setting in config.toml, where a mistake costs only itself.
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
	// Unusable says in a clause with its place why an agent in config.toml is not among them,
	// by its name in lower case.
	Unusable map[string]string
	// BearerCommand is a program with its arguments that prints the bearer token, nil for
	// none. Only config.toml can name one.
	BearerCommand []string
	// Keys are those that config.toml gives actions of the workbench.
	Keys []Keys
	// KeepSessions is the age from which parley sessions prune deletes, empty for none.
	KeepSessions string
	// Taps are the taps that parley tap starts, in the order of the file.
	Taps []Tap

	layers []layer
	last   map[string]Value // of config.toml, by flag
}

// A layer is a source of settings: the environment, or a file.
type layer struct {
	file   *dotenv // nil for the environment
	getenv func(name string) string
}

// get returns the value of a variable that may set a flag, or of any variable if there is no
// flag.
func (l *layer) get(name, flag string) (Value, bool) {
	v := Value{Variable: name}
	if l.file == nil {
		v.Text = l.getenv(name)
	} else {
		v.Text, v.File, v.Found = l.file.get(name, flag), l.file.path, l.file.found
	}
	return v, v.Text != ""
}

// Lookup returns the setting for a flag. The environment wins over the local file, which wins
// over the global one, which wins over config.toml; in each but the last PARLEY_ wins over
// A2ACLI_. An empty value does not count. A local file that nobody named sets only credentials
// and the agent.
func (s Settings) Lookup(flag string) (Value, bool) {
	for i, l := range s.layers {
		for _, name := range Variables(flag) {
			if v, ok := l.get(name, flag); ok {
				v.Layer = i
				return v, true
			}
		}
	}
	v := s.last[flag]
	v.Layer = len(s.layers)
	if name, ok := VariableIn(v.Text); ok && v.Mild {
		held, _ := s.variable(name, flag)
		v.Text, v.Found = held.Text, held.Found
		if v.Found {
			v.Variable, v.File = held.Variable, held.File
		}
	}
	return v, v.Text != ""
}

// Refuse removes an unusable setting of config.toml.
func (s Settings) Refuse(flag string) { delete(s.last, flag) }

// Variable returns the value of a variable that a credential of config.toml names: from the
// environment, otherwise from a .env file; false if there is none.
func (s Settings) Variable(name string) (Value, bool) {
	return s.variable(name, "")
}

// variable returns the value of a variable that a flag's value in config.toml names.
func (s Settings) variable(name, flag string) (Value, bool) {
	for _, l := range s.layers {
		if v, ok := l.get(name, flag); ok {
			return v, true
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
	// File replaces the local .env, if it is set; one whose name ends in .toml replaces
	// config.toml.
	File string
	// Folder is that of config.toml, empty for none.
	Folder string
	// Flags lists those that config.toml may set; nil for any. It is called if there is such a file.
	Flags func() []string
	// Misfit says in a clause what is wrong with a value of a flag ("none of v1.0 and v0.3"),
	// empty if nothing is. It is called for every value of an agent in config.toml. Nil accepts
	// any.
	Misfit func(flag, value string) string
}

// TOML returns the path of config.toml, whether or not there is one; empty if there is no place for it.
func (o Options) TOML() string {
	switch {
	case filepath.Ext(o.File) == ".toml":
		return o.File
	case o.Folder == "":
		return ""
	}
	return filepath.Join(o.Folder, "config.toml")
}

// An origin says why a settings file is read.
type origin string

const (
	named     origin = ""                   // the user named it, and trusts it
	foundHere origin = "was found here and" // in the working directory or above it
	usual     origin = "was not named and"  // in the place of the user's own settings
)

// distrust is the reason why a file that nobody named is not used: others decide what it says. Nil if
// only the user does.
func (by origin) distrust(path string, info fs.FileInfo) error {
	if why := OthersMayWrite(path, info); by != named && why != "" {
		return fmt.Errorf("the settings file %s %s %s, or name it with --config if you trust it", path, by, why)
	}
	return nil
}

// Load reads the layers. Unusable files that were found are skipped with a sentence in
// warnings; a file that was named is an error.
func Load(o Options) (s Settings, warnings []string, err error) {
	s.layers = append(s.layers, layer{getenv: o.Getenv})
	own, local := global(o.Getenv), o.File
	if filepath.Ext(local) == ".toml" {
		local = ""
	}
	found := local == ""
	if found {
		if local = findUp(o.Dir); own != "" && same(local, own) {
			local = "" // the user's own, which is read below
		}
	} else if own != "" && same(local, own) {
		own = "" // it is named
	}
	for _, file := range []struct {
		path string
		by   origin
	}{{local, map[bool]origin{true: foundHere, false: named}[found]}, {own, usual}} {
		if file.path == "" {
			continue
		}
		d, more, err := readDotenv(file.path, file.by)
		switch {
		case err != nil && file.path == o.File:
			return Settings{}, nil, err
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			warnings = append(warnings, err.Error()+"; its settings are not used")
			continue
		}
		warnings = append(warnings, more...)
		s.layers = append(s.layers, layer{file: d})
	}
	more, err := s.loadTOML(o)
	return s, append(warnings, more...), err
}

// loadTOML reads config.toml into the weakest layer.
func (s *Settings) loadTOML(o Options) (warnings []string, err error) {
	path := o.TOML()
	if path == "" {
		return nil, nil
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
	s.last, s.Agents, s.Unusable, s.BearerCommand, s.Keys, s.KeepSessions, s.Taps = d.values, d.agents, d.unusable, d.helper, d.keys, d.keep, d.taps
	return d.warnings, nil
}

// slurp reads a settings file of sensible size. Its errors are about the file whose content it
// returns.
func slurp(path string, longest int64) ([]byte, fs.FileInfo, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR): // HOME=/dev/null is usual
		return nil, nil, fmt.Errorf("there is no settings file %s: check --config: %w", path, fs.ErrNotExist)
	case err != nil:
		return nil, nil, fmt.Errorf("the settings file %s cannot be read: check its permissions", path)
	case !info.Mode().IsRegular(): // opening a pipe would wait
		return nil, nil, fmt.Errorf("the settings file %s is not a regular file and is not read: name another one", path)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, fmt.Errorf("the settings file %s cannot be read: check its permissions", path)
	}
	defer file.Close()
	if info, err = file.Stat(); err != nil {
		return nil, nil, fmt.Errorf("the settings file %s cannot be read: check its permissions", path)
	}
	if info.Size() > longest {
		return nil, nil, fmt.Errorf("the settings file %s is longer than %d bytes, the limit for settings", path, longest)
	}
	content, err := io.ReadAll(io.LimitReader(file, longest))
	if err != nil {
		return nil, nil, fmt.Errorf("the settings file %s cannot be read: check the disk", path)
	}
	return content, info, nil
}
