package ui

import "parley/ui/control"

// Engine is what the workbench needs of an engine, see [control.Engine].
type Engine = control.Engine

// refusal returns a sentence that says why nothing can be sent to agents, empty if it can.
func (m *Model) refusal() string { return m.opts.Engine.Refusal() }

// readOnly reports whether nothing can be sent to agents.
func (m *Model) readOnly() bool { return m.refusal() != "" }
