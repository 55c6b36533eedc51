package attach

import (
	"mime"
	"net/http"
	"path/filepath"
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
	case named == content, !telling(content) && (content != plain || !media(named)):
		return Type{Media: named}
	default:
		return Type{Media: content, Doubt: "its name suggests " + named}
	}
}

const (
	octets = "application/octet-stream"
	plain  = "text/plain"
)

// telling reports whether a type that was recognised in the content excludes others: only the
// name tells the purpose of a zip or a text, and what begins like a video may be only sound.
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

// byName returns the type that a name suggests, empty if none.
func byName(name string) string {
	ext := strings.ToLower(filepath.Ext(name))
	if known := extension(ext); known != "" {
		return known
	}
	return bare(mime.TypeByExtension(ext))
}

// extension returns the type for extensions that not all machines know, or know differently.
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

// bare returns a media type without its parameters: the character set was only guessed, and
// agents compare types literally.
func bare(media string) string {
	media, _, _ = strings.Cut(media, ";")
	return strings.TrimSpace(media)
}
