package files

import (
	"cmp"
	"context"
	"io"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/filename"
	"parley/internal/units"
	"parley/session/export"
	"parley/session/export/excerpt"
	"parley/session/export/markdown"
	"parley/session/log"
	"parley/session/model"
	"parley/ui/action"
	"parley/ui/control"
	"parley/ui/menu"
)

// ExportActions returns the actions that export the session.
func (c *Controller) ExportActions() []action.Action[tea.Cmd] {
	none := action.If("the conversation is empty", func() bool { return c.host.Conversation() == nil })
	empty := action.If("nothing was recorded yet", func() bool { return c.host.State().Log.Len() == 0 })
	return []action.Action[tea.Cmd]{
		{
			Row: action.Row{
				Slash: "export", Takes: "[FILE]", Name: "Export the conversation to a file", Also: []string{"report", "share", "markdown", "save"}, Now: action.Unless(none),
			},
			Run: func() tea.Cmd { return c.chooseFormat(exportTalk) }, With: c.Export,
		},
		{Row: action.Row{Name: "Export …", Note: "the session, the conversation or the wire", Now: action.Unless(empty)}, Run: c.chooseExport},
	}
}

// Exports returns a command for each format, of the conversation and of the session.
func (c *Controller) Exports() (out []control.Command) {
	for _, what := range []exportExcerpt{exportTalk, exportAll} {
		for _, f := range c.opts.Formats {
			e := control.Command{
				Name: "Export the " + string(what) + " as " + f.Name, Note: f.About, Hidden: true,
				Run: func() tea.Cmd { return c.exportAs(what, f, c.opts.Dir, "") },
			}
			if what == exportTalk && c.host.Conversation() == nil {
				e.Why = "the conversation is empty"
			} else if c.host.State().Log.Len() == 0 {
				e.Why = "nothing was recorded yet"
			}
			out = append(out, e)
		}
	}
	return out
}

// chooseExport asks what is exported.
func (c *Controller) chooseExport() tea.Cmd {
	talk := menu.Item{Key: "c", Name: "the conversation", Value: control.Action(func() tea.Cmd { return c.chooseFormat(exportTalk) })}
	if c.host.Conversation() == nil {
		talk.Why = "the conversation is empty"
	}
	wire := menu.Item{Key: "w", Name: "the filtered wire", Note: c.panes.Wire.FilterText(), Value: control.Action(func() tea.Cmd { return c.chooseFormat(exportWire) })}
	if c.panes.Wire.FilterText() == "" {
		wire.Why = "the wire pane has no filter"
	}
	all := menu.Item{Key: "s", Name: "the session", Note: units.Plural(c.host.State().Log.Len(), "record"), Value: control.Action(func() tea.Cmd { return c.chooseFormat(exportAll) })}
	c.host.Menu("export", "secrets stay masked", []menu.Item{all, talk, wire})
	return nil
}

// The parts that can be exported.
type exportExcerpt string

const (
	exportAll  exportExcerpt = "session"
	exportTalk exportExcerpt = "conversation"
	exportWire exportExcerpt = "excerpt"
)

// formatKeys are the keys of the formats in a menu.
var formatKeys = map[string]string{"html": "h", "har": "r", "md": "m", "jsonl": "j", "curl": "c", "script": "s", "otlp": "o", "asciicast": "a"}

// chooseFormat asks for the format of an export.
func (c *Controller) chooseFormat(what exportExcerpt) tea.Cmd {
	var items []menu.Item
	for _, f := range c.opts.Formats {
		key := formatKeys[f.Name]
		if key == "" {
			key = " "
		}
		items = append(items, menu.Item{Key: key, Name: f.Name, Note: f.About, Value: control.Action(func() tea.Cmd { return c.exportAs(what, f, c.opts.Dir, "") })})
	}
	c.host.Menu("export the "+string(what), "a new file in "+units.Path(c.dir(), c.opts.Home), items)
	return nil
}

// dir returns the directory of new files.
func (c *Controller) dir() string {
	if abs, err := filepath.Abs(c.opts.Dir); err == nil {
		return abs
	}
	return c.opts.Dir
}

// Export writes the conversation on the screen to a new file: with that name, or in the
// directory of that name, or with a name made of its title. It does not overwrite files.
func (c *Controller) Export(path string) tea.Cmd {
	path = c.place(path)
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return c.exportAs(exportTalk, c.opts.Formats[c.markdown()], path, "")
	}
	format, why := c.formatOf(path)
	if why != "" {
		return c.host.Say(why, true)
	}
	return c.exportAs(exportTalk, format, filepath.Dir(path), filepath.Base(path))
}

// place returns where a path of the user leads: into the directory for files without one, which is
// the working directory if it has no name.
func (c *Controller) place(path string) string {
	if home := c.opts.Home; home != "" && strings.HasPrefix(path, "~/") {
		return filepath.Join(home, path[2:])
	}
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(cmp.Or(c.opts.Dir, "."), path)
}

