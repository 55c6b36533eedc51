package chat

import (
	"strings"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/model"
	"parley/ui/markdown"
	"parley/ui/media"
	"parley/ui/picture"
	"parley/ui/styles"
)

const (
	// maxPictureRows is the largest height of a picture in a pane of ordinary height.
	maxPictureRows = 20
	// aroundPicture is how many rows of a pane remain for its surroundings, so that its name
	// and size are visible with it.
	aroundPicture = 4
)

// An album holds the content of a row's opened parts: pictures and documents.
type album map[partKey]partContent

// partKey is the record of a part and its position in the record.
type partKey struct {
	record a2a.RecordID
	i      int
}

// of returns the content of a part, nil if it is not unfolded or if text is the best form.
func (a *album) of(k *ink, open bool, key partKey, p *a2a.Part) partContent {
	if !open || p.Kind == a2a.PartUnknown {
		return nil
	}
	in, seen := (*a)[key]
	if !seen {
		if p = k.here(p); p.Kind == a2a.PartURL {
			return nil // not downloaded yet
		}
		if *a == nil {
			*a = album{}
		}
		if isPicture(p) {
			in = &illustration{part: *p}
		} else {
			in = k.insideOf(p)
		}
		(*a)[key] = in
	}
	return in
}

// isPicture reports whether a part contains a picture.
func isPicture(p *a2a.Part) bool {
	if p.Kind != a2a.PartBytes {
		return false
	}
	head, err := p.Head(512)
	return err == nil && (picture.Supported(head) || media.Image(p.MediaType) && !media.Textual(head))
}

// placed is of for a part of an artifact.
func (a *album) placed(k *ink, open bool, parts []model.PlacedPart, i int) partContent {
	return a.of(k, open, partKey{parts[i].Record, i}, &parts[i].Part)
}

// streams calls yield with the texts that need to be rendered, and their width.
func (a album) streams(w int, yield func(*markdown.Stream, int)) {
	for _, in := range a {
		if text, ok := in.(*prose); ok && text.md != nil {
			yield(text.md, max(w-chipIndent, 1))
		}
	}
}

func (a album) restyle(st *styles.Styles) {
	for _, in := range a {
		if text, ok := in.(*prose); ok {
			text.restyle(st)
		}
	}
}

// wanted returns the first picture to draw, nil if there is none.
func (a album) wanted() *illustration {
	var first *illustration
	var at partKey
	for key, in := range a {
		pic, ok := in.(*illustration)
		if !ok || pic.busy || pic.ask == pic.drawn {
			continue
		}
		if first == nil || key.record < at.record || key.record == at.record && key.i < at.i {
			first, at = pic, key
		}
	}
	return first
}

// easel holds the parameters for drawing a picture.
type easel struct {
	w, h int
	look picture.Mode
}

// An illustration is a picture in a part. It is drawn in another goroutine for the present
// width, and cached until that changes.
type illustration struct {
	part  a2a.Part // immutable
	ask   easel    // the last requested parameters
	busy  bool     // a job draws it
	drawn easel    // the parameters of the rest
	cells []string
	about string // the lines below it
	why   string // the reason if there are none
	times int    // that it was drawn
}

// lookOf returns the styles for pictures.
func lookOf(st *styles.Styles) picture.Mode {
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

// version implements filling.
func (c *illustration) version() int { return c.times }

// lines returns the picture in lines of at most w cells, or a placeholder until it is drawn.
func (c *illustration) lines(k *ink, w int) []string {
	c.ask = easel{max(w, 1), max(2, min(k.tall-aroundPicture, max(maxPictureRows, k.tall*3/5))), lookOf(k.st)}
	switch {
	case c.times == 0:
		return []string{k.st.Faint.S(k.cut("drawing"+k.st.G[styles.Ellipsis], w))}
	case c.why != "":
		return k.text(k.st.Dim, "The picture is not drawn: "+c.why+".", w)
	}
	out := make([]string, 0, len(c.cells)+1)
	for _, line := range c.cells {
		if c.drawn.w > c.ask.w { // until it is drawn for the new width
			line = k.cut(line, w)
		}
		out = append(out, line)
	}
	return append(out, k.st.Faint.S(k.cut(c.about, w)))
}

// A pictureResult is a drawn picture, or the reason why it was not drawn.
type pictureResult struct {
	of  easel
	pic picture.Picture
	why string
}

// draw draws the picture. It may run in any goroutine.
func (c *illustration) draw(of easel) pictureResult {
	if size := c.part.Size(); size > picture.MaxBytes {
		return pictureResult{of: of, why: units.Bytes(size) + " exceed the limit for one"}
	}
	data, err := c.part.Bytes()
	if err != nil {
		return pictureResult{of: of, why: "its content is not base64"}
	}
	pic, err := picture.Draw(data, of.w, of.h, of.look)
	if err != nil {
		return pictureResult{of: of, why: err.Error()}
	}
	return pictureResult{of: of, pic: pic}
}

// take takes the result.
func (c *illustration) take(p pictureResult) {
	c.busy, c.drawn, c.cells, c.why = false, p.of, p.pic.Lines, p.why
	c.times++
	c.about = units.Count(p.pic.Width) + " by " + units.Count(p.pic.Height) + " pixels"
	said, _, _ := strings.Cut(strings.ToLower(c.part.MediaType), ";")
	switch said = strings.TrimSpace(said); said {
	case "", "image/" + p.pic.Format, "image/jpg":
	default:
		c.about += ", " + strings.ToUpper(p.pic.Format) + ", not what its media type says"
	}
}

// A pictureBody is a body that may show pictures.
type pictureBody interface {
	body
	// picture returns one that needs to be drawn, nil if there is none.
	picture() *illustration
}

func (m *message) picture() *illustration     { return m.album.wanted() }
func (s *userMessage) picture() *illustration { return s.album.wanted() }
func (a *artifact) picture() *illustration    { return a.content.album.wanted() }

// exhibit returns a job for a picture in the window. One is drawn at a time, because the
// largest take much memory.
func (p *Pane) exhibit() (Job, bool) {
	if p.printing {
		return Job{}, false
	}
	for _, r := range p.window() {
		body, ok := r.body.(pictureBody)
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

// hang takes a drawn picture. What is under the cursor stays in the window with its name if it
// was there.
func (p *Pane) hang(d Result) {
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
