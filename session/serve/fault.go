package serve

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Faults are added to every stream.
type Faults struct {
	Cut       int // the connection breaks after so many events, 0 for never
	Stall     time.Duration
	Duplicate bool // every event comes twice
	Reorder   bool // every two events change places
}

// ParseFaults reads faults: cut:5,stall:3s,duplicate,reorder. The error is a sentence.
func ParseFaults(text string) (Faults, error) {
	var f Faults
	if text == "" {
		return f, nil
	}
	for word := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(word), ":")
		var err error
		switch {
		case name == "cut" && value != "":
			if f.Cut, err = strconv.Atoi(value); err == nil && f.Cut < 1 {
				err = strconv.ErrRange
			}
		case name == "stall" && value != "":
			if f.Stall, err = time.ParseDuration(value); err == nil && f.Stall <= 0 {
				err = strconv.ErrRange
			}
		case name == "duplicate" && value == "":
			f.Duplicate = true
		case name == "reorder" && value == "":
			f.Reorder = true
		default:
			err = strconv.ErrSyntax
		}
		if err != nil {
			return Faults{}, fmt.Errorf("--fault has no %q: it takes cut:EVENTS, stall:DURATION, duplicate and reorder, with commas between them", word)
		}
	}
	return f, nil
}

// A step sends one part of an answer at the time of another.
type step struct{ part, slot int }

// steps returns the order in which the parts of an answer are sent.
func (f Faults) steps(parts int, stream bool) []step {
	var all []step
	for i := range parts {
		at := i
		if stream && f.Reorder {
			if at = i ^ 1; at == parts { // the last of an odd number stays
				at = i
			}
		}
		all = append(all, step{at, i})
		if stream && f.Duplicate {
			all = append(all, step{at, i})
		}
	}
	return all
}