// markdown returns the index of the format of an export without a name.
func (c *Controller) markdown() int {
	return max(slices.IndexFunc(c.opts.Formats, func(f export.Format) bool { return f.Name == "md" }), 0)
}

// formatOf returns the format that a file name promises, or says why there is none. A name without
// an extension promises nothing, nor does a dot in the middle of words, as in "talk v1.2 of us".
func (c *Controller) formatOf(path string) (export.Format, string) {
	plain := c.opts.Formats[c.markdown()]
	if f, known := export.ByFile(c.opts.Formats, path); known {
		return f, ""
	}
	ending := strings.ToLower(filepath.Ext(path))
	if ending == ".markdown" || ending == ".txt" || !formatEnding().MatchString(ending) {
		return plain, ""
	}
	var endings []string
	for _, f := range c.opts.Formats {
		endings = append(endings, f.Ending)
	}
	return plain, "A conversation is exported as " + strings.Join(endings, ", ") + ", .markdown or .txt, not as " + ending + "."
}

// formatEnding matches the extension of a file format.
var formatEnding = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\.[a-z][a-z0-9]{0,6}$`) })

// exportAs writes an excerpt of the session to a new file in dir. Without a name it is made of what is
// exported.
func (c *Controller) exportAs(what exportExcerpt, f export.Format, dir, name string) tea.Cmd {
	conv := c.host.Conversation()
	if what == exportTalk && conv == nil {
		return c.host.Say("The conversation is empty.", true)
	}
	choice, title := excerpt.Choice{}, c.opts.Name
	switch {
	case what == exportTalk:
		choice.Conversation = "#" + log.IDText(conv.ID)
		title = conv.Name()
	case what == exportWire:
		choice.Filter, choice.Marked = c.panes.Wire.FilterText(), marked(c.panes.Wire.Marks())
	}
	if name == "" {
		name = exportName(what, conv, f.Ending)
	}
	if title == "" {
		title = "session"
	}
	view := c.host.State().Log.View()
	return c.opts.Start(control.Activity{
		Name: "export", About: "the " + string(what) + " as " + f.Name + ", to " + units.Path(filepath.Join(dir, name), c.opts.Home),
		Note: "A canceled export leaves no file behind.", Canceled: "The export was canceled: no file was written.",
		Work: func(ctx context.Context, report func(done, total int)) (func() tea.Cmd, error) {
			path, err := saveExport(ctx, newExport{view, title, choice, f, dir, name, c.opts.Secrets.Drawn()}, report)
			if err != nil {
				return nil, err
			}
			size := int64(0)
			if info, err := os.Stat(path); err == nil {
				size = info.Size()
			}
			return func() tea.Cmd {
				return c.host.Say("saved "+units.Bytes(size)+" to "+units.Path(path, c.opts.Home), false)
			}, nil
		},
	})
}

// exportName returns the name of a new file.
func exportName(what exportExcerpt, conv *model.Conversation, ending string) string {
	if what == exportTalk {
		return strings.TrimSuffix(markdown.Name(conv), ".md") + ending
	}
	return string(what) + ending
}

// A newExport is an export of a session at one moment to a new file.
type newExport struct {
	view      log.LogView
	title     string
	choice    excerpt.Choice
	format    export.Format
	dir, name string
	secrets   *a2a.DrawnSecrets // which are masked in what is written
}

// saveExport writes a new file, with a number in brackets before its extension if the name is
// taken. It reports the copy of the session as the first half of the work.
func saveExport(ctx context.Context, e newExport, report func(done, total int)) (string, error) {
	state, err := export.Copy(ctx, e.view, func(done, total int) { report(done, 2*total) })
	if err != nil {
		return "", err
	}
	chosen, err := excerpt.Choose(state, e.title, e.choice)
	if err != nil {
		return "", err
	}
	path := filepath.Join(e.dir, e.name)
	const most = 1000 // files of one name
	for n := 2; n <= most; n++ {
		if _, err := os.Lstat(path); err != nil {
			break
		}
		path = filepath.Join(e.dir, filename.Twin(e.name, n))
	}
	return path, export.Save(path, false, func(w io.Writer) error {
		masked := e.secrets.Writer(w, e.format.Name == "html")
		if err := e.format.Write(ctx, masked, chosen, func(done, total int) { report(total+done, 2*total) }); err != nil {
			return err
		}
		return masked.Close()
	})
}

// marked returns a function that reports whether a record is among those.
func marked(ids iter.Seq[a2a.RecordID]) func(a2a.RecordID) bool {
	all := map[a2a.RecordID]bool{}
	for id := range ids {
		all[id] = true
	}
	return func(id a2a.RecordID) bool { return all[id] }
}
