package cli

import (
	"os"
	"slices"
	"testing"

	"github.com/spf13/cobra"

	"parley/internal/help"
)

// A command line builds the command that it names, whose help is the same as in the tree of all commands,
// and the workbench builds none.
func TestACommandLineBuildsWhatItNames(t *testing.T) {
	t.Parallel()
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	built := func(args ...string) *cobra.Command {
		return tree{&app{args: args, streams: Streams{In: null, Out: null, Err: null}}}.needed()
	}
	all := commandNames(Commands())
	for _, args := range [][]string{{"help", "send"}, {"completion", "bash"}, {"__complete", "op"}, {"__completeNoDesc", ""}, {"--config", "x.toml", "open"}} {
		if got := commandNames(built(args...)); !slices.Equal(got, all) {
			t.Errorf("parley %q: got commands %q, want all of %q", args, got, all)
		}
	}
	for _, args := range [][]string{nil, {"localhost:9999"}, {"opne"}, {"\x1b[31mopen"}, {"open "}, {""}} {
		if got := commandNames(built(args...)); len(got) > 0 {
			t.Errorf("parley %q: got commands %q, want none", args, got)
		}
	}
	for _, c := range Commands().Commands() {
		if c.Name() == "completion" || c.Name() == "help" {
			continue
		}
		root := built(c.Name(), "--no-such-flag")
		if got := commandNames(root); !slices.Equal(got, []string{c.Name()}) && !c.Hidden {
			t.Errorf("parley %s: got commands %q, want that one", c.Name(), got)
			continue
		}
		if got, want := help.AllFlags(root.Commands()[0], maxHelpWidth), help.AllFlags(c, maxHelpWidth); got != want {
			t.Errorf("parley %s: got the help\n%s\nwant\n%s", c.Name(), got, want)
		}
	}
}
