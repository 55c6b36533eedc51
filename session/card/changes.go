package card

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"parley/a2a"
)

// A Change is one difference between a card and an earlier one.
type Change struct {
	Sentence string `json:"sentence"`
	// Security is set if the change affects where messages and credentials go, which
	// authentication is required, or who signed the card.
	Security bool `json:"security,omitempty"`
}

// CountSecurity returns how many changes concern security. They come first.
func CountSecurity(changes []Change) int {
	n := slices.IndexFunc(changes, func(c Change) bool { return !c.Security })
	if n < 0 {
		return len(changes)
	}
	return n
}

// Changes lists the differences between a card and an earlier one, nil if there are none.
func Changes(old, new *a2a.Card) []Change {
	if len(old.Raw) > 0 && bytes.Equal(old.Raw, new.Raw) && a2a.Origin(old.SourceURL) == a2a.Origin(new.SourceURL) {
		return nil
	}
	return Compare(NewSnapshot(old), NewSnapshot(new))
}

// Compare lists the differences between a card and an earlier one, those about security
// first; nil if there are none.
func Compare(old, new Snapshot) []Change {
	c := changes{security: true}
	if old.Source != "" && new.Source != "" { // an extended card does not have its own origin
		c.text("origin of the card", old.Source, new.Source)
	}
	c.requirements(old.Requirements, new.Requirements)
	c.skillRequirements(old.Skills, new.Skills)
	c.schemes(old.Schemes, new.Schemes)
	c.interfaces(old.Interfaces, new.Interfaces)
	c.text("protocol version", old.ProtocolVersion, new.ProtocolVersion)
	c.signatures(old.Signatures, new.Signatures)
	c.security = false
	c.text("name", old.Name, new.Name)
	c.text("version", old.Version, new.Version)
	if old.Description != new.Description {
		c.say("The description has changed.")
	}
	c.capability("streaming", old.Streaming, new.Streaming)
	c.capability("push notifications", old.Push, new.Push)
	c.capability("an extended card", old.Extended, new.Extended)
	c.list("extension", old.Extensions, new.Extensions)
	c.list("skill", summaryNames(old.Skills), summaryNames(new.Skills))
	c.described("skill", old.Skills, new.Skills)
	c.list("input mode", old.InputModes, new.InputModes)
	c.list("output mode", old.OutputModes, new.OutputModes)
	if len(c.found) == 0 && old.Sum != new.Sum && old.Sum != "" && new.Sum != "" {
		c.say("Another part of the card has changed; the raw JSON shows it.")
	}
	return c.found
}

func summaryNames(list []NamedSummary) []string {
	return mapped(list, func(s NamedSummary) string { return s.Name })
}

// changes collects the differences during a comparison of two cards.
type changes struct {
	found    []Change
	security bool // of the differences found now
}

func (c *changes) say(format string, args ...any) {
	c.found = append(c.found, Change{Sentence: shownText(fmt.Sprintf(format, args...)), Security: c.security})
}

func (c *changes) text(what, old, new string) {
	same := old == new
	switch old = maskedAs(old, new); {
	case same:
	case old == "":
		c.say("The %s is now %q; it had none.", what, new)
	case new == "":
		c.say("The %s is gone; it was %q.", what, old)
	default:
		c.say("The %s is now %q; it was %q.", what, new, old)
	}
}

// requirements compares the requirements of the whole agent.
func (c *changes) requirements(old, new []string) {
	was, is := requirementsWords(old), requirementsWords(new)
	switch {
	case slices.Equal(distinct(old), distinct(new)):
	case len(old) == 0:
		c.say("The agent now requires credentials: %s.", is)
	case len(new) == 0:
		c.say("The agent no longer requires credentials; it required %s.", was)
	default:
		c.say("The agent now requires %s; it required %s.", is, was)
	}
}

// skillRequirements compares the requirements of skills with the same name.
func (c *changes) skillRequirements(old, new []NamedSummary) {
	c.both(old, new, func(was, is NamedSummary) {
		switch {
		case was.Words == is.Words:
		case is.Words == "":
			c.say("The skill %s no longer requires %s.", is.Name, was.Words)
		default:
			c.say("The skill %s now requires %s.", is.Name, is.Words)
		}
	})
}

func (c *changes) schemes(old, new []NamedSummary) {
	name := func(s NamedSummary) string { return fmt.Sprintf("%s (%s)", s.Name, s.Words) }
	c.both(old, new, func(was, is NamedSummary) {
		if was.Words != is.Words {
			c.say("The security scheme %s is now %s; it was %s.", is.Name, is.Words, maskedAs(was.Words, is.Words))
		} else if was.Sum != is.Sum {
			c.say("The description of the security scheme %s has changed.", is.Name)
		}
	})
	before, now := byName(old), byName(new)
	for _, s := range new {
		if _, known := before[s.Name]; !known {
			c.say("There is a new security scheme: %s.", name(s))
		}
	}
	for _, s := range old {
		if _, known := now[s.Name]; !known {
			c.say("The security scheme %s is gone.", name(s))
		}
	}
}

