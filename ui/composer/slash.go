package composer

import (
	"slices"
	"strings"
	"unicode"

	"parley/internal/spelling"
	"parley/internal/units"
	"parley/ui/action"
	"parley/ui/keys"
)

// A Command is an action that the user runs by a text that begins with a slash.
type Command struct {
	Word  string // without the slash: "attach"
	Takes string // argument: "FILE", or "[NAME]" if it is optional; empty if there is none
	About string // description: "Attach a file"
	Why   string // reason why it cannot run now, empty if it can
	// Offers returns completions of the argument arg, the best first; nil if there are none. It
	// is called at every change of the text and must not block.
	Offers func(arg string) []action.Offer
}

// needs reports whether the command requires an argument.
func (c *Command) needs() bool { return c.Takes != "" && !strings.HasPrefix(c.Takes, "[") }

// Usage returns the syntax of the command.
func (c *Command) Usage() string { return strings.TrimSpace("/" + c.Word + " " + c.Takes) }

// Run runs the command Word. The text is empty afterwards; the parts stay.
type Run struct{ Word, Arg string }

func (Run) intent() {}

// slash is the state of the command that the user types.
type slash struct {
	list func() []Command // provides the commands
	all  []Command        // the commands when the slash was typed; nil if the text is not a command
	// offers are completions of the word, or of the argument if the word is complete.
	offers []action.Offer
	word   bool // the offers complete the word
	pick   int  // the selected offer, -1 if none
	top    int  // the first visible offer
	hidden bool // the user closed the list or steps through the history
}

// SetCommands sets the function that provides the commands. It is called when the user types a
// slash at the beginning of an empty text.
func (c *Composer) SetCommands(list func() []Command) { c.slash.list = list }

// literal begins a text that sends one slash instead of running a command.
const literal = "//"

// Escape returns a draft as the user has to type it: a text that begins with a slash gets
// another one, unless it is a secret.
func Escape(d Draft) Draft {
	if strings.HasPrefix(d.Text, "/") && !d.Secret {
		d.Text = "/" + d.Text
	}
	return d
}

// CommandWord returns the word of the command that the user types, empty if the text is not a
// command.
func (c *Composer) CommandWord() string {
	if !c.isCommand() {
		return ""
	}
	_, word, _ := c.command()
	return word
}

// isCommand reports whether the text is a command.
func (c *Composer) isCommand() bool { return c.slash.all != nil }

// command splits the text into a word and its argument, and returns the command of that word,
// nil if there is none.
func (c *Composer) command() (cmd *Command, word, arg string) {
	word, arg = cutWord(c.Value()[1:])
	return find(c.slash.all, word), word, strings.TrimSpace(arg)
}

// cutWord splits a text at the end of its first word.
func cutWord(text string) (word, rest string) {
	if i := strings.IndexFunc(text, unicode.IsSpace); i >= 0 {
		return text[:i], text[i:]
	}
	return text, ""
}

// find returns the command of a word, nil if there is none.
func find(all []Command, word string) *Command {
	if i := slices.IndexFunc(all, func(k Command) bool { return k.Word == word }); i >= 0 {
		return &all[i]
	}
	return nil
}

// UpdateOffers recomputes the completions after the text, or the data of a command, changed.
func (c *Composer) UpdateOffers() {
	s := &c.slash
	held := c.area.Value()
	if s.list == nil || !strings.HasPrefix(held, "/") || strings.HasPrefix(held, literal) || c.hidesCommand(held) {
		*s = slash{list: s.list}
		return
	}
	c.dirty = true
	if s.all == nil {
		if s.all = s.list(); s.all == nil {
			s.all = []Command{}
		}
	}
	s.offers, s.word, s.pick, s.top = nil, false, -1, 0
	if !c.atEnd() || c.area.LineCount() > 1 {
		return
	}
	cmd, word, arg := c.command()
	if s.word = !strings.ContainsFunc(held, unicode.IsSpace); s.word {
		s.offers = words(s.all, word)
	} else if cmd != nil && cmd.Offers != nil {
		s.offers = cmd.Offers(arg)
	}
	s.offers = s.offers[:min(len(s.offers), maxCompletions)]
	if len(s.offers) == 1 && c.completed(0) {
		s.offers = nil
	}
}

// words returns offers of the commands that begin with text, then of those that contain it, both by
// the alphabet; so the command whose word is the text is the first.
func words(all []Command, text string) []action.Offer {
	var begin, within []action.Offer
	for i := range all {
		o := action.Offer{Text: all[i].Word, Note: strings.TrimSpace(all[i].Takes + "  " + all[i].About)}
		switch {
		case strings.HasPrefix(o.Text, text):
			begin = append(begin, o)
		case strings.Contains(o.Text, text):
			within = append(within, o)
		}
	}
	for _, offers := range [][]action.Offer{begin, within} {
		slices.SortStableFunc(offers, func(a, b action.Offer) int { return strings.Compare(a.Text, b.Text) })
	}
	return append(begin, within...)
}

// visibleOffers returns the visible offers.
func (c *Composer) visibleOffers() []action.Offer {
	if c.slash.hidden {
		return nil
	}
	return c.slash.offers
}

