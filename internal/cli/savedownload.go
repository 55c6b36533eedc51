package cli

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"parley/a2a"
	"parley/internal/filename"
)

// maxDownloads is how often a download that is cut goes on.
const maxDownloads = 4

// A download is the answer to a request for a file, as its records come.
type download struct {
	name   string
	have   int64 // bytes of earlier answers
	status int
	header http.Header
	body   []byte
	torn   bool
	masked bool // the body is not what was sent
}

// take takes a record of the answer; a redirect begins another one.
func (d *download) take(r *a2a.Record) {
	switch r.Kind {
	case a2a.KindRequest:
		*d = download{name: d.name, have: d.have}
	case a2a.KindHead:
		if r.Head != nil {
			d.status, d.header = r.Head.Status, r.Head.Header
		}
	case a2a.KindBody:
		d.body, d.torn, d.masked = r.Raw, r.Torn, len(r.Redactions) > 0 || r.Omitted > 0
	case a2a.KindEnd:
		d.torn = d.torn || r.End != nil && r.End.Reason != a2a.Ended
	}
}

// total returns the size of the whole file, 0 if the server does not say it.
func (d *download) total() int64 {
	n, err := strconv.ParseInt(d.header.Get("Content-Length"), 10, 64)
	if err != nil || n < 0 {
		return 0
	}
	if d.status == http.StatusPartialContent {
		n += d.have
	}
	return n
}

// tag returns the entity tag with which the download can go on, empty if it cannot.
func (d *download) tag() string {
	tag := d.header.Get("Etag")
	if d.masked || d.status/100 != 2 || strings.HasPrefix(tag, "W/") || strings.EqualFold(d.header.Get("Accept-Ranges"), "none") || d.header.Get("Content-Encoding") != "" {
		return ""
	}
	return tag
}

// A beginning is the first bytes of a file whose download was cut.
type beginning struct {
	path string // of the file of these bytes; that of the tag has another ending
	tag  string
	data []byte
}

// tagEnd is the ending of the file with the entity tag of a beginning.
const tagEnd = ".etag"

// loadBeginning returns what an earlier run kept of a file.
func loadBeginning(dir, name, uri string) beginning {
	sum := sha256.Sum256([]byte(uri)) // the address may contain a secret
	b := beginning{path: filepath.Join(dir, name+"."+hex.EncodeToString(sum[:4])+partialEnd)}
	for _, p := range []string{b.path, b.path + tagEnd} {
		if info, err := os.Lstat(p); err != nil || !info.Mode().IsRegular() {
			return b
		}
	}
	tag, err := os.ReadFile(b.path + tagEnd)
	data, err2 := os.ReadFile(b.path)
	if err == nil && err2 == nil && len(data) > 0 && validTag(string(tag)) {
		b.tag, b.data = string(tag), data
	}
	return b
}

// validTag reports whether a text is a strong entity tag that a header can carry.
func validTag(tag string) bool {
	return len(tag) >= 2 && len(tag) < 1000 && tag[0] == '"' && tag[len(tag)-1] == '"' &&
		!strings.ContainsFunc(tag[1:len(tag)-1], func(r rune) bool { return r < 0x21 || r == '"' || r == 0x7f })
}

// keep writes a beginning for a later run.
func (b *beginning) keep() error {
	b.drop()
	if err := createFile(b.path, b.data); err != nil {
		return err
	}
	return createFile(b.path+tagEnd, []byte(b.tag))
}

// drop removes the files of a beginning.
func (b *beginning) drop() {
	for _, p := range []string{b.path, b.path + tagEnd} {
		if info, err := os.Lstat(p); err == nil && info.Mode().IsRegular() {
			os.Remove(p)
		}
	}
}

// add joins an answer with the bytes before it, and reports whether the two fit together.
func (b *beginning) add(d *download) bool {
	if d.status != http.StatusPartialContent {
		b.data, b.tag = d.body, d.tag()
		return true
	}
	from := fmt.Sprintf("bytes %d-", len(b.data))
	if tag := d.header.Get("Etag"); d.header.Get("Content-Encoding") != "" || !strings.HasPrefix(d.header.Get("Content-Range"), from) || tag != "" && tag != b.tag || d.masked {
		return false
	}
	b.data = append(b.data[:len(b.data):len(b.data)], d.body...)
	return true
}

