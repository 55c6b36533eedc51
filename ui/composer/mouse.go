package composer

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/ui/canvas"
	"parley/ui/keys"
)

// Mouse handles a mouse event at x, y of the composer: a click moves the cursor there, the
// wheel moves it by rows.
func (c *Composer) Mouse(msg tea.MouseMsg, x, y int) Intent {
	c.dirty = true
	switch msg := msg.(type) {
	case tea.MouseClickMsg:
		if msg.Button == tea.MouseLeft {
			return c.click(x, y)
		}
	case tea.MouseWheelMsg:
		switch keys.Wheel(msg) {
		case -1:
			c.area.CursorUp()
		case 1:
			c.area.CursorDown()
		}
	}
	return nil
}

// click moves the cursor to the character at x, y, or handles a click above or below the text.
func (c *Composer) click(x, y int) Intent {
	head, target, text, _ := c.rows()
	if y < head {
		return c.clickQueue(x, y-1)
	}
	if y -= head + target; y < 0 {
		return nil
	}
	if y >= text {
		return c.clickBelow(x, y-text)
	}
	row := c.at().Y
	for want := min(c.top+y, c.area.Height()-1); row < want; row++ {
		c.area.CursorDown()
	}
	for want := c.top + y; row > want; row-- {
		c.area.CursorUp()
	}
	info := c.area.LineInfo()
	line := []rune(strings.Split(c.area.Value(), "\n")[c.area.Line()])
	line = line[min(info.StartColumn, len(line)):min(info.StartColumn+info.Width, len(line))]
	col := 0
	for cells := promptWidth; col < len(line) && cells+canvas.Width(string(line[:col+1]))-canvas.Width(string(line[:col])) <= x; col++ {
		cells = promptWidth + canvas.Width(string(line[:col+1]))
	}
	c.area.SetCursorColumn(info.StartColumn + col)
	c.UpdateOffers()
	return nil
}
