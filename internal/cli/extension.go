package cli

import "strings"

// warnOfExtensions names the extensions that the card requires and that are not requested. The
// agent may work without them.
func (op *operation) warnOfExtensions() {
	a := op.state.Agent(op.agent)
	if a == nil {
		return
	}
	if d, known := a.Profile.Spoken(); !known || d.ExtensionsHeader() == "" {
		return
	}
	for _, uri := range a.Extensions.Missing {
		op.app.note("Warning", "the card requires the extension %s; to request it, add --extension %s.", line(uri), shellWord(uri))
	}
}

// extended names the requested extensions that the answer reports as used.
func (op *operation) extended() {
	a := op.state.Agent(op.agent)
	if a == nil || len(a.Extensions.Requested) == 0 {
		return
	}
	if used := a.Extensions.Active; len(used) > 0 {
		op.app.note("Note", "the agent used %s.", line(strings.Join(used, ", ")))
	} else {
		op.app.note("Note", "the agent did not confirm any requested extension.")
	}
}
