package preview

import (
	"slices"
	"strings"
	"time"

	"parley/a2a/jsontok"
	"parley/internal/units"
	"parley/ui/canvas"
	"parley/ui/jsonview"
	"parley/ui/markdown"
	"parley/ui/media"
	"parley/ui/picture"
	"parley/ui/styles"
	"parley/ui/table"
)

const (
	// maxText is the size up to which text is highlighted or rendered; larger text is shown as
	// bytes.
	maxText = 256 << 10
	// maxParsed is the size up to which JSON is parsed.
	maxParsed = 128 << 20
)

// A Job is work that takes longer than a frame: reading or drawing a file. It may run in any
// goroutine.
type Job struct {
	seq   uint64
	clock func() time.Time
	st    *styles.Styles
	file  File
	data  []byte
	look  Look
	w, h  int
	what  task
	tree  jsonview.Job
}

// A task is the kind of a job.
type task uint8

const (
	toRead task = iota
	toDraw
	toIndex
)

// A Result is the result of a [Job], for [Pane.Apply].
type Result struct {
	Job
	read  *content
	lines []string
	note  string
	index jsonview.Result
}

// Job returns the next job, one at a time: pass its result to [Pane.Apply] to get another.
func (p *Pane) Job() (Job, bool) {
	if p.busy || len(p.files) == 0 || p.w == 0 || p.h == 0 {
		return Job{}, false
	}
	j := Job{seq: p.seq, clock: p.clock, st: p.st, file: p.files[p.at], w: p.w, h: p.rows()}
	look, ok := p.Look()
	switch {
	case p.read == nil:
	case !ok:
		return Job{}, false
	case look == AsTree:
		index, owed := p.tree.Job()
		if !owed {
			return Job{}, false
		}
		j.what, j.tree = toIndex, index
	case look == AsPicture || look == AsText || look == AsMarkdown:
		if p.sheet.drawn && p.sheet.w == j.w && p.sheet.look == look && (look != AsPicture || p.sheet.h == j.h) {
			return Job{}, false
		}
		j.what, j.look, j.data = toDraw, look, p.read.data
	default:
		return Job{}, false
	}
	p.busy = true
	return j, true
}

// Run runs the job.
func (j Job) Run() Result {
	d := Result{Job: j}
	switch j.what {
	case toRead:
		d.read = j.file.open()
	case toIndex:
		d.index = j.tree.Run()
	default:
		d.lines, d.note = j.draw()
	}
	return d
}

// open reads the file and determines the ways to show it.
func (f File) open() *content {
	data, err := f.Data()
	if err != nil {
		return &content{why: err.Error()}
	}
	r := &content{data: data}
	if picture.Supported(data[:min(len(data), 512)]) {
		r.looks = append(r.looks, AsPicture)
	}
	textual := media.Textual(data)
	switch {
	case !textual:
	case f.Form == media.CSV:
		if t, ok := table.CSV(data, 0); ok {
			r.table, r.looks = t, append(r.looks, AsTable)
		}
	case f.Form == media.JSON && len(data) <= maxParsed:
		doc := new(jsontok.Doc)
		if doc.Parse(data) != nil && doc.Len() < 2 {
			break // no JSON at all
		}
		if t, ok := table.JSON(doc); ok {
			r.table, r.looks = t, append(r.looks, AsTable)
		}
		r.looks = append(r.looks, AsTree)
	case f.Form == media.Markdown && len(data) <= maxText:
		r.looks = append(r.looks, AsMarkdown)
	}
	if textual && len(data) <= maxText {
		r.looks = append(r.looks, AsText)
	}
	r.looks = append(r.looks, AsBytes)
	return r
}

// draw draws the file.
func (j Job) draw() (lines []string, note string) {
	switch j.look {
	case AsPicture:
		look := picture.Blocks
		switch g := styles.ASCII(); {
		case j.st.Theme.Colorless():
			look = picture.Letters
		case j.st.G[styles.Block] == g[styles.Block]:
			look = picture.Spaces
		}
		pic, err := picture.Draw(j.data, j.w, max(j.h-1, 1), look)
		if err != nil {
			return nil, "The picture is not drawn: " + err.Error() + "."
		}
		return pic.Lines, units.Count(pic.Width) + " by " + units.Count(pic.Height) + " pixels, " + strings.ToUpper(pic.Format)
	case AsMarkdown:
		return markdown.Render(j.st, string(j.data), j.w), ""
	}
	text := canvas.Sanitize(strings.ToValidUTF8(string(j.data), "\ufffd"))
	for _, line := range markdown.Code(j.st, j.clock, j.file.Language, strings.TrimSuffix(text, "\n")) {
		lines = append(lines, canvas.Wrap(line, j.w)...)
	}
	return lines, ""
}

// Apply applies the result of a job and reports whether anything changed.
func (p *Pane) Apply(d Result) bool {
	p.busy = false
	if d.seq != p.seq {
		return false
	}
	switch d.what {
	case toRead:
		p.take(d.read)
	case toIndex:
		return p.tree.Apply(d.index)
	default:
		if look, _ := p.Look(); look != d.look {
			return false
		}
		p.sheet = sheet{lines: d.lines, note: d.note, top: p.sheet.top, hit: -1, drawn: true, w: d.w, h: d.h, look: d.look}
	}
	return true
}

// take takes over a file that was read.
func (p *Pane) take(r *content) {
	p.read = r
	p.bytes = jsonview.NewBytes(p.st)
	p.bytes.SetBody(r.data)
	p.tree = jsonview.New(p.st)
	p.tree.SetFocused(true)
	p.tree.NameFold(p.Of(foldText))
	p.tree.SetProse(func(text string, w int) []string { return markdown.Render(p.st, text, w) })
	if slices.Contains(r.looks, AsTree) {
		p.tree.SetBody(r.data, nil)
	}
	p.fit()
}
