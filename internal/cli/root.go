package cli

import (
	"github.com/spf13/cobra"
)

// version is set by the linker in releases.
var version = "0.1.0-dev"

// rootCommand builds the tree of commands. A first word that names a command is
// one; anything else is an agent's reference and opens the workbench.
func (a *app) rootCommand() *cobra.Command {
	var w workbench
	root := &cobra.Command{
		Use:   "parley [REF…]",
		Short: "A terminal workbench for A2A agents",
		Long: `Parley talks to A2A agents and shows, beside the conversation, every byte that crossed the wire.

A REF is a base URL, the URL of an agent card, a card file, - for standard input, or the name of an
agent that is kept. What is named like a command is one: open a host called task as http://task.`,
		Example:       "  parley demo\n  parley http://localhost:9999\n  parley send -a http://localhost:9999 \"hello\"",
		Version:       version,
		Args:          cobra.ArbitraryArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: func(_ *cobra.Command, refs []string) error {
			return a.workbench(w, refs)
		},
		PersistentPreRunE: a.configure,
	}
	root.SetVersionTemplate("parley {{.Version}}\n")
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetGlobalNormalizationFunc(flagAliases)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return flagFault(err) })
	root.PersistentFlags().String("config", "", "read settings from this `FILE` instead of the local .env; one that ends in .toml, instead of config.toml")
	w.flags(root.Flags())
	a.net.flags(root.Flags())
	root.AddCommand(a.demoCommand(), a.openCommand(), a.cardCommand(), a.sendCommand(), a.taskCommand(), a.configCommand())
	return root
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

// group is a command that only holds others.
func group(name, short string) *cobra.Command {
	return &cobra.Command{
		Use: name, Short: short, Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("parley %s needs to be told what to do.", name)
			}
			return usage("parley %s knows no such command.", name)
		},
	}
}
