package attachments

import (
	"mime"
	"net/url"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/ui/action"
	"parley/ui/canvas"
	"parley/ui/composer"
	"parley/ui/control"
	"parley/ui/keys"
	"parley/ui/looks"
	"parley/ui/menu"
)

// ChangePart lists what can be done with part i. If i is negative the user chooses the part.
func (c *Controller) ChangePart(i int) tea.Cmd {
	parts := c.o.Composer.Draft().Parts
	if len(parts) == 1 {
		i = 0
	}
	switch {
	case len(parts) == 0:
		return c.host.Say("The message has no attachment: "+keys.Name(c.o.Composer.Of(composer.AttachFile))+" attaches a file.", true)
	case i < 0:
		return c.choosePart(parts)
	case i >= len(parts):
		return nil
	}
	p := parts[i]
	about := composer.Describe(&p)
	c.host.Menu(about[0], strings.Join(about[1:], ", "), c.partItems(i, &p))
	return nil
}

// choosePart lists the parts, the first nine with a digit.
func (c *Controller) choosePart(parts []a2a.Part) tea.Cmd {
	const digits = 9
	var items []menu.Item
	for i := range parts {
		about := composer.Describe(&parts[i])
		it := menu.Item{Key: " ", Name: about[0], Note: strings.Join(about[1:], ", "), Value: control.Action(func() tea.Cmd { return c.ChangePart(i) })}
		if i < digits {
			it.Key = strconv.Itoa(i + 1)
		}
		items = append(items, it)
	}
	c.host.Menu("attachments", "choose one", items)
	return nil
}

// partItems returns the menu for part i.
func (c *Controller) partItems(i int, p *a2a.Part) []menu.Item {
	change := func(p a2a.Part, words string) control.Action {
		return func() tea.Cmd {
			c.o.Composer.Replace(i, p)
			return c.host.Say(words, false)
		}
	}
	inline, byAddress := *p, *p
	inline.Kind, byAddress.Kind = a2a.PartBytes, a2a.PartURL
	items := make([]menu.Item, 0, 6)
	if p.Kind == a2a.PartBytes || p.Kind == a2a.PartURL {
		bytes := menu.Item{Key: "b", Name: "attach its bytes", Value: change(inline, "its bytes are attached")}
		switch {
		case p.Kind == a2a.PartBytes:
			bytes.Note = "in use"
		case p.Content == nil && p.Encoded == "":
			bytes.Why = "only its address is known here"
		}
		address := menu.Item{Key: "u", Name: "attach its address", Note: looks.Reference(p.URL), Value: change(byAddress, c.reaches(p.URL))}
		switch {
		case p.URL == "":
			address.Why = "it has none"
		case p.Kind == a2a.PartURL:
			address.Note = "in use"
		}
		items = append(
			items, bytes, address,
			menu.Item{Key: "a", Name: "attach another address …", Note: "where the agent finds it", Value: control.Action(func() tea.Cmd { return c.askAddress(i, p) })},
			menu.Item{Key: "t", Name: "change its media type …", Note: p.MediaType, Value: control.Action(func() tea.Cmd { return c.askMedia(i, p) })},
			menu.Item{Key: "n", Name: "change its name …", Note: p.Filename, Value: control.Action(func() tea.Cmd { return c.askName(i, p) })},
		)
	}
	if p.Kind == a2a.PartData {
		items = append(items, menu.Item{Key: "e", Name: "edit it …", Note: "JSON", Value: control.Action(func() tea.Cmd { return c.writeData(i, string(p.Data)) })})
	}
	note := "none"
	if len(p.Metadata) > 0 {
		note = canvas.SanitizeLine(string(p.Metadata[:min(len(p.Metadata), 100)]))
	}
	items = append(items, menu.Item{Key: "m", Name: "change its metadata …", Note: note, Value: control.Action(func() tea.Cmd { return c.writeMetadata(i, p) })})
	return append(items, menu.Item{Key: "x", Name: "remove it", Value: control.Action(func() tea.Cmd {
		if gone, ok := c.o.Composer.Detach(i); ok {
			return c.host.Say(composer.Describe(&gone)[0]+" is removed from the message", false)
		}
		return nil
	})})
}

// reaches says that the address of a part is sent, and whether the agent can reach it.
func (c *Controller) reaches(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "file" {
		return "its address is attached; the agent downloads it itself"
	}
	if a := c.host.Agent(); a != nil {
		if at, err := url.Parse(a.Profile.Endpoint); err == nil && a2a.ReachOf(at.Hostname()) > a2a.ReachMachine {
			return "its address is attached, but it is on this machine: " + a.Name() + " is elsewhere and cannot read it"
		}
	}
	return "its address is attached, which only an agent on this machine can read"
}

// askAddress asks for the address of a part.
func (c *Controller) askAddress(i int, p *a2a.Part) tea.Cmd {
	return c.host.Ask(control.Command{Name: "address", Takes: "https://…", With: func(ref string) tea.Cmd {
		u, err := url.Parse(ref)
		if err != nil || u.Scheme == "" || u.Host == "" && u.Scheme != "file" {
			return c.host.Say("An address must be a whole URL, such as https://files.example/map.png.", true)
		}
		changed := *p
		changed.Kind, changed.URL = a2a.PartURL, ref
		c.o.Composer.Replace(i, changed)
		return c.host.Say(c.reaches(ref), false)
	}})
}

// askMedia asks for the media type of a part, and offers those that the agent accepts.
func (c *Controller) askMedia(i int, p *a2a.Part) tea.Cmd {
	takes := c.InputModes(c.host.Place().Agent)
	return c.host.Ask(control.Command{
		Name: "media type", Takes: "such as text/plain",
		With: func(media string) tea.Cmd {
			if _, _, err := mime.ParseMediaType(media); err != nil || !strings.Contains(media, "/") {
				return c.host.Say("\""+canvas.SanitizeLine(media)+"\" is not a media type such as text/plain.", true)
			}
			changed := *p
			changed.MediaType = media
			c.o.Composer.Replace(i, changed)
			return c.host.Say("its type is now "+media, false)
		},
		Offers: func(string) []action.Offer {
			var out []action.Offer
			for _, mode := range takes {
				if strings.Contains(mode, "/") && !strings.Contains(mode, "*") {
					out = append(out, action.Offer{Text: mode, Note: "the agent accepts it"})
				}
			}
			return out
		},
	})
}

// askName asks for the name of a part.
func (c *Controller) askName(i int, p *a2a.Part) tea.Cmd {
	return c.host.Ask(control.Command{Name: "name", Takes: "its name for the agent", With: func(name string) tea.Cmd {
		changed := *p
		changed.Filename = name
		c.o.Composer.Replace(i, changed)
		return c.host.Say("its name is now "+canvas.SanitizeLine(name), false)
	}})
}
