package script

import (
	"bytes"
	"cmp"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"parley/internal/spelling"
	"parley/internal/visible"
)

// Parse reads a script. The error is an [*Error], which names the file by name.
func Parse(name string, text []byte) (*Script, error) {
	s := &Script{Name: name}
	lines, err := split(name, text)
	if err != nil {
		return nil, err
	}
	var before []string
	for i, line := range lines {
		c := &cursor{name: name, line: i + 1, text: line}
		if c.end() {
			before = append(before, c.comment())
			continue
		}
		if len(s.Steps) == maxSteps {
			return nil, c.fail(0, "A script has at most %d steps.", maxSteps)
		}
		step, err := c.step()
		if err != nil {
			return nil, err
		}
		if err := inOrder(s, &step, c); err != nil {
			return nil, err
		}
		step.Before, before = before, nil
		s.Steps = append(s.Steps, step)
	}
	if s.Rest = before; len(s.Steps) == 0 {
		return nil, &Error{Name: name, Line: 1, Column: 1, Sentence: `The script has no step: its first one opens an agent, such as Open demo.`}
	}
	return s, nil
}

// split checks the bytes of a file and returns its lines.
func split(name string, text []byte) ([]string, error) {
	fail := func(line, column int, sentence string) error {
		return &Error{Name: name, Line: line, Column: column, Sentence: sentence}
	}
	if len(text) > MaxSize {
		return nil, fail(1, 1, "A script has at most 1 MB.")
	}
	if bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff")) {
		return nil, fail(1, 1, "The script is in UTF-16: save it as UTF-8.")
	}
	plain := strings.TrimPrefix(string(text), "\ufeff")
	plain = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(plain)
	lines := strings.Split(strings.TrimSuffix(plain, "\n"), "\n")
	for i, line := range lines {
		if len(line) > maxLine {
			return nil, fail(i+1, 1, "A line of a script has at most 64 kB.")
		}
		column := 0
		for at, r := range line {
			column++
			if r == utf8.RuneError && !strings.HasPrefix(line[at:], "\ufffd") || r < ' ' && r != '\t' || r == 0x7f {
				return nil, fail(i+1, column, "Here stands a byte that is no text: a script is text in UTF-8, one step per line.")
			}
		}
	}
	return lines, nil
}

// inOrder refuses a step that stands too late.
func inOrder(s *Script, step *Step, c *cursor) *Error {
	early := step.Verb == Output || step.Verb == Set && (step.Name == "width" || step.Name == "height")
	if !early {
		return nil
	}
	for i := range s.Steps {
		if v := s.Steps[i].Verb; v != Set && v != Output {
			what := string(step.Verb)
			if step.Verb == Set {
				what += " " + step.Name
			}
			return c.fail(0, "%s stands before the first step, which is in line %d.", what, s.Steps[i].Line)
		}
	}
	return nil
}

// verbs are all verbs, in the order of docs/scripts.md.
var verbs = []Verb{Open, Say, Answer, Wait, Expect, Show, Caption, Pause, Speed, Screenshot, Output, Set, Key, Type}

// vhs says what to write in place of a verb of VHS.
var vhs = map[string]string{
	"sleep": "", "enter": "Key enter", "tab": "Key tab", "escape": "Key esc", "space": "Key space", "backspace": "Key backspace", "up": "Key up", "down": "Key down", "left": "Key left", "right": "Key right", "pageup": "Key pgup", "pagedown": "Key pgdown",
	"hide": "Speed", "source": "the steps of that file", "require": "Open", "env": "Set", "copy": "Type", "paste": "Type",
}

