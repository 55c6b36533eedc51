package files

import (
	"bytes"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/ui/canvas"
	"parley/ui/control"
)

// open opens a saved file in the program that the system has for it, and reports where it is.
func (c *Controller) open(path string) tea.Cmd {
	open := c.opts.Open
	if open == nil {
		open = func(string) error { return errors.New("there is no program to open files") }
	}
	failed := false
	name, dir := filepath.Base(path), c.dirOf(path)
	return tea.Batch(c.host.SayUntil("opening "+name+", which is in "+dir, false, func() bool { return failed }), func() tea.Msg {
		err := open(path)
		if err == nil {
			return nil
		}
		return control.DoneMsg(func() tea.Cmd {
			failed = true
			return c.host.Say("Could not open "+name+": "+err.Error()+". It is saved in "+dir+".", true)
		})
	})
}

// shown are the extensions of files that their program shows or plays, without running anything
// in them.
var shown = []string{
	".txt", ".text", ".log", ".md", ".markdown", ".rst", ".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".geojson", ".yaml", ".yml",
	".pdf", ".docx", ".xlsx", ".pptx", ".odt", ".ods", ".odp", ".rtf", ".epub",
	".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".tif", ".tiff", ".avif", ".heic", ".heif",
	".mp3", ".wav", ".ogg", ".oga", ".opus", ".flac", ".m4a", ".aac", ".aif", ".aiff",
	".mp4", ".m4v", ".webm", ".mov", ".mkv", ".avi", ".ogv", ".mpg", ".mpeg",
}

// shownTypes are the media types of such files, besides those of pictures, sound and film.
// "application/octet-stream" says nothing, and the extension decides.
var shownTypes = []string{
	"", "application/octet-stream", "binary/octet-stream", "text/plain", "text/markdown", "text/x-markdown", "text/csv",
	"text/tab-separated-values", "text/x-rst", "text/yaml", "text/x-yaml", "application/yaml", "application/x-yaml", "application/json",
	"application/x-ndjson", "application/jsonl", "application/geo+json", "application/pdf", "application/rtf", "text/rtf",
	"application/epub+zip", "application/vnd.oasis.opendocument.text", "application/vnd.oasis.opendocument.spreadsheet",
	"application/vnd.oasis.opendocument.presentation", "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
	"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
	"application/vnd.openxmlformats-officedocument.presentationml.presentation",
}

// programs are the first bytes of files that some systems run whatever their name.
var programs = []string{"#!", "MZ", "\x7fELF", "\xcf\xfa\xed\xfe", "\xce\xfa\xed\xfe", "\xfe\xed\xfa\xce", "\xfe\xed\xfa\xcf", "\xca\xfe\xba\xbe"}

// doubt says why opening a file may do more than show it, empty if it is only shown. Most
// systems decide by the name, some by the media type or the first bytes: all of them must be
// harmless.
func doubt(name, mediaType string, head []byte) string {
	end := strings.ToLower(filepath.Ext(name))
	if slices.ContainsFunc(programs, func(p string) bool { return bytes.HasPrefix(head, []byte(p)) }) {
		return "it begins like a program"
	}
	if !slices.Contains(shown, end) {
		return aboutEnding(end)
	}
	kind, _, _ := strings.Cut(strings.ToLower(mediaType), ";")
	kind = strings.TrimSpace(kind)
	class, _, _ := strings.Cut(kind, "/")
	plays := slices.Contains([]string{"image", "audio", "video"}, class) && !strings.Contains(kind, "xml")
	if !plays && !slices.Contains(shownTypes, kind) {
		return "its media type is " + canvas.Ellipsize(canvas.SanitizeLine(kind), 40, "...") + ", which may do more than show it"
	}
	return ""
}

// aboutEnding describes a file whose extension is not among those that are only shown.
func aboutEnding(end string) string {
	switch {
	case end == "":
		return "its name has no extension that tells its type"
	case slices.Contains([]string{".htm", ".html", ".mht", ".mhtml", ".shtml", ".svg", ".xhtml", ".xml", ".xsl"}, end):
		return "a browser runs its scripts"
	case slices.Contains([]string{".doc", ".docm", ".dotm", ".odb", ".ppt", ".pptm", ".xlam", ".xls", ".xlsm"}, end):
		return "it may contain macros"
	default:
		return "a " + canvas.Ellipsize(canvas.SanitizeLine(end), 20, "...") + " file may run as a program"
	}
}
