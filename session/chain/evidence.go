package chain

import (
	"fmt"
	"strings"

	"parley/a2a"
)

// Strength says how far a join can be trusted.
type Strength uint8

// The strengths.
const (
	None   Strength = iota // there is no join
	Weak                   // time alone: nothing else went on that could be the reason
	Likely                 // something that clients could have in common by chance or by habit
	Sure                   // something that only the agent of the parent can have sent
)

// String returns "none", "weak", "likely" or "sure".
func (s Strength) String() string { return [...]string{"none", "weak", "likely", "sure"}[s] }

// A Link joins an exchange to an earlier one.
type Link struct {
	Parent a2a.ExchangeID // 0 if there is none
	// Follows is set if the same client goes on with the task of Parent: it is not a hop.
	Follows  bool
	Strength Strength
	Evidence []string // in words, the strongest first; texts come from the network
	// Or are other exchanges that could be the parent as well. Without a parent they are the
	// reason: the exchange could belong to any of them.
	Or []a2a.ExchangeID
}

// Why returns the evidence in one line.
func (l *Link) Why() string { return strings.Join(l.Evidence, ", ") }

// evidence is a set of what speaks for a parent.
type evidence uint16

const (
	byTap        evidence = 1 << iota // the user said that its agent sends through the tap
	byReference                       // the message refers to its task
	byOwnContext                      // it has the context that its agent made
	byTrace                           // it has the same trace
	byConnection                      // the connection was used by its agent before
	byContext                         // it has the same context, which a client made
	byMessage                         // it has the same message id
	byText                            // it has the same text
	byCredential                      // it has the same credential
	byRoute                           // its agent called this agent before
	byClient                          // who sent the child is not who sent the parent
	asRoot                            // this client calls this agent on its own, too: speaks against it
	kinds        = iota
)

// weights say how much each kind of evidence counts.
var weights = [kinds]int{12, 8, 8, 4, 3, 2, 3, 2, 1, 1, 1, -4}

// enough is the weight from which evidence makes a join.
const enough = 2

func (e evidence) weight() (all int) {
	for i, w := range weights {
		if e&(1<<i) != 0 {
			all += w
		}
	}
	return all
}

// strength returns how far a join by this evidence can be trusted.
func (e evidence) strength() Strength {
	alone := e &^ (byClient | byRoute | asRoot)
	switch {
	case e&(byReference|byOwnContext) != 0, e&byTrace != 0 && e&byClient != 0, e&byTap != 0 && alone != byTap:
		return Sure
	case alone == 0, e.weight() < enough:
		return None
	default:
		return Likely
	}
}

// words says what speaks for a parent.
func (e evidence) words(p, c *exchange) (all []string) {
	say := func(by evidence, format string, a ...any) {
		if e&by != 0 {
			all = append(all, fmt.Sprintf(format, a...))
		}
	}
	say(byTap, "sent through the tap of “%s”", c.from)
	say(byReference, "refers to task %s of #%d", short(p.task), p.id)
	say(byOwnContext, "context %s, which #%d was answered in", short(c.message.context), p.id)
	say(byTrace, "trace %s", short(c.trace.trace))
	say(byConnection, "the connection of an agent that called before")
	say(byContext, "context %s of #%d", short(c.message.context), p.id)
	say(byMessage, "message %s of #%d", short(c.message.id), p.id)
	say(byText, "the same text as #%d", p.id)
	say(byCredential, "the same credential as #%d", p.id)
	if p.open {
		return append(all, fmt.Sprintf("while #%d was open", p.id))
	}
	return append(all, fmt.Sprintf("while the task of #%d was not over", p.id))
}

// short shortens an id.
func short(id string) string {
	const most = 12
	if runes := []rune(id); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return id
}
