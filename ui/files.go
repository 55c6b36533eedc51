package ui

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/internal/units"
	"parley/session/log"
	"parley/ui/canvas"
	"parley/ui/chat"
	"parley/ui/composer"
	"parley/ui/control"
	"parley/ui/menu"
)

// keeping is what is to be done with files of a conversation.
type keeping struct {
	files []chat.File
	open  bool // the only one, afterwards
	look  bool // at them, instead of saving them
	sure  bool // that it is to be opened although it may do more than be shown
}

// keptFilesMsg is sent when files were saved, or were not.
type keptFilesMsg struct {
	keeping
	paths []string // of the files that were saved
	size  int64    // of these
	err   error    // of the first that was not, whose name is bad
	bad   string
}

// keepOne saves, opens or shows what is under the cursor. Where there are several things the
// user chooses.
func (m *Model) keepOne(in chat.Files) tea.Cmd {
	if len(in.List) == 1 {
		return m.keep(keeping{files: in.List, open: in.Open, look: in.Look})
	}
	return m.chooseFile(in.List, keeping{open: in.Open, look: in.Look})
}

// chooseFile lists files to choose from, for what is to be done with one.
func (m *Model) chooseFile(files []chat.File, to keeping) tea.Cmd {
	const digits = 9
	items := make([]menu.Item, 0, len(files)+1)
	var here []chat.File
	for i, f := range files {
		this := to
		this.files = files[i : i+1]
		it := menu.Item{Key: " ", Name: canvas.SanitizeLine(f.Name), Note: f.About, Value: this}
		if i < digits {
			it.Key = strconv.Itoa(i + 1)
		}
		switch {
		case f.Link == "":
			here = append(here, f)
		case log.Host(f.Link) == "" && !to.open:
			it.Why = linked()
		default:
			it.Note += ", at " + m.hostOf(f.Link)
		}
		items = append(items, it)
	}
	title := "open"
	switch {
	case to.look:
		title = "preview"
	case !to.open:
		title = "save"
		if len(here) > 1 {
			items = append(items, menu.Item{Key: "a", Name: "all of them", Note: units.Plural(len(here), "file"), Value: keeping{files: here}})
		}
	}
	m.openMenu(title, units.Plural(len(files), "file"), items)
	return nil
}

// linked says why a file cannot be saved that is not in the conversation.
func linked() string { return "only its address is here, which y copies" }

// keep saves files, or opens one that was saved before.
func (m *Model) keep(k keeping) tea.Cmd {
	f := k.files[0]
	switch {
	case f.Link == "":
	case k.open && log.Host(f.Link) == "":
		return m.say("Nothing here opens the address of "+f.Name+": it is none of the web. y copies it.", true)
	case log.Host(f.Link) != "":
		return m.askDownload(download{keeping: k, agent: m.cur.Agent})
	default:
		return m.say("There is nothing to save of "+f.Name+": "+linked(), true)
	}
	if k.look {
		return m.preview(f)
	}
	if k.open && !k.sure {
		if why := doubt(f.Name, f.Media, f.Head()); why != "" {
			return m.warn(k, why)
		}
	}
	return saveFiles(m.opts.Dir, k)
}

// warn asks whether a file is to be opened that may do something when it is.
func (m *Model) warn(k keeping, why string) tea.Cmd {
	sure, only := k, keeping{files: k.files}
	sure.sure = true
	m.openMenu("open "+k.files[0].Name, why, []menu.Item{
		{Key: "w", Name: "save it and look first", Note: "opens nothing", Value: only},
		{Key: "o", Name: "open it all the same", Note: why, Value: sure},
	})
	return nil
}

