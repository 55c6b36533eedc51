// Package outbox is the controller of what the user writes and sends: the drafts of all
// conversations, where the next message goes, the messages that are on their way, those
// that wait in a queue, those that agents turned away, and what is done with a turn that
// was sent before.
package outbox
