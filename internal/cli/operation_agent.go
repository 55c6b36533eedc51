package cli

import (
	"cmp"
	"os"
	"slices"
	"strings"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
)

// open waits until the agent's card was found, or returns the reason why it was not.
func (op *operation) open() error {
	if err := op.ctx.Err(); err != nil { // a card that comes at once would still be printed
		return op.stopError(err)
	}
	op.agent = op.engine.Open(op.flags.ref)
	found := func(s *log.Signal) bool { return s.Kind == log.SignalOpened && s.Agent == op.agent }
	sig, err := op.until(found)
	switch {
	case err != nil:
		return err
	case sig.Class == a2a.ClassMesh:
		return op.unnamed(sig.Sentence, sig.Announced)
	case sig.Profile == nil:
		return op.inFile(cardFault(sig))
	}
	op.openSignal = sig
	if a2a.IsMesh(op.flags.ref) && sig.Profile.Endpoint != "" { // the next command is for the same agent
		op.flags.ref = sig.Profile.Endpoint
	}
	held := op.checkApproval()
	if held == nil {
		op.warnOfChanges()
	}
	op.warn(sig.Profile)
	return held
}

// unnamed is the refusal of a mesh none of whose agents was named, with the words that name the first
// of those that announced themselves.
func (op *operation) unnamed(sentence string, announced []string) *fault {
	f := faultOf(a2a.ClassMesh, sentence, nil)
	saved, known := op.app.savedAgent(op.flags.ref)
	m, problem := a2a.ParseMesh(cmp.Or(saved.Ref, op.flags.ref))
	if problem != "" || len(announced) == 0 {
		return f
	}
	words := shellReference(op.engine.Mask(m.At(announced[0]).Reference()))
	switch {
	case op.app.inside:
	case known: // with the settings of the saved agent
		words = op.app.path + " -a " + shellWord(saved.Name) + " --endpoint " + words
	default:
		words = op.app.path + " -a " + words
	}
	f.hint = "To name " + line(announced[0]) + ", write: " + words
	return f
}

// inFile names the file from which something came that is no card.
func (op *operation) inFile(f *fault) *fault {
	if ref := op.flags.ref; f.code == codeCardInvalid || f.code == codeCardNotFound {
		if info, err := os.Stat(ref); err == nil && info.Mode().IsRegular() {
			f.hint = "That is in the file " + line(ref) + ": correct it, or name another one; --debug shows what was read."
		}
	}
	return f
}

// reachable fails if there is a card but no way to talk to its agent.
func (op *operation) reachable() error {
	if p := op.openSignal.Profile; p.Problem != "" {
		return internal("%s.", sentence(p.Problem))
	}
	for _, c := range op.openSignal.Profile.Cautions {
		op.app.note("Warning", "%s.", c)
	}
	op.warnOfExtensions()
	return nil
}

// warn reports warnings about the agent and dangerous flags.
func (op *operation) warn(p *a2a.Profile) {
	a := op.app
	for _, w := range p.Warnings {
		if op.wantsCard && op.card() == nil {
			break // the failure says why there is none
		}
		a.note("Warning", "%s.", strings.TrimSuffix(w, "."))
	}
	for _, t := range op.flags.transports {
		if b := parseBinding(t); b == p.Binding {
			break
		} else if b != a2a.BindingJSONRPC && offers(op.card(), b) {
			a.note("Warning", "the card offers %s, which Parley does not speak; it uses %s.", b, p.Binding)
		}
	}
	if p.Problem == "" && p.Dialect != a2a.V10 {
		a.note("Note", "Parley speaks A2A %s to the agent; JSON output is in the shape of A2A 1.0.", p.Dialect.Number())
	}
	if warning := a.net.insecureWarning(); warning != "" {
		a.note("Warning", "%s.", warning)
	}
}

func offers(c *a2a.Card, b a2a.Binding) bool {
	return c != nil && slices.ContainsFunc(c.Interfaces, func(i a2a.Interface) bool { return i.Binding == b })
}

// card returns the agent's card, nil until it was found.
func (op *operation) card() *a2a.Card {
	if agent := op.state.Agent(op.agent); agent != nil {
		return agent.Card
	}
	return nil
}

// usedCard returns the card from which the way to the agent follows. If the card could not be read, that is the one
// that was read before, which old names.
func (op *operation) usedCard() (c *a2a.Card, old *a2a.Evidence) {
	if c = op.card(); c != nil || op.openSignal == nil || op.openSignal.Profile == nil {
		return c, nil
	}
	p := op.openSignal.Profile
	for i := range p.Evidence {
		if p.Evidence[i].Field == model.FieldCard {
			return op.engine.KnownCard(op.agent), &p.Evidence[i]
		}
	}
	return nil, nil
}

// warnAgain reports new warnings after the exchange: another way may have been used in the end.
func (op *operation) warnAgain() {
	agent := op.state.Agent(op.agent)
	if agent == nil || op.openSignal == nil || op.openSignal.Profile == nil {
		return
	}
	for _, w := range agent.Profile.Warnings {
		if !slices.Contains(op.openSignal.Profile.Warnings, w) {
			op.app.note("Warning", "%s.", strings.TrimSuffix(w, "."))
		}
	}
}
