package log

import (
	"slices"
	"strconv"
	"strings"

	"parley/a2a"
)

// The types of a note: a decision of the user or the engine that no other record contains.
const (
	NoteOpening      = "opening"       // discovery of an agent begins
	NoteOpened       = "opened"        // it is over: which record holds the card, or why there is none
	NoteNamed        = "named"         // the user names an agent, or removes the name
	NoteRenamed      = "renamed"       // the user names a conversation, or removes the name
	NoteWay          = "way"           // a conversation has a way of its own, over another interface of the card
	NoteClosed       = "closed"        // the user closed an agent: it is no longer listed
	NoteReopened     = "reopened"      // the user reopened a closed agent
	NoteUnsent       = "unsent"        // a message that could not be sent at all
	NoteProfile      = "profile"       // the way to speak to an agent has changed: a pin, a probe, another attempt
	NoteMerge        = "merge"         // the user merged artifacts of a task whose chunks each have their own id
	NoteVerdict      = "verdict"       // an agent's reaction to an injected fault
	NoteExtensions   = "extensions"    // which extensions an agent's requests ask for
	NoteExtendedCard = "extended-card" // the extended card replaces the public one, or why not
	NotePublicCard   = "public-card"   // the public card is used again
	NoteMesh         = "mesh"          // what happened on a mesh or to its broker
	NoteConnection   = "connection"    // what happened to the connection of an open answer
	NoteTap          = "tap"           // what a tap changed, or did on purpose, to an exchange of other clients
	NoteResumed      = "resumed"       // the session goes on in a new file: what stands before it is copied from the predecessor
	NoteOutcome      = "outcome"       // what a turn came to: one, however many attempts there were
	NoteMissing      = "missing"       // replaces a record that is missing in a journal
)

// The attributes of notes.
const (
	AttrAgent        = "agent"
	AttrAgents       = "agents" // numbers of all agents that a note concerns, with spaces between; AttrAgent is one of them
	AttrName         = "name"   // that the user gave an agent or a conversation, "" for none
	AttrConversation = "conversation"
	AttrTurn         = "turn"
	AttrRef          = "ref"
	AttrRecord       = "record" // of the card
	AttrIndex        = "index"  // of the card among those that the record holds, "" for the first
	AttrSentence     = "sentence"
	AttrClass        = "class"
	AttrAttempts     = "attempts" // JSON, "" for none
	AttrWarnings     = "warnings" // likewise
	AttrCautions     = "cautions" // likewise
	AttrChanges      = "changes"  // JSON, the differences between a card and that of an earlier run, "" for none
	AttrSince        = "since"    // when the card of AttrChanges was seen
	AttrProfile      = "profile"  // JSON, where it does not follow from the card alone
	AttrText         = "text"
	AttrTask         = "task"
	AttrExchange     = "exchange"
	AttrFault        = "fault"      // a [engine.FaultKind]
	AttrExtensions   = "extensions" // JSON, "" for none
	AttrDialect      = "dialect"
	AttrBinding      = "binding"
	AttrTap          = "tap"        // name of the tap through which other clients talk to an agent, "" for none
	AttrEmbedded     = "embedded"   // "true" for an agent inside Parley, "" for others
	AttrKind         = "kind"       // of an outcome, see [task.Kind]
	AttrDelivery     = "delivery"   // see [task.Delivery]
	AttrTried        = "tried"      // how many attempts an outcome has
	AttrTapAddress   = "tapAddress" // where clients reach the tap
)

// IDText is an id as an attribute of a note.
func IDText[T ~uint32 | ~uint64](id T) string { return strconv.FormatUint(uint64(id), 10) }

// IDIn returns the id in an attribute of a note, 0 if there is none.
func IDIn[T ~uint32 | ~uint64](attrs map[string]string, name string) T {
	n, err := strconv.ParseUint(attrs[name], 10, 64)
	if err != nil || uint64(T(n)) != n {
		return 0
	}
	return T(n)
}

// maxAgents is how many agents of a note are read.
const maxAgents = 256

// AgentsIn returns the agents that a note concerns: one, or all of AttrAgents.
func AgentsIn(n *a2a.Note) (out []a2a.AgentID) {
	if id := IDIn[a2a.AgentID](n.Attrs, AttrAgent); id != 0 {
		out = append(out, id)
	}
	for word := range strings.FieldsSeq(n.Attrs[AttrAgents]) {
		id, err := strconv.ParseUint(word, 10, 32)
		if err == nil && id != 0 && len(out) < maxAgents && !slices.Contains(out, a2a.AgentID(id)) {
			out = append(out, a2a.AgentID(id))
		}
	}
	return out
}

// CardIn returns a card of an update by its index, which counts from 0.
func CardIn(u *a2a.Update, index string) *a2a.Card {
	i, _ := strconv.Atoi(index) // none means the first
	for k := range u.Events {
		if c := u.Events[k].Card; c != nil {
			if i == 0 {
				return c
			}
			i--
		}
	}
	return nil
}
