package ui

import (
	"os"
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/attach"
	"parley/internal/units"
	"parley/ui/composer"
	"parley/ui/picker"
	"parley/ui/styles"
)

// attachWord is the command that completes paths.
const attachWord = "attach"

// folders are those that the path which is being written leads through. They are read
// beside the screen, and anew for every command.
type folders struct {
	read  map[string]picker.Listing
	asked string // the one that is being read, or has to be
	going bool   // it is being read
}

// listedMsg brings what is in a folder.
type listedMsg struct{ picker.Listing }

// listFolder reads a folder.
func listFolder(dir string) tea.Cmd {
	return func() tea.Msg {
		l := picker.Listing{Dir: dir}
		var err error
		if l.Entries, l.More, err = attach.List(dir); err != nil {
			l.Why = err.Error()
		}
		return listedMsg{l}
	}
}

// took shows the folder to whoever waits for it.
func (msg listedMsg) took(m *Model) tea.Cmd {
	m.panes.picker.SetListing(msg.Listing)
	if f := &m.writing.attaching.folders; f.asked == msg.Dir {
		if f.read == nil {
			f.read = map[string]picker.Listing{}
		}
		f.read[msg.Dir], f.asked, f.going = msg.Listing, "", false
		m.panes.composer.Reoffer()
	}
	m.touch()
	return nil
}

// readFolders reads what the path that is being written leads to, and forgets what was
// read when none is written any more.
func (m *Model) readFolders() tea.Cmd {
	f := &m.writing.attaching.folders
	if f.asked == "" && f.read == nil {
		return nil
	}
	if m.panes.composer.Commanding() != attachWord {
		*f = folders{}
		return nil
	}
	if f.asked == "" || f.going {
		return nil
	}
	f.going = true
	return listFolder(f.asked)
}

// offerPaths are the files and folders that the command can be followed by, as far as
// they are known: what is not is asked for.
func (m *Model) offerPaths(arg string) []composer.Offer {
	if _, address := attach.Address(arg); address {
		return nil
	}
	if arg == "~" {
		return []composer.Offer{{Text: "~/", Note: "your home"}}
	}
	cut := strings.LastIndexFunc(arg, func(r rune) bool { return r < 128 && os.IsPathSeparator(uint8(r)) }) + 1
	above, base := arg[:cut], arg[cut:]
	dir := m.resolve(above)
	f := &m.writing.attaching.folders
	l, known := f.read[dir]
	if !known {
		if f.asked != dir {
			f.asked, f.going = dir, false
		}
		return nil
	}
	var out []composer.Offer
	takes := m.takes(m.cur.Agent)
	for i := range l.Entries {
		e := &l.Entries[i]
		if !completes(base, e) {
			continue
		}
		o := composer.Offer{Text: above + e.Name, Shown: e.Name, Note: units.Bytes(e.Size)}
		switch {
		case e.Folder:
			o.Text, o.Shown, o.Note = o.Text+string(os.PathSeparator), o.Shown+string(os.PathSeparator), "folder"
		case !a2a.Takes(takes, &a2a.Part{Kind: a2a.PartBytes, MediaType: e.Media}):
			o.Note += "  " + m.st.G[styles.Flag] + " " + e.Media
		default:
			o.Note += "  " + e.Media
		}
		out = append(out, o)
	}
	return out
}

// completes reports whether what was written of a name can become that of an entry. One
// that cannot be written in a line is not offered; the picker has it.
func completes(base string, e *attach.Entry) bool {
	if len(e.Name) < len(base) || !strings.EqualFold(e.Name[:len(base)], base) {
		return false
	}
	return (base != "" || !e.Hidden()) && !strings.ContainsFunc(e.Name, unicode.IsControl) && strings.ToValidUTF8(e.Name, "") == e.Name
}
