package record

import (
	"bytes"
	"encoding/base64"
	"net/http"
	"strings"
)

// saved returns what saving takes: in a tree that is read and at a value that stands
// for a file, that file; else the body as it was sent.
func (v *View) saved(reading bool) Intent {
	r := &v.it.Record
	name, what, data := "record-"+v.number(), "the body of record "+v.number(), r.Payload()
	if v.Tab() == Raw {
		what, data = "the bytes of record "+v.number(), r.Raw
	}
	if reading && v.shows() == showTree {
		v.hold()
		if file, ok := decoded(v.tree.Selection()); ok {
			name += safe(v.tree.Pointer())
			what, data = "the file in record "+v.number(), file
		}
	}
	if len(data) == 0 {
		return Say{"Record " + v.number() + " has no body to save."}
	}
	return Save{Name: name + extension(data), What: what, Data: data}
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

// safe turns a JSON pointer into the end of a file name.
func safe(pointer string) string {
	const most = 60
	var b strings.Builder
	for _, r := range pointer {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"), b.Len() == 0:
			b.WriteByte('-')
		}
	}
	s := b.String()
	return strings.TrimRight(s[max(len(s)-most, 0):], "-")
}

// extension returns what the name of a file with this content should end in.
func extension(data []byte) string {
	if head := bytes.TrimLeft(data, " \t\r\n"); len(head) > 0 && (head[0] == '{' || head[0] == '[') {
		return ".json"
	}
	kind, _, _ := strings.Cut(http.DetectContentType(data), ";")
	for _, known := range []struct{ kind, end string }{
		{"image/png", ".png"}, {"image/jpeg", ".jpg"}, {"image/gif", ".gif"}, {"image/webp", ".webp"}, {"application/pdf", ".pdf"},
		{"application/zip", ".zip"}, {"application/x-gzip", ".gz"}, {"text/html", ".html"}, {"text/xml", ".xml"}, {"text/plain", ".txt"},
	} {
		if kind == known.kind {
			return known.end
		}
	}
	return ".bin"
}
