package record

import (
	"encoding/base64"
	"path"
	"strings"

	"parley/a2a/jsontok"
	"parley/internal/filename"
)

// saveIntent returns what saving takes: the file that the value under the cursor encodes, else the
// body, as raw bytes in the raw tab.
func (v *View) saveIntent(reading bool) Intent {
	r := &v.it.Record
	name, what, data := "record-"+v.number(), "the body of record "+v.number(), r.Payload()
	if v.Tab() == Raw {
		what, data = "the bytes of record "+v.number(), v.bytes()
	}
	if reading && v.shows() == showTree {
		v.load()
		if file, ok := decodeValue(v.tree.Selection()); ok {
			at, _ := v.tree.Span()
			return Save{Name: name + "-" + v.fileName(at, file), What: "the file in record " + v.number(), Data: file}
		}
	}
	if len(data) == 0 {
		return Say{"Record " + v.number() + " has no body to save."}
	}
	return Save{Name: name + extension(data), What: what, Data: data}
}

// fileName returns a name for the file at an offset of the payload: the one that the agent
// gave, else one made from the JSON pointer.
func (v *View) fileName(at int, file []byte) string {
	const most = 16 << 20 // parsing a larger payload takes too long
	var doc jsontok.Doc
	if body := v.it.Record.Payload(); len(body) <= most {
		_ = doc.Parse(body) // uses what could be parsed
	}
	given := doc.At(at).Parent().GetAny("filename", "name").Text()
	if given = filename.Safe(given, ""); path.Ext(given) != "" {
		return given
	} else if given != "" {
		return given + extension(file)
	}
	return portableName(v.tree.Pointer()) + extension(file)
}

// decodeValue decodes a value in base64. A short value is not taken for a file.
func decodeValue(text, _ string) (file []byte, ok bool) {
	const least = 64
	if len(text) < least {
		return nil, false
	}
	plain := strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(text, "="))
	file, err := base64.RawStdEncoding.DecodeString(plain)
	return file, err == nil
}

// portableName returns the letters and digits of text, as part of a portable file name.
func portableName(text string) string {
	const most = 60
	s := strings.Join(strings.FieldsFunc(text, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9')
	}), "-")
	return strings.Trim(s[max(len(s)-most, 0):], "-")
}

// extension returns the file extension for data.
func extension(data []byte) string { return filename.Extension("", data[:min(len(data), 512)]) }
