package a2atest

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/txtar"
)

// A Script is an agent's behaviour, parsed and checked. It is immutable, so that many agents
// can play it at once.
type Script struct {
	// Name is the agent's name for users.
	Name string

	dialect  *dialect
	endpoint string
	answer   string // the agent's answer file, may be empty
	pushes   bool   // it has webhooks
	list     listOptions
	knows    []string // extensions
	routes   map[string]route
	files    map[string]template
	scenes   []*scene
}

// A route answers GET requests for one path.
type route struct{ file, mediaType string }

// Parse reads a script. The name is used in errors and, unless the script has another one, for
// the agent. Extra files are added to those of the archive with their bytes taken literally:
// this is how pictures are added.
func Parse(name string, archive []byte, extra ...txtar.File) (*Script, error) {
	p := &parser{
		script: &Script{Name: name, routes: map[string]route{}, files: map[string]template{}},
		scenes: map[string]*scene{},
		values: map[string]bool{},
	}
	for _, f := range extra {
		p.script.files[f.Name] = template{{lit: f.Data}}
	}
	// A checkout may have turned LF into CRLF; scripts write CR as {{hex 0d}}.
	a := txtar.Parse(bytes.ReplaceAll(archive, []byte("\r\n"), []byte("\n")))
	if err := p.archive(a); err != nil {
		return nil, fmt.Errorf("script %s: %w", name, err)
	}
	return p.script, nil
}

// A parser holds the state of reading a script.
type parser struct {
	script      *Script
	scenes      map[string]*scene
	values      map[string]bool // every name that some step or group gives a value
	neededFiles []string        // files that steps name
	loose       []template      // of assignments: not in any file
}

func (p *parser) archive(a *txtar.Archive) error {
	var agent []byte
	var scenes []txtar.File
	for _, f := range a.Files {
		name, isScene := strings.CutPrefix(f.Name, "scene ")
		switch {
		case f.Name == "agent":
			agent = f.Data
		case isScene:
			scenes = append(scenes, txtar.File{Name: name, Data: f.Data})
		default:
			t, err := compile(f.Data)
			if err != nil {
				return fmt.Errorf("%s: %w", f.Name, err)
			}
			p.script.files[f.Name] = t
		}
	}
	if err := eachLine("agent", agent, p.agentLine); err != nil {
		return err
	}
	if p.script.dialect == nil {
		return errors.New("agent: no dialect")
	}
	for _, f := range scenes {
		if err := p.scene(f.Name, f.Data); err != nil {
			return err
		}
	}
	return p.check()
}

// eachLine calls do with the first word and the rest of every line with content, and adds the
// position to its error.
func eachLine(name string, body []byte, do func(word, rest string) error) error {
	n := 0
	for line := range strings.Lines(string(body)) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		word, rest, _ := strings.Cut(line, " ")
		if err := do(word, strings.TrimSpace(rest)); err != nil {
			return fmt.Errorf("%s:%d: %s: %w", name, n, word, err)
		}
	}
	return nil
}

func (p *parser) agentLine(word, rest string) error {
	switch word {
	case "name":
		p.script.Name = rest
	case "dialect":
		d, ok := dialects(rest)
		if !ok {
			return fmt.Errorf("unknown dialect %q", rest)
		}
		p.script.dialect = d
	case "webhooks":
		p.script.pushes = true
	case "extension":
		p.script.knows = append(p.script.knows, rest)
	case "tasks":
		file, page, _ := strings.Cut(rest, " ")
		n, err := strconv.Atoi(page)
		if err != nil || n < 1 {
			return errors.New("want FILE N")
		}
		p.script.list = listOptions{file: file, page: n}
		p.neededFiles = append(p.neededFiles, file)
	case "endpoint":
		p.script.endpoint = rest
	case "answer":
		p.script.answer = rest
		p.neededFiles = append(p.neededFiles, rest)
	case "serve":
		fields := strings.Fields(rest)
		if len(fields) != 3 {
			return errors.New("want PATH FILE TYPE")
		}
		p.script.routes[fields[0]] = route{file: fields[1], mediaType: fields[2]}
		p.neededFiles = append(p.neededFiles, fields[1])
	default:
		return errors.New("unknown setting")
	}
	return nil
}

// check makes sure that every name exists and that no file includes itself, so that playing the
// script cannot fail for a missing name.
func (p *parser) check() error {
	for _, name := range p.neededFiles {
		if _, ok := p.script.files[name]; !ok && !p.values[name] && !builtin(name) {
			return fmt.Errorf("no file %q", name)
		}
	}
	for _, t := range p.loose {
		if err := p.checkTemplate("a value", t, nil); err != nil {
			return err
		}
	}
	for name, t := range p.script.files {
		if err := p.checkTemplate(name, t, []string{name}); err != nil {
			return err
		}
	}
	return nil
}

// checkTemplate checks the placeholders of t, which the files above include.
func (p *parser) checkTemplate(name string, t template, above []string) error {
	for _, piece := range t {
		included, isFile := p.script.files[piece.arg]
		switch {
		case piece.arg == "":
		case piece.verb == "value" && (builtin(piece.arg) || !isFile && p.values[piece.arg]):
		case !isFile:
			return fmt.Errorf("%s: {{%s}} has no value", name, piece.arg)
		case slices.Contains(above, piece.arg):
			return fmt.Errorf("%s: includes itself", name)
		default:
			if err := p.checkTemplate(piece.arg, included, append(above, piece.arg)); err != nil {
				return err
			}
		}
	}
	return nil
}
