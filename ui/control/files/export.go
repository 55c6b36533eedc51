package files

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/ui/control"
	"parley/ui/transcript"
)

// exportCommand writes the conversation on the screen to a file.
func (c *Controller) exportCommand() control.Command {
	none := ""
	if c.host.Conversation() == nil {
		none = "the conversation is empty"
	}
	return control.Command{
		Slash: "export", Takes: "[FILE]", Name: "Export the conversation as Markdown (.md, .markdown, .txt)", Why: none,
		Do: func() tea.Cmd { return c.Export("") }, With: c.Export,
	}
}

// Export writes the conversation on the screen to a new file: of that name, or in the
// directory of that name, or of a name made of its title. A file that is there stays as
// it is.
func (c *Controller) Export(path string) tea.Cmd {
	conv := c.host.Conversation()
	if conv == nil {
		return c.host.Say("The conversation is empty.", true)
	}
	if home := c.opts.Home; home != "" && strings.HasPrefix(path, "~/") {
		path = filepath.Join(home, path[2:])
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(c.opts.Dir, path)
	}
	info, err := os.Stat(path)
	folder := err == nil && info.IsDir()
	if why := notExported(path); why != "" && !folder {
		return c.host.Say(why, true)
	}
	own, data := transcript.Name(conv), transcript.Markdown(conv)
	return func() tea.Msg {
		dir, name := filepath.Split(path)
		if folder {
			dir, name = path, own
		}
		return write("the conversation", dir, name, data)
	}
}

// exportFormats are the endings of the names of files that a conversation is written to.
var exportFormats = []string{".md", ".markdown", ".txt"}

// notExported says why a file of that name is not written, empty if it is: its ending
// would promise another format than Markdown. A name without an ending promises nothing,
// nor does a dot in the middle of words, as in "talk v1.2 of us".
func notExported(path string) string {
	ending := strings.ToLower(filepath.Ext(path))
	if slices.Contains(exportFormats, ending) || !formatEnding.MatchString(ending) {
		return ""
	}
	return "A conversation is exported as Markdown: the file name must end in " + strings.Join(exportFormats, ", ") + ", not in " + ending + "."
}

// formatEnding is what the ending of a file of some format looks like.
var formatEnding = regexp.MustCompile(`^\.[a-z][a-z0-9]{0,6}$`)
