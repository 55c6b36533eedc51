// Package replay plays a recording at its own pace, without a screen.
//
// A [Player] has a position: how many records are shown. It reads the file through
// [journal.Recording], as `parley open` does, and puts exactly the records up to the position into
// a [log.Feed], so that the state that follows from the feed is the state of the live session after
// these records:
//
//	pass:  Recording.Items ─► waits until the position is further ─► Feed
//	index: Recording.Outline ─► the time of each record, the turns; then Recording.Items ─► the findings
//
// Going forward adds records to the feed. Going back begins a new pass, with a new feed, at record
// 1: nothing decoded is kept, so that a recording of any length needs eight bytes of memory per
// record. The index is made in the background; it gives records their places on the time line.
//
// The clock is a parameter. Time goes only while [Player.Tick] is called.
//
// A step back begins a new model on a new feed, and checks nothing again.
package replay