// saveFiles writes files to new ones in dir.
func saveFiles(dir string, k keeping) tea.Cmd {
	return func() tea.Msg {
		out := keptFilesMsg{keeping: k, paths: make([]string, len(k.files))}
		if abs, err := filepath.Abs(dir); err == nil {
			dir = abs
		}
		for i := range k.files {
			f := &k.files[i]
			if k.open && f.Path != "" {
				if info, err := os.Stat(f.Path); err == nil && info.Mode().IsRegular() {
					out.paths[i] = f.Path
					continue
				}
			}
			data, err := f.Data()
			if err == nil {
				out.paths[i], err = writeNew(dir, f.Name, data)
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
}

// keptFiles tells where files went and opens the one that was to be opened.
func (m *Model) keptFiles(msg keptFilesMsg) tea.Cmd {
	saved, last := 0, ""
	for i, path := range msg.paths {
		if path != "" {
			m.panes.chat.Kept(msg.files[i], path)
			saved, last = saved+1, path
		}
	}
	dir, name := units.Path(filepath.Dir(last), m.opts.Getenv("HOME")), filepath.Base(last)
	switch {
	case saved == 0:
		return m.say("Could not save "+filesOf(msg.files)+": "+units.FileError(msg.err)+".", true)
	case msg.err != nil:
		return m.say("saved "+strconv.Itoa(saved)+" of "+units.Plural(len(msg.files), "file")+", but not "+msg.bad+": "+units.FileError(msg.err)+". They are in "+dir+".", true)
	case msg.open:
		return tea.Batch(m.say("opening "+name+", which is in "+dir, false), m.launch(last))
	case saved > 1:
		return m.say("saved "+units.Plural(saved, "file")+", "+units.Bytes(msg.size)+", in "+dir, false)
	default:
		return m.say("saved "+name+", "+units.Bytes(msg.size)+", in "+dir, false)
	}
}

func filesOf(files []chat.File) string {
	if len(files) == 1 {
		return files[0].Name
	}
	return "any of " + units.Plural(len(files), "file")
}

// maxResults is how many files of a conversation the finder lists: the newest.
const maxResults = 100

// filing are the finder's twins of the keys that save and open, and the files of the
// conversation by their names.
func (m *Model) filing() []control.Command {
	save, launch, preview := m.panes.chat.FileKeys()
	none := ""
	if !save.Enabled() {
		none = "nothing that can be saved is under the cursor of the conversation"
	}
	press := func(to chat.Files) control.Action {
		return func() tea.Cmd {
			to.List = m.panes.chat.Here()
			return m.keepOne(to)
		}
	}
	files := m.panes.chat.Results(maxResults)
	empty := ""
	if len(files) == 0 {
		empty = "the agent has made no file in this conversation"
	}
	out := []control.Command{
		{Key: save, Name: "Save what is under the cursor", Why: none, Do: press(chat.Files{})},
		{Key: launch, Name: "Save what is under the cursor and open it", Why: none, Do: press(chat.Files{Open: true})},
		{Key: preview, Name: "Preview what is under the cursor", Why: none, Do: press(chat.Files{Look: true})},
		{
			Slash: "preview", Takes: "[FILE]", Name: "Preview a file of this conversation", Why: empty,
			Do: func() tea.Cmd { return m.chooseFile(m.panes.chat.Results(maxResults), keeping{look: true}) }, With: m.fileNamed(keeping{look: true}), Offers: m.offerFiles,
		},
		{
			Slash: "save", Takes: "[FILE]", Name: "Save a file of this conversation", Why: empty,
			Do: func() tea.Cmd { return m.chooseFile(m.panes.chat.Results(maxResults), keeping{}) }, With: m.fileNamed(keeping{}), Offers: m.offerFiles,
		},
	}
	for _, f := range files {
		c := control.Command{Name: "Save " + canvas.SanitizeLine(f.Name), Note: f.About, Do: func() tea.Cmd { return m.keep(keeping{files: []chat.File{f}}) }}
		if f.Link != "" && log.Host(f.Link) == "" {
			c.Why = linked()
		}
		out = append(out, c)
	}
	return out
}

// offerFiles are the files that /save and /preview can be followed by.
func (m *Model) offerFiles(arg string) []composer.Offer {
	var out []composer.Offer
	for _, f := range m.panes.chat.Results(maxResults) {
		if (f.Link == "" || log.Host(f.Link) != "") && strings.HasPrefix(strings.ToLower(f.Name), strings.ToLower(arg)) {
			out = append(out, composer.Offer{Text: f.Name, Note: f.About})
		}
	}
	return out
}

// fileNamed does something with the newest file of the conversation that has a name, or a
// part of it.
func (m *Model) fileNamed(to keeping) func(name string) tea.Cmd {
	return func(name string) tea.Cmd {
		files := m.panes.chat.Results(maxResults)
		name = strings.ToLower(strings.TrimSpace(name))
		if name == "" {
			return m.chooseFile(files, to)
		}
		for _, fits := range []func(s, name string) bool{func(s, name string) bool { return s == name }, strings.HasPrefix, strings.Contains} {
			for _, f := range files {
				if fits(strings.ToLower(f.Name), name) {
					to.files = []chat.File{f}
					return m.keep(to)
				}
			}
		}
		return m.say("The agent has made no file of that name in this conversation: ctrl+p and \"save\" lists them.", true)
	}
}
