// Package answers is the controller of comparisons: of two answers to the same message, and of two
// conversations, tasks or agents of the session. It opens the sheet with the differences.
package answers

import (
	tea "charm.land/bubbletea/v2"

	"parley/session/model"
	"parley/ui/answers"
	"parley/ui/control"
	"parley/ui/styles"
)

// SheetName is the name of the sheet of the differences.
const SheetName control.SheetName = "answers"

// A Controller shows differences.
type Controller struct {
	host control.Host
	pane *answers.Pane
	back control.SheetName // the sheet from which the comparison was opened, empty for none
	// start starts an activity.
	start func(control.Activity) tea.Cmd
}

// New returns a controller, whose long comparisons start activities.
func New(host control.Host, st *styles.Styles, start func(control.Activity) tea.Cmd) *Controller {
	return &Controller{host: host, pane: answers.New(st), start: start}
}

// Show shows the differences between the answers of two turns.
func (c *Controller) Show(first, second *model.Turn) tea.Cmd {
	return c.ShowOver("", first, second)
}

// ShowOver is Show for a comparison after which another sheet is shown again.
func (c *Controller) ShowOver(back control.SheetName, first, second *model.Turn) tea.Cmd {
	c.back = back
	c.pane.SetDocument(answers.Turns(c.host.State(), first, second))
	c.host.Open(SheetName)
	return nil
}

// Sheet describes the sheet.
func (c *Controller) Sheet() control.Sheet {
	return control.NewSheet(c.pane, c.onIntent, control.Sheet{Name: SheetName, Help: "compare", Page: true})
}

// onIntent carries out what the sheet asks for.
func (c *Controller) onIntent(in answers.Intent) tea.Cmd {
	switch in := in.(type) {
	case answers.Close:
		c.host.Close()
		if c.back != "" {
			c.host.Open(c.back)
		}
	case answers.Copy:
		return c.host.Copy(in.Text, "the comparison")
	}
	return nil
}
