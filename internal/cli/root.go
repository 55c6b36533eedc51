package cli

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"parley/internal/help"
)

// A tree builds the commands of an app.
type tree struct{ *app }

// rootCommand builds the tree of all commands.
func (a *app) rootCommand() *cobra.Command { return tree{a}.whole() }

func (a tree) whole() *cobra.Command {
	root := a.bare()
	for _, c := range a.commands() {
		root.AddCommand(c.build())
	}
	a.complete(root)
	return root
}

// needed builds the tree for one command line: the command that the first word names, all commands
// for help, for completions and behind a flag, and none for the workbench. Building all of them, with the
// completions of their flags, takes a tenth of the start.
func (a tree) needed() *cobra.Command {
	first := ""
	if len(a.args) > 0 {
		first = a.args[0]
	}
	all := []string{"help", "completion", cobra.ShellCompRequestCmd, cobra.ShellCompNoDescRequestCmd}
	if strings.HasPrefix(first, "-") || slices.Contains(all, first) {
		return a.whole()
	}
	root := a.bare()
	for _, c := range a.commands() {
		if c.name == first {
			root.AddCommand(c.build())
		}
	}
	return root
}

// A namedCommand is a command of the root that is not built yet.
type namedCommand struct {
	name  string
	build func() *cobra.Command
}

// commands lists the commands of the root.
func (a tree) commands() []namedCommand {
	return []namedCommand{
		{"demo", a.demoCommand}, {"open", a.openCommand}, {"resume", a.resumeCommand}, {"replay", a.replayCommand}, {"export", a.exportCommand},
		{"diff", a.diffCommand}, {"serve", a.serveCommand}, {"tap", a.tapCommand}, {"import", a.importCommand}, {"card", a.cardCommand},
		{"send", a.sendCommand}, {"task", a.taskCommand}, {"config", a.configCommand}, {"sessions", a.sessionsCommand}, {"agents", a.agentsCommand},
		{"auth", a.authCommand}, {"themes", a.themesCommand}, {"check", a.checkCommand}, {"conformance", a.conformanceCommand},
		{"catalog", a.catalogCommand}, {"doctor", a.doctorCommand}, {"chat", a.chatCommand}, {"demo-server", a.demoServerCommand},
	}
}

// bare builds the root without its commands. A first word that names a command runs it; anything else
// is an agent's reference and opens the workbench.
func (a tree) bare() *cobra.Command {
	var w workbench
	root := &cobra.Command{
		Use:   "parley [REF…]",
		Short: "A terminal workbench for A2A agents",
		Long: `Parley talks to A2A agents and shows, beside the conversation, every byte that
crossed the wire.

A REF is a base URL, the URL of an agent card, host:port, a card file, - for
standard input, or the name of a saved agent. A word that is none of
these is refused: write http://desk for a host called desk.`, // for the man page
		Example:       "  parley demo\n  parley http://localhost:9999\n  parley send -a http://localhost:9999 \"hello\"",
		Version:       versionWords(),
		Args:          cobra.ArbitraryArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: func(_ *cobra.Command, refs []string) error {
			for i, ref := range refs {
				check := a.checkReference
				if i == 0 {
					check = a.checkFirstWord
				}
				if err := check(ref); err != nil {
					return err
				}
			}
			return a.workbench(w, refs)
		},
		PersistentPreRunE: a.configure,
	}
	root.SetVersionTemplate("parley {{.Version}}\n")
	root.SetGlobalNormalizationFunc(flagAliases)
	root.SuggestionsMinimumDistance = 2
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		if c == root && len(a.args) > 0 && !strings.HasPrefix(a.args[0], "-") {
			if misspelled := a.checkFirstWord(a.args[0]); misspelled != nil {
				return misspelled // the flags are those of the intended command
			}
		}
		return flagFault(c, err)
	})
	root.SetHelpCommand(a.helpCommand(root))
	root.SetHelpFunc(func(c *cobra.Command, _ []string) {
		_, _ = c.OutOrStdout().Write([]byte(help.Command(c, a.helpWidth())))
	})
	root.PersistentFlags().String("config", "", "read settings from this `FILE` instead of the local .env; one that ends in .toml replaces config.toml")
	w.flags(root.Flags())
	w.portsFlag(root.Flags())
	a.net.flags(root.Flags())
	return root
}

