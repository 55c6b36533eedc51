package chat

import (
	"strings"

	"parley/a2a"
	"parley/internal/units"
	"parley/session"
	"parley/ui/picture"
	"parley/ui/styles"
)

const (
	// maxPictureRows is how high a picture is drawn at most.
	maxPictureRows = 20
	// aroundPicture is how many rows of a pane are for what stands around it, so that its
	// name and size are seen with it.
	aroundPicture = 4
)

// An album holds the pictures among the parts of a row that were looked at.
type album map[pictureKey]*illustration

// pictureKey is the record that brought a part and the part's place in what it brought.
type pictureKey struct {
	record a2a.RecordID
	i      int
}

// of returns the picture that a part holds, nil if it holds none or is not unfolded.
func (a *album) of(open bool, key pictureKey, p *a2a.Part) *illustration {
	if !open || p.Kind != a2a.PartBytes && p.Kind != a2a.PartURL {
		return nil
	}
	pic, seen := (*a)[key]
	if !seen {
		p = inlined(p)
		if *a == nil {
			*a = album{}
		}
		if head, err := p.Head(512); err == nil && (picture.Known(head) || imageType(p.MediaType) && !textual(head)) {
			pic = &illustration{part: *p}
		}
		(*a)[key] = pic
	}
	return pic
}

// placed is of for a part of an artifact.
func (a *album) placed(open bool, parts []session.PlacedPart, i int) *illustration {
	return a.of(open, pictureKey{parts[i].Record, i}, &parts[i].Part)
}

// imageType reports whether a media type is that of an image.
func imageType(mediaType string) bool {
	return strings.HasPrefix(strings.ToLower(strings.TrimSpace(mediaType)), "image/")
}

// wanted returns the first picture that is to be drawn, nil if there is none.
func (a album) wanted() *illustration {
	var first *illustration
	var at pictureKey
	for key, pic := range a {
		if pic == nil || pic.busy || pic.ask == pic.drawn {
			continue
		}
		if first == nil || key.record < at.record || key.record == at.record && key.i < at.i {
			first, at = pic, key
		}
	}
	return first
}

// easel is what a picture is drawn for.
type easel struct {
	w, h int
	look picture.Look
}

// An illustration is a picture in a part. It is drawn off the screen's goroutine, for
// the width at which it is looked at, and kept until that is another one.
type illustration struct {
	part  a2a.Part // which nobody changes
	ask   easel    // what it was asked for last
	busy  bool     // a job draws it
	drawn easel    // what the rest is for
	lines []string
	about string // what stands below them
	why   string // why there are none
	times int    // that it was drawn
}

// lookOf returns what pictures are drawn with.
func lookOf(st *styles.Styles) picture.Look {
	g := styles.ASCII()
	switch {
	case st.Theme.Colorless():
		return picture.Letters
	case st.G[styles.Block] == g[styles.Block]:
		return picture.Spaces
	default:
		return picture.Blocks
	}
}

// show returns the picture in lines of at most w cells, or a line that stands for it
// until it is drawn.
func (c *illustration) show(k *ink, w int) []string {
	c.ask = easel{max(w, 1), max(2, min(k.tall-aroundPicture, maxPictureRows)), lookOf(k.st)}
	switch {
	case c.times == 0:
		return []string{k.st.Faint.S(k.cut("drawing it"+k.st.G[styles.Ellipsis], w))}
	case c.why != "":
		return k.text(k.st.Dim, "The picture is not drawn: "+c.why+".", w)
	}
	out := make([]string, 0, len(c.lines)+1)
	for _, line := range c.lines {
		if c.drawn.w > c.ask.w { // until it is drawn for the new width
			line = k.cut(line, w)
		}
		out = append(out, line)
	}
	return append(out, k.st.Faint.S(k.cut(c.about, w)))
}

// A print is a picture that was drawn, or why it was not.
type print struct {
	of  easel
	pic picture.Picture
	why string
}

// draw draws the picture. It may run in any goroutine.
func (c *illustration) draw(of easel) print {
	if size := c.part.Size(); size > picture.MaxBytes {
		return print{of: of, why: units.Bytes(size) + " are more than are read for one"}
	}
	data, err := c.part.Bytes()
	if err != nil {
		return print{of: of, why: "its content is not base64"}
	}
	pic, err := picture.Draw(data, of.w, of.h, of.look)
	if err != nil {
		return print{of: of, why: err.Error()}
	}
	return print{of: of, pic: pic}
}

// take takes over what was drawn.
func (c *illustration) take(p print) {
	c.busy, c.drawn, c.lines, c.why = false, p.of, p.pic.Lines, p.why
	c.times++
	c.about = units.Count(p.pic.Width) + " by " + units.Count(p.pic.Height) + " pixels"
	said, _, _ := strings.Cut(strings.ToLower(c.part.MediaType), ";")
	switch said = strings.TrimSpace(said); said {
	case "", "image/" + p.pic.Format, "image/jpg":
	default:
		c.about += ", " + strings.ToUpper(p.pic.Format) + " and not what its media type says"
	}
}

// illustrated is a body that may show pictures.
type illustrated interface {
	body
	// picture returns one that is to be drawn, nil if there is none.
	picture() *illustration
}

func (m *message) picture() *illustration  { return m.album.wanted() }
func (s *said) picture() *illustration     { return s.album.wanted() }
func (a *artifact) picture() *illustration { return a.content.album.wanted() }

// exhibit returns a job for a picture in the window. One is drawn at a time, since the
// largest take much memory while they are.
func (p *Pane) exhibit() (Job, bool) {
	if p.printing {
		return Job{}, false
	}
	for _, r := range p.window() {
		body, ok := r.body.(illustrated)
		if !ok {
			continue
		}
		if open := body.fold(); open == nil || !*open {
			continue
		}
		if pic := body.picture(); pic != nil {
			pic.busy, p.printing = true, true
			return Job{out: p.out, row: r, picture: pic, easel: pic.ask}, true
		}
	}
	return Job{}, false
}

// hang takes over a picture that was drawn. What the cursor stands on stays in the
// window with its name if that was there.
func (p *Pane) hang(d Done) {
	p.printing, p.dirty = false, true
	seen := false
	if p.row == d.row && p.focused {
		_, seen = p.place(p.row.index, p.row.start)
	}
	d.picture.take(d.print)
	d.out.redraw(d.row)
	if seen && !p.row.byLine() {
		p.reveal()
	}
}
