// Package control is what the controllers of the workbench share: the [Host] that each
// of them works through, and the things that they hand to it.
//
// A controller owns one topic, such as the messages that are sent or the agents that are
// saved: its state, its finder commands, its sheets and what the intents of its panes lead
// to. It lives in a package of its own below this one, knows the screen only as a [Host]
// and no other controller except through what its constructor is given. The root model in
// parley/ui routes messages to the controllers and draws what they have.
package control
