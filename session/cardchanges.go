package session

import (
	"bytes"
	"fmt"
	"slices"

	"parley/a2a"
)

// cardChanges lists what a card says otherwise than the one before it, one plain
// sentence each, nil if it says the same.
func cardChanges(old, new *a2a.Card) []string {
	if len(old.Raw) > 0 && bytes.Equal(old.Raw, new.Raw) {
		return nil
	}
	var c changes
	c.text("name", old.Name, new.Name)
	c.text("version", old.Version, new.Version)
	c.text("protocol version", old.ProtocolVersion, new.ProtocolVersion)
	if old.Description != new.Description {
		c.say("The description is another one.")
	}
	c.list("interface", names(old.Interfaces, interfaceName), names(new.Interfaces, interfaceName))
	c.capability("streaming", old.Capabilities.Streaming, new.Capabilities.Streaming)
	c.capability("push notifications", old.Capabilities.PushNotifications, new.Capabilities.PushNotifications)
	c.capability("an extended card", old.Capabilities.ExtendedAgentCard, new.Capabilities.ExtendedAgentCard)
	c.list("extension", names(old.Capabilities.Extensions, func(e a2a.Extension) string { return e.URI }),
		names(new.Capabilities.Extensions, func(e a2a.Extension) string { return e.URI }))
	c.list("security scheme", names(old.SecuritySchemes, schemeName), names(new.SecuritySchemes, schemeName))
	c.list("skill", names(old.Skills, func(s a2a.Skill) string { return s.Name }), names(new.Skills, func(s a2a.Skill) string { return s.Name }))
	c.skills(old.Skills, new.Skills)
	c.list("input mode", old.DefaultInputModes, new.DefaultInputModes)
	c.list("output mode", old.DefaultOutputModes, new.DefaultOutputModes)
	if len(c) == 0 && len(old.Raw) > 0 && len(new.Raw) > 0 {
		c.say("Something else in the card is not what it was; its raw JSON shows it.")
	}
	return c
}

func interfaceName(i a2a.Interface) string { return fmt.Sprintf("%s at %s", i.Binding, i.URL) }

func schemeName(s a2a.SecurityScheme) string { return fmt.Sprintf("%s (%s)", s.Key, s.Type) }

func names[T any](list []T, name func(T) string) []string {
	out := make([]string, len(list))
	for i := range list {
		out[i] = name(list[i])
	}
	return out
}

// changes are sentences about a card.
type changes []string

func (c *changes) say(format string, args ...any) { *c = append(*c, fmt.Sprintf(format, args...)) }

func (c *changes) text(what, old, new string) {
	switch {
	case old == new:
	case old == "":
		c.say("The %s is now %q; it had none.", what, new)
	case new == "":
		c.say("The %s is gone; it was %q.", what, old)
	default:
		c.say("The %s is now %q; it was %q.", what, new, old)
	}
}

func (c *changes) capability(what string, old, new a2a.Tri) {
	if (old == a2a.True) == (new == a2a.True) {
		return
	}
	if new == a2a.True {
		c.say("It now declares %s.", what)
	} else {
		c.say("It no longer declares %s.", what)
	}
}

// list says what was added to a list and what was taken off it.
func (c *changes) list(what string, old, new []string) {
	before, now := set(old), set(new)
	for _, v := range new {
		if !before[v] {
			c.say("There is a new %s: %s.", what, v)
		}
	}
	for _, v := range old {
		if !now[v] {
			c.say("The %s %s is gone.", what, v)
		}
	}
}

// set returns what is in a list. A card may have lists of any length.
func set(list []string) map[string]bool {
	in := make(map[string]bool, len(list))
	for _, v := range list {
		in[v] = true
	}
	return in
}

// skills says which skills of the same name are described otherwise.
func (c *changes) skills(old, new []a2a.Skill) {
	before := make(map[string]*a2a.Skill, len(old))
	for i := range old {
		if s := &old[i]; before[s.Name] == nil {
			before[s.Name] = s
		}
	}
	for i := range new {
		if was := before[new[i].Name]; was != nil && !sameSkill(was, &new[i]) {
			c.say("The skill %s is described otherwise.", new[i].Name)
		}
	}
}

func sameSkill(a, b *a2a.Skill) bool {
	same := func(x, y a2a.Example) bool { return x.Text == y.Text && bytes.Equal(x.Data, y.Data) }
	return a.ID == b.ID && a.Description == b.Description && slices.Equal(a.Tags, b.Tags) &&
		slices.EqualFunc(a.Examples, b.Examples, same) &&
		slices.Equal(a.InputModes, b.InputModes) && slices.Equal(a.OutputModes, b.OutputModes)
}
