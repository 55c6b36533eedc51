// Package ui is Parley's workbench: the only Bubble Tea model of the program.
//
// Start with [Run]. The root model holds the session's state, the panes and the
// layout, and nothing a pane could hold itself:
//
//	log.Feed ─► one outstanding nextBatch command ─► batchMsg
//	Update: State.Apply per item, tell the panes what changed
//	View:   nothing changed → the cached frame; else the panes' lines, joined
//
// Panes (agents, chat, composer, wire, card, palette) are concrete structs that
// do not know each other. They take keys and answer with a typed intent at
// once; intents.go is where every intent is carried out.
//
// Bubble Tea calls View after every message, so the frame is composed only when
// something is dirty, and items arrive in batches, at most one per frame.
package ui
