package composer

import (
	"slices"
	"strings"
	"unicode"
)

// A Command is what a text that begins with a slash asks for.
type Command struct {
	Word  string // behind the slash: "attach"
	Takes string // what follows the word: "FILE", "[NAME]" if it may be left out, empty if nothing does
	About string // what it does: "Attach a file"
	Why   string // why it cannot be done now, empty if it can
	// Offers returns what the argument may be when this much of it is written, the best
	// first. It is called at every change and must not wait for anything. Nil offers
	// nothing.
	Offers func(arg string) []Offer
}

// needs reports whether the command does nothing without an argument.
func (c *Command) needs() bool { return c.Takes != "" && !strings.HasPrefix(c.Takes, "[") }

// Usage is how the command is written.
func (c *Command) Usage() string { return strings.TrimSpace("/" + c.Word + " " + c.Takes) }

// An Offer is what a word or an argument may go on as. Both may come from the network.
type Offer struct {
	Text, Note string
	Shown      string // what is listed instead of the text, empty for the text
}

// Run asks for the command of that word. The text is empty afterwards, what goes with it
// stays.
type Run struct{ Word, Arg string }

func (Run) intent() {}

// slash is the command that is being written.
type slash struct {
	list func() []Command // asks for those that there are
	all  []Command        // since the slash was written; nil while the text is no command
	// offers are for the word or, if it is there, for the argument.
	offers []Offer
	word   bool // they are for the word
	pick   int  // the one that is chosen, -1 if none is
	top    int  // the first that is seen
	hidden bool // the user does not want to see them, or walks through the history
}

// SetCommands sets who is asked for the commands when a slash is written at the
// beginning of an empty text.
func (c *Composer) SetCommands(list func() []Command) { c.slash.list = list }

// literal begins a text whose first character is a slash: two of them send one.
const literal = "//"

// Written returns a draft as it has to stand in the composer to be sent: a text that
// begins with a slash has one more, unless it is a secret.
func Written(d Draft) Draft {
	if strings.HasPrefix(d.Text, "/") && !d.Secret {
		d.Text = "/" + d.Text
	}
	return d
}

// Commanding returns the word of the command that is being written, empty if none is.
func (c *Composer) Commanding() string {
	if !c.commanding() {
		return ""
	}
	_, word, _ := c.command()
	return word
}

// commanding reports whether the text is a command.
func (c *Composer) commanding() bool { return c.slash.all != nil }

// command returns the parts of the text, and the command that it names, nil if it names
// none.
func (c *Composer) command() (cmd *Command, word, arg string) {
	text := c.Value()[1:]
	word = text
	if i := strings.IndexFunc(text, unicode.IsSpace); i >= 0 {
		word, arg = text[:i], strings.TrimSpace(text[i:])
	}
	i := slices.IndexFunc(c.slash.all, func(k Command) bool { return k.Word == word })
	if i < 0 {
		return nil, word, arg
	}
	return &c.slash.all[i], word, arg
}

// Reoffer works out anew what the text could go on as: it changed, or what a command
// knows did.
func (c *Composer) Reoffer() {
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
	s.offers, s.pick, s.top = nil, -1, 0
	if !c.atEnd() || c.area.LineCount() > 1 {
		return
	}
	cmd, word, arg := c.command()
	if s.word = !strings.ContainsFunc(held, unicode.IsSpace); s.word {
		s.offers = words(s.all, word)
	} else if cmd != nil && cmd.Offers != nil {
		s.offers = cmd.Offers(arg)
	}
	s.offers = s.offers[:min(len(s.offers), maxKept)]
	if len(s.offers) == 1 && c.completed(0) {
		s.offers = nil
	}
}

// words returns the commands that begin with what was written, then those that have it
// somewhere.
func words(all []Command, text string) []Offer {
	var begin, within []Offer
	for i := range all {
		o := Offer{Text: all[i].Word, Note: strings.TrimSpace(all[i].Takes + "  " + all[i].About)}
		switch {
		case strings.HasPrefix(o.Text, text):
			begin = append(begin, o)
		case strings.Contains(o.Text, text):
			within = append(within, o)
		}
	}
	return append(begin, within...)
}

// shown returns the offers that the user sees.
func (c *Composer) shown() []Offer {
	if c.slash.hidden {
		return nil
	}
	return c.slash.offers
}

// Listed reports whether the user sees offers.
func (c *Composer) Listed() bool { return len(c.shown()) > 0 }

// Completes reports whether the completing key has something to take or to show.
func (c *Composer) Completes() bool { return len(c.slash.offers) > 0 }

// completed reports whether the text is what an offer would make of it.
func (c *Composer) completed(i int) bool {
	return strings.TrimSpace(c.Value()) == strings.TrimSpace(c.taken(i))
}

// taken returns the text with an offer taken.
func (c *Composer) taken(i int) string {
	s := &c.slash
	if s.word {
		return "/" + s.offers[i].Text + " "
	}
	_, word, _ := c.command()
	return "/" + word + " " + s.offers[i].Text
}

// take writes an offer into the text.
func (c *Composer) take(i int) {
	text := c.taken(i)
	if at := slices.IndexFunc(c.slash.all, func(k Command) bool { return "/"+k.Word+" " == text }); at >= 0 && c.slash.all[at].Takes == "" {
		text = strings.TrimSuffix(text, " ")
	}
	c.SetValue(text)
}

// move chooses the offer n further on, around the ends; the one before the first is
// none.
func (c *Composer) move(n int) {
	s := &c.slash
	count := len(s.offers) + 1
	s.pick = (s.pick+1+n+count)%count - 1
}

// complete takes the offer that is chosen or the first, or shows what there is.
func (c *Composer) complete() {
	if c.slash.hidden {
		c.slash.hidden = false
		return
	}
	c.take(max(c.slash.pick, 0))
}

// run is what enter does with a command.
func (c *Composer) run() Intent {
	if s := &c.slash; len(c.shown()) > 0 && s.pick >= 0 && !c.completed(s.pick) {
		c.take(s.pick)
		return nil
	}
	cmd, word, arg := c.command()
	if why := c.unrunnable(cmd, word, arg); why != "" {
		if cmd == nil && len(c.shown()) > 0 {
			c.take(0) // the first of those that it may become
			return nil
		}
		return Refused{Why: why}
	}
	c.past.Add(Draft{Text: c.Value(), Secret: c.draft.Secret})
	c.SetValue("")
	return Run{Word: word, Arg: arg}
}

// unrunnable says why a command cannot be done, empty if it can.
func (c *Composer) unrunnable(cmd *Command, word, arg string) string {
	switch {
	case cmd == nil:
		return "There is no command /" + word + "; " + literal + " at the beginning sends a slash."
	case cmd.Why != "":
		return cmd.Why
	case cmd.needs() && arg == "":
		return "/" + cmd.Word + " needs more: " + cmd.Usage()
	case cmd.Takes == "" && arg != "":
		return "/" + cmd.Word + " takes no argument."
	}
	return ""
}

// guarded returns a pasted text as it has to be inserted: nobody who pastes a path or a
// comment at the beginning asks for a command by it, unless there is such a one.
func (c *Composer) guarded(s string) string {
	if c.slash.list == nil || !strings.HasPrefix(s, "/") || !c.blank() || c.draft.Secret {
		return s
	}
	word := s[1:]
	if i := strings.IndexFunc(word, unicode.IsSpace); i >= 0 {
		word = word[:i]
	}
	if slices.ContainsFunc(c.slash.list(), func(k Command) bool { return k.Word == word }) {
		return s
	}
	return "/" + s
}
