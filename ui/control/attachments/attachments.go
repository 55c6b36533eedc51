// Package attachments attaches files, addresses and JSON to messages, and changes how an
// attached part is sent.
package attachments

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/attach"
	"parley/ui/action"
	"parley/ui/composer"
	"parley/ui/control"
	"parley/ui/jsonedit"
	"parley/ui/picker"
	"parley/ui/styles"
)

// Options are what the controller needs besides the host.
type Options struct {
	// Composer edits the message on the screen.
	Composer *composer.Composer
	// ChangeDraft changes the draft of a place that is not on the screen.
	ChangeDraft func(at control.Place, change func(d *composer.Draft))
	// WriteJSON opens the JSON editor and calls use with the value.
	WriteJSON func(d jsonedit.Draft, use func(value json.RawMessage) tea.Cmd) tea.Cmd
	// Dir is where relative paths begin; empty is the working directory.
	Dir string
	// Home is the user's home directory.
	Home string
}

// A Controller attaches parts to messages.
type Controller struct {
	host    control.Host
	o       Options
	glyphs  styles.Glyphs
	picker  *picker.Pane
	folders folders
	drop    drop
	modes   control.CardModes
}

// New returns a controller.
func New(host control.Host, st *styles.Styles, o Options) *Controller {
	return &Controller{host: host, o: o, glyphs: st.G, picker: picker.New(st)}
}

// Actions returns the actions on attachments, some of which have keys in the text field.
func (c *Controller) Actions() []action.Action[tea.Cmd] {
	refused := control.Refused(c.host)
	none := action.If("the message has no attachment", func() bool { return c.o.Composer.Attached() == 0 })
	return []action.Action[tea.Cmd]{
		{
			Row: action.Row{
				ID: composer.AttachFile, Slash: attachWord, Takes: "[FILE]", Name: "Attach a file or a URL", Also: []string{"upload", "image", "picture", "add"},
				Now: action.Unless(refused),
			},
			Run: c.Attach, With: c.attachTyped, Offers: c.offerPaths,
		},
		{
			Row: action.Row{ID: composer.EditAttachment, Slash: "parts", Name: "Edit an attachment", Also: []string{"file", "image"}, Now: action.Unless(refused, none)},
			Run: func() tea.Cmd { return c.ChangePart(-1) },
		},
		{
			Row: action.Row{Slash: "data", Takes: "[JSON]", Name: "Attach JSON (a data part)", Now: action.Unless(refused)},
			Run: func() tea.Cmd { return c.writeData(-1, "") }, With: c.attachData,
		},
	}
}

// Refresh updates the controller and the composer before a frame: the offer of dropped files,
// and the folders for the path being written.
func (c *Controller) Refresh() tea.Cmd {
	c.showDrop()
	return c.readFolders()
}

// Attach attaches the files that a pasted text names, or opens the picker.
func (c *Controller) Attach() tea.Cmd {
	if cmd, ok := c.takeDrop(); ok {
		return cmd
	}
	return c.openPicker("")
}

// attachTyped attaches the file or address behind the command.
func (c *Controller) attachTyped(ref string) tea.Cmd {
	c.host.Focus(control.OnComposer)
	if strings.TrimSpace(ref) == "" {
		return c.openPicker("")
	}
	return c.attachReference(ref)
}

// attachReference attaches a file by its path, or an address from which the agent downloads.
func (c *Controller) attachReference(ref string) tea.Cmd {
	at := c.host.Place()
	if p, ok := attach.Address(ref); ok {
		c.put(at, p)
		words, why := composer.Describe(&p)[0]+" is attached by its address, from which the agent downloads it", c.unsupported(at, &p)
		if why != "" {
			words += "; " + why
		}
		return c.host.Say(words, false)
	}
	paths := []string{c.resolve(ref)}
	if quoted := attach.Paths(ref, c.o.Home); len(quoted) > 0 && strings.ContainsAny(ref, `'"\`) {
		paths = quoted
	}
	return c.AttachFiles(paths)
}

// resolve returns the absolute path of a path as the user writes it.
func (c *Controller) resolve(written string) string {
	dir, err := filepath.Abs(c.o.Dir)
	if err != nil {
		dir = c.o.Dir
	}
	return attach.Resolve(written, c.o.Home, dir)
}

// put adds a part to the draft of a place.
func (c *Controller) put(at control.Place, p a2a.Part) {
	if at == c.host.Place() {
		c.o.Composer.Attach(p)
	} else {
		c.o.ChangeDraft(at, func(d *composer.Draft) { d.Parts = append(slices.Clip(d.Parts), p) })
	}
	c.host.Touch()
}

// SheetName identifies the sheet in which files are chosen.
const SheetName control.SheetName = "picker"

// Sheet describes the sheet in which files are chosen.
func (c *Controller) Sheet() control.Sheet {
	p := c.picker
	return control.NewSheet(p, c.onPickerIntent, control.Sheet{
		Name: SheetName, Help: "attach a file", Leave: func() key.Binding { return c.o.Composer.Of(composer.AttachFile) }, Paste: p.Paste,
	})
}

// openPicker shows the files of a folder, by default of the one that was shown last.
func (c *Controller) openPicker(dir string) tea.Cmd {
	if why := control.Refusal(c.host); why != "" {
		return c.host.Say(why, true)
	}
	modes := c.InputModes(c.host.Place().Agent)
	c.host.Open(SheetName)
	wanted := func(media string) bool { return a2a.Takes(modes, &a2a.Part{Kind: a2a.PartBytes, MediaType: media}) }
	if dir != "" {
		return c.onPickerIntent(c.picker.OpenAt(dir, wanted))
	}
	return c.onPickerIntent(c.picker.Open(c.resolve("."), wanted))
}

// onPickerIntent carries out the intents of the picker.
func (c *Controller) onPickerIntent(in picker.Intent) tea.Cmd {
	switch in := in.(type) {
	case picker.Enter:
		return c.listFolder(in.Dir)
	case picker.Choose:
		c.host.Close()
		c.host.Focus(control.OnComposer)
		paths := make([]string, 0, len(in.Paths))
		for _, path := range in.Paths {
			paths = append(paths, attach.Resolve(path, c.o.Home, in.Dir))
		}
		return c.AttachFiles(paths)
	case picker.Refused:
		return c.host.Say(in.Why, true)
	case picker.Close:
		c.host.Close()
	}
	return nil
}
