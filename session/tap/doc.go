// Package tap makes records of what other clients and an agent send each other through a
// relay. It observes a relay, and makes of what passes the same records that Parley makes of
// its own exchanges, with conversations and turns. So whatever reads a session reads the
// traffic of others too.
//
//	client ──► relay ──► agent
//	             └─► Tap.Begin ─► exchange ─► a2a.Observer ─► journal.Recorder
//	                    │            └─► places: which conversation and turn
//	                    └─► Plan: card and webhooks lead through the tap, faults
//
// A [Tap] stands in front of one agent, and a [Set] owns several. What passes is changed in two
// places only, and each change is noted: the addresses in the agent's card, and the webhooks that
// clients register, both so that what follows passes the tap as well. docs/tap.md has the rules.
//
// The package opens no connection and listens nowhere: the relay does. It is on the standard library
// alone; gRPC comes through [a2a.Format].
package tap