// fetch downloads the file behind the address of a part.
func (s *saver) fetch(part *a2a.Part, dir, base string) (file newFile, ok bool) {
	op := s.op
	shown := line(cmp.Or(part.Filename, base))
	if !s.flags.urls {
		op.app.note("Note", "file %s is only an address, %s; --urls downloads it.", shown, a2a.MaskReference(part.URL))
		return file, false
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		s.err = internal("The folder %s cannot be made: %s.", line(dir), causeOf(err))
		return file, false
	}
	name := addressName(part, base)
	b := loadBeginning(dir, name, part.URL)
	d, why := s.download(part.URL, name, &b)
	if why == "" {
		file = newFile{name: name, mediaType: cmp.Or(part.MediaType, d.header.Get("Content-Type")), data: b.data}
		if filepath.Ext(name) == "" {
			file.name = nameOf(part, base, file)
		}
		b.drop()
		return file, true
	}
	kept := ""
	if b.tag != "" && len(b.data) > 0 {
		if err := b.keep(); err == nil {
			kept = fmt.Sprintf(" %d bytes are kept in %s: the same command goes on from there.", len(b.data), line(b.path))
		} else if !errors.Is(err, fs.ErrExist) {
			s.err = internal("The file %s cannot be written: %s.", line(b.path), causeOf(err))
		}
	}
	op.app.note("Warning", "file %s cannot be downloaded: %s%s", shown, why, kept)
	s.missing++
	return file, false
}

// addressName returns the name of the file behind an address.
func addressName(part *a2a.Part, base string) string {
	if part.Filename != "" {
		return filename.Safe(part.Filename, base)
	}
	if u, err := url.Parse(part.URL); err == nil && isExtension(path.Ext(u.Path)) {
		return filename.Safe(path.Base(u.Path), base)
	}
	return base
}

// download requests a file, or its rest, until it is complete. why says in a sentence why it is not.
func (s *saver) download(uri, name string, b *beginning) (d *download, why string) {
	for try := 1; ; try++ {
		before := len(b.data)
		d, why = s.request(uri, name, a2a.Rest{From: int64(before), Tag: b.tag})
		switch {
		case d.status == http.StatusRequestedRangeNotSatisfiable && before > 0, d.status/100 == 2 && !b.add(d):
			*b = beginning{path: b.path} // the file is another one now
			if try < maxDownloads {
				continue
			}
			return d, cmp.Or(why, "the server sends another part than the one that is missing.")
		case int64(len(b.data)) > s.op.app.net.limits.Of(a2a.LimitFile):
			*b = beginning{path: b.path}
			return d, cmp.Or(why, "it is larger than --"+a2a.LimitFile.Flag()+" allows.")
		case why == "" && !d.torn && d.masked:
			return d, "it contains a secret of yours, which Parley masks."
		case why == "" && !d.torn:
			return d, ""
		case try >= maxDownloads || len(b.data) <= before || b.tag == "" || s.op.ctx.Err() != nil:
			return d, cmp.Or(why, "the connection was cut.")
		}
	}
}

// request makes one request for a file, and returns why it failed.
func (s *saver) request(uri, name string, rest a2a.Rest) (*download, string) {
	op := s.op
	before := op.answer
	defer func() { op.answer, op.counter.download = before, nil }()
	d := &download{name: name, have: rest.From}
	op.answer, op.counter.download = answer{noted: true}, d
	sig, err := op.turn(func() a2a.TurnID { return op.engine.DownloadRest(op.agent, uri, rest) })
	if err != nil {
		s.err = err
		return d, sentence(asFault(err).message) + "."
	}
	return d, sig.Sentence
}

// bar returns how far a download is, for the line at the bottom of a terminal; empty if nothing
// says how large the file is.
func (d *download) bar(came int64) string {
	total := d.total()
	if total <= 0 {
		return ""
	}
	return progressBar(line(d.name), min(d.have+came, total), total)
}
