package cli

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"os"
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"

	"parley/a2a"
	"parley/internal/filename"
	"parley/internal/outlet"
	"parley/internal/units"
	"parley/session/log"
)

// maxSaved is how many files one command saves.
const maxSaved = 10_000

// saveFlags say where a command saves artifacts and files.
type saveFlags struct {
	dir    string // empty to save nothing
	urls   bool
	limits a2a.Limits
}

// saveFlags defines the flags of a command that can save files.
func (a *app) saveFlags(c *cobra.Command, f *callFlags) {
	fs := c.Flags()
	fs.StringVar(&f.save.dir, "save", "", "save artifacts and files in this `folder`, which is made if it does not exist")
	fs.BoolVar(&f.save.urls, "urls", false, "also download files that the agent names by an address")
	limitFlags(fs, &f.save.limits, a2a.LimitSaved)
}

// prepare makes the folder and tries to write in it, before anything is sent.
func (f *saveFlags) prepare() error {
	if f.dir == "" {
		if f.urls {
			return usage("--urls needs --save: it says where the files go.")
		}
		return nil
	}
	if info, err := os.Stat(f.dir); err == nil && !info.IsDir() {
		return usage("%s is a file: --save needs a folder.", line(f.dir))
	}
	if err := os.MkdirAll(f.dir, 0o777); err != nil {
		return usage("The folder %s of --save cannot be made: %s.", line(f.dir), causeOf(err))
	}
	if err := outlet.Try(f.dir); err != nil {
		return usage("Nothing can be written to the folder %s of --save: %s.", line(f.dir), causeOf(err))
	}
	return nil
}

// A savedFile is one file that was written.
type savedFile struct {
	Path      string `json:"path"`
	Artifact  string `json:"artifactId"`
	MediaType string `json:"mediaType,omitempty"`
	Size      int    `json:"size"`
}

// A saver writes the artifacts and files of an answer as they complete.
type saver struct {
	op      *operation
	flags   *saveFlags
	perTask bool   // each task has a folder of its own
	only    string // the name or id of the only artifact to save, empty for all
	quiet   bool   // the command lists the files itself
	mine    map[string]writtenFile
	saved   []savedFile
	total   int64
	found   bool // there was an artifact to save
	missing int  // files that could not be downloaded
	err     error
}

// A writtenFile is a file of this run, by the part that it is made of.
type writtenFile struct {
	path string
	sum  [sha256.Size]byte
}

func newSaver(op *operation) *saver {
	return &saver{op: op, flags: &op.flags.save, mine: map[string]writtenFile{}}
}

// event saves an artifact whose last chunk came.
func (s *saver) event(ev *a2a.Event) {
	if ev.Kind != a2a.EventArtifact || !ev.LastChunk {
		return
	}
	var art *a2a.Artifact
	s.op.state.Known(s.op.agent, func(known *a2a.Fold) { art = known.Artifact(ev.TaskID, ev.Artifact.Key) })
	if art != nil {
		s.artifact(ev.TaskID, art, saving{})
	}
}

// saving says how an artifact is saved.
type saving struct {
	partial  bool // the answer ended before it was complete
	download bool // its addresses are downloaded too
}

// finish saves what is not saved yet.
func (s *saver) finish(t *a2a.Task, messages []*a2a.Message, how saving) {
	taskID := ""
	if t != nil {
		taskID = t.ID
		for i := range t.Artifacts {
			s.artifact(t.ID, &t.Artifacts[i], how)
		}
		if t.Status.Message != nil {
			messages = append(messages[:len(messages):len(messages)], t.Status.Message)
		}
	}
	if s.only != "" {
		return
	}
	for _, m := range messages {
		files := a2a.Artifact{ID: m.ID, Key: "message " + m.ID, Name: "file"}
		for i := range m.Parts {
			if k := m.Parts[i].Kind; k == a2a.PartBytes || k == a2a.PartURL {
				files.Parts = append(files.Parts, m.Parts[i])
			}
		}
		s.artifact(cmp.Or(taskID, m.TaskID), &files, how)
	}
}

// artifact saves the parts of an artifact.
func (s *saver) artifact(taskID string, art *a2a.Artifact, how saving) {
	if s.only != "" && s.only != art.Name && s.only != art.ID {
		return
	}
	s.found = true
	base := filename.Safe(cmp.Or(art.Name, art.ID, art.Key), "artifact")
	for i, end := 0, 0; i < len(art.Parts) && s.err == nil; i = end {
		end = textEnd(art.Parts, i)
		key := taskID + "\x00" + art.Key + "\x00" + strconv.Itoa(i)
		switch part := &art.Parts[i]; {
		case part.Kind != a2a.PartURL:
			if file, ok := s.inline(art.Parts[i:end], base); ok {
				s.write(key, taskID, art, file, how.partial)
			}
		case how.download && s.mine[key].path == "":
			if file, ok := s.fetch(part, s.folder(taskID), base); ok {
				s.write(key, taskID, art, file, false)
			}
		}
	}
}

