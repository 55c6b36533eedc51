package attach

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"

	"parley/a2a"
)

// MaxSize is the largest file whose bytes can be sent with a message.
const MaxSize = 100 << 20

// headSize is how much of a file is read to recognise its type.
const headSize = 512

// A File is what is known of a file before it is read.
type File struct {
	Path string // absolute
	Size int64  // in bytes, as the file system says
	Type Type
}

// Name is the name of the file without its folder.
func (f *File) Name() string { return filepath.Base(f.Path) }

// Part returns the file as a part that names it by its address, without its bytes.
func (f *File) Part() a2a.Part {
	return a2a.Part{Kind: a2a.PartURL, URL: FileURL(f.Path), Filename: f.Name(), MediaType: f.Type.Media}
}

// Look describes a regular file; name may be relative. It refuses folders, pipes and devices.
func Look(name string) (File, error) {
	file, f, err := open(name)
	if err != nil {
		return File{}, err
	}
	defer file.Close()
	_, err = f.recognise(file)
	return f, err
}

// Read returns a regular file as a part with its bytes, at most [MaxSize] of them, and its
// address.
func Read(name string) (a2a.Part, File, error) {
	file, f, err := open(name)
	if err != nil {
		return a2a.Part{}, File{}, err
	}
	defer file.Close()
	if f.Size > MaxSize {
		return a2a.Part{}, f, tooLarge(&f)
	}
	head, err := f.recognise(file)
	if err != nil {
		return a2a.Part{}, File{}, err
	}
	content := bytes.NewBuffer(make([]byte, 0, f.Size+2*bytes.MinRead))
	content.Write(head)
	_, err = content.ReadFrom(io.LimitReader(file, MaxSize+1-int64(len(head))))
	switch {
	case err != nil:
		return a2a.Part{}, f, unreadable(name, err)
	case content.Len() > MaxSize: // it grew, or its size is not known before it is read
		return a2a.Part{}, f, tooLarge(&f)
	}
	p := f.Part()
	p.Kind, p.Content = a2a.PartBytes, content.Bytes()
	return p, f, nil
}

// ErrTooLarge is in the chain of the error of a file that is larger than [MaxSize].
var ErrTooLarge = errors.New("too large")

// A sentence is an error for a user, with its kind.
type sentence struct {
	text string
	kind error
}

// Error returns the sentence.
func (s *sentence) Error() string { return s.text }

// Unwrap returns the kind, such as [fs.ErrNotExist].
func (s *sentence) Unwrap() error { return s.kind }

func tooLarge(f *File) error {
	return &sentence{fmt.Sprintf("%s is larger than %d MB, the limit for attachments.", f.Name(), MaxSize>>20), ErrTooLarge}
}

func unreadable(name string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, errNotDir):
		return &sentence{"There is no file " + name + ": check its name and the folder.", fs.ErrNotExist}
	case errors.Is(err, fs.ErrPermission):
		return &sentence{name + " cannot be read: permission denied.", fs.ErrPermission}
	default:
		return &sentence{name + " cannot be read.", err}
	}
}

// open opens a regular file. It checks before, because opening a pipe waits for its writer, and
// afterwards, because the file may have been replaced.
func open(name string) (*os.File, File, error) {
	abs, err := filepath.Abs(name)
	if err != nil {
		return nil, File{}, unreadable(name, err)
	}
	info, err := os.Stat(abs)
	if err == nil {
		err = regular(name, info)
	}
	if err != nil {
		return nil, File{}, asSentence(name, err)
	}
	file, err := os.Open(abs)
	if err == nil {
		if info, err = file.Stat(); err == nil {
			err = regular(name, info)
		}
		if err != nil {
			_ = file.Close()
		}
	}
	if err != nil {
		return nil, File{}, asSentence(name, err)
	}
	return file, File{Path: abs, Size: info.Size()}, nil
}

func asSentence(name string, err error) error {
	if s, ok := errors.AsType[*sentence](err); ok {
		return s
	}
	return unreadable(name, err)
}

// regular refuses anything that is not a regular file.
func regular(name string, info fs.FileInfo) error {
	switch {
	case info.IsDir():
		return &sentence{name + " is a folder: name a file in it.", errFolder}
	case !info.Mode().IsRegular():
		return &sentence{name + " is a pipe or a device, not a regular file.", errors.ErrUnsupported}
	}
	return nil
}

// errFolder is in the chain of the error of a folder.
var errFolder = errors.New("folder")

// IsFolder reports whether an error of [Look] or [Read] means that the name is a folder.
func IsFolder(err error) bool { return errors.Is(err, errFolder) }

// recognise reads the beginning of a file and returns its type.
func (f *File) recognise(r io.Reader) (head []byte, err error) {
	head = make([]byte, headSize)
	n, err := io.ReadFull(r, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return nil, unreadable(f.Path, err)
	}
	f.Type = TypeOf(f.Name(), head[:n])
	return head[:n], nil
}

// FileURL returns the address of a file of this machine, from its absolute path.
func FileURL(abs string) string {
	p := filepath.ToSlash(abs)
	if !strings.HasPrefix(p, "/") { // a drive
		p = "/" + p
	}
	return (&url.URL{Scheme: "file", Path: p}).String()
}

// Address returns the part for an http or https URL: the agent downloads the file itself. It
// reports false for other texts.
func Address(ref string) (a2a.Part, bool) {
	u, err := url.Parse(ref)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return a2a.Part{}, false
	}
	name := path.Base(u.Path)
	if name == "." || name == "/" {
		name = ""
	}
	return a2a.Part{Kind: a2a.PartURL, URL: ref, Filename: name, MediaType: byName(name)}, true
}

// Resolve returns the path for what a user typed: a tilde is their home, a file URL its path,
// and a relative path begins at dir.
func Resolve(written, home, dir string) string {
	if p, ok := fromURL(written); ok {
		return p
	}
	if rest, ok := strings.CutPrefix(written, "~"); ok && home != "" && (rest == "" || os.IsPathSeparator(rest[0])) {
		return filepath.Join(home, rest)
	}
	if filepath.IsAbs(written) {
		return filepath.Clean(written)
	}
	return filepath.Join(cmp.Or(dir, "."), written)
}

// fromURL returns the path of a file URL of this machine.
func fromURL(ref string) (string, bool) {
	u, err := url.Parse(ref)
	if err != nil || u.Scheme != "file" || u.Host != "" && u.Host != "localhost" || u.Path == "" {
		return "", false
	}
	p := u.Path
	if len(p) > 2 && p[2] == ':' && filepath.Separator == '\\' { // /C:/
		p = p[1:]
	}
	return filepath.FromSlash(p), true
}
