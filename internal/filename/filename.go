// Package filename makes names for new files out of words from anywhere.
//
// What an agent calls a file may be a path, hold characters that reorder what is read,
// be the name of a device, or be longer than any file system takes. [Safe] keeps of it
// what is a name on every system that the program runs on, and nothing that leads
// anywhere else.
package filename

import (
	"bytes"
	"net/http"
	"path"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// most is how many bytes a name may have: file systems take 255, and a number may
	// have to go in front of the extension.
	most = 240
	// mostExtension is how many bytes of an end count as one that a long name keeps.
	mostExtension = 16
)

// Safe returns the name of a file in one directory that is as much like name as can be,
// or fallback, which must be safe itself, if nothing is left of it.
func Safe(name, fallback string) string {
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	name = strings.Map(letter, strings.ToValidUTF8(name, ""))
	// A dot in front hides a file, a dash makes it an option; Windows drops what trails.
	name = strings.TrimRight(strings.TrimLeft(strings.Join(strings.Fields(name), " "), ".-~ "), ". ")
	if name == "" {
		return fallback
	}
	if len(name) > most {
		end := path.Ext(name)
		if len(end) > mostExtension {
			end = ""
		}
		name = shorten(name[:len(name)-len(end)], most-len(end)) + end
	}
	if reserved(name) {
		name = "_" + name
	}
	return name
}

// letter keeps what can stand in a name anywhere.
func letter(r rune) rune {
	switch {
	case strings.ContainsRune(`<>:"|?*`, r):
		return '-'
	case unicode.IsSpace(r):
		return ' '
	case unicode.In(r, unicode.C, unicode.Zl, unicode.Zp), r == utf8.RuneError:
		return -1 // among them what reorders the letters around it
	default:
		return r
	}
}

// shorten cuts s to at most n bytes between two characters.
func shorten(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return strings.TrimRight(s[:n], ". ")
}

// reserved reports whether Windows takes a name for that of a device.
func reserved(name string) bool {
	stem, _, _ := strings.Cut(strings.ToUpper(name), ".")
	switch stem = strings.TrimRight(stem, " "); stem {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$":
		return true
	}
	number, ok := strings.CutPrefix(stem, "COM")
	if !ok {
		number, ok = strings.CutPrefix(stem, "LPT")
	}
	return ok && utf8.RuneCountInString(number) == 1 && strings.Contains("0123456789¹²³", number)
}

// Twin returns the name for the n-th file that would have the same one: "report (2).pdf".
func Twin(name string, n int) string {
	if n <= 1 {
		return name
	}
	end := path.Ext(name)
	return name[:len(name)-len(end)] + " (" + strconv.Itoa(n) + ")" + end
}

// kinds are the media types whose files have a well-known end.
var kinds = []struct{ kind, end string }{
	{"text/markdown", ".md"}, {"text/x-markdown", ".md"}, {"application/json", ".json"}, {"text/csv", ".csv"},
	{"image/png", ".png"}, {"image/jpeg", ".jpg"}, {"image/gif", ".gif"}, {"image/webp", ".webp"}, {"image/svg+xml", ".svg"},
	{"application/pdf", ".pdf"}, {"application/zip", ".zip"}, {"application/gzip", ".gz"}, {"application/x-gzip", ".gz"},
	{"text/html", ".html"}, {"text/xml", ".xml"}, {"application/xml", ".xml"}, {"application/yaml", ".yaml"},
	{"audio/mpeg", ".mp3"}, {"audio/wave", ".wav"}, {"audio/wav", ".wav"}, {"video/mp4", ".mp4"}, {"text/plain", ".txt"},
}

// Extension returns what the name of a file should end in: as its media type says or,
// where that says nothing, as its first bytes look. It is ".bin" for what nobody knows.
func Extension(mediaType string, head []byte) string {
	if end := known(mediaType); end != "" {
		return end
	}
	if text := bytes.TrimLeft(head, " \t\r\n"); len(text) > 0 && (text[0] == '{' || text[0] == '[') {
		return ".json"
	}
	if end := known(http.DetectContentType(head)); end != "" {
		return end
	}
	return ".bin"
}

func known(mediaType string) string {
	kind, _, _ := strings.Cut(strings.ToLower(mediaType), ";")
	for _, k := range kinds {
		if strings.TrimSpace(kind) == k.kind {
			return k.end
		}
	}
	return ""
}
