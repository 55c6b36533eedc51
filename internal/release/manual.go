package main

import (
	"bytes"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"parley/internal/cli"
)

// more are the sections of parley(1) that no command knows.
const more = `.SH FILES
.TP
\fI$XDG_CONFIG_HOME/parley/config.toml\fP
settings and agents; Parley only reads it. \fBparley config\fP shows the source of each setting.
.TP
\fI$XDG_CONFIG_HOME/parley/themes/\fP
themes of your own.
.TP
\fI$XDG_STATE_HOME/parley/\fP
recorded sessions, saved agents and the messages you wrote.
.SH ENVIRONMENT
Every flag that is a setting has a variable: \fBPARLEY_\fP or \fBA2ACLI_\fP and its name in capitals, with \fB_\fP for a hyphen.
\fBNO_COLOR\fP turns off colours.
`

// manPages returns a man page for every command.
func manPages(version string, at time.Time) (out []file, err error) {
	root := cli.Commands()
	root.DisableAutoGenTag = true // it has the date of today
	var walk func(c *cobra.Command) error
	walk = func(c *cobra.Command) error {
		if c != root && (!c.IsAvailableCommand() || c.Name() == "help") {
			return nil
		}
		name := strings.ReplaceAll(c.CommandPath(), " ", "-")
		c.DisableAutoGenTag = true
		var b bytes.Buffer
		head := &doc.GenManHeader{Title: strings.ToUpper(name), Section: "1", Date: &at, Source: "parley " + version, Manual: "Parley"}
		if err := doc.GenMan(c, head, &b); err != nil {
			return err
		}
		page := b.Bytes()
		if c == root {
			page = bytes.Replace(page, []byte(".SH SEE ALSO"), []byte(more+".SH SEE ALSO"), 1)
		}
		out = append(out, file{name: "man/man1/" + name + ".1", data: page})
		for _, sub := range c.Commands() {
			if err := walk(sub); err != nil {
				return err
			}
		}
		return nil
	}
	return out, walk(root)
}

// completions returns the scripts that complete in a shell, under the names by which shells find them.
func completions() (out []file, err error) {
	root := cli.Commands()
	for _, shell := range []struct {
		name string
		make func(b *bytes.Buffer) error
	}{
		{"parley.bash", func(b *bytes.Buffer) error { return root.GenBashCompletionV2(b, true) }},
		{"_parley", func(b *bytes.Buffer) error { return root.GenZshCompletion(b) }},
		{"parley.fish", func(b *bytes.Buffer) error { return root.GenFishCompletion(b, true) }},
		{"parley.ps1", func(b *bytes.Buffer) error { return root.GenPowerShellCompletionWithDesc(b) }},
	} {
		var b bytes.Buffer
		if err := shell.make(&b); err != nil {
			return nil, err
		}
		out = append(out, file{name: "completions/" + shell.name, data: b.Bytes()})
	}
	return out, nil
}
