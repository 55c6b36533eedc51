package log

import "parley/a2a"

// An Item is one entry of the feed: a record and its meaning, or a signal: something that is
// true only now and that no journal contains.
type Item struct {
	Record a2a.Record // ID is 0 in a signal
	Update a2a.Update
	Signal *Signal
	// Findings are the findings of the decoder and the rules, and Verdict says what the record means for tasks, both
	// set by [check.Stage]. Verdict is nil in an item that is not judged, or that the state has.
	Findings []a2a.Finding
	Verdict  *Verdict
	// Artifact is the name of the artifact that the record extends if the record itself gives
	// only its id, set by [model.State.Apply].
	Artifact string

	// Fate is what became of a delivery, set by [model.State.Apply].
	Fate Fate

	strays uint64 // bit i: event i is about something else than its exchange, set by [model.State.Apply]

	// text and said are set by a [Scanner] if the Update has no parts: how many bytes of text
	// they had, and the description shared by items that differ only in that.
	text         int
	descriptions map[int][]byte
}

// Exchange returns the exchange of the item's record or, for a note, the one that it is about;
// 0 if there is none.
func (it *Item) Exchange() a2a.ExchangeID {
	r := &it.Record
	if r.Exchange != 0 || r.Note == nil {
		return r.Exchange
	}
	return IDIn[a2a.ExchangeID](r.Note.Attrs, AttrExchange)
}

// MarkStray notes that event i of the item is about something else than its exchange.
func (it *Item) MarkStray(i int) { it.strays |= 1 << i }
