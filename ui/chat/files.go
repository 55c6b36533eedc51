package chat

import (
	"cmp"
	"errors"
	"parley/ui/media"
	"path"
	"slices"
	"strconv"
	"strings"

	"parley/a2a"
	"parley/internal/filename"
	"parley/internal/units"
	"parley/session/model"
)

// A File is something in the conversation that can be saved as a file: a part that is not text,
// the text of an artifact, the text of a message.
type File struct {
	Name  string // of a file in one directory, safe on every system
	About string // media type and size
	Path  string // where it was saved before, empty if it was not
	Link  string // the address of one that is not downloaded; there is nothing to save then
	Media string // media type
	// Past returns its versions before this one, the oldest first; nil if there are none.
	Past func() []File

	id   fileID
	part a2a.Part
	text []byte // instead of part
}

// fileID identifies a file.
type fileID struct {
	of      any // artifact or message
	i       int // of its parts, -1 for its text
	version uint64
}

// Data returns the content of the file. It may take a while and run in any goroutine. The error
// is a clause that follows "because".
func (f *File) Data() ([]byte, error) {
	switch {
	case f.Link != "":
		return nil, errors.New("only its address is known")
	case f.part.Kind == a2a.PartBytes:
		data, err := f.part.Bytes()
		if err != nil {
			return nil, errors.New("its content is not base64")
		}
		return data, nil
	case f.part.Kind == a2a.PartData:
		return f.part.Data, nil
	case f.part.Kind == a2a.PartUnknown && f.text == nil:
		return f.part.Raw, nil
	default:
		return f.text, nil
	}
}

// Head returns the beginning of the file, at the cost of a few bytes.
func (f *File) Head() []byte {
	const most = 64
	if f.part.Kind == a2a.PartBytes {
		head, _ := f.part.Head(most)
		return head
	}
	data, _ := f.Data()
	return data[:min(most, len(data))]
}

// Files asks to save the file under the cursor, to save and open it, or to preview it. There
// may be several files to choose from.
type Files struct {
	List []File
	Open bool
	Look bool
}

func (Files) intent() {}

// filer is a body with files.
type filer interface {
	// files returns those that a line of the body shows, of all if it is -1.
	files(line int) []File
}

// jsonType is the media type of JSON.
const jsonType = "application/json"

// fileOf returns the file in a part. name is its name if the part has none.
func fileOf(p *a2a.Part, name string, id fileID) File {
	p = decodeDataURL(p)
	f := File{id: id, part: *p}
	size := ""
	switch p.Kind {
	case a2a.PartURL:
		f.Link, name = p.URL, cmp.Or(name, urlName(p.URL))
	case a2a.PartBytes:
		size = units.Bytes(p.Size())
	case a2a.PartData:
		size = units.Bytes(int64(len(p.Data)))
	default:
		size = units.Bytes(int64(len(p.Raw)))
	}
	f.Media = p.MediaType
	if p.Kind == a2a.PartData {
		f.Media = jsonType
	}
	f.Name = filename.Safe(cmp.Or(p.Filename, name), "file")
	f.About = cmp.Or(p.MediaType, p.Kind.String())
	if size != "" {
		f.About += ", " + size
	}
	if path.Ext(f.Name) == "" && f.Link == "" {
		kind := p.MediaType
		if p.Kind != a2a.PartBytes {
			kind = jsonType
		}
		f.Name += filename.Extension(kind, f.Head())
	}
	return f
}

// textFile returns the file of a text.
func textFile(name, mediaType string, text []byte, id fileID) File {
	f := File{id: id, text: text, Media: mediaType, Name: filename.Safe(name, "text"), About: cmp.Or(mediaType, "text") + ", " + units.Bytes(int64(len(text)))}
	if path.Ext(f.Name) == "" {
		if mediaType == "" || media.IsMarkdown(mediaType, name) {
			mediaType = "text/markdown"
		}
		f.Name += filename.Extension(mediaType, text[:min(len(text), 512)])
	}
	return f
}

func (a *artifact) files(line int) []File {
	parts, name := a.art.Parts, artifactName(a.art)
	part := func(i int) File {
		f := fileOf(&parts[i].Part, name, fileID{a.art, i, a.art.Version})
		f.Past = a.before(i)
		return f
	}
	if line >= 0 && !a.bare() {
		if i := a.content.runAt(line); i >= 0 && a.content.runs[i].text == nil {
			return []File{part(a.content.runs[i].part)}
		}
	}
	var out []File
	if len(a.art.Text) > 0 {
		text := a.art.Text[:len(a.art.Text):len(a.art.Text)]
		f := textFile(name, a.art.MediaType, text, fileID{a.art, -1, a.art.Version})
		f.Past = a.before(-1)
		out = append(out, f)
	}
	for i := range parts {
		out = append(out, part(i))
	}
	for i := -1; i < a.mostParts(); i++ { // parts that nothing replaced
		if i < 0 && len(a.art.Text) > 0 || i >= 0 && i < len(parts) {
			continue
		}
		if past := a.past(i); len(past) > 0 {
			last := past[len(past)-1]
			last.Past = func() []File { return past[:len(past)-1] }
			out = append(out, last)
		}
	}
	return out
}

// before returns a function for the result of past, which may be large: some agents replace an
// artifact with every chunk.
func (a *artifact) before(i int) func() []File {
	if len(a.art.Revisions) == 0 {
		return nil
	}
	return func() []File { return a.past(i) }
}

