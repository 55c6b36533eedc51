package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/spf13/cobra"

	"parley/a2a/a2atest"
	"parley/a2a/a2atest/demo"
	"parley/session/script"
)

// demoFlags are the flags of parley demo.
type demoFlags struct {
	workbench
	headless, fast  bool
	render, list    bool
	size            string
	trials          int
	junit, fallback string
}

// maxTrials is how often a script may be played.
const maxTrials = 10_000

// demoCommand opens the workbench with the agents that come with the program, or plays a script.
func (a *app) demoCommand() *cobra.Command {
	var f demoFlags
	c := &cobra.Command{
		Use:   "demo [SCRIPT | -]",
		Short: "Open the workbench with the demo agents, or play a script",
		Long: `Open the workbench with agents that run inside the program, or play a script: a
file that says what to open, send, wait for and expect, one step per line. A
script plays against live agents, the agents of the demo or a recording.

In the workbench any key pauses the script. With --headless it prints a line
for each step instead; with --render it draws its pictures without a terminal.
The exit status is 1 if a step fails, and 2 if the script cannot be read.`,
		Example: "  parley demo\n  parley demo trip.parley\n  parley demo trip.parley --render --size 160x45\n  parley demo trip.parley --headless\n  parley demo trip.parley --headless --trials 20 --junit trip.xml",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usage("parley demo takes one script.")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			switch {
			case f.list:
				return a.listScripts()
			case len(args) == 0:
				return a.demo(&f)
			}
			return a.playScript(&f, args[0])
		},
	}
	f.flags(c.Flags())
	a.net.flags(c.Flags())
	c.Flags().BoolVar(&f.headless, "headless", false, "play the script without a screen: one line per step")
	c.Flags().BoolVar(&f.fast, "fast", false, "with a script: without its pauses, and those of the demo's agents and recordings")
	c.Flags().BoolVar(&f.render, "render", false, "play the script on a screen that nobody sees, and write its pictures")
	c.Flags().StringVar(&f.size, "size", "", "with --render: `COLUMNSxROWS` of the screen (default 100x30, or what the script sets)")
	c.Flags().BoolVar(&f.list, "list", false, "list the scripts that come with Parley")
	c.Flags().IntVar(&f.trials, "trials", 1, "with --headless: play the script this `number` of times, and print the pass rate and the times")
	c.Flags().StringVar(&f.junit, "junit", "", "with --headless: write a JUnit report to `FILE`")
	c.Flags().StringVar(&f.fallback, "fallback", "", "with a script: go on from this `RECORDING` when the agent fails")
	return c
}

// demo opens the workbench with the agents that come with the program.
func (a *app) demo(f *demoFlags) error {
	if f.headless || f.render || f.size != "" || f.fast || f.trials != 1 || f.junit != "" || f.fallback != "" {
		return usage("--headless, --render, --size, --fast, --trials, --junit and --fallback need a script: parley demo SCRIPT.")
	}
	ctx, stop := context.WithCancel(a.ctx)
	defer stop()
	refs, err := a.embedded.start(ctx)
	if err != nil {
		return err
	}
	f.embedded = true
	return a.workbench(f.workbench, refs)
}

// playScript plays a script.
func (a *app) playScript(f *demoFlags, path string) error {
	switch {
	case f.trials < 1 || f.trials > maxTrials:
		return usage("--trials takes a number from 1 to %d.", maxTrials)
	case f.trials > 1 && f.fallback != "":
		return usage("--trials measures the live agent, so --fallback has no place beside it.")
	case f.trials > 1 && f.record.path != "":
		return usage("--record records one play, so --trials has no place beside it.")
	case f.headless && f.render:
		return usage("--headless draws nothing, so --render has no place beside it.")
	case f.size != "" && !f.render:
		return usage("--size needs --render: on a terminal, the script has its size.")
	case !f.headless && (f.trials > 1 || f.junit != ""):
		return usage("--trials and --junit need --headless.")
	}
	if err := checkTransports(f.transports); err != nil {
		return err
	}
	s, err := a.readScript(path)
	if err != nil {
		return err
	}
	folder := filepath.Dir(path)
	if path == "-" {
		folder = "."
	}
	if !f.headless {
		return a.playOnScreen(f, s, folder)
	}
	return a.playHeadless(f, s, folder)
}

// readScript reads a script from a file, or from standard input.
func (a *app) readScript(path string) (*script.Script, error) {
	in, name := io.Reader(a.streams.In), "stdin"
	if text, own := ownScript(path); own {
		in, name = bytes.NewReader(text), path
	} else if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return nil, notRead(path, err, "parley demo --list names the scripts that come with Parley")
		}
		defer file.Close()
		in, name = file, line(path)
	}
	text, err := io.ReadAll(io.LimitReader(in, script.MaxSize+1))
	if err != nil {
		return nil, notRead(name, err, "parley demo --list names the scripts that come with Parley")
	}
	s, err := script.Parse(name, text)
	if wrong, ok := errors.AsType[*script.Error](err); ok {
		return nil, &fault{code: codeUsage, message: wrong.Error()}
	}
	return s, err
}

// An embedded is the addresses of the agents inside the program: recordings say that they are. It is
// safe for use by several goroutines.
type embedded struct{ refs sync.Map }

// start starts the agents that come with the program and returns their addresses. They run until ctx
// ends.
func (e *embedded) start(ctx context.Context) ([]string, error) {
	agents, _, err := demo.Start(ctx, a2atest.Options{Pace: 1})
	if err != nil {
		return nil, err
	}
	return e.add(agents), nil
}

// add notes agents, and returns their addresses.
func (e *embedded) add(agents []demo.Agent) (refs []string) {
	for _, agent := range agents {
		e.refs.Store(agent.URL, true)
		refs = append(refs, agent.URL)
	}
	return refs
}

// has reports whether a reference is the address of one of them.
func (e *embedded) has(ref string) bool {
	_, ok := e.refs.Load(ref)
	return ok
}
