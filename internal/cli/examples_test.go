package cli

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
)

// An example is a command line in a document.
type example struct {
	place string // file and line
	args  []string
}

// examples returns the command lines in the sh blocks of the documents that begin with parley or
// go run ., also behind a pipe.
func examples(t *testing.T) (all []example) {
	t.Helper()
	paths := []string{"../../README.md", "../../skills/parley/SKILL.md"}
	more, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range append(paths, more...) {
		inside := false
		for i, text := range strings.Split(file(t, path), "\n") {
			if strings.HasPrefix(text, "```") {
				inside = !inside && text == "```sh"
				continue
			}
			if !inside {
				continue
			}
			for _, words := range commandLines(text) {
				if len(words) > 0 && words[0] == "parley" {
					all = append(all, example{filepath.Base(path) + ":" + strconv.Itoa(i+1), words[1:]})
				} else if len(words) > 2 && words[0] == "go" && words[1] == "run" && words[2] == "." {
					all = append(all, example{filepath.Base(path) + ":" + strconv.Itoa(i+1), words[3:]})
				}
			}
		}
	}
	return all
}

// commandLines splits a line of a POSIX shell into its commands, and these into words. Comments and
// redirections are left out.
func commandLines(text string) (all [][]string) {
	var words []string
	var word strings.Builder
	quote, begun, skip := rune(0), false, false
	end := func() {
		if begun && !skip {
			words = append(words, word.String())
		}
		if begun {
			skip = false
		}
		word.Reset()
		begun = false
	}
	for _, r := range text {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			quote, begun = r, true
		case r == ' ' || r == '\t':
			end()
		case r == '#' && !begun:
			return append(all, words)
		case r == '>' || r == '<':
			end()
			skip = true // the file
		case r == '|' || r == '&' || r == ';' || r == '(' || r == ')':
			end()
			all, words = append(all, words), nil
		default:
			word.WriteRune(r)
			begun = true
		}
	}
	end()
	return append(all, words)
}

// Each command line in a document is one that the program has, with these flags and arguments.
func TestExamplesOfTheDocumentsAreCommands(t *testing.T) {
	t.Parallel()
	all := examples(t)
	if len(all) < 40 {
		t.Errorf("got %d examples, want all", len(all))
	}
	for _, e := range all {
		a := &app{}
		root := a.rootCommand()
		c, rest, err := root.Find(e.args)
		if err != nil {
			t.Errorf("%s: %q: %v", e.place, e.args, err)
			continue
		}
		if err := c.ParseFlags(rest); err != nil {
			t.Errorf("%s: %q: %v", e.place, e.args, err)
			continue
		}
		if err := c.ValidateArgs(c.Flags().Args()); err != nil {
			t.Errorf("%s: %q: %v", e.place, e.args, err)
		}
		if c.HasSubCommands() && c != root && c.Flags().NArg() > 0 && c.Name() != "sessions" {
			t.Errorf("%s: %q: got no command of parley %s, want one", e.place, e.args, c.Name())
		}
	}
}

// runnable are the commands of examples that need neither a terminal nor another machine.
var runnable = map[string]bool{
	"card get": true, "send": true, "task get": true, "task list": true, "task subscribe": true, "task cancel": true, "task download": true, "check": true, "conformance": true,
	"export": true, "diff": true, "themes": true, "config": true, "config show": true, "completion bash": true, "completion zsh": true, "completion fish": true, "completion powershell": true, "chat": true,
}

// Examples run: against the demo's Travel Desk in place of a local agent, and on a recorded session
// in place of those that are named. None is a wrong command line.
func TestExamplesOfTheDocumentsRun(t *testing.T) {
	t.Parallel()
	desk := demos(t)["Travel Desk"]
	session := file(t, booked)
	all, dir := examples(t), t.TempDir()
	for _, name := range []string{"session.jsonl", "run.jsonl", "before.jsonl", "after.jsonl", "trip.jsonl", "tutorial.jsonl", "demo.jsonl", "mine.jsonl"} {
		writeTo(t, session, dir, name)
	}
	writeTo(t, "x", dir, "map.png")
	task := at(document(t, parley(t, "send", "-a", desk, "hello", "--async", "-o", "json").out), "task", "id")
	ran := 0
	for _, e := range all {
		root := (&app{}).rootCommand()
		c, _, err := root.Find(e.args)
		if err != nil || !runnable[strings.TrimPrefix(c.CommandPath(), "parley ")] || strings.Contains(strings.Join(e.args, " "), "mqtt:") {
			continue
		}
		ran++
		var args []string
		for _, word := range e.args {
			word = strings.NewReplacer("http://localhost:9999", desk, "localhost:9999", desk, "https://agent.example", desk).Replace(word)
			if id, ok := task.(string); ok && word == "ID" {
				word = id
			}
			args = append(args, word)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		os.Remove(filepath.Join(dir, recordedBy(c, e.args)))
		r := commandLine{args: args, ctx: ctx, env: []string{"XDG_STATE_HOME=" + dir, "XDG_CONFIG_HOME=" + dir}, dir: dir}.run(t)
		cancel()
		if r.code == 2 && (strings.Contains(r.err, "the session has no such") || strings.Contains(r.err, "already exists")) {
			continue // the recording is another one, or another example wrote this file
		}
		if r.code == 2 || ctx.Err() != nil && ctx.Err() != context.Canceled {
			t.Errorf("%s: parley %s: got exit %d\n%s", e.place, strings.Join(args, " "), r.code, r.err)
		}
	}
	if ran < 15 {
		t.Errorf("got %d examples that run, want more", ran)
	}
}

// recordedBy returns the file of --record, which must not exist.
func recordedBy(c *cobra.Command, args []string) string {
	for i, word := range args {
		if word == "--record" && i+1 < len(args) && c.Flags().Lookup("record") != nil {
			return args[i+1]
		}
	}
	return "none"
}
