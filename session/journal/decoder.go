package journal

import (
	"parley/a2a"
	"parley/session/log"
)

// A Decoder finds again what the records of a session mean that is not read from a file, in order,
// so that a copy of the session shares nothing with it that changes.
type Decoder struct{ player *player }

// NewDecoder returns a decoder for the records of one session.
func NewDecoder() *Decoder { return &Decoder{newPlayer()} }

// Decode returns the item of a record, whose message is rendered.
func (d *Decoder) Decode(r a2a.Record) log.Item {
	d.player.last = r.Time
	u := d.player.meaning(d.player.exchanges[r.Exchange], &r, nil)
	return log.Item{Record: r, Update: u}
}
