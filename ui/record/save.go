package record

import (
	"encoding/base64"
	"path"
	"strings"

	"parley/a2a/jsontok"
	"parley/internal/filename"
)

// saved returns what saving takes: in a tree that is read and at a value that stands
// for a file, that file; else the body as it was sent.
func (v *View) saved(reading bool) Intent {
	r := &v.it.Record
	name, what, data := "record-"+v.number(), "the body of record "+v.number(), r.Payload()
	if v.Tab() == Raw {
		what, data = "the bytes of record "+v.number(), v.bytes()
	}
	if reading && v.shows() == showTree {
		v.hold()
		if file, ok := decoded(v.tree.Selection()); ok {
			at, _ := v.tree.Span()
			return Save{Name: name + "-" + v.fileName(at, file), What: "the file in record " + v.number(), Data: file}
		}
	}
	if len(data) == 0 {
		return Say{"Record " + v.number() + " has no body to save."}
	}
	return Save{Name: name + extension(data), What: what, Data: data}
}

// fileName names the file that stands at an offset of the payload: as the agent calls
// it, if it does, else by where it stands.
func (v *View) fileName(at int, file []byte) string {
	const most = 16 << 20 // a larger payload would take too long to be read again
	var doc jsontok.Doc
	if body := v.it.Record.Payload(); len(body) <= most {
		_ = doc.Parse(body) // as far as it goes
	}
	given := doc.At(at).Parent().GetAny("filename", "name").Text()
	if given = filename.Safe(given, ""); path.Ext(given) != "" {
		return given
	} else if given != "" {
		return given + extension(file)
	}
	return safe(v.tree.Pointer()) + extension(file)
}

// decoded returns what a value in base64 stands for. What is short is no file.
func decoded(text, _ string) (file []byte, ok bool) {
	const least = 64
	if len(text) < least {
		return nil, false
	}
	plain := strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(text, "="))
	file, err := base64.RawStdEncoding.DecodeString(plain)
	return file, err == nil
}

// safe turns text into a part of a file name that is one anywhere.
func safe(text string) string {
	const most = 60
	s := strings.Join(strings.FieldsFunc(text, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9')
	}), "-")
	return strings.Trim(s[max(len(s)-most, 0):], "-")
}

// extension returns what the name of a file with this content should end in.
func extension(data []byte) string { return filename.Extension("", data[:min(len(data), 512)]) }
