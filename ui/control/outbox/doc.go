// Package outbox is the controller of what the user writes and sends. It has the drafts of
// all conversations, the target of the next message, the messages being sent, the queue, the
// messages that came back, and the commands about an earlier turn.
package outbox