// The limits of the width of help: a narrower column is no more readable, and a wider line
// neither.
const (
	minHelpWidth = 60
	maxHelpWidth = 100
	pipeWidth    = 80 // where there is no terminal to ask
)

// helpWidth returns how many columns the list of all flags may take.
func (a *app) helpWidth() int {
	width, _, err := term.GetSize(a.streams.Out.Fd())
	if err != nil || width <= 0 {
		width = pipeWidth
	}
	return min(max(width, minHelpWidth), maxHelpWidth)
}

// argCount refuses any other number of arguments, with a sentence.
func argCount(n int, sentence string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) != n {
			return usage("%s", sentence)
		}
		return nil
	}
}

// group is a command that only contains others. It takes any flag, because those after a
// misspelled command belong to the intended one.
func group(name, short string) *cobra.Command {
	return &cobra.Command{
		Use: name, Short: short, Args: cobra.ArbitraryArgs,
		FParseErrWhitelist:         cobra.FParseErrWhitelist{UnknownFlags: true},
		SuggestionsMinimumDistance: 2,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("parley %s needs a command: %s.", name, strings.Join(commandNames(c), " or "))
			}
			return unknownCommand(c, args[0])
		},
	}
}

// unknownCommand refuses a word that names no command of parent.
func unknownCommand(parent *cobra.Command, word string) *fault {
	names := commandNames(parent)
	if len(names) == 0 {
		return usage("%s has no commands of its own, so there is no %q.", parent.CommandPath(), line(word))
	}
	hint := ""
	if near := parent.SuggestionsFor(word); len(near) > 0 {
		hint = " Did you mean " + parent.CommandPath() + " " + near[0] + "?"
	}
	return usage("%s has no command %q: it has %s.%s", parent.CommandPath(), line(word), strings.Join(names, ", "), hint)
}

// commandNames lists the commands of parent that help shows.
func commandNames(parent *cobra.Command) (names []string) {
	for _, c := range parent.Commands() {
		if c.IsAvailableCommand() && c.Name() != "help" {
			names = append(names, c.Name())
		}
	}
	return names
}

// helpCommand shows the help of a command or a topic, or all flags of a command, and fails for an unknown one.
func (a *app) helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:                   "help [COMMAND | TOPIC | flags [COMMAND]]",
		Short:                 "Show the commands, the help of one, all its flags, or a topic",
		DisableFlagsInUseLine: true,
		Long: "Show the commands, the help of one command, all flags of Parley or of a\n" +
			"command, or a topic: " + strings.Join(help.Topics(), ", ") + ".",
		Example: "  parley help send\n  parley help flags send\n  parley help exit",
		// Help reads no settings, so that it works when they are broken.
		PersistentPreRunE: func(*cobra.Command, []string) error { return nil },
		ValidArgsFunction: func(_ *cobra.Command, words []string, _ string) ([]string, cobra.ShellCompDirective) {
			c, err := find(root, words)
			if err != nil {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			names := commandNames(c)
			if len(words) == 0 {
				names = slices.Concat(names, help.Topics(), []string{help.Flags})
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, words []string) error {
			if len(words) == 1 {
				if text, ok := help.Topic(words[0]); ok {
					return a.print([]byte(text))
				}
			}
			c, err := find(root, words)
			if err != nil {
				return err
			}
			c.InitDefaultHelpFlag()
			if len(words) > 0 && words[0] == help.Flags {
				c.InitDefaultVersionFlag()
				return a.print([]byte(help.AllFlags(c, a.helpWidth())))
			}
			return a.print([]byte(help.Command(c, a.helpWidth())))
		},
	}
}

// find returns the command that words of parley help name, also behind "flags".
func find(root *cobra.Command, words []string) (*cobra.Command, error) {
	if len(words) > 0 && words[0] == help.Flags {
		words = words[1:]
	}
	c := root
	for _, word := range words {
		i := slices.IndexFunc(c.Commands(), func(sub *cobra.Command) bool { return sub.Name() == word })
		switch {
		case i >= 0:
			c = c.Commands()[i]
		case c != root:
			return nil, unknownCommand(c, word)
		default:
			hint := ""
			if near := help.Nearest(word, commandNames(root)); near != "" {
				hint = " Did you mean parley help " + near + "?"
			}
			return nil, usage("There is no command and no topic %q: parley help lists them.%s", line(word), hint)
		}
	}
	return c, nil
}
