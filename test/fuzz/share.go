package main

import "fmt"

// A share is one of several parts of the targets, which are about equal.
type share struct{ part, parts int }

func (s *share) String() string { return fmt.Sprintf("%d/%d", s.part, s.parts) }

// Set reads a share as a flag has it.
func (s *share) Set(text string) error {
	var read share
	if n, err := fmt.Sscanf(text, "%d/%d", &read.part, &read.parts); n != 2 || err != nil || read.String() != text || read.part < 1 || read.part > read.parts {
		return fmt.Errorf("%q is no part, as 1/3", text)
	}
	*s = read
	return nil
}

// of returns the targets of the share, in their order.
func (s share) of(all []target) []target {
	if s.parts == 0 {
		return all
	}
	return all[len(all)*(s.part-1)/s.parts : len(all)*s.part/s.parts]
}
