// Package filename makes safe names for new files from any text.
//
// An agent's name for a file may be a path, contain characters that change the direction of
// text, be the name of a device, or be longer than any file system allows. [Safe] keeps the
// part that is a valid name on every supported system, and that cannot lead elsewhere.
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
	// most is how many bytes a name may have: file systems allow 255, and a number may be added
	// before the extension.
	most = 240
	// mostExtension is how many bytes of an extension a long name keeps.
	mostExtension = 16
)

// Safe returns the name of a file in one directory that is as similar to name as possible, or
// fallback, which must be safe itself, if nothing is left of it.
func Safe(name, fallback string) string {
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	name = strings.Map(letter, strings.ToValidUTF8(name, ""))
	// A leading dot hides a file, a leading dash makes it an option; Windows drops trailing
	// dots and spaces.
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

// letter keeps characters that are valid in a name everywhere.
func letter(r rune) rune {
	switch {
	case strings.ContainsRune(`<>:"|?*`, r):
		return '-'
	case unicode.IsSpace(r):
		return ' '
	case unicode.In(r, unicode.C, unicode.Zl, unicode.Zp), r == utf8.RuneError:
		return -1 // among them those that change the direction of text
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

// reserved reports whether Windows reserves a name for a device.
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

// Twin returns the name for the n-th file with the same name: "report (2).pdf".
func Twin(name string, n int) string {
	if n <= 1 {
		return name
	}
	end := path.Ext(name)
	return name[:len(name)-len(end)] + " (" + strconv.Itoa(n) + ")" + end
}

// kinds are the media types whose files have a well-known extension.
var kinds = []struct{ kind, end string }{
	{"text/markdown", ".md"}, {"text/x-markdown", ".md"}, {"application/json", ".json"}, {"text/csv", ".csv"},
	{"image/png", ".png"}, {"image/jpeg", ".jpg"}, {"image/gif", ".gif"}, {"image/webp", ".webp"}, {"image/svg+xml", ".svg"},
	{"application/pdf", ".pdf"}, {"application/zip", ".zip"}, {"application/gzip", ".gz"}, {"application/x-gzip", ".gz"},
	{"text/html", ".html"}, {"text/xml", ".xml"}, {"application/xml", ".xml"}, {"application/yaml", ".yaml"},
	{"audio/mpeg", ".mp3"}, {"audio/wave", ".wav"}, {"audio/wav", ".wav"}, {"video/mp4", ".mp4"}, {"text/plain", ".txt"},
}

// Extension returns the extension for a file: by its media type or, if that says nothing, by
// its first bytes. It is ".bin" for unknown ones.
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
