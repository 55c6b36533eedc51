// Package jsonsheet is the controller of the JSON editor, which other controllers open for a
// value.
package jsonsheet

import (
	"bytes"
	"encoding/json"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/ui/control"
	"parley/ui/jsonedit"
	"parley/ui/styles"
)

// SheetName identifies the sheet in which the value is written.
const SheetName control.SheetName = "json"

// A Controller owns the sheet in which JSON is written.
type Controller struct {
	host control.Host
	pane *jsonedit.Pane
	use  func(value json.RawMessage) tea.Cmd // takes the value
}

// New returns a controller.
func New(host control.Host, st *styles.Styles) *Controller {
	return &Controller{host: host, pane: jsonedit.New(st)}
}

// Write opens the editor on a draft, indented, and calls use with the accepted value.
func (c *Controller) Write(d jsonedit.Draft, use func(value json.RawMessage) tea.Cmd) tea.Cmd {
	d.Text = indent(d.Text)
	c.use = use
	c.pane.Open(d)
	c.host.Open(SheetName)
	return nil
}

// indent returns indented JSON. It returns a text that is not JSON or has several lines
// unchanged.
func indent(text string) string {
	var out bytes.Buffer
	if strings.Contains(text, "\n") || json.Indent(&out, []byte(text), "", "  ") != nil {
		return text
	}
	return out.String()
}

// OnEdited takes the text that the user's editor saved.
func (c *Controller) OnEdited(text string) { c.pane.Edited(text) }

// Sheet describes the sheet.
func (c *Controller) Sheet() control.Sheet {
	p := c.pane
	return control.NewSheet(p, c.onIntent, control.Sheet{Name: SheetName, Help: "JSON", Page: true, KeepsCtrlC: true, Paste: p.Paste})
}

// onIntent carries out what the pane asks for.
func (c *Controller) onIntent(in jsonedit.Intent) tea.Cmd {
	switch in := in.(type) {
	case jsonedit.Done:
		c.host.Close()
		return c.use(in.JSON)
	case jsonedit.Edit:
		return c.host.Edit(in.Text, control.EditedMsg{JSON: true})
	case jsonedit.Refused:
		return c.host.Say(in.Why, true)
	case jsonedit.Close:
		c.host.Close()
	}
	return nil
}
