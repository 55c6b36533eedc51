package keys

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"

	"parley/internal/spelling"
)

// A Choice gives an action other keys than its own.
type Choice struct {
	Action string // its section and its words: "wire.mark-record"
	Press  []string
	Place  string // the file and line, for sentences
}

// A Scope says where the keys of a section work.
type Scope uint8

// The scopes.
const (
	Everywhere Scope = iota // wherever the focus is, so that no key may type a character
	InText                  // while the text field has the focus, where no key may type a character either
	InInputs                // while text is typed anywhere, where no key may type a character either
	InEditors               // while a text of several lines is typed, but not in the text field
	Outside                 // in every pane, outside text fields
	InPane                  // while one pane has the focus
	InSheet                 // while a sheet lies over the panes
)

// A Section is the key map of a pane, under the name that its actions have in settings.
type Section struct {
	Name  string
	Map   []Named
	Scope Scope
	// Under is set for a sheet that gets keys with ctrl and alt after the actions that work everywhere.
	Under bool
	// Fixed are the bindings whose keys no setting changes.
	Fixed []key.Binding
	// Types says that each character is text while the keys of the section work.
	Types bool
	// Fields says that text can be typed while the keys of the section work, also if at times each
	// character is a key.
	Fields bool
	// Lines says that a text of several lines can be typed, with the keys of [InEditors].
	Lines bool
	// Gone says in a clause what to do instead of an action that is gone and that settings may
	// name, by the part of its name behind that of the section.
	Gone map[string]string
}

// A Named binding is that of an action.
type Named struct {
	Name    string // the part behind that of the section
	Binding *key.Binding
	First   bool // it gets its keys before a sheet does
	Typed   bool // its keys work while text is typed
}

// named names bindings by their words.
func named(all ...*key.Binding) (out []Named) {
	for _, b := range all {
		out = append(out, Named{Name: Slug(b.Help().Desc), Binding: b})
	}
	return out
}

// An action is a binding that can get other keys, in its section.
type action struct {
	Named
	section *Section
	full    string // the name with that of the section
	fixed   bool   // no setting changes its keys
}

// shares reports whether a key of two actions can be pressed in the same place.
func (a *action) shares(b *action, name string) bool {
	if a.section.Scope > b.section.Scope {
		a, b = b, a
	}
	s, other := a.section, b.section
	switch {
	case s.Name == other.Name:
		return true
	case s.Scope == InInputs:
		return other.Types || other.Fields || b.Typed
	case s.Scope == InEditors:
		return other.Lines
	case other.Scope == InInputs:
		return true
	case other.Scope == InEditors:
		return s.Scope == Everywhere
	case other.Scope == InSheet: // it gets the keys before the panes
		chord := strings.HasPrefix(name, "ctrl+") || strings.HasPrefix(name, "alt+")
		return s.Scope != InSheet && (a.First || other.Under && s.Scope == Everywhere && chord)
	case s.Scope == Everywhere:
		return true
	default:
		return s.Scope == Outside
	}
}

// Remap gives actions the keys that the user chose, all at once, so that two actions can swap
// theirs. An unusable choice changes nothing, and problems says why in a sentence each. It returns
// the choices about other sections.
func Remap(sections []Section, choices []Choice) (others []Choice, problems []string) {
	if len(choices) == 0 {
		return nil, nil
	}
	all := actionsOf(sections)
	why := make([]string, len(choices))
	var usable []int
	for i, c := range choices {
		name, rest, _ := strings.Cut(c.Action, ".")
		at := slices.IndexFunc(sections, func(s Section) bool { return Slug(s.Name) == name })
		if at < 0 {
			others = append(others, c)
		} else if instead := sections[at].Gone[rest]; instead != "" {
			why[i] = fmt.Sprintf("there is no action keys.%s any more: %s", c.Action, instead)
		} else if why[i] = unusable(all, c); why[i] == "" {
			usable = append(usable, i)
		}
	}
	for _, i := range settle(all, choices, usable, why) {
		apply(all, choices[i])
	}
	for i, c := range choices {
		if why[i] != "" {
			problems = append(problems, c.sentence(why[i]))
		}
	}
	return others, problems
}

// settle returns those of the usable choices that can be applied together, and says in why what
// is against the others. A choice that is dropped gives its action the former keys back, which
// another choice may have taken: it begins again then.
func settle(all []action, choices []Choice, usable []int, why []string) []int {
	of := make([][]int, len(choices)) // the actions of each usable choice
	for _, i := range usable {
		for j := range all {
			if choices[i].of(all[j]) {
				of[i] = append(of[i], j)
			}
		}
	}
	has := make([][]string, len(all)) // the keys of each action: none while a choice about it comes later
	for n := 0; n < len(usable); n++ {
		if n == 0 {
			for j := range all {
				has[j] = all[j].Binding.Keys()
			}
			for _, i := range usable {
				for _, j := range of[i] {
					has[j] = nil
				}
			}
		}
		i := usable[n]
		if why[i] = taken(all, has, of[i], choices[i]); why[i] != "" {
			usable, n = slices.Delete(usable, n, n+1), -1
			continue
		}
		for _, j := range of[i] {
			has[j] = choices[i].Press
		}
	}
	return usable
}

