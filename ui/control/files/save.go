package files

import (
	"os"
	"path/filepath"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"parley/a2a/hostname"
	"parley/internal/filename"
	"parley/internal/units"
	"parley/ui/chat"
	"parley/ui/control"
	"parley/ui/keys"
	"parley/ui/menu"
)

// A plan says what to do with files of a conversation. The zero value saves them.
type plan struct {
	files     []chat.File
	open      bool // opens the only file after saving it
	preview   bool // previews the only file instead of saving it
	confirmed bool // the user accepted that the file may do more than be shown
}

// onlyAddress says why a file that is not part of the conversation cannot be saved.
func (c *Controller) onlyAddress() string {
	return "only its address is here, which " + keys.Name(c.panes.Chat.Of(chat.CopyText)) + " copies"
}

// action returns the menu action that carries out a plan.
func (c *Controller) action(p plan) control.Action {
	return func() tea.Cmd { return c.carryOut(p) }
}

// carryOut saves, opens or previews files, after the questions that this needs.
func (c *Controller) carryOut(p plan) tea.Cmd {
	f := p.files[0]
	switch {
	case f.Link == "":
	case p.open && hostname.OfLink(f.Link) == "":
		return c.host.Say("Parley does not open the address of "+f.Name+": it is not a web address. "+keys.Name(c.panes.Chat.Of(chat.CopyText))+" copies it.", true)
	case hostname.OfLink(f.Link) != "":
		return c.askDownload(download{plan: p, agent: c.host.Place().Agent})
	default:
		return c.host.Say("There is nothing to save of "+f.Name+": "+c.onlyAddress(), true)
	}
	if p.preview {
		return c.show(f)
	}
	if p.open && !p.confirmed {
		if why := doubt(f.Name, f.Media, f.Head()); why != "" {
			return c.confirm(p, why)
		}
	}
	return c.save(p)
}

// confirm asks whether to open a file that may do more than be shown.
func (c *Controller) confirm(p plan, why string) tea.Cmd {
	confirmed, only := p, plan{files: p.files}
	confirmed.confirmed = true
	c.host.Menu("open "+p.files[0].Name, why, []menu.Item{
		{Key: "w", Name: "save it", Note: "without opening it", Value: c.action(only)},
		{Key: "o", Name: "open it anyway", Note: why, Value: c.action(confirmed)},
	})
	return nil
}

// A saveResult is what became of the files of a plan.
type saveResult struct {
	plan
	paths []string // of the files that were saved
	size  int64    // of these
	err   error    // of the first that was not, whose name is bad
	bad   string
}

// save saves the files of a plan and reports it.
func (c *Controller) save(p plan) tea.Cmd {
	return func() tea.Msg {
		result := save(c.opts.Dir, p)
		return control.DoneMsg(func() tea.Cmd { return c.onSaved(result) })
	}
}

// save writes files to new ones in dir.
func save(dir string, p plan) saveResult {
	out := saveResult{plan: p, paths: make([]string, len(p.files))}
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	for i := range p.files {
		f := &p.files[i]
		if p.open && f.Path != "" {
			if info, err := os.Stat(f.Path); err == nil && info.Mode().IsRegular() {
				out.paths[i] = f.Path
				continue
			}
		}
		data, err := f.Data()
		if err == nil {
			out.paths[i], err = filename.WriteNew(dir, f.Name, data)
		}
		if err != nil {
			if out.err == nil {
				out.err, out.bad = err, f.Name
			}
			continue
		}
		out.size += int64(len(data))
	}
	return out
}

// onSaved says where files are and opens the one that was to be opened.
func (c *Controller) onSaved(result saveResult) tea.Cmd {
	saved, last := 0, ""
	for i, path := range result.paths {
		if path != "" {
			c.panes.Chat.SetPath(result.files[i], path)
			saved, last = saved+1, path
		}
	}
	dir, name := c.dirOf(last), filepath.Base(last)
	switch {
	case saved == 0:
		return c.host.Say("Could not save "+fileWords(result.files)+": "+units.FileError(result.err)+".", true)
	case result.err != nil:
		return c.host.Say("saved "+strconv.Itoa(saved)+" of "+units.Plural(len(result.files), "file")+", but not "+result.bad+": "+units.FileError(result.err)+". The files are in "+dir+".", true)
	case result.open:
		return c.open(last)
	case saved > 1:
		return c.host.Say("saved "+units.Plural(saved, "file")+", "+units.Bytes(result.size)+", in "+dir, false)
	default:
		return c.host.Say("saved "+name+", "+units.Bytes(result.size)+", in "+dir, false)
	}
}

// dirOf returns the directory of a file as it is shown.
func (c *Controller) dirOf(path string) string { return units.Path(filepath.Dir(path), c.opts.Home) }

// fileWords names the files that were not saved.
func fileWords(files []chat.File) string {
	if len(files) == 1 {
		return files[0].Name
	}
	return "any of " + units.Plural(len(files), "file")
}
