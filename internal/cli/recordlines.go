package cli

import (
	"bufio"
	"errors"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strconv"

	"parley/a2a"
)

// A source is the session file whose records have findings: reports name the line of each.
type source struct {
	path  string
	lines map[a2a.RecordID]int // from 1; records that no finding is about may be missing
}

// address returns the file as a relative or absolute URI.
func (s *source) address() string {
	return (&url.URL{Path: filepath.ToSlash(s.path)}).String()
}

// line returns the line of a record, 0 if it is not known.
func (s *source) line(id a2a.RecordID) int {
	if s == nil {
		return 0
	}
	return s.lines[id]
}

// newSource finds the lines of the records with findings.
func newSource(path string, rules *findings) *source {
	s := &source{path: path, lines: map[a2a.RecordID]int{}}
	for i := range rules.all {
		s.lines[rules.all[i].record] = 0
	}
	for _, r := range rules.byRule {
		s.lines[r.record] = 0
	}
	file, err := os.Open(path)
	if err != nil || len(s.lines) == 0 {
		return s // the lines stay unknown
	}
	defer file.Close()
	in := bufio.NewReaderSize(file, 64<<10)
	for n := 1; ; n++ {
		piece, err := in.ReadSlice('\n')
		if id, ok := recordOf(piece); ok {
			if at, wanted := s.lines[id]; wanted && at == 0 {
				s.lines[id] = n
			}
		}
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = in.ReadSlice('\n')
		}
		if err != nil {
			if !errors.Is(err, io.EOF) {
				clear(s.lines)
			}
			return s
		}
	}
}

// recordOf returns the number with which the line of a record begins.
func recordOf(line []byte) (a2a.RecordID, bool) {
	const begin = `{"id":`
	if len(line) < len(begin) || string(line[:len(begin)]) != begin {
		return 0, false
	}
	end := len(begin)
	for end < len(line) && line[end] >= '0' && line[end] <= '9' {
		end++
	}
	id, err := strconv.Atoi(string(line[len(begin):end]))
	return a2a.RecordID(id), err == nil
}
