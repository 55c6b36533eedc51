package ui

import "parley/ui/control"

// Engine is what the workbench asks for, see [control.Engine].
type Engine = control.Engine

// refusal says why nothing can be asked of agents, empty if it can.
func (m *Model) refusal() string { return m.opts.Engine.Refusal() }

// readOnly reports whether nothing can be asked of agents.
func (m *Model) readOnly() bool { return m.refusal() != "" }
