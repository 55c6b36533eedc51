// Package history saves what a user wrote to agents for later runs.
//
// It is one file, readable only by its owner, with a line of JSON for each message, the oldest
// first:
//
//	{"time":"2026-11-20T11:19:06Z","agent":"Travel Desk 127.0.0.1","text":"Book me a flight"}
//
// The file is limited: when it exceeds its limit, its older half is deleted. Several runs may
// add to it at once. Lines that are not such JSON are ignored, so that a line that a full disk
// cut costs only itself.
package history

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"parley/a2a/hostname"
	"parley/internal/outlet"
)

const (
	// maxFile is the limit of the file in bytes, which one message may exceed.
	maxFile = 1 << 20
	// maxText is the longest message that is saved.
	maxText = 32 << 10
)

// An Entry is one message.
type Entry struct {
	Time  time.Time `json:"time"`
	Agent string    `json:"agent"` // its agent, the same in every run
	Text  string    `json:"text"`
}

// AgentName returns the name of an agent in entries, from that of its card and its endpoint. The
// ports of this machine change from run to run.
func AgentName(card, endpoint string) string {
	u, err := url.Parse(endpoint)
	if err != nil || u.Host == "" {
		return card
	}
	if hostname.IsLoopback(u.Hostname()) {
		return card + " " + hostname.Key(u.Hostname())
	}
	return card + " " + hostname.Of(u)
}

// A File is the file of messages. It is safe for use by several goroutines.
type File struct {
	mu   sync.Mutex
	path string
}

// Open returns the file of that name, which the first message creates.
func Open(path string) *File { return &File{path: path} }

// Load returns the saved messages, the oldest first. A file that does not exist has none.
func (f *File) Load() ([]Entry, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	data, err := f.read()
	var out []Entry
	for line := range bytes.Lines(data) {
		var e Entry
		if json.Unmarshal(line, &e) == nil && e.Text != "" {
			out = append(out, e)
		}
	}
	slices.SortStableFunc(out, func(a, b Entry) int { return a.Time.Compare(b.Time) })
	return out, err
}

// Add saves a message, unless it is empty or too long to be listed.
func (f *File) Add(e Entry) error {
	if e.Text == "" || len(e.Text) > maxText {
		return nil
	}
	var line bytes.Buffer
	enc := json.NewEncoder(&line) // which ends it with a newline
	enc.SetEscapeHTML(false)
	if err := enc.Encode(e); err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := outlet.PrivateFolder(filepath.Dir(f.path)); err != nil {
		return err
	}
	size, err := f.append(line.Bytes())
	if err == nil && size > maxFile {
		err = f.shrink()
	}
	return err
}

// Path returns the file's path.
func (f *File) Path() string { return f.path }

// Check reports why messages cannot be saved, nil if they can. It creates the file.
func (f *File) Check() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := outlet.PrivateFolder(filepath.Dir(f.path)); err != nil {
		return err
	}
	file, err := outlet.Append(f.path)
	if err != nil {
		return err
	}
	return file.Close()
}

// append writes one line at the end of the file and returns its new size.
func (f *File) append(line []byte) (size int64, err error) {
	file, err := outlet.Append(f.path)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	info, err := file.Stat()
	if err != nil {
		return 0, err
	}
	if info.Mode().Perm()&0o077 != 0 { // created by another process
		if err := file.Chmod(0o600); err != nil {
			return 0, err
		}
	}
	var last [1]byte
	if _, err := file.ReadAt(last[:], info.Size()-1); err == nil && last[0] != '\n' {
		line = append([]byte{'\n'}, line...) // after an incomplete line
	}
	n, err := file.Write(line)
	return info.Size() + int64(n), err
}

// open opens the file to read it, unless something else has its name, such as a pipe, which would
// block until it has a writer.
func (f *File) open() (*os.File, error) {
	info, err := os.Stat(f.path)
	if err == nil && !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: f.path, Err: errors.New("it is not a regular file")}
	}
	return os.Open(f.path)
}

// read returns the end of the file: whole lines, at most twice the limit.
func (f *File) read() ([]byte, error) {
	file, err := f.open()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if from := info.Size() - 2*maxFile; from > 0 {
		if _, err := file.Seek(from, io.SeekStart); err != nil {
			return nil, err
		}
		data, err := io.ReadAll(io.LimitReader(file, 2*maxFile))
		_, data, _ = bytes.Cut(data, []byte("\n"))
		return data, err
	}
	return io.ReadAll(io.LimitReader(file, 2*maxFile))
}

// shrink keeps the newer half of the file. A line that another run adds at the same moment may
// be lost.
func (f *File) shrink() error {
	data, err := f.read()
	if err != nil {
		return err
	}
	if from := len(data) - maxFile/2; from > 0 {
		_, data, _ = bytes.Cut(data[from:], []byte("\n"))
	}
	return outlet.Replace(f.path, data)
}
