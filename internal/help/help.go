// Package help writes the help of the command line: a screen for Parley, for each topic and for each command,
// and the lists of all flags.
package help

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Width is how many columns the help takes where the terminal has them.
const Width = 79

// Flags is the word that prints all flags, as in "parley help flags send".
const Flags = "flags"

// Root is the help of Parley.
//
//go:embed root.txt
var Root string

// mostExamples is how many examples the help of a command has. The man pages have all.
const mostExamples = 3

// Command returns the help of a command in lines of at most width columns, and [Width]: what it does, its
// usage, examples, the flags that are used most, and what to read next. That of Parley is Root.
func Command(c *cobra.Command, width int) string {
	if !c.HasParent() {
		return Root
	}
	width = min(width, Width)
	p := pages[Path(c)]
	var b strings.Builder
	what := strings.TrimSpace(c.Long)
	if what == "" {
		what = c.Short + "."
	}
	shown, all := selected(c, p)
	b.WriteString(what + "\n\nUsage:\n")
	if !c.HasAvailableSubCommands() || len(shown) > 0 { // else it only contains others
		b.WriteString("  " + c.UseLine() + "\n")
	}
	if c.HasAvailableSubCommands() {
		b.WriteString("  " + c.CommandPath() + " COMMAND\n\nCommands:\n")
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() {
				b.WriteString(wrap(fmt.Sprintf("  %-12s ", sub.Name()), sub.Short, width))
			}
		}
	}
	if c.Example != "" {
		lines := strings.Split(strings.TrimRight(c.Example, "\n"), "\n")
		b.WriteString("\nExamples:\n" + strings.Join(lines[:min(len(lines), mostExamples)], "\n") + "\n")
	}
	if len(shown) > 0 {
		b.WriteString("\nFlags:\n" + rows(shown, width))
	}
	b.WriteString("\n")
	if len(p.see) > 0 {
		const space = "\u00a0" // inside of a name
		names := strings.ReplaceAll(strings.Join(p.see, ","), " ", space)
		b.WriteString(strings.ReplaceAll(wrap("See also: ", "parley"+space+strings.ReplaceAll(names, ",", ", parley"+space), width), space, " "))
	}
	if !all {
		b.WriteString("All flags: parley help flags " + Path(c) + "\n")
	}
	return b.String()
}

// Path returns the words of a command behind parley.
func Path(c *cobra.Command) string {
	_, path, _ := strings.Cut(c.CommandPath(), " ")
	return path
}

// selected returns the flags of a command that its help shows, and whether these are all: those that its page
// names, or all of few.
func selected(c *cobra.Command, p page) (shown []*pflag.Flag, all bool) {
	own := 0
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		if own++; len(p.flags) == 0 && own <= MostFlags {
			shown = append(shown, f)
		}
	})
	for _, name := range p.flags {
		if f := c.Flag(name); f != nil {
			shown = append(shown, f)
		}
	}
	return shown, len(shown) == own
}

// MostFlags is how many flags the help of a command has at most.
const MostFlags = 10

// AllFlags returns the list of all flags of a command, in lines of at most width columns.
func AllFlags(c *cobra.Command, width int) string {
	var b strings.Builder
	b.WriteString("The flags of " + c.CommandPath() + ":\n\n" + c.LocalFlags().FlagUsagesWrapped(width))
	if c.HasAvailableInheritedFlags() {
		b.WriteString("\nThe flags of every command:\n\n" + c.InheritedFlags().FlagUsagesWrapped(width))
	}
	if !c.HasParent() {
		b.WriteString("\nThose of a command: parley help flags COMMAND\n")
	}
	return b.String()
}

// rows describes flags, each by the first clause of its description.
func rows(flags []*pflag.Flag, width int) string {
	const widest = 34 // of the names
	var names, says []string
	column := 0
	for _, f := range flags {
		value, usage := pflag.UnquoteUsage(f)
		if short, more, _ := strings.Cut(usage, "; "); !strings.Contains(more, "unlike") { // a caution stays
			usage = short
		}
		if d := f.DefValue; !slices.Contains([]string{"", "false", "0", "0s", "[]"}, d) && !strings.Contains(usage, "(default") {
			usage += " (default " + strings.Trim(d, "[]") + ")"
		}
		name := "      --" + f.Name
		if f.Shorthand != "" {
			name = "  -" + f.Shorthand + ", --" + f.Name
		}
		if value != "" {
			name += " " + value
		}
		names, says = append(names, name), append(says, usage)
		column = max(column, min(utf8.RuneCountInString(name), widest))
	}
	var b strings.Builder
	for i, name := range names {
		b.WriteString(wrap(name+strings.Repeat(" ", max(column-utf8.RuneCountInString(name), 0)+3), says[i], width))
	}
	return b.String()
}

// wrap writes words behind a head, in lines of at most width columns that begin under the first word.
func wrap(head, words string, width int) string {
	indent := utf8.RuneCountInString(head)
	at, b := indent, strings.Builder{}
	b.WriteString(head)
	for i, word := range strings.Split(words, " ") {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case at+1+n > width:
			b.WriteString("\n" + strings.Repeat(" ", indent))
			at = indent
		default:
			b.WriteString(" ")
			at++
		}
		b.WriteString(word)
		at += n
	}
	return b.String() + "\n"
}
