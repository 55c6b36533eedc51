package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"parley/a2a"
)

// checkReference refuses a reference that is neither the name of a saved agent nor written as
// an address, so that a misspelled word is never dialled as a host.
func (a *app) checkReference(ref string) error {
	if _, ok := a.savedAgent(ref); ok || a2a.LooksLikeAddress(ref) {
		return nil
	}
	if why := a.settings.Unusable[strings.ToLower(ref)]; why != "" {
		return usage("The agent %q of config.toml cannot be opened: %s.", line(ref), why)
	}
	return usage("%q is neither a saved agent nor an address such as host:port, https://host or a card file.%s", line(a2a.MaskReference(ref)), a.guess(nil, ref))
}

// checkFirstWord refuses a first word that is neither a command nor a reference.
func (a *app) checkFirstWord(word string) error {
	switch err := a.checkReference(word); {
	case err == nil:
		return nil
	case a.settings.Unusable[strings.ToLower(word)] != "":
		return err
	}
	return usage("%q is neither a command of parley, nor a saved agent, nor an address such as host:port.%s", line(word), a.guess(Commands(), word))
}

// guess returns a sentence with the likely meaning of a misspelled word: a subcommand of
// parent, if that is not nil, or a saved agent. For a word that could be a host it says how to
// write one.
func (a *app) guess(parent *cobra.Command, word string) string {
	if parent != nil {
		if near := parent.SuggestionsFor(word); len(near) > 0 {
			return fmt.Sprintf(" Did you mean %s?", parent.CommandPath()+" "+near[0])
		}
	}
	var names []string
	for _, agent := range a.namedAgents() {
		names = append(names, agent.Name)
	}
	if name := nearest(word, names); name != "" {
		return fmt.Sprintf(" Did you mean %s?", shellWord(name))
	}
	if address := "http://" + word; a2a.Origin(address) != "" && !strings.ContainsFunc(word, notPlain) {
		return " A host of that name is written " + address + "."
	}
	return ""
}

// notPlain reports whether a character cannot be part of a plain host name.
func notPlain(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '/'
}

// nearest returns the name that is most similar to word, empty if none is similar. The measure
// is cobra's, so that names, flags and commands are suggested alike: a name that begins with
// the word comes first, then one that differs in one letter, then in two.
func nearest(word string, names []string) string {
	const space = "\u00a0" // cobra ends a command's name at a space
	list := &cobra.Command{}
	for _, name := range names {
		list.AddCommand(&cobra.Command{Use: strings.ReplaceAll(name, " ", space), Run: func(*cobra.Command, []string) {}})
	}
	for list.SuggestionsMinimumDistance = range 3 {
		if near := list.SuggestionsFor(strings.ReplaceAll(word, " ", space)); len(near) > 0 {
			i := slices.IndexFunc(names, func(name string) bool { return strings.ReplaceAll(name, " ", space) == near[0] })
			return names[max(0, i)]
		}
	}
	return ""
}
