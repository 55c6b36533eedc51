package chat

import (
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"

	"parley/ui/action"
)

// maxPrompts is how many prompts are offered: one for each digit.
const maxPrompts = 9

// digitKeys returns the digits, also with alt, so that they can be passed on while a text field has
// the focus.
func digitKeys() (digits []string) {
	for i := 1; i <= maxPrompts; i++ {
		digits = append(digits, strconv.Itoa(i), "alt+"+strconv.Itoa(i))
	}
	return digits
}

// canChoose returns how the numbers stand, in the words of what they choose.
func (p *Pane) canChoose() action.State {
	if len(p.out.rows) > 0 {
		_, list := p.question()
		return action.State{Idle: len(list) == 0, Shown: digitsTo(len(list)), Does: "use reply", Short: "replies"} // without a look at the whole card
	}
	list, _ := p.examples()
	prompts, digits, remedy := len(list), p.offerKeys(), p.needsRemedy()
	s := action.State{Idle: prompts == 0 && digits == 0 && !remedy}
	to := func(n int, does string) action.State {
		s.Shown, s.Does = digitsTo(n), does
		return s
	}
	switch {
	case s.Idle:
		return s
	case remedy && p.held:
		return to(1, "review card")
	case remedy:
		return to(len(p.helpful()), "show examples")
	case prompts > 0:
		return to(prompts, "use example")
	case digits > 1:
		return to(digits, "open agent")
	case len(p.offers) == 1:
		return to(1, "open agent")
	case p.demo:
		return to(1, "open demo agents")
	}
	return to(1, "browse sessions")
}

// Choices returns the keys that use the examples of the agent, or the replies that it suggests, while a text
// field has the focus, and what these are; empty if there are none to choose from.
func (p *Pane) Choices() (b key.Binding, what string) {
	n := 0
	switch _, list := p.question(); {
	case len(list) > 0:
		n, what = len(list), "replies"
	case len(p.out.rows) == 0 && p.agent != nil && !p.needsRemedy(): // without a look at the whole card otherwise
		prompts, _ := p.examples()
		n, what = len(prompts), "examples"
	}
	if n == 0 {
		return key.Binding{}, ""
	}
	press := make([]string, 0, n)
	for _, name := range p.Of(UseExample).Keys() {
		if strings.HasPrefix(name, "alt+") && len(press) < n {
			press = append(press, name)
		}
	}
	b = p.Of(UseExample)
	b.SetKeys(press...)
	b.SetHelp("alt+"+digitsTo(n), b.Help().Desc)
	return b, what
}

// chooseOffer chooses number i, counted from 0: an agent to open, a reply, a remedy or a prompt.
func (p *Pane) chooseOffer(i int) Intent {
	if p.agent == nil {
		return p.openOffer(i)
	}
	if in := p.useReply(i); in != nil {
		return in
	}
	prompts, _ := p.examples()
	if p.needsRemedy() && len(p.out.rows) == 0 {
		if helpful := p.helpful(); i >= 0 && i < len(helpful) {
			return UseRemedy{Remedy: helpful[i]}
		}
		return nil
	}
	if len(p.out.rows) > 0 || i < 0 || i >= len(prompts) {
		return nil
	}
	return UsePrompt{Example: prompts[i].Example}
}

// digit names the key of offer n, counted from 1.
func (p *Pane) digit(n int) string {
	if p.focused {
		return strconv.Itoa(n)
	}
	return "alt+" + strconv.Itoa(n)
}

// digitsTo names the digits from 1 to n.
func digitsTo(n int) string {
	if n > 1 {
		return "1-" + strconv.Itoa(n)
	}
	return "1"
}