// Unknown says that there is no such action.
func (c Choice) Unknown() string { return c.sentence(c.unknown(nil)) }

// unknown says that there is no such action, and which one is spelled nearly so.
func (c Choice) unknown(all []action) string {
	names := make([]string, len(all))
	for i, a := range all {
		names[i] = a.full
	}
	hint := ": docs/keys.md says how actions are named"
	if near, ok := spelling.Nearest(c.Action, names); ok {
		hint = "; did you mean " + near + "?"
	}
	return "there is no action keys." + clip(c.Action) + hint
}

// sentence returns a sentence about a choice.
func (c Choice) sentence(why string) string {
	if !strings.HasSuffix(why, "?") {
		why += "."
	}
	return strings.TrimPrefix(c.Place+": ", ": ") + why
}

// Actions returns all actions that can get other keys, with those they have, in the order of the
// sections.
func Actions(sections []Section) (out []Choice) {
	for _, a := range actionsOf(sections) {
		if !a.fixed && !slices.ContainsFunc(out, func(c Choice) bool { return c.Action == a.full }) {
			out = append(out, Choice{Action: a.full, Press: a.Binding.Keys()})
		}
	}
	return out
}

// Slug returns words as a part of the name of an action: "mark-record".
func Slug(words string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(words), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), "-")
}

// unusable says why a choice can be applied in no case.
func unusable(all []action, c Choice) string {
	i := slices.IndexFunc(all, c.of)
	if i < 0 {
		return c.unknown(all)
	}
	a := all[i]
	kept := "; " + Name(*a.Binding) + " stays its key"
	if a.fixed {
		return fmt.Sprintf("keys.%s cannot be changed: it keeps %s", c.Action, Name(*a.Binding))
	}
	if len(c.Press) == 0 {
		return fmt.Sprintf("keys.%s names no key%s", c.Action, kept)
	}
	for _, name := range c.Press {
		switch {
		case !valid(name):
			return fmt.Sprintf("%q for keys.%s is no key, such as \"x\", \"ctrl+o\", \"alt+x\" or \"f6\"%s", clip(name), c.Action, kept)
		case (a.section.Scope <= InEditors || a.section.Types) && types(name) && !slices.Contains(a.Binding.Keys(), name):
			return fmt.Sprintf("%q for keys.%s would type a character%s", name, c.Action, kept)
		}
	}
	return ""
}

// taken says which other action has a key of a choice in the same place, when the actions have
// these keys. The choice is about the actions of: one name in several places.
func taken(all []action, has [][]string, of []int, c Choice) string {
	for _, name := range c.Press {
		for _, at := range of {
			a := all[at]
			if slices.Contains(a.Binding.Keys(), name) {
				continue // a key that the action has already is shared on purpose
			}
			for j, b := range all {
				if slices.Contains(has[j], name) && !c.of(b) && a.shares(&b, name) {
					return fmt.Sprintf("%q for keys.%s is the key of keys.%s already; %s stays its key", name, c.Action, b.full, Name(*a.Binding))
				}
			}
		}
	}
	return ""
}

// apply gives an action its keys.
func apply(all []action, c Choice) {
	for _, a := range all {
		if c.of(a) && !a.fixed {
			a.Binding.SetKeys(c.Press...)
			a.Binding.SetHelp(c.Press[0], a.Binding.Help().Desc)
		}
	}
}

// of reports whether the choice is one for the action.
func (c Choice) of(a action) bool { return a.full == c.Action }

// clip cuts a text from a file for a sentence.
func clip(text string) string {
	if r := []rune(text); len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return text
}

// keyNames are the keys with a name, without modifiers.
var keyNames = [...]string{
	"up", "down", "left", "right", "home", "end", "pgup", "pgdown", "insert", "delete", "backspace", "enter", "tab", "esc", "space",
	"f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9", "f10", "f11", "f12",
}

// valid reports whether a text names a key as Bubble Tea does.
func valid(name string) bool {
	for _, modifier := range []string{"ctrl+", "alt+", "shift+"} {
		name = strings.TrimPrefix(name, modifier)
	}
	r, size := utf8.DecodeRuneInString(name)
	return slices.Contains(keyNames[:], name) || size == len(name) && size > 0 && unicode.IsPrint(r) && r != ' '
}

// types reports whether a key types a character.
func types(name string) bool {
	return utf8.RuneCountInString(name) == 1 || strings.TrimPrefix(name, "shift+") == "space"
}

// actionsOf returns the actions of sections. Bindings of the same words are one action. The keys
// of ranges such as 1-9 are fixed.
func actionsOf(sections []Section) (all []action) {
	for i := range sections {
		s := &sections[i]
		add := func(b Named, fixed bool) {
			if b.Name != "" {
				all = append(all, action{Named: b, section: s, full: Slug(s.Name) + "." + b.Name, fixed: fixed})
			}
		}
		for _, b := range s.Map {
			first, _, isRange := strings.Cut(Name(*b.Binding), "-")
			add(b, isRange && first != "")
		}
		for j := range s.Fixed {
			b := &s.Fixed[j]
			add(Named{Name: Slug(b.Help().Desc), Binding: b}, true)
		}
	}
	return all
}
