package replay

import (
	"slices"

	"parley/a2a"
	"parley/session/log"
)

// A findingList is what the rules found in a recording. Once it is complete, no pass checks its
// records again.
type findingList struct {
	records []a2a.RecordID // those with findings, in order
	of      [][]a2a.Finding
	partly  bool // there are too many to keep
}

// maxFound is how many records with findings are kept.
const maxFound = 250_000

// add adds those of the next record.
func (f *findingList) add(it *log.Item) {
	if f.partly = f.partly || len(f.records) == maxFound; f.partly {
		*f = findingList{partly: true}
		return
	}
	if len(it.Findings) > 0 {
		f.records, f.of = append(f.records, it.Record.ID), append(f.of, it.Findings)
	}
}

// give gives consecutive items their findings.
func (f *findingList) give(items []log.Item) {
	if len(items) == 0 {
		return
	}
	i, _ := slices.BinarySearch(f.records, items[0].Record.ID)
	for k := range items {
		it := &items[k]
		it.Findings = nil
		if i < len(f.records) && f.records[i] == it.Record.ID {
			it.Findings = f.of[i]
			i++
		}
	}
}
