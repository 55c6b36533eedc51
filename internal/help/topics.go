package help

import (
	"embed"
	"fmt"
	"strconv"
	"strings"

	"parley/internal/spelling"
	"parley/session/filter"
)

//go:embed topics
var texts embed.FS

// topics are the names of the topics, in the order of the last line of root.txt.
var topics = []string{"ref", "exit", "filter", "scripts", "ci", "secrets"}

// Topics returns the names of the topics.
func Topics() []string { return topics }

// Topic returns the text of a topic, and whether there is one of that name.
func Topic(name string) (text string, ok bool) {
	raw, err := texts.ReadFile("topics/" + name + ".txt")
	if err != nil {
		return "", false
	}
	return strings.NewReplacer("{{exits}}\n", exitRows(), "{{fields}}\n", fieldRows()).Replace(string(raw)), true
}

// Nearest returns the name that a mistyped word may stand for: of a topic, or one of others. It is empty if
// none is near.
func Nearest(word string, others []string) string {
	near, _ := spelling.Nearest(word, append(append([]string{Flags}, topics...), others...))
	return near
}

// Exits says what each exit status means.
var Exits = map[int]string{
	0:   "the command did its job",
	1:   "the answer is a failure, unreadable or incomplete; or Parley failed",
	2:   "the command line is wrong, or names what cannot be used",
	3:   "the agent cannot be reached, or has no card",
	4:   "credentials are missing, were refused or may not go there",
	5:   "no answer in time (--timeout)",
	10:  "--fail-on names the outcome",
	141: "the reader of standard output has gone, as with | head",
}

// exitRows returns a row for each exit status.
func exitRows() string {
	var b strings.Builder
	for status := range 256 {
		if means := Exits[status]; means != "" {
			fmt.Fprintf(&b, "  %3s  %s\n", strconv.Itoa(status), means)
		}
	}
	return b.String()
}

// fieldRows returns a row for each field of the filter, as its own completion describes it.
func fieldRows() string {
	var b strings.Builder
	for _, c := range filter.Complete("", 0, nil) {
		if c.Text != "not" { // the text says so
			fmt.Fprintf(&b, "  %-10s %s\n", c.Text, c.Note)
		}
	}
	return b.String()
}