// textEnd returns the end of the part at i, or of the run of texts that are one file.
func textEnd(parts []a2a.Part, i int) int {
	end := i + 1
	for parts[i].Kind == a2a.PartText && end < len(parts) && parts[end].Kind == a2a.PartText && parts[end].Filename == parts[i].Filename {
		end++
	}
	return end
}

// inline returns the file that a part, or a run of texts, is.
func (s *saver) inline(parts []a2a.Part, base string) (file newFile, ok bool) {
	part, err := &parts[0], error(nil)
	file.mediaType = part.MediaType
	switch part.Kind {
	case a2a.PartText:
		whole := a2a.Message{Parts: parts}
		file.data, file.mediaType = []byte(whole.Text()), cmp.Or(part.MediaType, "text/plain")
	case a2a.PartData:
		if file.data, err = indent(part.Data); err != nil {
			file.data = part.Data
		}
		file.mediaType = cmp.Or(part.MediaType, "application/json")
	case a2a.PartBytes:
		if file.data, err = part.Bytes(); err != nil {
			s.op.app.note("Warning", "the bytes of file %s of %s cannot be read.", line(part.Filename), line(base))
			return file, false
		}
	default:
		file.data, file.mediaType = part.Raw, "application/json"
	}
	file.name = nameOf(part, base, file)
	return file, true
}

// folder returns where the files of a task go.
func (s *saver) folder(taskID string) string {
	if !s.perTask || taskID == "" {
		return s.flags.dir
	}
	return filepath.Join(s.flags.dir, filename.Safe(taskID, "task"))
}

// write writes a file, unless this run has written the same.
func (s *saver) write(key, taskID string, art *a2a.Artifact, file newFile, partial bool) {
	sum := sha256.Sum256(file.data)
	before := s.mine[key]
	if before.path != "" && (before.sum == sum || partial) || partial && len(file.data) == 0 {
		return
	}
	most := s.flags.limits.Of(a2a.LimitSaved)
	switch {
	case s.total+int64(len(file.data)) > most:
		s.err = internal("The files are larger than %s together: --%s raises the limit. %s was not saved.", units.Bytes(most), a2a.LimitSaved.Flag(), line(file.name))
		return
	case len(s.saved) >= maxSaved:
		s.err = internal("The answer has more than %d files: the others were not saved.", maxSaved)
		return
	}
	dir := s.folder(taskID)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		s.err = internal("The folder %s cannot be made: %s.", line(dir), causeOf(err))
		return
	}
	if partial {
		file.name += partialEnd
	}
	path, err := writeFile(dir, file.name, file.data, before)
	if err != nil {
		s.err = internal("The file %s cannot be written: %s.", line(filepath.Join(dir, file.name)), causeOf(err))
		return
	}
	s.total += int64(len(file.data))
	s.mine[key] = writtenFile{path, sum}
	f := savedFile{Path: path, Artifact: cmp.Or(art.ID, art.Key), MediaType: file.mediaType, Size: len(file.data)}
	s.saved = append(s.saved, f)
	switch {
	case partial:
		s.op.app.note("Saved", "%s, incomplete, %s", line(path), units.Bytes(int64(f.Size)))
	case !s.quiet:
		s.op.app.note("Saved", "%s", f.describe())
	}
}

// describe names a file in one line.
func (f *savedFile) describe() string {
	return line(f.Path) + ", " + orNone(line(f.MediaType)) + ", " + strconv.Itoa(f.Size) + " bytes"
}

// saveFiles saves what a turn brought. err is the reason why the wait for it ended early.
func (op *operation) saveFiles(sig *log.Signal, err error) {
	if op.saver == nil {
		return
	}
	t := op.task()
	s, how := op.saver, saving{download: err == nil}
	how.partial = err != nil || op.failure(sig, t) != nil
	s.finish(t, op.answer.messages, how)
}

// failure returns why something of a task was not saved, and how to save it later.
func (s *saver) failure(t *a2a.Task) error {
	if s.missing > 0 && s.err == nil {
		s.err = internal("Of the files, %d could not be downloaded; the warnings say why.", s.missing)
	}
	if f, ok := errors.AsType[*fault](s.err); ok && f.hint == "" && t != nil {
		f.hint = "parley task download" + s.op.flags.again() + " --save " + shellWord(s.flags.dir) + " " + shellWord(t.ID)
		if s.flags.urls {
			f.hint += " --urls"
		}
	}
	return s.err
}
