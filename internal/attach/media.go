package attach

import (
	"mime"
	"net/http"
	"path/filepath"
	"strings"
)

// A Type is what a file is, by its name and by how it begins.
type Type struct {
	Media string // without parameters: "image/png"
	// Doubt says in a clause that the name promises something else; empty if it does not.
	Doubt string
}

// TypeOf says what a file is. Its name knows best what a text or an archive is for; where
// its first bytes are those of something else, they count.
func TypeOf(name string, head []byte) Type {
	named, content := byName(name), bare(http.DetectContentType(head))
	if len(head) == 0 {
		content = octets
	}
	switch {
	case named == "":
		return Type{Media: content}
	case named == content, !telling(content) && (content != plain || !media(named)):
		return Type{Media: named}
	default:
		return Type{Media: content, Doubt: "by its name it would be " + named}
	}
}

const (
	octets = "application/octet-stream"
	plain  = "text/plain"
)

// telling reports whether a type that was seen in content excludes others: what a zip or
// a text is for, only the name tells, and what begins like a picture in motion may be
// sound alone.
func telling(content string) bool {
	switch content {
	case "application/pdf", "image/png", "image/jpeg", "image/gif", "image/webp", "image/bmp":
		return true
	}
	return false
}

// media reports whether a type is none of text.
func media(mime string) bool {
	kind, sub, _ := strings.Cut(mime, "/")
	return (kind == "image" && sub != "svg+xml") || kind == "audio" || kind == "video" || kind == "font" || mime == "application/pdf"
}

// byName returns the type that a name promises, empty if none.
func byName(name string) string {
	ext := strings.ToLower(filepath.Ext(name))
	if known := extension(ext); known != "" {
		return known
	}
	return bare(mime.TypeByExtension(ext))
}

// extension says it for names that not all machines know, or not alike.
func extension(ext string) string {
	switch ext {
	case ".txt", ".log", ".text":
		return plain
	case ".md", ".markdown":
		return "text/markdown"
	case ".csv":
		return "text/csv"
	case ".tsv":
		return "text/tab-separated-values"
	case ".yaml", ".yml":
		return "application/yaml"
	case ".toml":
		return "application/toml"
	case ".jsonl", ".ndjson":
		return "application/x-ndjson"
	case ".xml":
		return "application/xml"
	case ".docx":
		return "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
	case ".xlsx":
		return "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	case ".pptx":
		return "application/vnd.openxmlformats-officedocument.presentationml.presentation"
	case ".odt":
		return "application/vnd.oasis.opendocument.text"
	case ".zip":
		return "application/zip"
	case ".gz":
		return "application/gzip"
	case ".tar":
		return "application/x-tar"
	case ".mp3":
		return "audio/mpeg"
	case ".wav":
		return "audio/wav"
	case ".ogg":
		return "audio/ogg"
	case ".mp4":
		return "video/mp4"
	case ".webm":
		return "video/webm"
	}
	return ""
}

// bare returns a media type without its parameters: which character set a text is in was
// only guessed, and agents compare types as they stand.
func bare(media string) string {
	media, _, _ = strings.Cut(media, ";")
	return strings.TrimSpace(media)
}
