package shot

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"parley/internal/outlet"
)

// by is in every file that this package writes, so that a later run knows that it may replace it.
const by = "Parley"

// ErrForeign is the error of [Replace] for a file that Parley did not write.
var ErrForeign = errors.New("there is a file of this name that Parley did not write: remove it, or choose another name")

// Replace writes a file, in the place of an earlier one that Parley wrote. It never replaces
// another file: the error is then [ErrForeign]. Only the user can read the file, since a screen
// may show secrets. A file that cannot be written completely changes nothing.
func Replace(path string, data []byte) error {
	if _, err := os.Lstat(path); err == nil {
		if !own(path) {
			return ErrForeign
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return outlet.Replace(path, data)
}

// own reports whether a file is one that Parley wrote.
func own(path string) bool {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 4<<10)
	n, _ := f.Read(head)
	head = head[:n]
	switch strings.ToLower(filepath.Ext(path)) {
	case ".png":
		return bytes.HasPrefix(head, []byte("\x89PNG")) && bytes.Contains(head, []byte("tEXtSoftware\x00"+by))
	case ".gif":
		return bytes.HasPrefix(head, []byte("GIF89a")) && bytes.Contains(head, gifNote())
	case ".cast":
		return bytes.HasPrefix(head, []byte(castBegin))
	case ".ansi": // the frame and nothing else: its first row names the program
		row, _, _ := bytes.Cut(head, []byte("\n"))
		return bytes.Contains(row, []byte("parley"))
	}
	return false
}

// withPNGNote returns a PNG with the name of the program behind its header.
func withPNGNote(png []byte) []byte {
	const header = 8 + 25 // the signature and the first chunk
	if len(png) < header {
		return png
	}
	chunk := []byte("tEXtSoftware\x00" + by)
	note := binary.BigEndian.AppendUint32(nil, uint32(len(chunk)-4))
	note = append(note, chunk...)
	note = binary.BigEndian.AppendUint32(note, crc32.ChecksumIEEE(chunk))
	return append(append(png[:header:header], note...), png[header:]...)
}

// gifNote is a comment in a GIF.
func gifNote() []byte { return append([]byte{0x21, 0xfe, byte(len(by))}, by+"\x00"...) }

// withGIFNote returns a GIF with the name of the program behind its colours.
func withGIFNote(gif []byte) []byte {
	const header = 13
	if len(gif) < header {
		return gif
	}
	at := header
	if flags := gif[10]; flags&0x80 != 0 {
		at += 3 << (flags&7 + 1)
	}
	if len(gif) < at {
		return gif
	}
	return append(append(gif[:at:at], gifNote()...), gif[at:]...)
}
