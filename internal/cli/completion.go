package cli

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"parley/internal/crash"
	"parley/internal/outlet"
	"parley/session/journal"
	"parley/session/script"
)

// complete adds completions of arguments and of the values of flags to every command.
func (a *app) complete(root *cobra.Command) {
	if a.streams.Out != nil {
		root.SetOut(a.streams.Out) // which the commands below keep
	}
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			for _, shell := range c.Commands() {
				shell.Long = "" // docs/cli.md says more of how to install it
				shell.Example = installations[shell.Name()]
			}
			c.Short, c.Long = "Print the completions for a shell", ""
			c.Example = strings.Join([]string{installations["bash"], installations["zsh"], installations["fish"]}, "\n")
			c.Args, c.RunE = cobra.ArbitraryArgs, func(c *cobra.Command, args []string) error {
				if len(args) == 0 {
					return usage("parley completion needs a shell: %s.", strings.Join(commandNames(c), ", "))
				}
				return unknownCommand(c, args[0])
			}
		}
	}
	root.ValidArgsFunction = a.completeAgents
	agents := []string{"card get", "conformance", "chat", "doctor", "agents forget", "agents rename"}
	tasks := []string{"task get", "task cancel", "task subscribe", "task download", "task push-config create", "task push-config get", "task push-config list", "task push-config delete", "task push-config listen"}
	sessions := []string{"open", "resume", "replay", "export", "diff", "sessions rename", "sessions tag", "sessions note", "sessions pin", "sessions unpin", "sessions delete"}
	var walk func(c *cobra.Command, path string)
	walk = func(c *cobra.Command, path string) {
		for _, sub := range c.Commands() {
			walk(sub, strings.TrimSpace(path+" "+sub.Name()))
		}
		for _, list := range []struct {
			paths    []string
			complete cobra.CompletionFunc
		}{{agents, a.completeAgents}, {tasks, a.completeTasks}, {sessions, a.completeSessions}, {[]string{"serve"}, a.completeSessions}, {[]string{"check"}, a.completeChecked}, {[]string{"demo"}, completeScripts}} {
			for _, p := range list.paths {
				if p == path {
					c.ValidArgsFunction = list.complete
				}
			}
		}
		a.completeFlags(c)
	}
	walk(root, "")
}

// installations say how the completions get into a shell.
var installations = map[string]string{
	"bash":       "  source <(parley completion bash)        # in ~/.bashrc",
	"zsh":        "  parley completion zsh > \"${fpath[1]}/_parley\"",
	"fish":       "  parley completion fish > ~/.config/fish/completions/parley.fish",
	"powershell": "  parley completion powershell | Out-String | Invoke-Expression",
}

// completeFlags adds completions of the values of flags that a command has.
func (a *app) completeFlags(c *cobra.Command) {
	for name, values := range map[string][]string{
		"transport":   {"JSONRPC", "HTTP+JSON", "GRPC", "MQTT"},
		"a2a-version": {"1.0", "0.3", "0.2", "0.1"},
		"dialect":     {"v1.0", "v1.0-rest", "v1.0-grpc", "v0.3", "v0.3-rest", "v0.3-grpc", "v0.2", "v0.1", "sam-broker", "sam-http", "sam-doc"},
		"fail-on":     {"failed", "rejected", "canceled", "input-required", "auth-required", "finding:error", "finding:warning", "finding:info", "none"},
		"as":          formatNames(),
		"status":      {"submitted", "working", "input-required", "auth-required", "completed", "failed", "canceled", "rejected"},
	} {
		if c.LocalFlags().Lookup(name) != nil {
			_ = c.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)) // it fails only for an unknown flag
		}
	}
	if f := c.LocalFlags().Lookup("output"); f != nil {
		values := []string{"text", "json"}
		if c.LocalFlags().Lookup("raw") != nil {
			values = append(values, answerOnly)
		}
		if strings.Contains(f.Usage, drawn) {
			values = append(values, drawn)
		}
		_ = c.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
	}
	if c.LocalFlags().Lookup("theme") != nil {
		_ = c.RegisterFlagCompletionFunc("theme", a.completeThemes)
	}
	if c.LocalFlags().Lookup("save") != nil {
		_ = c.MarkFlagDirname("save")
	}
	if c.LocalFlags().Lookup("agent-card") != nil {
		_ = c.RegisterFlagCompletionFunc("agent-card", a.completeAgents)
	}
	if c.LocalFlags().Lookup("task-id") != nil {
		_ = c.RegisterFlagCompletionFunc("task-id", a.completeTasks)
	}
}

