package composer

import (
	"strconv"
	"strings"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/model"
	"parley/ui/canvas"
	"parley/ui/styles"
)

// OpenOptions asks to show how messages are sent.
type OpenOptions struct{}

func (OpenOptions) intent() {}

// SetOptions sets how messages are sent. It stays until it is set anew, also when a
// message is sent or brought back from the history.
func (c *Composer) SetOptions(o model.SendOptions) { c.draft.Options, c.dirty = o, true }

// SetUnsaid sets what of the way messages are sent cannot be said to the agent, in words;
// empty if all can.
func (c *Composer) SetUnsaid(words string) {
	if words != c.beside.unsaid {
		c.beside.unsaid, c.dirty = words, true
	}
}

// SetMetadata sets the metadata of the message that is being written, a JSON object or
// nil. It goes with this message alone.
func (c *Composer) SetMetadata(object []byte) { c.draft.Metadata, c.dirty = object, true }

// SetTextMetadata does so for the part that the text becomes.
func (c *Composer) SetTextMetadata(object []byte) { c.draft.TextMetadata, c.dirty = object, true }

// SetNames sets the extensions, by their URIs, that the message says that it uses.
func (c *Composer) SetNames(uris []string) { c.draft.Names, c.dirty = uris, true }

// Names returns the extensions that the message says that it uses. They must not be changed.
func (c *Composer) Names() []string { return c.draft.Names }

// fresh is what is written after a message has gone.
func (d *Draft) fresh() Draft { return Draft{Options: d.Options} }

// Ways says in words how a draft is sent where that is not left to the agent and its
// card; nil if it is.
func (d *Draft) Ways() []string {
	var out []string
	o := &d.Options
	switch {
	case o.Stream == a2a.True:
		out = append(out, "streamed")
	case o.Stream == a2a.False && o.Config.Wait:
		out = append(out, "blocking")
	case o.Stream == a2a.False:
		out = append(out, "non-blocking")
	}
	if modes := o.Config.AcceptedOutputModes; len(modes) > 0 {
		out = append(out, "accepts "+Modes(modes))
	}
	if n := o.Config.HistoryLength; n != nil {
		out = append(out, "history "+strconv.Itoa(*n))
	}
	var of []string
	for _, m := range []struct {
		of  string
		set bool
	}{{"request", len(o.Config.Metadata) > 0}, {"message", len(d.Metadata) > 0}, {"text", len(d.TextMetadata) > 0}} {
		if m.set {
			of = append(of, m.of)
		}
	}
	if of != nil {
		out = append(out, "metadata ("+strings.Join(of, ", ")+")")
	}
	if n := len(d.Names); n > 0 {
		out = append(out, "names "+units.Plural(n, "extension"))
	}
	return out
}

// waysRow says how the message is sent.
func (c *Composer) waysRow() []string {
	ways := c.draft.Ways()
	if len(ways) == 0 {
		return nil
	}
	hint := "  " + c.keys.Options.Help().Key
	words := strings.Join(ways, " "+c.st.G[styles.Separator]+" ")
	room, flag := max(0, c.w-4-canvas.Width(hint)), ""
	if c.beside.unsaid != "" {
		flag = " " + c.st.G[styles.Flag]
		if more := flag + " " + canvas.SanitizeLine(c.beside.unsaid); canvas.Width(words+more) <= room {
			flag = more
		}
	}
	words = canvas.Ellipsize(words, max(0, room-canvas.Width(flag)), c.st.G[styles.Ellipsis])
	return []string{"  " + c.st.Chip.S(c.st.G[styles.Send]) + " " + c.st.Text.S(words) + c.st.Waiting.S(flag) + c.st.Faint.S(hint)}
}

// clickBelow deals with a click on row y of those below the text.
func (c *Composer) clickBelow(x, y int) Intent {
	rows := len(c.foldRows()) + len(c.chipRows())
	switch {
	case y < rows:
		return c.clickChip(x, y)
	case len(c.dropRow()) > 0 && y == rows:
		return Attach{}
	case len(c.waysRow()) > 0 && y == rows+len(c.dropRow()):
		return OpenOptions{}
	}
	return nil
}