// Listed reports whether offers are visible.
func (c *Composer) Listed() bool { return len(c.visibleOffers()) > 0 }

// Completes reports whether the key that completes has an effect.
func (c *Composer) Completes() bool { return len(c.slash.offers) > 0 || c.wordComplete() }

// wordComplete reports whether the text is the word of a command, to which the key that completes
// adds a space.
func (c *Composer) wordComplete() bool {
	if !c.slash.word {
		return false
	}
	cmd, _, _ := c.command()
	return cmd != nil
}

// completed reports whether the text already equals offer i.
func (c *Composer) completed(i int) bool {
	return strings.TrimSpace(c.Value()) == strings.TrimSpace(c.textWith(i))
}

// textWith returns the text after offer i is accepted.
func (c *Composer) textWith(i int) string {
	s := &c.slash
	if s.word {
		return "/" + s.offers[i].Text + " "
	}
	_, word, _ := c.command()
	return "/" + word + " " + s.offers[i].Text
}

// accept replaces the text by offer i.
func (c *Composer) accept(i int) {
	text := c.textWith(i)
	if at := slices.IndexFunc(c.slash.all, func(k Command) bool { return "/"+k.Word+" " == text }); at >= 0 && c.slash.all[at].Takes == "" {
		text = strings.TrimSuffix(text, " ")
	}
	c.SetValue(text)
}

// move moves the selection by n offers, around the ends; before the first offer is the position
// of no selection.
func (c *Composer) move(n int) {
	s := &c.slash
	count := len(s.offers) + 1
	s.pick = (s.pick+1+n+count)%count - 1
}

// complete accepts the selected offer or the first one, or shows the list again. Behind the word of a
// command it adds a space, unless another offer is selected.
func (c *Composer) complete() {
	s := &c.slash
	switch {
	case s.hidden && len(s.offers) > 0:
		s.hidden = false
	case c.wordComplete() && (s.pick < 0 || c.completed(s.pick)):
		c.SetValue(c.Value() + " ")
	default:
		c.accept(max(s.pick, 0))
	}
}

// run runs the command.
func (c *Composer) run() Intent {
	if s := &c.slash; len(c.visibleOffers()) > 0 && s.pick >= 0 && !c.completed(s.pick) {
		c.accept(s.pick)
		return nil
	}
	cmd, word, arg := c.command()
	if why := c.unrunnable(cmd, word, arg); why != "" {
		if cmd == nil && len(c.fitting()) == 1 {
			c.accept(0)
			return nil
		}
		return c.refused(why)
	}
	c.past.Add(Draft{Text: c.Value(), Secret: c.draft.Secret})
	c.SetValue("")
	return Run{Word: word, Arg: arg}
}

// unrunnable returns the reason why a command cannot run, empty if it can.
func (c *Composer) unrunnable(cmd *Command, word, arg string) string {
	switch {
	case cmd == nil:
		return c.unknown(word)
	case cmd.Why != "":
		return cmd.Why
	case cmd.needs() && arg == "":
		return "/" + cmd.Word + " needs more: " + cmd.Usage()
	case cmd.Takes == "" && arg != "":
		return "/" + cmd.Word + " takes no argument."
	}
	return ""
}

// fitting returns the offers for a word that is not complete: those that begin with it, otherwise
// those that contain it. There are none while the list is closed.
func (c *Composer) fitting() []action.Offer {
	offers := c.visibleOffers()
	if !c.slash.word {
		return nil
	}
	_, word, _ := c.command()
	if i := slices.IndexFunc(offers, func(o action.Offer) bool { return !strings.HasPrefix(o.Text, word) }); i > 0 {
		offers = offers[:i]
	}
	return offers
}

// maxNamed is how many of the words that fit are named.
const maxNamed = 4

// unknown returns the sentence for a word that is no command: which words it can become, or which one
// is meant.
func (c *Composer) unknown(word string) string {
	if fit := c.fitting(); len(fit) > 0 {
		var names []string
		for _, o := range fit[:min(len(fit), maxNamed)] {
			names = append(names, "/"+o.Text)
		}
		if more := len(fit) - len(names); more > 0 {
			names = append(names, units.Count(more)+" more")
		}
		return "/" + word + " can be " + inWords(names) + ": " + keys.Name(c.Of(nextMessage)) + " selects one."
	}
	var words []string
	for _, k := range c.slash.list() {
		if k.Why == "" {
			words = append(words, k.Word)
		}
	}
	if near, ok := spelling.Nearest(word, words); ok {
		return "There is no command /" + word + "; did you mean /" + near + "?"
	}
	return "There is no command /" + word + "; " + literal + " at the beginning sends a slash."
}

// inWords lists names in a sentence.
func inWords(names []string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// escapePaste returns a pasted text as it has to be inserted: a pasted path or comment is not a
// command, so it gets a second slash, unless a command of that name exists.
func (c *Composer) escapePaste(s string) string {
	if c.slash.list == nil || !strings.HasPrefix(s, "/") || !c.blank() || c.draft.Secret {
		return s
	}
	if word, _ := cutWord(s[1:]); find(c.slash.list(), word) != nil {
		return s
	}
	return "/" + s
}
