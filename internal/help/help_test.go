package help_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"parley/internal/cli"
	"parley/internal/help"
)

// commands are the commands of the program by their paths, Parley itself under the empty one.
func commands() map[string]*cobra.Command {
	all := map[string]*cobra.Command{}
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		c.InitDefaultHelpFlag()
		all[help.Path(c)] = c
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	root := cli.Commands()
	root.InitDefaultHelpCmd()
	walk(root)
	return all
}

// fits fails unless a text has at most some lines, each of at most 79 columns.
func fits(t *testing.T, name, text string, lines int) {
	t.Helper()
	if n := strings.Count(text, "\n"); n > lines {
		t.Errorf("%s: got %d lines, want at most %d:\n%s", name, n, lines, text)
	}
	for l := range strings.Lines(text) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(l, "\n")); n > help.Width {
			t.Errorf("%s: got a line of %d columns, want at most %d: %s", name, n, help.Width, l)
		}
		if strings.TrimRight(l, " \n") != strings.TrimSuffix(l, "\n") {
			t.Errorf("%s: got spaces at the end of %q, want none", name, l)
		}
	}
}

// The help of every command is one screen: what it does, its usage, three examples, at most ten flags, and
// what to read next.
func TestTheHelpOfACommandIsAScreen(t *testing.T) {
	t.Parallel()
	all, pages := commands(), help.Pages()
	for path, c := range all {
		if path == "" {
			continue
		}
		text := help.Command(c, help.Width)
		fits(t, path, text, 40)
		p, ok := pages[path]
		if !ok {
			t.Errorf("%s: got no page in pages.go, want one", path)
		}
		flags, see := p[0], p[1]
		if len(flags) > help.MostFlags || len(flags) != len(slices.Compact(slices.Sorted(slices.Values(flags)))) {
			t.Errorf("%s: got the flags %q, want at most %d different ones", path, flags, help.MostFlags)
		}
		for _, name := range flags {
			if c.Flag(name) == nil || !strings.Contains(text, "--"+name) {
				t.Errorf("%s: got the flag --%s on its page, want one that the command has and shows", path, name)
			}
		}
		if len(see) == 0 || !strings.Contains(text, "See also: parley ") {
			t.Errorf("%s: got nothing to read next, want something", path)
		}
		for _, name := range see {
			topic, isTopic := strings.CutPrefix(name, "help ")
			if (all[name] == nil || name == path) && !(isTopic && (topic == help.Flags || slices.Contains(help.Topics(), topic))) {
				t.Errorf("%s: got %q to read next, want another command or a topic", path, name)
			}
		}
		_, after, _ := strings.Cut(text, "\nExamples:\n")
		examples, _, _ := strings.Cut(after, "\n\n")
		if n, want := strings.Count(examples, "\n")+1, 3; n != want && c.Parent().Name() != "completion" {
			t.Errorf("%s: got %d examples, want %d:\n%s", path, n, want, text)
		}
		if !strings.Contains(text, "\nUsage:\n  parley "+path) {
			t.Errorf("%s: got no usage in\n%s", path, text)
		}
		own := 0
		for l := range strings.Lines(help.AllFlags(c, help.Width)) {
			if regexp.MustCompile(`^ +(-\w, )?--`).MatchString(l) && !strings.Contains(l, "--help") && !strings.Contains(l, "--config FILE") {
				own++
			}
		}
		if shown := strings.Contains(text, "All flags: parley help flags "+path+"\n"); shown != (own > len(regexp.MustCompile(`(?m)^ +(-\w, )?--`).FindAllString(text, -1))) && !slices.Contains(flags, "config") {
			t.Errorf("%s: got the way to all %d flags: %v, want it if there are more than it shows\n%s", path, own, shown, text)
		}
	}
	for path := range pages {
		if all[path] == nil {
			t.Errorf("got a page of parley %s in pages.go, want one for commands that exist", path)
		}
	}
}

// The flags of credentials say on the screen of every command that other users can see them.
func TestTheCautionOfAFlagStays(t *testing.T) {
	t.Parallel()
	text := strings.Join(strings.Fields(help.Command(commands()["check"], help.Width)), " ")
	if !strings.Contains(text, "unlike A2ACLI_BEARER") {
		t.Errorf("got no caution of --bearer in\n%s", text)
	}
}

// On a narrow terminal the help takes the columns that there are, but for examples.
func TestTheHelpOfACommandIsNarrow(t *testing.T) {
	t.Parallel()
	const narrow = 60
	_, flags, _ := strings.Cut(help.Command(commands()["send"], narrow), "\nFlags:\n")
	for l := range strings.Lines(flags) {
		if n := utf8.RuneCountInString(l); n > narrow+1 {
			t.Errorf("got a line of %d columns, want at most %d: %s", n, narrow, l)
		}
	}
}

