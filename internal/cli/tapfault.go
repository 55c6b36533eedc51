package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"parley/a2a"
	"parley/session/tap"
)

// faultHelp says how faults of a tap are written.
const faultHelp = "delay:DURATION, cut:EVENTS, stall:DURATION, duplicate, reorder, unauthorized, unavailable:DURATION, each with @OPERATION for send, stream, get or subscribe alone, as in cut:3@stream"

// tapOps are the operations that a fault of a tap can be for.
var tapOps = []a2a.Op{a2a.OpSend, a2a.OpStream, a2a.OpGet, a2a.OpSubscribe, a2a.OpCancel, a2a.OpList, a2a.OpCard}

// parseTapFaults reads the value of --fault of parley tap, several with commas between them. The
// error is a clause.
func parseTapFaults(text string) (all []tap.Fault, err error) {
	for word := range strings.SplitSeq(text, ",") {
		if word = strings.TrimSpace(word); word == "" {
			continue
		}
		f, err := parseTapFault(word)
		if err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	return all, nil
}

// parseTapFault reads one fault.
func parseTapFault(word string) (f tap.Fault, err error) {
	word, op, hasOp := strings.Cut(word, "@")
	name, value, hasValue := strings.Cut(word, ":")
	f.Kind = tap.FaultKind(name)
	bad := fmt.Errorf("%q is none of %s", line(word), faultHelp)
	if !slices.Contains(tap.FaultKinds(), f.Kind) {
		return f, bad
	}
	if hasOp {
		if f.Op = a2a.Op(op); !slices.Contains(tapOps, f.Op) {
			return f, fmt.Errorf("%q is no operation that a fault can be for: send, stream, get, subscribe, cancel, list or card", line(op))
		}
	}
	switch f.Kind {
	case tap.FaultCut:
		f.After, err = strconv.Atoi(value)
		if err != nil || f.After < 1 {
			return f, bad
		}
	case tap.FaultDelay, tap.FaultStall, tap.FaultUnavailable:
		f.For, err = time.ParseDuration(value)
		if err != nil || f.For <= 0 {
			return f, bad
		}
	default:
		if hasValue {
			return f, bad
		}
	}
	return f, nil
}

// tapFaultWords writes faults as parseTapFaults reads them.
func tapFaultWords(all []tap.Fault) string {
	var words []string
	for _, f := range all {
		word := string(f.Kind)
		switch f.Kind {
		case tap.FaultCut:
			word += ":" + strconv.Itoa(f.After)
		case tap.FaultDelay, tap.FaultStall, tap.FaultUnavailable:
			word += ":" + f.For.String()
		}
		if f.Op != "" {
			word += "@" + string(f.Op)
		}
		words = append(words, word)
	}
	return strings.Join(words, ", ")
}
