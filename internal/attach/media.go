package attach

import (
	"mime"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
)

// A Type is the type of a file, by its name and its first bytes.
type Type struct {
	Media string // without parameters: "image/png"
	// Doubt says in a clause that the name suggests another type; empty if it does not.
	Doubt string
}

// TypeOf returns the type of a file. Its name knows best the purpose of a text or an archive;
// if its first bytes are those of another type, they count.
func TypeOf(name string, head []byte) Type {
	named, content := byName(name), bare(http.DetectContentType(head))
	if len(head) == 0 {
		content = octets
	}
	switch {
	case named == "":
		return Type{Media: content}
	case named == content, !conclusive(content) && (content != plain || !media(named)):
		return Type{Media: named}
	default:
		return Type{Media: content, Doubt: "its name suggests " + named}
	}
}

const (
	octets = "application/octet-stream"
	plain  = "text/plain"
)

// conclusive reports whether a type that was recognised in the content excludes others: only
// the name tells the purpose of a zip or a text, and what begins like a video may be only sound.
func conclusive(content string) bool {
	return slices.Contains([]string{"application/pdf", "image/png", "image/jpeg", "image/gif", "image/webp", "image/bmp"}, content)
}

// media reports whether a type is none of text.
func media(mime string) bool {
	kind, sub, _ := strings.Cut(mime, "/")
	return (kind == "image" && sub != "svg+xml") || kind == "audio" || kind == "video" || kind == "font" || mime == "application/pdf"
}

// byName returns the type that a name suggests, empty if none.
func byName(name string) string {
	ext := strings.ToLower(filepath.Ext(name))
	for _, e := range extensions {
		if slices.Contains(e.names, ext) {
			return e.media
		}
	}
	return bare(mime.TypeByExtension(ext))
}

// extensions are those that not all machines know, or know differently, by their types.
var extensions = [...]struct {
	media string
	names []string
}{
	{plain, []string{".txt", ".log", ".text"}},
	{"text/markdown", []string{".md", ".markdown"}},
	{"text/csv", []string{".csv"}},
	{"text/tab-separated-values", []string{".tsv"}},
	{"application/yaml", []string{".yaml", ".yml"}},
	{"application/toml", []string{".toml"}},
	{"application/x-ndjson", []string{".jsonl", ".ndjson"}},
	{"application/xml", []string{".xml"}},
	{"application/vnd.openxmlformats-officedocument.wordprocessingml.document", []string{".docx"}},
	{"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", []string{".xlsx"}},
	{"application/vnd.openxmlformats-officedocument.presentationml.presentation", []string{".pptx"}},
	{"application/vnd.oasis.opendocument.text", []string{".odt"}},
	{"application/zip", []string{".zip"}},
	{"application/gzip", []string{".gz"}},
	{"application/x-tar", []string{".tar"}},
	{"audio/mpeg", []string{".mp3"}},
	{"audio/wav", []string{".wav"}},
	{"audio/ogg", []string{".ogg"}},
	{"video/mp4", []string{".mp4"}},
	{"video/webm", []string{".webm"}},
}

// bare returns a media type without its parameters: the character set was only guessed, and
// agents compare types literally.
func bare(media string) string {
	media, _, _ = strings.Cut(media, ";")
	return strings.TrimSpace(media)
}
