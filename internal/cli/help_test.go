package cli

import (
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"parley/internal/config"
	"parley/internal/roster"
)

// TestHelpFitsATerminal reads the help of every command without a terminal, so that the default
// width applies.
func TestHelpFitsATerminal(t *testing.T) {
	t.Parallel()
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	a := &app{ctx: t.Context(), streams: Streams{In: null, Out: null, Err: null}}
	var commands []string
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		commands = append(commands, c.CommandPath())
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(a.rootCommand())
	for _, command := range commands {
		args := strings.Fields(command)[1:]
		for _, args := range [][]string{append(args[:len(args):len(args)], "--help"), append([]string{"help"}, args...)} {
			r := parley(t, args...)
			if r.code != 0 || !strings.Contains(r.out, "Usage:") {
				t.Errorf("%q: got exit %d and %q, want 0 and usage", args, r.code, r.err)
			}
			for l := range strings.Lines(r.out) {
				if n := utf8.RuneCountInString(strings.TrimSuffix(l, "\n")); n > pipeWidth {
					t.Errorf("%q: got a line of %d columns: %s", args, n, l)
				}
			}
		}
	}
}

func TestAMisspelledNameIsNotDialled(t *testing.T) {
	t.Parallel()
	s := newStub(t, plainCard, done)
	vars, _, saved := folders(t, "[[agent]]\nname = \"Front Desk\"\nref = \""+s.URL+"\"\n")
	if _, err := saved.Update(roster.Save(config.Agent{Name: "Scribe", Ref: s.URL})); err != nil {
		t.Fatal(err)
	}
	for word, says := range map[string]string{
		"scirbe": "Did you mean Scribe?", "Front Dsek": "Did you mean 'Front Desk'?", "elsewhere": "A host of that name is written http://elsewhere.",
	} {
		for _, args := range [][]string{{word}, {"send", "-a", word, "x"}, {"card", "get", word}, {"task", "get", "-a", word, "t1"}} {
			r := commandLine{args: args, env: vars}.run(t)
			if r.code != 2 || !strings.Contains(r.err, says) {
				t.Errorf("%q: got exit %d, want 2 and %q in\n%s", args, r.code, says, r.err)
			}
		}
	}
}

// Help is requested for a subcommand of a command without subcommands.
func TestHelpOfACommandBelowOneThatHasNone(t *testing.T) {
	t.Parallel()
	r := parley(t, "help", "send", "get")
	if r.code != 2 || !strings.Contains(r.err, `parley send has no commands of its own, so there is no "get".`) {
		t.Errorf("got exit %d, want 2\n%s", r.code, r.err)
	}
}

// Help and the version are printed, and nothing else happens.
func TestHelpAndVersionPrintAndEnd(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"help"}, "Usage:"}, {[]string{"--help"}, "Usage:"}, {[]string{"help", "send"}, "parley send"}, {[]string{"send", "--help"}, "(default 2s)"},
		{[]string{"task", "get", "-h"}, "parley task get"}, {[]string{"--version"}, "parley "}, {[]string{"-v"}, "parley "},
	} {
		if r := parley(t, c.args...); r.code != 0 || !strings.Contains(r.out, c.want) || r.err != "" {
			t.Errorf("%q: got exit %d\n%s%s\nwant 0 and %q", c.args, r.code, r.out, r.err, c.want)
		}
	}
}