// past returns the earlier versions of a part of the artifact, or of its text if i is -1.
func (a *artifact) past(i int) []File {
	var out []File
	for n := range a.art.Revisions {
		rev := &a.art.Revisions[n]
		id := fileID{a.art, i, pastVersion(n)}
		var f File
		switch name := artifactName(a.art); {
		case i < 0 && len(rev.Text) > 0:
			f = textFile(name, a.art.MediaType, rev.Text, id)
		case i >= 0 && i < len(rev.Parts):
			f = fileOf(&rev.Parts[i].Part, name, id)
		default:
			continue
		}
		out = append(out, asVersion(f, n))
	}
	return out
}

// asVersion marks a file as an earlier version, number n from 0.
func asVersion(f File, n int) File {
	end := path.Ext(f.Name)
	f.Name = strings.TrimSuffix(f.Name, end) + ", version " + strconv.Itoa(n+1) + end
	f.About += ", replaced since"
	return f
}

// pastVersion distinguishes replaced version n from the present artifact.
func pastVersion(n int) uint64 { return ^uint64(n) }

// mostParts is the largest number of parts that the artifact had before.
func (a *artifact) mostParts() (n int) {
	for i := range a.art.Revisions {
		n = max(n, len(a.art.Revisions[i].Parts))
	}
	return n
}

func (m *message) files(int) []File {
	out := messageFiles(m.entry().Message)
	if n := len(out); n > 0 && out[n-1].id.i < 0 {
		out[n-1].Past = m.past
	}
	return out
}

// past returns the texts of the messages that this one replaced.
func (m *message) past() []File {
	var out []File
	for i, before := range m.replacedMessages() {
		f := textFile("message", "", []byte(before.Text()), fileID{before, -1, 0})
		out = append(out, asVersion(f, i))
	}
	return out
}

func (s *userMessage) files(int) []File {
	if s.turn.Message == nil {
		return nil
	}
	return messageFiles(s.turn.Message)
}

// messageFiles returns the files of a message, the last of which is its text.
func messageFiles(m *a2a.Message) []File {
	var out []File
	for i := range m.Parts {
		if p := &m.Parts[i]; p.Kind != a2a.PartText || p.Filename != "" {
			f := fileOf(p, "", fileID{m, i, 0})
			if p.Kind == a2a.PartText {
				f = textFile(p.Filename, p.MediaType, []byte(p.Text), fileID{m, i, 0})
			}
			out = append(out, f)
		}
	}
	if text := m.Text(); strings.TrimSpace(text) != "" {
		out = append(out, textFile("message", "", []byte(text), fileID{m, -1, 0}))
	}
	return out
}

// FilesAtCursor returns the files under the cursor.
func (p *Pane) FilesAtCursor() []File {
	body, ok := p.body().(filer)
	if !ok {
		return nil
	}
	p.row.Lines(p.w)
	return p.addPaths(body.files(p.line))
}

// onChip reports whether the cursor is on an artifact that is one part.
func (p *Pane) onChip() bool {
	a, ok := p.body().(*artifact)
	return ok && a.bare()
}

// Savable reports whether there are files under the cursor, without making them.
func (p *Pane) Savable() bool {
	switch b := p.body().(type) {
	case *artifact:
		return len(b.art.Text) > 0 || len(b.art.Parts) > 0
	case *message:
		return len(b.entry().Message.Parts) > 0
	case *userMessage:
		return b.turn.Message != nil && len(b.turn.Message.Parts) > 0
	default:
		return false
	}
}

// addPaths adds to files where they were saved, and fills in downloaded ones.
func (p *Pane) addPaths(files []File) []File {
	for i := range files {
		f := &files[i]
		f.Path = p.shared.paths[f.id]
		if f.Link == "" || p.agent == nil {
			continue
		}
		if got := p.agent.File(f.Link); got != nil {
			here := fileOf(fillPart(&f.part, got), "", f.id)
			here.Path, here.Past = f.Path, f.Past
			*f = here
		}
	}
	return files
}

// WithDownload returns the file with its downloaded content.
func (p *Pane) WithDownload(f File) File { return p.addPaths([]File{f})[0] }

// SetPath notes that a file was saved.
func (p *Pane) SetPath(f File, path string) {
	p.shared.paths[f.id] = path
}

// ResultFiles returns at most most files that the agent made in the conversation, the newest
// first: all except the texts of its messages.
func (p *Pane) ResultFiles(most int) []File {
	if p.out.conv == nil {
		return nil
	}
	var out []File
	for _, turn := range slices.Backward(p.out.conv.Turns) {
		for _, block := range slices.Backward(turn.Blocks) {
			for _, e := range slices.Backward(block.Entries) {
				if len(out) >= most {
					return p.addPaths(out[:most])
				}
				out = append(out, resultsOf(&e)...)
			}
		}
	}
	return p.addPaths(out[:min(len(out), most)])
}

// resultsOf returns the files of an entry.
func resultsOf(e *model.Entry) []File {
	switch {
	case e.Replaced:
		return nil
	case e.Artifact != nil:
		return (&artifact{art: e.Artifact}).files(-1)
	case e.Message != nil && e.Message.Role != a2a.RoleUser:
		return slices.DeleteFunc(messageFiles(e.Message), func(f File) bool { return f.id.i < 0 })
	default:
		return nil
	}
}
