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

// exportCommand returns the command that exports the conversation on the screen.
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

// Export writes the conversation on the screen to a new file: with that name, or in the
// directory of that name, or with a name made of its title. It does not overwrite files.
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
	if why := exportRefusal(path); why != "" && !folder {
		return c.host.Say(why, true)
	}
	own, data := transcript.Name(conv), transcript.Markdown(conv)
	dir, name := filepath.Split(path)
	if folder {
		dir, name = path, own
	}
	return c.write("the conversation", dir, name, data)
}

// exportFormats are the file extensions of an export.
var exportFormats = []string{".md", ".markdown", ".txt"}

// exportRefusal says why a conversation is not exported to that file name, empty if it is: the
// extension would promise another format than Markdown. A name without an extension promises
// nothing, nor does a dot in the middle of words, as in "talk v1.2 of us".
func exportRefusal(path string) string {
	ending := strings.ToLower(filepath.Ext(path))
	if slices.Contains(exportFormats, ending) || !formatEnding.MatchString(ending) {
		return ""
	}
	return "A conversation is exported as Markdown: the file name must end in " + strings.Join(exportFormats, ", ") + ", not in " + ending + "."
}

// formatEnding matches the extension of a file format.
var formatEnding = regexp.MustCompile(`^\.[a-z][a-z0-9]{0,6}$`)
