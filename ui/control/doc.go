// Package control has what the controllers share: the [Host] through which each of them
// works, and the types of what they give it.
//
// A controller owns one topic, such as the messages that are sent or the agents that are saved:
// its state, its finder commands, its sheets and what the intents of its panes lead to. It has
// a package of its own below this one. It knows the screen only as a [Host], and other
// controllers only through what its constructor is given. The root model in parley/ui routes
// messages to the controllers and draws their panes.
package control
