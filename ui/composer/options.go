package composer

import (
	"strconv"
	"strings"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/model"
	"parley/ui/canvas"
	"parley/ui/keys"
	"parley/ui/styles"
)

// OpenOptions opens the send options.
type OpenOptions struct{}

func (OpenOptions) intent() {}

// SetOptions sets the send options. They stay when a message is sent or recalled from the
// history.
func (c *Composer) SetOptions(o model.SendOptions) { c.draft.Options, c.dirty = o, true }

// SetUnsupported sets a text that names the send options for which the agent's dialect has no
// member; empty if there are none.
func (c *Composer) SetUnsupported(words string) { c.setText(&c.beside.unsupported, words) }

// SetMetadata sets the metadata of this message only, a JSON object or nil.
func (c *Composer) SetMetadata(object []byte) { c.draft.Metadata, c.dirty = object, true }

// SetTextMetadata sets the metadata of the part that contains the text, a JSON object or nil.
func (c *Composer) SetTextMetadata(object []byte) { c.draft.TextMetadata, c.dirty = object, true }

// SetNames sets the URIs of the extensions that the message declares to use.
func (c *Composer) SetNames(uris []string) { c.draft.Names, c.dirty = uris, true }

// Names returns the URIs of the extensions that the message declares to use. The caller must
// not change them.
func (c *Composer) Names() []string { return c.draft.Names }

// fresh returns the draft that follows when the message is sent: only the send options stay.
func (d *Draft) fresh() Draft { return Draft{Options: d.Options} }

// ways describes the send options that differ from the defaults; nil if none do.
func (d *Draft) ways() []string {
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

// waysRow renders the send options.
func (c *Composer) waysRow() []string {
	ways := c.draft.ways()
	if len(ways) == 0 {
		return nil
	}
	hint := "  " + keys.Name(c.Of(SetOptions))
	words := strings.Join(ways, " "+c.st.G[styles.Separator]+" ")
	room, flag := max(0, c.w-4-canvas.Width(hint)), ""
	if c.beside.unsupported != "" {
		flag = " " + c.st.G[styles.Flag]
		if more := flag + " " + canvas.SanitizeLine(c.beside.unsupported); canvas.Width(words+more) <= room {
			flag = more
		}
	}
	words = canvas.Ellipsize(words, max(0, room-canvas.Width(flag)), c.st.G[styles.Ellipsis])
	return []string{"  " + c.st.Chip.S(c.st.G[styles.Send]) + " " + c.st.Text.S(words) + c.st.Waiting.S(flag) + c.st.Faint.S(hint)}
}

// clickBelow handles a click in row y below the text.
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
