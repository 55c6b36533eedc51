package ui

import (
	"bytes"
	"encoding/json"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/units"
	"parley/ui/composer"
	"parley/ui/control"
	"parley/ui/jsonedit"
	"parley/ui/sending"
)

// taken is what becomes of JSON that was written.
type taken func(value json.RawMessage) tea.Cmd

const overJSON control.SheetName = "json"

// jsonSheet lies over the panes while JSON is written.
func (m *Model) jsonSheet() control.Sheet {
	p := m.panes.json
	return control.Sheet{
		Pane: p, Help: "JSON", Keys: p.FullHelp, Paste: p.Paste, Height: p.Height(),
		Key:   func(msg tea.KeyPressMsg) tea.Cmd { return m.jsonWritten(p.Key(msg)) },
		Mouse: func(msg tea.MouseMsg, x, y int) tea.Cmd { return m.jsonWritten(p.Mouse(msg, x, y)) },
	}
}

// writeJSON has the user write JSON.
func (m *Model) writeJSON(d jsonedit.Draft, then taken) tea.Cmd {
	d.Value = then
	m.panes.json.Open(d)
	m.show(overJSON)
	return nil
}

// jsonWritten carries out what that sheet asks for.
func (m *Model) jsonWritten(in jsonedit.Intent) tea.Cmd {
	switch in := in.(type) {
	case jsonedit.Done:
		m.closeOverlay()
		return in.Value.(taken)(in.JSON)
	case jsonedit.Edit:
		return host{m}.Edit(in.Text, control.EditedMsg{JSON: true})
	case jsonedit.Refused:
		return m.say(in.Why, true)
	case jsonedit.Close:
		m.closeOverlay()
	}
	return nil
}

// attachData puts JSON that was written behind the command with the message, or has it
// written where it is none.
func (m *Model) attachData(text string) tea.Cmd {
	text = strings.TrimSpace(text)
	if text == "" || !json.Valid([]byte(text)) {
		return m.writeData(-1, text)
	}
	return m.putData(m.cur, -1, json.RawMessage(text))
}

// writeData has the user write the JSON of part i, or of a new one where i is below 0.
func (m *Model) writeData(i int, text string) tea.Cmd {
	if why := m.refusal(); why != "" {
		return m.say(why, true)
	}
	at := m.cur
	d := jsonedit.Draft{Title: "data", Text: readable(text)}
	if i >= 0 {
		d.Title = "data of part " + units.Count(i+1)
	}
	return m.writeJSON(d, func(value json.RawMessage) tea.Cmd { return m.putData(at, i, value) })
}

// readable lays JSON out in lines; what is none, or has lines already, is left as it is.
func readable(text string) string {
	var out bytes.Buffer
	if strings.Contains(text, "\n") || json.Indent(&out, []byte(text), "", "  ") != nil {
		return text
	}
	return out.String()
}

// putData puts JSON with the message of a place, or in the place of its part i.
func (m *Model) putData(at control.Place, i int, value json.RawMessage) tea.Cmd {
	c := m.panes.composer
	p := a2a.DataPart(value)
	p.MediaType = "application/json"
	parts := c.Draft().Parts
	if at == m.cur && i >= 0 && i < len(parts) && parts[i].Kind == a2a.PartData {
		p = parts[i]
		p.Data = value
		c.Replace(i, p)
	} else {
		m.putWith(at, p)
	}
	m.focusComposer()
	words := "JSON, " + units.Bytes(int64(len(value))) + ", goes with the message"
	if why := m.untaken(at, &p); why != "" {
		words += "; " + why
	}
	return m.say(words, false)
}

// writeMetadata has the user write the metadata of part i.
func (m *Model) writeMetadata(i int, p *a2a.Part) tea.Cmd {
	d := jsonedit.Draft{
		Title: "metadata of " + composer.Describe(p)[0], Text: readable(string(p.Metadata)), Object: true,
		Hint: "agents look for mimeType and schema",
	}
	return m.writeJSON(d, func(value json.RawMessage) tea.Cmd {
		parts := m.panes.composer.Draft().Parts
		if i >= len(parts) {
			return m.say("The part is not there any more.", true)
		}
		changed := parts[i]
		changed.Metadata = value
		m.panes.composer.Replace(i, changed)
		if value == nil {
			return m.say("the part has no metadata", false)
		}
		return m.say("metadata goes with the part", false)
	})
}

// writeSettings has the user write metadata, and shows then how messages are sent.
func (m *Model) writeSettings(in sending.Write) tea.Cmd {
	d, title := m.panes.composer.Draft(), "metadata of the message"
	text, set := d.Metadata, func(value json.RawMessage) { m.panes.composer.SetMetadata(value) }
	switch in.Of {
	case sending.OfRequest:
		text, title = d.Options.Config.Metadata, "metadata of the request"
		set = func(value json.RawMessage) {
			o := m.panes.composer.Draft().Options
			o.Config.Metadata = value
			m.setSendOptions(o)
		}
	case sending.OfText:
		text, title = d.TextMetadata, "metadata of the text"
		set = func(value json.RawMessage) { m.panes.composer.SetTextMetadata(value) }
	case sending.OfTasks:
		text, title = m.writing.annotations[m.cur.Agent], "metadata of requests about tasks"
		set = m.annotate
	}
	return m.writeJSON(jsonedit.Draft{Title: title, Text: readable(string(text)), Object: true}, func(value json.RawMessage) tea.Cmd {
		m.show(overSending)
		set(value)
		return nil
	})
}

// data are the commands about JSON that goes with a message.
func (m *Model) data() []control.Command {
	return []control.Command{{
		Slash: "data", Takes: "[JSON]", Name: "Attach JSON (a data part)", Why: m.refusal(),
		Do: func() tea.Cmd { return m.writeData(-1, "") }, With: m.attachData,
	}}
}
