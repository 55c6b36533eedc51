package cli

import (
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"parley/internal/config"
	"parley/internal/help"
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
			if r.code != 0 || command != "parley" && !strings.Contains(r.out, "\nUsage:\n  "+command) || command == "parley" && r.out != help.Root {
				t.Errorf("%q: got exit %d and %q, want 0 and usage", args, r.code, r.err)
			}
			for l := range strings.Lines(r.out) {
				if n := utf8.RuneCountInString(strings.TrimSuffix(l, "\n")); n > help.Width {
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
		{[]string{"help"}, help.Root}, {[]string{"--help"}, help.Root}, {[]string{"help", "send"}, "parley send"}, {[]string{"send", "--help"}, "All flags: parley help flags send"},
		{[]string{"task", "get", "-h"}, "parley task get"}, {[]string{"--version"}, "parley "}, {[]string{"-v"}, "parley "},
	} {
		if r := parley(t, c.args...); r.code != 0 || !strings.Contains(r.out, c.want) || r.err != "" {
			t.Errorf("%q: got exit %d\n%s%s\nwant 0 and %q", c.args, r.code, r.out, r.err, c.want)
		}
	}
}

// Topics and lists of all flags are printed; a word that is none of them gets one sentence with the nearest
// name, and is printed safely.
func TestHelpKnowsTopicsAndAllFlags(t *testing.T) {
	t.Parallel()
	for _, name := range help.Topics() {
		if text, _ := help.Topic(name); text == "" || parley(t, "help", name).out != text {
			t.Errorf("help %s: got another text than that of the topic", name)
		}
	}
	commands(func(c *cobra.Command) {
		r := parley(t, append([]string{"help", help.Flags}, strings.Fields(help.Path(c))...)...)
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && !strings.Contains(r.out, "--"+f.Name) {
				t.Errorf("%s: got no --%s in the list of all flags", c.CommandPath(), f.Name)
			}
		})
		if r.code != 0 || !strings.Contains(r.out, "--config FILE") {
			t.Errorf("%s: got exit %d and no --config in the list of all flags\n%s%s", c.CommandPath(), r.code, r.out, r.err)
		}
	})
	for word, says := range map[string]string{
		"exot":      `There is no command and no topic "exot": parley help lists them. Did you mean parley help exit?`,
		"sned":      "Did you mean parley help send?",
		"nothing":   `There is no command and no topic "nothing": parley help lists them.` + "\n",
		"\x1b[2J":   `There is no command and no topic "␛[2J"`,
		"../secret": "There is no command and no topic",
	} {
		r := parley(t, "help", word)
		if r.code != 2 || !strings.Contains(r.err, says) || r.out != "" {
			t.Errorf("help %q: got exit %d\n%s%s\nwant 2 and %q", word, r.code, r.out, r.err, says)
		}
	}
	if r := parley(t, "help", "flags", "task", "gte"); r.code != 2 || !strings.Contains(r.err, "Did you mean parley task get?") {
		t.Errorf("got exit %d, want 2 and the nearest command\n%s", r.code, r.err)
	}
}

// Completion knows every flag, also those that the help of a command leaves out, and the topics.
func TestCompletionHasWhatHelpLeavesOut(t *testing.T) {
	t.Parallel()
	if text := parley(t, "send", "--help").out; strings.Contains(text, "--mesh-user") {
		t.Fatalf("got --mesh-user in the help of send, want it for this test to be left out:\n%s", text)
	}
	for words, want := range map[string][]string{"send --": {"--mesh-user", "--agent-card"}, "help ": {"exit", "flags", "send"}, "help flags task ": {"get"}} {
		args := strings.Split("__complete "+words, " ")
		if r := parley(t, args...); !containsAll(r.out, want) {
			t.Errorf("%q: got %s, want %q", words, r.out, want)
		}
	}
}

func containsAll(text string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

// Each example in the help of a command is a command line that the program has.
func TestExamplesOfTheHelpAreCommands(t *testing.T) {
	t.Parallel()
	var texts []string
	commands(func(c *cobra.Command) { texts = append(texts, c.Example) })
	for _, name := range help.Topics() {
		text, _ := help.Topic(name)
		texts = append(texts, text)
	}
	found := 0
	for _, text := range append(texts, help.Root) {
		for l := range strings.Lines(text) {
			if !strings.HasPrefix(l, "  ") {
				continue
			}
			for _, words := range commandLines(strings.TrimSpace(strings.SplitN(strings.TrimPrefix(l, "  "), "  ", 2)[0])) {
				if len(words) == 0 || words[0] != "parley" {
					continue
				}
				found++
				root := (&app{}).rootCommand()
				c, rest, err := root.Find(words[1:])
				if err == nil {
					err = c.ParseFlags(rest)
				}
				if err == nil {
					err = c.ValidateArgs(c.Flags().Args())
				}
				if err != nil {
					t.Errorf("%s: got error %v, want a command line", strings.TrimSpace(l), err)
				}
			}
		}
	}
	if found < 150 {
		t.Errorf("got %d examples, want all", found)
	}
}

// The statuses and the outcomes that topics name are those of the program.
func TestTopicsNameStatusesAndOutcomes(t *testing.T) {
	t.Parallel()
	statuses := map[int]bool{0: true, 1: true, int(statusGate): true, int(statusPipe): true}
	for _, status := range exits {
		statuses[status] = true
	}
	for status := range statuses {
		if help.Exits[status] == "" {
			t.Errorf("got no meaning of status %d, want one", status)
		}
	}
	for status := range help.Exits {
		if !statuses[status] {
			t.Errorf("got a meaning of status %d, which no command has", status)
		}
	}
	text, _ := help.Topic("ci")
	for _, s := range gateStates {
		if !strings.Contains(text, s.String()) {
			t.Errorf("got no outcome %s in\n%s", s, text)
		}
	}
	for _, s := range gateSeverities {
		if !strings.Contains(text, "finding:"+s.String()) {
			t.Errorf("got no outcome finding:%s in\n%s", s, text)
		}
	}
}
