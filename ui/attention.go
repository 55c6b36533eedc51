package ui

import "parley/a2a"

// attention is what the user is told of files that are downloaded.
type attention struct {
	// downloads are files on their way, by the turns that download them.
	downloads map[a2a.TurnID]download
	keys      int // that were pressed
}
