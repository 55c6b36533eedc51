package looks

import (
	"time"

	"parley/a2a"
	"parley/session/log"
)

// newChunkTime is how long the newest chunk of a stream is new.
const newChunkTime = 300 * time.Millisecond

// NewChunk returns the record with the newest chunk of a stream if it came just now, and how long it is still
// new unless more comes; 0 if there is none. The stream may be nil.
func NewChunk(s *log.Stream, now time.Time) (id a2a.RecordID, left time.Duration) {
	if s == nil {
		return 0, 0
	}
	id, at := s.NewestChunk()
	if age := now.Sub(at); id != 0 && age >= 0 && age < newChunkTime {
		return id, newChunkTime - age
	}
	return 0, 0
}
