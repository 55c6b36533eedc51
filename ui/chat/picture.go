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
	// pictureMargin is how many rows of a pane remain for its surroundings, so that its name
	// and size are visible with it.
	pictureMargin = 4
)

// partContents is the content of a row's opened parts: pictures and documents.
type partContents map[partKey]partContent

// partKey is the record of a part and its position in the record.
type partKey struct {
	record a2a.RecordID
	i      int
}

// get returns the content of a part, nil if it is not unfolded or if text is the best form.
func (a *partContents) get(k *renderer, open bool, key partKey, p *a2a.Part) partContent {
	if !open || p.Kind == a2a.PartUnknown {
		return nil
	}
	in, seen := (*a)[key]
	if !seen {
		if p = k.withContent(p); p.Kind == a2a.PartURL {
			return nil // not downloaded yet
		}
		if *a == nil {
			*a = partContents{}
		}
		if isPicture(p) {
			in = &pictureContent{part: *p}
		} else {
			in = k.newPartContent(p)
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

// ofArtifact returns what get returns, for part i of an artifact.
func (a *partContents) ofArtifact(k *renderer, open bool, parts []model.PlacedPart, i int) partContent {
	return a.get(k, open, partKey{parts[i].Record, i}, &parts[i].Part)
}

// streams calls yield with the texts that need to be rendered, and their width.
func (a partContents) streams(w int, yield func(*markdown.Stream, int)) {
	for _, in := range a {
		if text, ok := in.(*prose); ok && text.md != nil {
			yield(text.md, max(w-chipIndent, 1))
		}
	}
}

func (a partContents) restyle(st *styles.Styles) {
	for _, in := range a {
		if text, ok := in.(*prose); ok {
			text.restyle(st)
		}
	}
}

// nextPicture returns the first picture to draw, nil if there is none.
func (a partContents) nextPicture() *pictureContent {
	var first *pictureContent
	var at partKey
	for key, in := range a {
		pic, ok := in.(*pictureContent)
		if !ok || pic.busy || pic.requested == pic.current {
			continue
		}
		if first == nil || key.record < at.record || key.record == at.record && key.i < at.i {
			first, at = pic, key
		}
	}
	return first
}

// pictureParams are the parameters for drawing a picture.
type pictureParams struct {
	w, h int
	mode picture.Mode
}

// A pictureContent is a picture in a part. It is drawn in another goroutine for the present
// width, and cached until that changes.
type pictureContent struct {
	part      a2a.Part      // immutable
	requested pictureParams // the last requested parameters
	busy      bool          // a job draws it
	current   pictureParams // the parameters of the rest
	cells     []string
	about     string // the lines below it
	why       string // the reason if there are none
	drawings  int    // how many times it was drawn
}

// pictureMode returns how pictures are drawn in the given styles.
func pictureMode(st *styles.Styles) picture.Mode {
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

// version implements partContent.
func (c *pictureContent) version() int { return c.drawings }

// lines returns the picture in lines of at most w cells, or a placeholder until it is drawn.
func (c *pictureContent) lines(k *renderer, w int) []string {
	c.requested = pictureParams{max(w, 1), max(2, min(k.paneHeight-pictureMargin, max(maxPictureRows, k.paneHeight*3/5))), pictureMode(k.st)}
	switch {
	case c.drawings == 0:
		return []string{k.st.Faint.S(k.truncate("drawing"+k.st.G[styles.Ellipsis], w))}
	case c.why != "":
		return k.text(k.st.Dim, "The picture is not drawn: "+c.why+".", w)
	}
	out := make([]string, 0, len(c.cells)+1)
	for _, line := range c.cells {
		if c.current.w > c.requested.w { // until it is drawn for the new width
			line = k.truncate(line, w)
		}
		out = append(out, line)
	}
	return append(out, k.st.Faint.S(k.truncate(c.about, w)))
}

// A pictureResult is a drawn picture, or the reason why it was not drawn.
type pictureResult struct {
	params pictureParams
	pic    picture.Picture
	why    string
}

// draw draws the picture. It may run in any goroutine.
func (c *pictureContent) draw(of pictureParams) pictureResult {
	if size := c.part.Size(); size > picture.MaxBytes {
		return pictureResult{params: of, why: units.Bytes(size) + " exceed the limit for one"}
	}
	data, err := c.part.Bytes()
	if err != nil {
		return pictureResult{params: of, why: "its content is not base64"}
	}
	pic, err := picture.Draw(data, of.w, of.h, of.mode)
	if err != nil {
		return pictureResult{params: of, why: err.Error()}
	}
	return pictureResult{params: of, pic: pic}
}

// apply stores the result of draw.
func (c *pictureContent) apply(p pictureResult) {
	c.busy, c.current, c.cells, c.why = false, p.params, p.pic.Lines, p.why
	c.drawings++
	c.about = units.Count(p.pic.Width) + " by " + units.Count(p.pic.Height) + " pixels"
	kind, _, _ := strings.Cut(strings.ToLower(c.part.MediaType), ";")
	switch kind = strings.TrimSpace(kind); kind {
	case "", "image/" + p.pic.Format, "image/jpg":
	default:
		c.about += ", " + strings.ToUpper(p.pic.Format) + ", not what its media type says"
	}
}

// A pictureBody is a body that may show pictures.
type pictureBody interface {
	body
	// picture returns one that needs to be drawn, nil if there is none.
	picture() *pictureContent
}

func (m *message) picture() *pictureContent     { return m.contents.nextPicture() }
func (s *userMessage) picture() *pictureContent { return s.contents.nextPicture() }
func (a *artifact) picture() *pictureContent    { return a.content.contents.nextPicture() }

// pictureJob returns a job for a picture in the window. One is drawn at a time, because the
// largest take much memory.
func (p *Pane) pictureJob() (Job, bool) {
	if p.shared.drawingPicture {
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
			pic.busy, p.shared.drawingPicture = true, true
			return Job{out: p.out, row: r, picture: pic, params: pic.requested}, true
		}
	}
	return Job{}, false
}

// applyPicture takes a drawn picture. What is under the cursor stays in the window with its name
// if it was there.
func (p *Pane) applyPicture(d Result) {
	p.shared.drawingPicture, p.dirty = false, true
	seen := false
	if p.row == d.row && p.focused {
		_, seen = p.windowRow(p.row.index, p.row.start)
	}
	d.picture.apply(d.drawn)
	d.out.redraw(d.row)
	if seen && !p.row.byLine() {
		p.scrollToCursor()
	}
}
