// Package model is the state of a session: agents, conversations, turns, tasks and artifacts,
// as they follow from the items and nothing else. [State.Apply] takes one item, in time in
// proportion to the item, and returns a [Change] that says what to draw again.
package model
