package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/txtar"
)

// A script says what a reader of a recipe writes.
type script struct {
	name, title string
	changes     []change
}

// A change is a new file, or edits of one that exists.
type change struct {
	file  string // with slashes
	text  string // of a new file
	edits []edit // of an existing one
}

// An edit replaces a text that occurs once in a file, or adds lines behind the one that has it.
type edit struct {
	anchor, text string
	after        bool
}

// parse reads a script. See the package comment.
func parse(name string, text []byte) (script, error) {
	archive := txtar.Parse(text)
	title, _, _ := strings.Cut(string(archive.Comment), "\n")
	s := script{name: name, title: strings.TrimSpace(title)}
	for _, f := range archive.Files {
		c := change{file: f.Name}
		file, edits := strings.CutPrefix(f.Name, "edit ")
		if edits {
			var err error
			if c.edits, err = parseEdits(string(f.Data)); err == nil && len(c.edits) == 0 {
				err = errors.New("got no edits, want some")
			}
			if err != nil {
				return s, fmt.Errorf("%s: %s: %w", name, file, err)
			}
			c.file = file
		} else {
			c.text = plain(string(f.Data))
		}
		s.changes = append(s.changes, c)
	}
	if s.title == "" || len(s.changes) == 0 {
		return s, fmt.Errorf("%s: got no title or no file, want both", name)
	}
	return s, nil
}

// partners are the words that begin the second text of an edit.
var partners = map[string]string{"@ after": "@ add", "@ replace": "@ by"}

func parseEdits(text string) (all []edit, err error) {
	var current *edit
	partner := "" // of the word of the current edit, empty after it
	var first, second strings.Builder
	end := func() {
		if current != nil {
			current.anchor, current.text = trimmed(&first), trimmed(&second)
		}
	}
	for line := range strings.Lines(text) {
		word := strings.TrimSpace(line)
		switch {
		case partners[word] != "":
			end()
			all = append(all, edit{after: word == "@ after"})
			current, partner = &all[len(all)-1], partners[word]
			first.Reset()
			second.Reset()
		case partner != "" && word == partner:
			partner = ""
		case strings.HasPrefix(line, "@ ") || current == nil:
			return nil, fmt.Errorf("got %q, want @ after and @ add, or @ replace and @ by", word)
		case partner != "":
			first.WriteString(line)
		default:
			second.WriteString(line)
		}
	}
	end()
	if partner != "" {
		return nil, fmt.Errorf("got no %s at the end, want one", partner)
	}
	return all, nil
}

// trimmed returns a text of an edit without its last line break.
func trimmed(b *strings.Builder) string { return plain(strings.TrimSuffix(b.String(), "\n")) }

// plain takes the backslash from lines that would begin like a line of the script.
func plain(text string) string {
	for _, mark := range []string{"-- ", "@ "} {
		text = strings.ReplaceAll("\n"+text, "\n\\"+mark, "\n"+mark)[1:]
	}
	return text
}

// apply does what the script says in a copy of the module.
func (s script) apply(dir string) error {
	for _, c := range s.changes {
		text, err := c.in(dir)
		if err != nil {
			return fmt.Errorf("%s: %s: %w", s.name, c.file, err)
		}
		to := path(dir, c.file)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(to, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// in returns what the file contains after the change.
func (c change) in(dir string) (string, error) {
	old, err := os.ReadFile(path(dir, c.file))
	if c.edits == nil {
		if err == nil {
			return "", fmt.Errorf("got a file that exists, want edits of it")
		}
		return c.text, nil
	}
	if err != nil {
		return "", err
	}
	text := string(old)
	for _, e := range c.edits {
		if text, err = e.apply(text); err != nil {
			return "", err
		}
	}
	return text, nil
}

// apply returns the text after the edit.
func (e edit) apply(text string) (string, error) {
	if n := strings.Count(text, e.anchor); n != 1 || e.anchor == "" {
		return "", fmt.Errorf("got the anchor %q %d times, want it once", e.anchor, n)
	}
	if !e.after {
		return strings.Replace(text, e.anchor, e.text, 1), nil
	}
	before, rest, _ := strings.Cut(text, e.anchor)
	line, rest, _ := strings.Cut(rest, "\n")
	return before + e.anchor + line + "\n" + e.text + "\n" + rest, nil
}