// interfaces compares endpoints, and the dialects of each. One at a new origin comes first.
func (c *changes) interfaces(old, new []InterfaceSnapshot) {
	before, now := versionsByPlace(old), versionsByPlace(new)
	origins := map[string]bool{}
	for _, i := range old {
		origins[i.Origin] = true
	}
	like := maskedOnes(mapped(new, func(i InterfaceSnapshot) string { return i.Place }))
	var added, elsewhere []string
	said := map[string]bool{}
	for _, i := range new {
		if _, known := before[i.Place]; known || said[i.Place] {
			continue
		}
		said[i.Place] = true
		if i.Origin != "" && !origins[i.Origin] && len(old) > 0 {
			elsewhere = append(elsewhere, i.Place+", at a new origin")
		} else {
			added = append(added, i.Place)
		}
	}
	for _, place := range slices.Concat(elsewhere, added) {
		c.say("There is a new interface: %s.", place)
	}
	for _, i := range old {
		is, known := now[i.Place]
		was := before[i.Place]
		delete(before, i.Place) // reported once
		switch {
		case was == nil:
		case !known:
			c.say("The interface %s is gone.", maskedAs(i.Place, like...))
		case !slices.Equal(was, is):
			c.say("The interface %s now speaks %s; it spoke %s.", i.Place, strings.Join(is, " and "), strings.Join(was, " and "))
		}
	}
	if len(old) > 0 && len(new) > 0 && old[0].Place != new[0].Place && now[old[0].Place] != nil && len(elsewhere)+len(added) == 0 {
		c.say("The preferred interface is now %s; it was %s.", new[0].Place, old[0].Place)
	}
}

// versionsByPlace returns the dialects of each endpoint, sorted.
func versionsByPlace(list []InterfaceSnapshot) map[string][]string {
	at := make(map[string][]string, len(list))
	for _, i := range list {
		version := i.Version
		if version == "" {
			version = "an unnamed version"
		}
		at[i.Place] = append(at[i.Place], version)
	}
	for place, versions := range at {
		slices.Sort(versions)
		at[place] = slices.Compact(versions)
	}
	return at
}

// signatures compares who signed the card.
func (c *changes) signatures(old, new []NamedSummary) {
	if slices.Equal(old, new) {
		return
	}
	words := func(list []NamedSummary) string {
		return strings.Join(mapped(list, func(s NamedSummary) string { return s.Words }), " and ")
	}
	c.say("%s", signedSentence(words(old), words(new)))
}

func (c *changes) capability(what string, old, new bool) {
	switch {
	case old == new:
	case new:
		c.say("It now declares %s.", what)
	default:
		c.say("It no longer declares %s.", what)
	}
}

// list reports what was added to a list and what was removed.
func (c *changes) list(what string, old, new []string) {
	before, now, like := membership(old), membership(new), maskedOnes(new)
	for _, v := range new {
		if !before[v] {
			c.say("There is a new %s: %s.", what, v)
		}
	}
	for _, v := range old {
		if !now[v] {
			c.say("The %s %s is gone.", what, maskedAs(v, like...))
		}
	}
}

// described reports which entries of the same name have another description.
func (c *changes) described(what string, old, new []NamedSummary) {
	c.both(old, new, func(was, is NamedSummary) {
		if was.Sum != is.Sum {
			c.say("The description of the %s %s has changed.", what, is.Name)
		}
	})
}

// both calls f for the entries that occur with the same name in both lists.
func (c *changes) both(old, new []NamedSummary, f func(was, is NamedSummary)) {
	before := byName(old)
	for _, is := range new {
		if was, known := before[is.Name]; known {
			f(was, is)
		}
	}
}

// byName returns the first entry of each name. A card's lists may have any length.
func byName(list []NamedSummary) map[string]NamedSummary {
	in := make(map[string]NamedSummary, len(list))
	for _, s := range list {
		if _, known := in[s.Name]; !known {
			in[s.Name] = s
		}
	}
	return in
}

// membership returns the set of a list's elements.
func membership(list []string) map[string]bool {
	in := make(map[string]bool, len(list))
	for _, v := range list {
		in[v] = true
	}
	return in
}

// distinct returns a list sorted and without repetitions.
func distinct(list []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(list)))
}
