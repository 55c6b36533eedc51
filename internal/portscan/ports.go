// Package portscan finds agents that run on this machine: it asks each of a list of ports once
// for an agent card.
//
// It sends nothing but GETs without credentials, over HTTP, to 127.0.0.1: no name is looked up, no
// proxy is used and no redirect followed. Who calls it decides whether the user has asked for that.
//
// It runs only for ports that the user gave, or after a key: a look at every start would
// wake up whatever listens there.
package portscan

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// MaxPorts is the largest number of ports in a list.
const MaxPorts = 1000

// Usual returns the ports on which the samples of the SDKs and of frameworks start agents, in
// ascending order: 8000 to 8080 are those of web frameworks, 9001 and 9999 those of the hello world
// of the Go and of the Python SDK, 10000 to 10010 those of the Python samples, 41241 and 41242 those of
// the JavaScript SDK.
func Usual() []int {
	out := []int{3000, 5000, 8000, 8001, 8080, 8083, 9000, 9001, 9002, 9999}
	for port := 10000; port <= 10010; port++ {
		out = append(out, port)
	}
	return append(out, 41241, 41242)
}

// Parse returns the ports that a text lists, such as 8000,9000-9010, without repetitions and in
// ascending order. Its error is a clause about the text.
func Parse(text string) (ports []int, err error) {
	for word := range strings.SplitSeq(text, ",") {
		from, to, isRange := strings.Cut(strings.TrimSpace(word), "-")
		first, ok := port(from)
		last := first
		if ok && isRange {
			last, ok = port(to)
		}
		if !ok || last < first {
			return nil, fmt.Errorf("%q is neither a port from 1 to 65535 nor a range such as 9000-9010", clip(strings.TrimSpace(word)))
		}
		if last-first >= MaxPorts || len(ports)+last-first >= MaxPorts {
			return nil, fmt.Errorf("it names more than %d ports", MaxPorts)
		}
		for p := first; p <= last; p++ {
			ports = append(ports, p)
		}
	}
	slices.Sort(ports)
	return slices.Compact(ports), nil
}

// port returns the number of a port.
func port(word string) (int, bool) {
	n, err := strconv.ParseUint(strings.TrimSpace(word), 10, 16)
	return int(n), err == nil && n > 0
}

// clip returns the beginning of a word for an error.
func clip(word string) string {
	const most = 40
	return word[:min(len(word), most)]
}