// completeAgents completes the name of a saved agent; files complete too, because a card may be
// in one.
func (a *app) completeAgents(c *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
	a.loadQuietly(c)
	var names []string
	for _, agent := range a.namedAgents() {
		if name := line(agent.Name); strings.HasPrefix(strings.ToLower(name), strings.ToLower(word)) {
			names = append(names, name)
		}
	}
	return names, cobra.ShellCompDirectiveDefault
}

// loadQuietly loads the settings, about which a completion says nothing.
func (a *app) loadQuietly(c *cobra.Command) {
	quiet := a.streams.Err
	if null, err := outlet.Nowhere(); err == nil {
		defer null.Close()
		a.streams.Err = null
	}
	_ = a.configure(c, nil) // without settings there are no names
	a.streams.Err = quiet
}

// completeTasks completes the id of a task, by the list of the agent that the command line names.
func (a *app) completeTasks(c *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	ref, err := c.Flags().GetString("agent-card")
	if ref == "" {
		ref = a.fromEnvironment("agent-card")
	}
	if err != nil || ref == "" || len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var page struct{ Tasks []struct{ ID string } }
	if json.Unmarshal(a.output("task", "list", "-a", ref, "-o", "json", "--timeout", "2s"), &page) != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var ids []string
	for _, t := range page.Tasks {
		if strings.HasPrefix(t.ID, word) && line(t.ID) == t.ID {
			ids = append(ids, t.ID)
		}
	}
	return ids, cobra.ShellCompDirectiveNoFileComp
}

// output runs a command of its own and returns its standard output.
func (a *app) output(args ...string) []byte {
	out, in, err := os.Pipe()
	if err != nil {
		return nil
	}
	null, err := outlet.Nowhere()
	if err != nil {
		return nil
	}
	defer null.Close()
	read := make(chan []byte, 1)
	go func() {
		defer crash.Guard()
		raw, _ := io.ReadAll(out)
		out.Close()
		read <- raw
	}()
	Run(a.ctx, args, a.env, Streams{In: null, Out: in, Err: null})
	in.Close()
	return <-read
}

// completeThemes completes the name of a theme, built in or the user's own.
func (a *app) completeThemes(_ *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
	var names []string
	for _, name := range append([]string{autoTheme}, a.themeFolder().Names()...) {
		if strings.HasPrefix(name, word) {
			names = append(names, name)
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// completeChecked completes what parley check takes: a session, an agent or a file.
func (a *app) completeChecked(c *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	sessions, _ := a.completeSessions(c, args, word)
	agents, directive := a.completeAgents(c, args, word)
	return append(agents, sessions...), directive
}

// completeScripts completes the file of a script.
func completeScripts(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return []string{strings.TrimPrefix(script.Ending, ".")}, cobra.ShellCompDirectiveFilterFileExt
}

// completeSessions completes the name of a recorded session; files complete too.
func (a *app) completeSessions(_ *cobra.Command, _ []string, word string) (names []string, _ cobra.ShellCompDirective) {
	dir, err := journal.SessionsDir(runtime.GOOS, a.env.get)
	if err != nil {
		return nil, cobra.ShellCompDirectiveDefault
	}
	found, _ := filepath.Glob(filepath.Join(dir, "*.jsonl")) // the pattern is valid
	for _, path := range found {
		if name := strings.TrimSuffix(filepath.Base(path), ".jsonl"); strings.HasPrefix(name, word) && line(name) == name {
			names = append(names, name)
		}
	}
	return names, cobra.ShellCompDirectiveDefault
}