// The help of Parley names every command, and nothing that does not exist.
func TestTheHelpOfParleyNamesEveryCommand(t *testing.T) {
	t.Parallel()
	fits(t, "parley", help.Root, 36)
	all := commands()
	_, sections, _ := strings.Cut(help.Root, "\nTalk\n")
	sections, rest, _ := strings.Cut(sections, "\n\n")
	for path := range all {
		if !strings.Contains(path, " ") && path != "" && path != "help" && !regexp.MustCompile(`(^|[ ,;])`+path+`($|[ ,:;])`).MatchString(strings.ReplaceAll(sections, "\n", " ")) {
			t.Errorf("got no %q in the help of Parley, want every command", path)
		}
	}
	for l := range strings.Lines(sections) {
		if words, ok := strings.CutPrefix(strings.TrimSuffix(l, "\n"), "  "); ok {
			names, _, _ := strings.Cut(words, "  ")
			for name := range strings.SplitSeq(names, ", ") {
				if name != "[REF…]" && all[name] == nil {
					t.Errorf("got %q in the help of Parley, want only commands that exist", name)
				}
			}
		}
	}
	if want := "\nAll flags: parley help " + help.Flags + ". Topics: " + strings.Join(help.Topics(), ", ") + ".\n"; !strings.HasSuffix(rest, want) {
		t.Errorf("got %q at the end of the help of Parley, want %q", rest, want)
	}
	flagsExist(t, "parley", help.Root, all)
}

// flagsExist fails for a flag in a text that no command has.
func flagsExist(t *testing.T, name, text string, all map[string]*cobra.Command) {
	t.Helper()
	for _, m := range regexp.MustCompile(`--([a-z][a-z0-9-]+)`).FindAllStringSubmatch(text, -1) {
		if m[1] == "help" || m[1] == "version" {
			continue
		}
		found := false
		for _, c := range all {
			found = found || c.Flag(m[1]) != nil
		}
		if !found {
			t.Errorf("%s: got --%s, want only flags that exist", name, m[1])
		}
	}
}

// A topic is one screen, and says what its document says.
func TestATopicIsAScreen(t *testing.T) {
	t.Parallel()
	all := commands()
	files, err := os.ReadDir("topics")
	if err != nil || len(files) != len(help.Topics()) {
		t.Errorf("got %d files of topics (%v), want one for each of %q", len(files), err, help.Topics())
	}
	for _, name := range help.Topics() {
		text, ok := help.Topic(name)
		if !ok || strings.Contains(text, "{{") || all[name] != nil {
			t.Fatalf("%s: got %v and %q, want a text, and no command of that name", name, ok, text)
		}
		fits(t, name, text, 40)
		flagsExist(t, name, text, all)
		documents := regexp.MustCompile(`docs/[a-z]+\.md`).FindAllString(text, -1)
		if len(documents) == 0 {
			t.Errorf("%s: got no document, want the one that says more", name)
		}
		for _, file := range documents {
			if _, err := os.Stat("../../" + file); err != nil {
				t.Errorf("%s: got %s, want a document that exists", name, file)
			}
		}
	}
	for _, name := range []string{"", "flags", "../root", "ref.txt", "ref/..", "\x1b[2J"} {
		if _, ok := help.Topic(name); ok {
			t.Errorf("got a topic %q, want none", name)
		}
	}
}

// The topics name what the documents name: the verbs of scripts, the statuses of commands, the fields of the
// filter, and the variables of credentials.
func TestTopicsSayWhatTheDocumentsSay(t *testing.T) {
	t.Parallel()
	document := func(name string) string {
		text, err := os.ReadFile("../../docs/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for _, c := range []struct {
		topic, document, begin, end string
		names                       *regexp.Regexp
	}{
		{"scripts", "scripts.md", "\n## Verbs\n", "\n## ", regexp.MustCompile("(?m)^\\| `([A-Z][a-z]+)")},
		{"exit", "cli.md", "\n## Failures\n", "\n## ", regexp.MustCompile(`(?m)^\| (\d+) \|`)},
		{"filter", "filter.md", "\n| Field ", "\n## ", regexp.MustCompile("(?m)^\\| `([a-z]+[:>]?)")},
	} {
		text, _ := help.Topic(c.topic)
		_, part, _ := strings.Cut(document(c.document), c.begin)
		part, _, _ = strings.Cut(part, c.end)
		found := c.names.FindAllStringSubmatch(part, -1)
		if len(found) < 5 {
			t.Errorf("%s: got %d names in %s, want more", c.topic, len(found), c.document)
		}
		for _, m := range found {
			if !regexp.MustCompile(`(?m)(^|[ ,])` + regexp.QuoteMeta(m[1]) + `($|[ ,:])`).MatchString(text) {
				t.Errorf("%s: got no %q, want what docs/%s names:\n%s", c.topic, m[1], c.document, text)
			}
		}
	}
	text, _ := help.Topic("secrets")
	others := document("cli.md") + document("config.md") + document("auth.md") + document("credentials.md")
	for _, name := range regexp.MustCompile(`[A-Z0-9]+(_[A-Z]+)+`).FindAllString(text, -1) {
		if !strings.Contains(others, name) {
			t.Errorf("secrets: got %s, want only what the documents name", name)
		}
	}
}

func TestTheNearestTopicOrCommandIsFound(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]string{
		"exot": "exit", "flag": "flags", "sripts": "scripts", "sned": "send", "secret": "secrets", "": "", "xyzzy": "", "\x1b[2J": "", strings.Repeat("e", 1000): "",
	} {
		if got := help.Nearest(word, []string{"send", "task"}); got != want {
			t.Errorf("%.20q: got %q, want %q", word, got, want)
		}
	}
}
