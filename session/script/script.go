package script

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"parley/a2a"
	"parley/internal/visible"
)

// The limits of a script.
const (
	MaxSize  = 1 << 20 // bytes of a file
	maxLine  = 64 << 10
	maxSteps = 10_000
	maxWait  = 24 * time.Hour
)

// DefaultTimeout is how long a step waits if neither it nor the setting "timeout" says so.
const DefaultTimeout = 30 * time.Second

// Ending is how the names of script files end.
const Ending = ".parley"

// A Script is a file that was read.
type Script struct {
	Name  string // of the file, for messages
	Steps []Step
	// Rest are the comments and empty lines after the last step.
	Rest []string
}

// A Verb is the first word of a step.
type Verb string

// The verbs.
const (
	Open       Verb = "Open"       // opens an agent, or begins a conversation with one that is open: Ref, Agent
	Say        Verb = "Say"        // sends Text in the conversation
	Answer     Verb = "Answer"     // sends Text to the task that waits
	Wait       Verb = "Wait"       // until Condition holds, or the answer is complete
	Expect     Verb = "Expect"     // fails unless Condition holds
	Show       Verb = "Show"       // shows the view Text
	Caption    Verb = "Caption"    // shows Text as a caption, none if it is empty
	Pause      Verb = "Pause"      // waits for Duration
	Speed      Verb = "Speed"      // divides pauses by Number
	Screenshot Verb = "Screenshot" // writes the screen to the file Text
	Output     Verb = "Output"     // writes the whole play to the file Text
	Set        Verb = "Set"        // gives the setting Name the value Text
	Key        Verb = "Key"        // presses the key Text, Number times
	Type       Verb = "Type"       // types Text, key by key
)

// A Step is one line of a script. Which fields are set follows from its verb.
type Step struct {
	Line, Column int // of the verb, from 1
	Verb         Verb
	Text         string
	Ref          string // what Open opens: a reference, a recording, or "demo"
	Agent        string // the name of one of the agents of the demo or of a recording, may be empty
	Name         string
	Number       float64
	Duration     time.Duration // of Pause; of Wait the time allowed, 0 for the default
	Condition    Condition     // of Wait and Expect
	// Before are the comments and empty lines before the step, Comment the one behind it.
	Before  []string
	Comment string
}

// A Source is what Open opens.
type Source uint8

// The sources.
const (
	Live      Source = iota // an agent at a reference
	Demo                    // an agent of the demo
	Recording               // a recorded agent
)

// Source returns what the step opens.
func (s *Step) Source() Source {
	switch {
	case s.Ref == demoRef:
		return Demo
	case strings.HasSuffix(strings.ToLower(s.Ref), ".jsonl") && !strings.Contains(s.Ref, "://"):
		return Recording
	}
	return Live
}

// Reference returns what the step opens. A reference such as $AGENT is the value of a variable of
// the environment; the problem is a sentence if there is none.
func (s *Step) Reference(getenv func(string) string) (ref, problem string) {
	name, variable := strings.CutPrefix(s.Ref, "$")
	if !variable {
		return s.Ref, ""
	}
	if ref = getenv(name); ref == "" {
		return "", fmt.Sprintf("The variable %s is not set: it has to name the agent.", visible.Line(clip(name)))
	}
	return ref, ""
}

// Label returns the step as a line of output shows it: without secrets, and not too long.
func (s *Step) Label() string {
	shown := *s
	shown.Ref = a2a.MaskReference(s.Ref)
	text := visible.Line(shown.String())
	const most = 200
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most-1]) + "…"
	}
	return text
}

// demoRef is what Open takes for the agents of the demo.
const demoRef = "demo"

// Value returns the last value that the script gives to a setting before its first step of
// another kind, empty if it gives none: such as the size of the screen.
func (s *Script) Value(setting string) string {
	value := ""
	for i := range s.Steps {
		if step := &s.Steps[i]; step.Verb == Set && step.Name == setting {
			value = step.Text
		} else if step.Verb != Set && step.Verb != Output {
			break
		}
	}
	return value
}

// Outputs returns the files that the whole play is written to.
func (s *Script) Outputs() (files []string) {
	for i := range s.Steps {
		if s.Steps[i].Verb == Output {
			files = append(files, s.Steps[i].Text)
		}
	}
	return files
}

// An Error is why a script cannot be read.
type Error struct {
	Name         string // of the file
	Line, Column int
	Sentence     string // with its full stop
}

// Error returns the place and the sentence.
func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", cmp.Or(e.Name, "script"), e.Line, e.Column, e.Sentence)
}
