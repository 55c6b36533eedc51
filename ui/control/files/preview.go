package files

import (
	"strconv"

	tea "charm.land/bubbletea/v2"

	"parley/ui/chat"
	"parley/ui/control"
	"parley/ui/media"
	"parley/ui/preview"
)

// show previews a file of a conversation, with the versions that it replaced.
func (c *Controller) show(f chat.File) tea.Cmd {
	all := []chat.File{f}
	if f.Past != nil {
		all = append(f.Past(), f)
	}
	files := make([]preview.File, len(all))
	for i, f := range all {
		form, language := media.Of(f.Media, f.Name)
		files[i] = preview.File{Name: f.Name, About: f.About, Form: form, Language: language, Data: f.Data, Value: f}
		if len(files) > 1 {
			files[i].Version = "version " + strconv.Itoa(i+1) + " of " + strconv.Itoa(len(files))
		}
	}
	c.preview.Show(files, len(files)-1)
	c.host.Open(PreviewSheet)
	return nil
}

// PreviewJob returns a job of the preview that runs off the screen's goroutine, nil if it has
// none or is closed. The job returns a function that takes over its result and reports whether
// anything changed.
func (c *Controller) PreviewJob() func() (arrive func() bool) {
	if !c.host.Shows(PreviewSheet) {
		return nil
	}
	job, ok := c.preview.Job()
	if !ok {
		return nil
	}
	return func() func() bool {
		done := job.Run()
		return func() bool { return c.preview.Apply(done) }
	}
}

// PreviewSheet is the name of the sheet that shows a file.
const PreviewSheet control.SheetName = "preview"

// Sheet describes the sheet that shows a file.
func (c *Controller) Sheet() control.Sheet {
	p := c.preview
	return control.NewSheet(p, c.onPreviewIntent, control.Sheet{
		Name: PreviewSheet, Help: "preview", Page: true, Typing: p.Typing, Paste: func(msg tea.PasteMsg) { p.Paste(msg.Content) },
	})
}

// onPreviewIntent carries out what the preview asks for.
func (c *Controller) onPreviewIntent(in preview.Intent) tea.Cmd {
	switch in := in.(type) {
	case preview.Close:
		c.preview.Clear()
		c.host.Close()
	case preview.Copy:
		return c.host.Copy(in.Text, in.What)
	case preview.Refused:
		return c.host.Say(in.Why, true)
	case preview.Save:
		if f, ok := in.File.Value.(chat.File); ok {
			return c.carryOut(plan{files: []chat.File{f}, open: in.Open})
		}
	}
	return nil
}
