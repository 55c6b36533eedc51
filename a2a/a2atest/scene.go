package a2atest

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// The states with a meaning for the engine.
const (
	stateNew = "new" // of a task that no scene has changed yet
	stateAny = "*"
)

// A scene is one way to answer a request.
type scene struct {
	name   string
	on     []string // methods
	states []string // nil: any text
	text   *regexp.Regexp
	is     *string
	bearer bool   // a bearer token is required
	asks   string // extension that must be requested, empty for none
	answer string // of plain sends, empty: played as it is
	steps  []step
	// interruptions holds the steps for states that another request can cause.
	interruptions map[string][]step
}

// A step is one action of a scene.
type step func(*run) error

// takes reports whether the scene answers the call, and returns the values of its groups.
func (s *scene) takes(c *call, state string) (values, bool) {
	if !slices.Contains(s.on, c.method) || !slices.Contains(s.states, stateAny) && !slices.Contains(s.states, state) {
		return nil, false
	}
	if s.bearer && !c.bearer || s.asks != "" && !slices.Contains(c.extensions, s.asks) {
		return nil, false
	}
	if s.is != nil && *s.is != c.text {
		return nil, false
	}
	if s.text == nil {
		return nil, true
	}
	m := s.text.FindStringSubmatch(c.text)
	if m == nil {
		return nil, false
	}
	caught := values{}
	for i, name := range s.text.SubexpNames() {
		if name != "" && m[i] != "" {
			caught[name] = value{s: m[i], text: true}
		}
	}
	return caught, true
}

func (p *parser) scene(name string, body []byte) error {
	s := &scene{name: name, answer: p.script.answer, interruptions: map[string][]step{}}
	when := ""
	err := eachLine("scene "+name, body, func(word, rest string) error {
		if word == "when" {
			when = rest
			s.interruptions[when] = nil
			return nil
		}
		if isCondition, err := p.condition(s, word, rest); isCondition {
			return err
		}
		steps, err := p.steps(s, word, rest)
		if when == "" {
			s.steps = append(s.steps, steps...)
		} else {
			s.interruptions[when] = append(s.interruptions[when], steps...)
		}
		return err
	})
	p.script.scenes = append(p.script.scenes, s)
	p.scenes[name] = s
	s.fillIn(p.script.dialect)
	return err
}

// steps reads a step line of the scene s.
func (p *parser) steps(s *scene, word, rest string) ([]step, error) {
	if word != "play" {
		one, err := p.step(word, rest)
		return []step{one}, err
	}
	other, ok := p.scenes[rest]
	if !ok {
		return nil, fmt.Errorf("no scene %q above this one", rest)
	}
	maps.Copy(s.interruptions, other.interruptions)
	return other.steps, nil
}

// fillIn sets the usual values of conditions that the scene lacks.
func (s *scene) fillIn(d *dialect) {
	if s.on == nil {
		s.on = []string{d.send, d.stream}
	}
	if s.states == nil {
		s.states = []string{stateAny}
		if slices.Contains(s.on, d.send) || slices.Contains(s.on, d.stream) {
			s.states = []string{stateNew}
		}
	}
	if !slices.Contains(s.on, d.stream) || s.answer == "-" {
		s.answer = ""
	}
}

// condition reads a line that says which requests the scene takes.
func (p *parser) condition(s *scene, word, rest string) (bool, error) {
	switch word {
	case "on":
		s.on = p.methods(rest)
	case "state":
		s.states = strings.Fields(rest)
	case "is":
		s.is = &rest
	case "bearer":
		s.bearer = true
	case "extension":
		if s.asks = rest; !slices.Contains(p.script.knows, rest) {
			return true, fmt.Errorf("the agent does not know the extension %q", rest)
		}
	case "answer":
		s.answer = rest
		if rest != "-" {
			p.neededFiles = append(p.neededFiles, rest)
		}
	case "text":
		re, err := regexp.Compile(rest)
		if err != nil {
			return true, err
		}
		s.text = re
		for _, group := range re.SubexpNames() {
			p.values[group] = true
		}
	default:
		return false, nil
	}
	return true, nil
}

// methods splits the words of an on line; "GET /path" is one method.
func (p *parser) methods(rest string) []string {
	out := []string{}
	if rest == "-" {
		return out
	}
	for _, w := range strings.Fields(rest) {
		if n := len(out); n > 0 && strings.HasPrefix(w, "/") {
			out[n-1] += " " + w
			continue
		}
		out = append(out, w)
	}
	return out
}

// assignments reads NAME=VALUE words. A value may stand between quotes; its
// bytes are used as they are.
func (p *parser) assignments(rest string) (map[string]template, error) {
	out := map[string]template{}
	for rest = strings.TrimSpace(rest); rest != ""; rest = strings.TrimSpace(rest) {
		name, after, ok := strings.Cut(rest, "=")
		if !ok || name == "" || strings.ContainsAny(name, " \"'") {
			return nil, fmt.Errorf("want NAME=VALUE at %q", rest)
		}
		if builtin(name) {
			return nil, fmt.Errorf("%s is a name of the engine", name)
		}
		var v string
		var err error
		if v, rest, err = quoted(after); err != nil {
			return nil, err
		}
		t, err := compile([]byte(v))
		if err != nil {
			return nil, err
		}
		out[name] = t
		p.values[name] = true
		p.loose = append(p.loose, t)
	}
	return out, nil
}

// quoted cuts one value off s. Inside double quotes a backslash keeps its next
// byte from ending the value, and stays in it.
func quoted(s string) (v, rest string, err error) {
	if s == "" || s[0] != '"' && s[0] != '\'' {
		v, rest, _ = strings.Cut(s, " ")
		return v, rest, nil
	}
	for i := 1; i < len(s); i++ {
		switch {
		case s[0] == '"' && s[i] == '\\':
			i++
		case s[i] == s[0]:
			return s[1:i], s[i+1:], nil
		}
	}
	return "", "", errors.New("a closing quote is missing")
}
