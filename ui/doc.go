// Package ui is Parley's workbench: the only Bubble Tea model of the program.
//
// Start with [Run]. The root model has the session's state, the panes, the controllers and the
// layout:
//
//	log.Feed ─► one outstanding nextBatch command ─► batchMsg
//	Update: State.Apply per item, tell the panes what changed
//	View:   nothing changed → the cached frame; else the panes' lines, joined
//
// Panes (agents, chat, composer, wire, card, palette) are concrete types that do not know each
// other. They take keys and return a typed intent at once. The controllers below ui/control and
// intents.go carry out the intents.
//
// Bubble Tea calls View after every message, so the frame is composed only when
// something is dirty, and items arrive in batches, at most one per frame.
//
// Keys go before streams: no record is applied between a key and its frame. While the user
// types, a stream gets a quarter of the time and 20 frames a second, and the heap may grow
// by more before a collection (package heap). The engine reads more slowly when it is two
// batches ahead of the screen, but never stops, because an editor may occupy the screen for
// an hour.
package ui