// step reads the step of a line.
func (c *cursor) step() (Step, *Error) {
	word, at := c.word()
	i := slices.IndexFunc(verbs, func(v Verb) bool { return strings.EqualFold(string(v), word) })
	switch {
	case strings.EqualFold(word, "Sleep"):
		i = slices.Index(verbs, Pause)
	case i < 0:
		return Step{}, c.unknownVerb(word, at)
	}
	step := Step{Line: c.line, Column: utf8.RuneCountInString(c.text[:at]) + 1, Verb: verbs[i]}
	if err := c.arguments(&step); err != nil {
		return step, err
	}
	if !c.end() {
		return step, c.fail(c.pos, "%s takes nothing more: remove %q.", step.Verb, visible.Line(clip(c.text[c.pos:])))
	}
	step.Comment = c.comment()
	return step, nil
}

// unknownVerb refuses a word, and names the verb that it resembles.
func (c *cursor) unknownVerb(word string, at int) *Error {
	shown := visible.Line(clip(word))
	if instead, known := vhs[strings.ToLower(word)]; known {
		return c.fail(at, "Scripts have no %s: write %s instead.", shown, instead)
	}
	if key, chord := strings.CutPrefix(strings.ToLower(word), "ctrl+"); chord {
		return c.fail(at, "Scripts have no verb %s: write Key ctrl+%s instead.", shown, visible.Line(clip(key)))
	}
	if near, ok := spelling.Nearest(word, verbs); ok {
		return c.fail(at, "There is no verb %q. Did you mean %s?", shown, near)
	}
	return c.fail(at, "There is no verb %q: a step begins with %s.", shown, join(verbs))
}

// arguments reads what a verb takes.
func (c *cursor) arguments(s *Step) (err *Error) {
	switch s.Verb {
	case Open:
		return c.open(s)
	case Say, Answer, Type:
		if s.Text, err = c.message(s.Verb); err == nil && strings.TrimSpace(s.Text) == "" {
			return c.fail(c.pos, "The text is empty: %s takes what to send.", s.Verb)
		}
		return err
	case Caption:
		s.Text, err = c.message(s.Verb)
		return err
	case Wait, Expect:
		return c.condition(s)
	case Show:
		return c.choice(s, "Show takes", Views())
	case Pause:
		s.Duration, err = c.duration(string(Pause))
		return err
	case Speed:
		s.Number, err = c.number("Speed takes a number such as 2 or 0.5, from 0.01 to 100.", 0.01, 100)
		return err
	case Screenshot:
		return c.file(s, ".png", ".ansi")
	case Output:
		return c.file(s, ".gif", ".cast")
	case Set:
		return c.setting(s)
	default: // Key
		return c.key(s)
	}
}

// open reads what to open.
func (c *cursor) open(s *Step) (err *Error) {
	const missing = "Open takes an agent: its address, the name of a saved one, demo, or a recording such as trip.jsonl."
	at := c.pos
	if s.Ref, err = c.value(missing); err != nil {
		return err
	}
	if s.Ref == "" {
		return c.fail(at+1, missing)
	}
	if strings.EqualFold(s.Ref, demoRef) {
		s.Ref = demoRef
	}
	if c.end() {
		return nil
	}
	if s.Source() == Live {
		return nil // the caller says that nothing more is allowed
	}
	s.Agent, err = c.value("")
	return err
}

// message reads the text of a message, which stands in quotes.
func (c *cursor) message(v Verb) (string, *Error) {
	switch {
	case c.end():
		return "", c.fail(c.pos, `%s takes a text in quotes, such as %s "hello".`, v, v)
	case !c.quoted():
		return "", c.fail(c.pos, "The text stands in quotes: %s %s.", v, quote(clip(strings.TrimRight(c.text[c.pos:], " \t"))))
	}
	return c.quote()
}

// choice reads one of several words.
func (c *cursor) choice(s *Step, takes string, words []string) *Error {
	word, at := c.word()
	word = strings.ToLower(word)
	if slices.Contains(words, word) {
		s.Text = word
		return nil
	}
	return c.fail(at, "%s %s%s.", takes, join(words), butNot(word))
}

// butNot continues a sentence about what is allowed with what stands there.
func butNot(word string) string {
	if word == "" {
		return ""
	}
	return "; " + strconv.Quote(visible.Line(clip(word))) + " is none of them"
}

