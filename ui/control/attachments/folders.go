package attachments

import (
	"os"
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/attach"
	"parley/internal/units"
	"parley/ui/action"
	"parley/ui/control"
	"parley/ui/picker"
	"parley/ui/styles"
)

// attachWord is the command whose argument is completed as a path.
const attachWord = "attach"

// folders are the folders that were read to complete the path being written. They are read in
// the background, and again for every command.
type folders struct {
	read    map[string]picker.Listing
	wanted  string // the folder to read, empty for none
	reading bool   // a read is pending
}

// listFolder reads a folder.
func (c *Controller) listFolder(dir string) tea.Cmd {
	return func() tea.Msg {
		l := picker.Listing{Dir: dir}
		var err error
		if l.Entries, l.More, err = attach.List(dir); err != nil {
			l.Why = err.Error()
		}
		return control.DoneMsg(func() tea.Cmd { return c.onListing(l) })
	}
}

// onListing shows the folder in the picker, and completes the path that leads there.
func (c *Controller) onListing(l picker.Listing) tea.Cmd {
	c.picker.SetListing(l)
	if f := &c.folders; f.wanted == l.Dir {
		if f.read == nil {
			f.read = map[string]picker.Listing{}
		}
		f.read[l.Dir], f.wanted, f.reading = l, "", false
		c.o.Composer.UpdateOffers()
	}
	c.host.Touch()
	return nil
}

// readFolders reads the folder of the path being written, and forgets all folders when no path
// is being written.
func (c *Controller) readFolders() tea.Cmd {
	f := &c.folders
	if f.wanted == "" && f.read == nil {
		return nil
	}
	if c.o.Composer.CommandWord() != attachWord {
		*f = folders{}
		return nil
	}
	if f.wanted == "" || f.reading {
		return nil
	}
	f.reading = true
	return c.listFolder(f.wanted)
}

// offerPaths returns the files and folders that complete a path, as far as they were read. It
// requests a folder that was not.
func (c *Controller) offerPaths(arg string) []action.Offer {
	if _, address := attach.Address(arg); address {
		return nil
	}
	if arg == "~" {
		return []action.Offer{{Text: "~/", Note: "your home"}}
	}
	cut := strings.LastIndexFunc(arg, func(r rune) bool { return r < 128 && os.IsPathSeparator(uint8(r)) }) + 1
	above, base := arg[:cut], arg[cut:]
	dir := c.resolve(above)
	f := &c.folders
	l, known := f.read[dir]
	if !known {
		if f.wanted != dir {
			f.wanted, f.reading = dir, false
		}
		return nil
	}
	var out []action.Offer
	modes := c.InputModes(c.host.Place().Agent)
	for i := range l.Entries {
		e := &l.Entries[i]
		if !completes(base, e) {
			continue
		}
		o := action.Offer{Text: above + e.Name, Label: e.Name, Note: units.Bytes(e.Size)}
		switch {
		case e.Folder:
			o.Text, o.Label, o.Note = o.Text+string(os.PathSeparator), o.Label+string(os.PathSeparator), "folder"
		case !a2a.Takes(modes, &a2a.Part{Kind: a2a.PartBytes, MediaType: e.Media}):
			o.Note += "  " + c.glyphs[styles.Flag] + " " + e.Media
		default:
			o.Note += "  " + e.Media
		}
		out = append(out, o)
	}
	return out
}

// completes reports whether the name of an entry begins with base. It does not offer names that
// cannot be written in a line; the picker has them.
func completes(base string, e *attach.Entry) bool {
	if len(e.Name) < len(base) || !strings.EqualFold(e.Name[:len(base)], base) {
		return false
	}
	return (base != "" || !e.Hidden()) && !strings.ContainsFunc(e.Name, unicode.IsControl) && strings.ToValidUTF8(e.Name, "") == e.Name
}
