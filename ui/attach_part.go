package ui

import (
	"mime"
	"net/url"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/ui/canvas"
	"parley/ui/composer"
	"parley/ui/control"
	"parley/ui/menu"
)

// changePart lists what can be done with a part that goes with the text; with an index
// below 0 the user chooses which.
func (m *Model) changePart(i int) tea.Cmd {
	parts := m.panes.composer.Draft().Parts
	if len(parts) == 1 {
		i = 0
	}
	switch {
	case len(parts) == 0:
		return m.say("Nothing goes with the text: alt+a attaches a file.", true)
	case i < 0:
		return m.choosePart(parts)
	case i >= len(parts):
		return nil
	}
	p := parts[i]
	about := composer.Describe(&p)
	m.openMenu(about[0], strings.Join(about[1:], ", "), m.partItems(i, &p))
	return nil
}

// choosePart lists the parts, a digit for each of the first.
func (m *Model) choosePart(parts []a2a.Part) tea.Cmd {
	const digits = 9
	var items []menu.Item
	for i := range parts {
		about := composer.Describe(&parts[i])
		it := menu.Item{Key: " ", Name: about[0], Note: strings.Join(about[1:], ", "), Value: control.Action(func() tea.Cmd { return m.changePart(i) })}
		if i < digits {
			it.Key = strconv.Itoa(i + 1)
		}
		items = append(items, it)
	}
	m.openMenu("what goes along", "which of them?", items)
	return nil
}

// partItems are what can be done with part i.
func (m *Model) partItems(i int, p *a2a.Part) []menu.Item {
	change := func(p a2a.Part, words string) control.Action {
		return func() tea.Cmd {
			m.panes.composer.Replace(i, p)
			return m.say(words, false)
		}
	}
	inline, byAddress := *p, *p
	inline.Kind, byAddress.Kind = a2a.PartBytes, a2a.PartURL
	items := make([]menu.Item, 0, 6)
	if p.Kind == a2a.PartBytes || p.Kind == a2a.PartURL {
		bytes := menu.Item{Key: "b", Name: "send its bytes", Value: change(inline, "its bytes are sent")}
		switch {
		case p.Kind == a2a.PartBytes:
			bytes.Note = "as it is now"
		case p.Content == nil && p.Encoded == "":
			bytes.Why = "only its address is known here"
		}
		address := menu.Item{Key: "u", Name: "send its address", Note: withoutSecrets(p.URL), Value: change(byAddress, m.reaches(p.URL))}
		switch {
		case p.URL == "":
			address.Why = "it has none"
		case p.Kind == a2a.PartURL:
			address.Note = "as it is now"
		}
		items = append(
			items, bytes, address,
			menu.Item{Key: "a", Name: "send another address …", Note: "where the agent finds it", Value: control.Action(func() tea.Cmd { return m.askAddress(i, p) })},
			menu.Item{Key: "t", Name: "change its media type …", Note: p.MediaType, Value: control.Action(func() tea.Cmd { return m.askMedia(i, p) })},
			menu.Item{Key: "n", Name: "change its name …", Note: p.Filename, Value: control.Action(func() tea.Cmd { return m.askName(i, p) })},
		)
	}
	if p.Kind == a2a.PartData {
		items = append(items, menu.Item{Key: "e", Name: "edit it …", Note: "JSON", Value: control.Action(func() tea.Cmd { return m.writeData(i, string(p.Data)) })})
	}
	note := "none"
	if len(p.Metadata) > 0 {
		note = canvas.SanitizeLine(string(p.Metadata[:min(len(p.Metadata), 100)]))
	}
	items = append(items, menu.Item{Key: "m", Name: "change its metadata …", Note: note, Value: control.Action(func() tea.Cmd { return m.writeMetadata(i, p) })})
	return append(items, menu.Item{Key: "x", Name: "take it away", Value: control.Action(func() tea.Cmd {
		if gone, ok := m.panes.composer.Detach(i); ok {
			return m.say(composer.Describe(&gone)[0]+" no longer goes with the message", false)
		}
		return nil
	})})
}

// reaches says that the address of a part is sent, and whether the agent can go there.
func (m *Model) reaches(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "file" {
		return "its address is sent; the agent fetches it itself"
	}
	if a := m.agent(); a != nil {
		if at, err := url.Parse(a.Profile.Endpoint); err == nil && a2a.ReachOf(at.Hostname()) > a2a.ReachMachine {
			return "its address is sent, which is one of this machine: " + a.Name() + " is somewhere else and cannot read it"
		}
	}
	return "its address is sent, which only an agent on this machine can read"
}

// askAddress asks for where an agent finds a part.
func (m *Model) askAddress(i int, p *a2a.Part) tea.Cmd {
	return m.ask(control.Command{Name: "address", Takes: "https://…", With: func(ref string) tea.Cmd {
		u, err := url.Parse(ref)
		if err != nil || u.Scheme == "" || u.Host == "" && u.Scheme != "file" {
			return m.say("An address is a whole URL, such as https://files.example/map.png.", true)
		}
		changed := *p
		changed.Kind, changed.URL = a2a.PartURL, ref
		m.panes.composer.Replace(i, changed)
		return m.say(m.reaches(ref), false)
	}})
}

// askMedia asks for the media type of a part; those that the agent takes are offered.
func (m *Model) askMedia(i int, p *a2a.Part) tea.Cmd {
	takes := m.takes(m.cur.Agent)
	return m.ask(control.Command{
		Name: "media type", Takes: "such as text/plain",
		With: func(media string) tea.Cmd {
			if _, _, err := mime.ParseMediaType(media); err != nil || !strings.Contains(media, "/") {
				return m.say("\""+canvas.SanitizeLine(media)+"\" is no media type such as text/plain.", true)
			}
			changed := *p
			changed.MediaType = media
			m.panes.composer.Replace(i, changed)
			return m.say("it is sent as "+media, false)
		},
		Offers: func(string) []composer.Offer {
			var out []composer.Offer
			for _, mode := range takes {
				if strings.Contains(mode, "/") && !strings.Contains(mode, "*") {
					out = append(out, composer.Offer{Text: mode, Note: "the agent takes it"})
				}
			}
			return out
		},
	})
}

// askName asks for what a part is called.
func (m *Model) askName(i int, p *a2a.Part) tea.Cmd {
	return m.ask(control.Command{Name: "name", Takes: "what the agent sees as its name", With: func(name string) tea.Cmd {
		changed := *p
		changed.Filename = name
		m.panes.composer.Replace(i, changed)
		return m.say("it is called "+canvas.SanitizeLine(name)+" now", false)
	}})
}
