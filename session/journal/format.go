package journal

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// recognizeBytes is how much of a file is read at most to recognise a session.
const recognizeBytes = 1 << 20

// errNoSession and errEmpty say why a file is not opened.
var (
	errNoSession = errors.New("it is not a recorded session; parley open without a file lists the recorded sessions")
	errEmpty     = errors.New("it is empty and contains no session; parley open without a file lists the recorded sessions")
)

// checkFormat fails if a regular file does not begin like a session: neither with line 1 nor, if
// that is damaged, with anything that is a record. It reads no further than it needs.
func checkFormat(f io.ReaderAt) error {
	text := bufio.NewReader(io.NewSectionReader(f, 0, recognizeBytes))
	var lines lineParser
	for first := true; ; first = false {
		line, err := text.ReadBytes('\n')
		switch {
		case err != nil && !errors.Is(err, io.EOF):
			return plain(err)
		case first && len(line) == 0:
			return errEmpty
		}
		var h header
		if first && json.Unmarshal(line, &h) == nil && h.Parley == "session" {
			return nil
		}
		if err != nil { // the rest of a giant is not read
			if len(line) > recognizeBytes/2 && bytes.HasPrefix(line, []byte(`{"id":`)) {
				return nil
			}
			return errNoSession
		}
		if r, err := lines.record(bytes.TrimSuffix(line, []byte("\n"))); err == nil && r.ID != 0 && r.Kind != "" {
			return nil
		}
	}
}
