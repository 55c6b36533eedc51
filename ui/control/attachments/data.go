package attachments

import (
	"encoding/json"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/units"
	"parley/ui/composer"
	"parley/ui/control"
	"parley/ui/jsonedit"
)

// attachData attaches the JSON behind the command. It opens the JSON editor for a text that is
// not JSON.
func (c *Controller) attachData(text string) tea.Cmd {
	text = strings.TrimSpace(text)
	if text == "" || !json.Valid([]byte(text)) {
		return c.writeData(-1, text)
	}
	return c.putData(c.host.Place(), -1, json.RawMessage(text))
}

// writeData opens the JSON editor for part i, or for a new part if i is negative.
func (c *Controller) writeData(i int, text string) tea.Cmd {
	if why := control.Refusal(c.host); why != "" {
		return c.host.Say(why, true)
	}
	at := c.host.Place()
	d := jsonedit.Draft{Title: "data", Text: text}
	if i >= 0 {
		d.Title = "data of part " + units.Count(i+1)
	}
	return c.o.WriteJSON(d, func(value json.RawMessage) tea.Cmd { return c.putData(at, i, value) })
}

// putData attaches JSON to the draft of a place, or replaces the value of part i.
func (c *Controller) putData(at control.Place, i int, value json.RawMessage) tea.Cmd {
	p := a2a.DataPart(value)
	p.MediaType = "application/json"
	parts := c.o.Composer.Draft().Parts
	if at == c.host.Place() && i >= 0 && i < len(parts) && parts[i].Kind == a2a.PartData {
		p = parts[i]
		p.Data = value
		c.o.Composer.Replace(i, p)
	} else {
		c.put(at, p)
	}
	c.host.Focus(control.OnComposer)
	words := "JSON, " + units.Bytes(int64(len(value))) + ", is attached"
	if why := c.unsupported(at, &p); why != "" {
		words += "; " + why
	}
	return c.host.Say(words, false)
}

// writeMetadata opens the JSON editor for the metadata of part i.
func (c *Controller) writeMetadata(i int, p *a2a.Part) tea.Cmd {
	d := jsonedit.Draft{
		Title: "metadata of " + composer.Describe(p)[0], Text: string(p.Metadata), Object: true,
		Hint: "agents read mimeType and schema",
	}
	return c.o.WriteJSON(d, func(value json.RawMessage) tea.Cmd {
		parts := c.o.Composer.Draft().Parts
		if i >= len(parts) {
			return c.host.Say("The part no longer exists.", true)
		}
		changed := parts[i]
		changed.Metadata = value
		c.o.Composer.Replace(i, changed)
		if value == nil {
			return c.host.Say("the part has no metadata", false)
		}
		return c.host.Say("the part has metadata", false)
	})
}
