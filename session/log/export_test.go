package log

import "parley/a2a"

// IsPacked reports whether a log rebuilds an item on demand.
func IsPacked(l *Log, id a2a.RecordID) bool {
	c, i := l.find(id)
	return c.whole.Load() == nil && c.packed.rows[i].shape != nil
}

// Append adds an item with its findings.
func (l *Log) Append(it Item) *Item {
	p := l.Add(it)
	l.Index(p)
	l.Count(p)
	return p
}

// KnownShapes counts the known shapes of frames.
func (l *Log) KnownShapes() int { return len(l.packer.shapes) }

// AMedian is for tests outside of the package.
const AMedian = aMedian

// ChunkSize is for tests outside of the package.
const ChunkSize = logChunk

// MaxShapes is for tests outside of the package.
const MaxShapes = maxShapes

// Moment is for tests outside of the package.
const Moment = moment

// WholeChunks is for tests outside of the package.
const WholeChunks = logWhole