// number reads a number.
func (c *cursor) number(sentence string, least, most float64) (float64, *Error) {
	word, at := c.word()
	n, err := strconv.ParseFloat(strings.TrimSuffix(word, "x"), 64)
	if err != nil || !(n >= least && n <= most) {
		return 0, c.fail(at, "%s", sentence)
	}
	return n, nil
}

// file reads the name of a file with one of some endings.
func (c *cursor) file(s *Step, endings ...string) (err *Error) {
	takes := string(s.Verb) + " takes a file whose name ends in " + join(endings)
	c.space()
	at := c.pos
	if s.Text, err = c.value(takes + "."); err != nil {
		return err
	}
	if ext := strings.ToLower(filepath.Ext(s.Text)); !slices.Contains(endings, ext) || len(filepath.Base(s.Text)) == len(ext) {
		return c.fail(at, "%s.", takes)
	}
	return nil
}

// key reads a key and how often it is pressed.
func (c *cursor) key(s *Step) (err *Error) {
	c.space()
	at := c.pos
	if s.Text, err = c.value("Key takes a key such as enter, ctrl+p, f1 or q."); err != nil {
		return err
	}
	if s.Text == "" || len(s.Text) > 32 || s.Text != " " && strings.ContainsAny(s.Text, " \t\n") {
		return c.fail(at, "Key takes one key such as enter, ctrl+p, f1 or q; Type takes a text.")
	}
	if s.Number = 1; c.end() {
		return nil
	}
	const often = "After the key stands how often it is pressed, from 1 to 100."
	at = c.pos
	if s.Number, err = c.number(often, 1, 100); err == nil && s.Number != float64(int(s.Number)) {
		return c.fail(at, often)
	}
	return err
}

// Views returns what Show shows.
func Views() []string { return []string{"conversation", "wire", "card", "findings"} }

// A setting is something that Set sets.
type setting struct {
	name, takes string
	fits        func(value string) bool
}

// settings returns all settings.
func settings() []setting {
	between := func(least, most int) func(string) bool {
		return func(v string) bool {
			n, err := strconv.Atoi(v)
			return err == nil && n >= least && n <= most
		}
	}
	duration := func(v string) bool {
		_, err := (&cursor{text: v}).duration("")
		return err == nil
	}
	onOff := func(v string) bool { return v == "on" || v == "off" }
	return []setting{
		{"theme", "the name of a theme or a file of one", func(v string) bool { return v != "" }},
		{"width", "columns from 20 to 500", between(20, 500)},
		{"height", "rows from 5 to 200", between(5, 200)},
		{"timeout", "how long a step waits, such as 30s", duration},
		{"typing", "the pause after each typed character, such as 50ms", duration},
		{"present", "on or off", onOff},
		{"ascii", "on or off", onOff},
	}
}

// setting reads a setting and its value.
func (c *cursor) setting(s *Step) *Error {
	all := settings()
	names := make([]string, len(all))
	for i := range all {
		names[i] = all[i].name
	}
	word, at := c.word()
	i := slices.Index(names, strings.ToLower(cmp.Or(map[string]string{"typingspeed": "typing", "waittimeout": "timeout"}[strings.ToLower(word)], word)))
	if i < 0 {
		if near, ok := spelling.Nearest(word, names); ok {
			return c.fail(at, "There is no setting %q. Did you mean %s?", visible.Line(clip(word)), near)
		}
		return c.fail(at, "Set takes %s and a value%s.", join(names), butNot(word))
	}
	s.Name = all[i].name
	takes := "Set " + s.Name + " takes " + all[i].takes + "."
	c.space()
	at = c.pos
	value, err := c.value(takes)
	if err != nil {
		return err
	}
	if !all[i].fits(value) {
		return c.fail(at, "%s", takes)
	}
	s.Text = value
	return nil
}
