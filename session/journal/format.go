package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
)

// recognizeBytes is how much of a file is read to recognise a session.
const recognizeBytes = 1 << 20

// errNoSession and errEmpty say why a file is not opened.
var (
	errNoSession = errors.New("it is not a recorded session; parley open without a file lists the recorded sessions")
	errEmpty     = errors.New("it is empty and contains no session; parley open without a file lists the recorded sessions")
)

// checkFormat fails if a regular file does not begin like a session: neither with line 1 nor, if
// that is damaged, with anything that is a record.
func checkFormat(f *os.File) error {
	text, err := io.ReadAll(io.NewSectionReader(f, 0, recognizeBytes))
	if err != nil {
		return plain(err)
	}
	if len(text) == 0 {
		return errEmpty
	}
	var lines lineParser
	for first := true; len(text) > 0; first = false {
		line, rest, whole := bytes.Cut(text, []byte("\n"))
		text = rest
		var h header
		if first && json.Unmarshal(line, &h) == nil && h.Parley == "session" {
			return nil
		}
		if !whole { // the rest of a giant is not read
			if len(line) > recognizeBytes/2 && bytes.HasPrefix(line, []byte(`{"id":`)) {
				return nil
			}
			break
		}
		if r, err := lines.record(line); err == nil && r.ID != 0 && r.Kind != "" {
			return nil
		}
	}
	return errNoSession
}
