package chain

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A ChangeKind says what an agent did between the request that it got and the one that it sent.
type ChangeKind string

// The kinds of change.
const (
	Dropped  ChangeKind = "dropped"
	Added    ChangeKind = "added"
	Altered  ChangeKind = "changed"
	PassedOn ChangeKind = "passed on" // of a credential only: everything else is expected to be
)

// A Topic says what a change is about.
type Topic uint8

// The topics.
const (
	TopicTrace      Topic = iota // the trace context
	TopicBaggage                 // tracestate and baggage
	TopicExtension               // an extension of A2A in the head
	TopicHeader                  // any other header
	TopicCredential              // a credential
	TopicMetadata                // a member of metadata
	TopicPart                    // a part of the message, or an extension that the message uses
	TopicText                    // the text of the message
)

// A Change is one difference between the request that an agent got and the one that it sent for
// it. Texts come from the network.
type Change struct {
	Kind  ChangeKind
	Topic Topic
	Name  string // "X-Tenant", "urn:example:ext", "header Authorization"
	// Before and After are the values, empty if they are absent, secret or too long for a row.
	Before, After string
}

// String returns the change in words: "drops header X-Tenant".
func (c Change) String() string {
	verb := map[ChangeKind]string{Dropped: "drops", Added: "adds", Altered: "changes", PassedOn: "passes on"}[c.Kind]
	return strings.TrimSpace(verb + " " + c.Topic.title() + " " + c.Name)
}

func (t Topic) title() string {
	return [...]string{"trace context", "trace header", "extension", "header", "credential", "metadata", "part", "text"}[t]
}

// compare returns what changed from the request that an agent got to the one that it sent. Headers
// that belong to one connection are left out.
func compare(before, after *facts) (all []Change) {
	all = compareTrace(all, before, after)
	all = compareLists(all, TopicExtension, before.extensions, after.extensions)
	all = compareHeaders(all, before.headers, after.headers)
	all = compareCredentials(all, before.credentials, after.credentials)
	return compareMessages(all, &before.message, &after.message)
}

func compareTrace(all []Change, before, after *facts) []Change {
	from, to := before.trace.trace, after.trace.trace
	switch {
	case from == to:
	case to == "":
		all = append(all, Change{Kind: Dropped, Topic: TopicTrace, Before: from})
	case from == "":
		all = append(all, Change{Kind: Added, Topic: TopicTrace, After: to})
	default:
		all = append(all, Change{Kind: Altered, Topic: TopicTrace, Before: from, After: to})
	}
	return all
}

// traced are headers of a trace context; its ids are compared apart from them.
var traced = map[string]Topic{"Tracestate": TopicBaggage, "Baggage": TopicBaggage}

// compared reports whether a header is compared by its value here.
func compared(name string) bool {
	return name != "Traceparent" && name != "B3" && !strings.HasPrefix(name, "X-B3-") && name != "A2a-Extensions" && name != "X-A2a-Extensions"
}

func compareHeaders(all []Change, before, after map[string]string) []Change {
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if !compared(name) {
			continue
		}
		topic := TopicHeader
		if t, ok := traced[name]; ok {
			topic = t
		}
		value, kept := after[name]
		switch {
		case !kept:
			all = append(all, Change{Dropped, topic, shown(name), before[name], ""})
		case value != before[name]:
			all = append(all, Change{Altered, topic, shown(name), before[name], value})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(after)) {
		if _, had := before[name]; !had && compared(name) {
			topic := TopicHeader
			if t, ok := traced[name]; ok {
				topic = t
			}
			all = append(all, Change{Added, topic, shown(name), "", after[name]})
		}
	}
	return all
}

// shown returns the name of a header as A2A writes it.
func shown(name string) string { return strings.Replace(name, "A2a-", "A2A-", 1) }

func compareLists(all []Change, topic Topic, before, after []string) []Change {
	for _, item := range before {
		if !slices.Contains(after, item) {
			all = append(all, Change{Kind: Dropped, Topic: topic, Name: item})
		}
	}
	for _, item := range after {
		if !slices.Contains(before, item) {
			all = append(all, Change{Kind: Added, Topic: topic, Name: item})
		}
	}
	return all
}

func compareCredentials(all []Change, before, after []credential) []Change {
	has := func(list []credential, hash string) bool {
		return slices.ContainsFunc(list, func(c credential) bool { return c.hash == hash })
	}
	for _, c := range after {
		if has(before, c.hash) {
			all = append(all, Change{Kind: PassedOn, Topic: TopicCredential, Name: c.name})
		} else {
			all = append(all, Change{Kind: Added, Topic: TopicCredential, Name: c.name})
		}
	}
	for _, c := range before {
		if !has(after, c.hash) {
			all = append(all, Change{Kind: Dropped, Topic: TopicCredential, Name: c.name})
		}
	}
	return all
}

// compareMessages compares two messages if the second one is the first one passed on: in another
// message everything may be different.
func compareMessages(all []Change, before, after *messageFacts) []Change {
	if before.metadata == nil || after.metadata == nil {
		return all // at least one request has no message
	}
	if !passedOn(before, after) {
		if before.text != 0 || after.text != 0 { // short texts are not compared
			all = append(all, Change{Kind: Altered, Topic: TopicText})
		}
		return all
	}
	for _, name := range slices.Sorted(maps.Keys(before.metadata)) {
		value, kept := after.metadata[name]
		switch {
		case !kept:
			all = append(all, Change{Kind: Dropped, Topic: TopicMetadata, Name: name})
		case value != before.metadata[name]:
			all = append(all, Change{Kind: Altered, Topic: TopicMetadata, Name: name})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(after.metadata)) {
		if _, had := before.metadata[name]; !had {
			all = append(all, Change{Kind: Added, Topic: TopicMetadata, Name: name})
		}
	}
	all = compareParts(all, before.parts, after.parts)
	for _, uri := range before.extensions {
		if !slices.Contains(after.extensions, uri) {
			all = append(all, Change{Kind: Dropped, Topic: TopicPart, Name: "that uses extension " + uri})
		}
	}
	return all
}

func compareParts(all []Change, before, after []partFacts) []Change {
	for i, part := range before {
		if !slices.Contains(after, part) {
			all = append(all, Change{Kind: Dropped, Topic: TopicPart, Name: fmt.Sprintf("%d (%s)", i+1, part.kind)})
		}
	}
	for i, part := range after {
		if !slices.Contains(before, part) {
			all = append(all, Change{Kind: Added, Topic: TopicPart, Name: fmt.Sprintf("%d (%s)", i+1, part.kind)})
		}
	}
	return all
}

// passedOn reports whether one message is another one passed on.
func passedOn(before, after *messageFacts) bool {
	return before.id != "" && before.id == after.id || before.text != 0 && before.text == after.text
}
