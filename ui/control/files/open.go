package files

import (
	"bytes"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/ui/canvas"
)

// openedMsg is sent when a file was given to the program for it, or was not.
type openedMsg struct {
	path string
	err  error
}

// open opens a file that was saved with the program that the system has for it.
func (c *Controller) open(path string) tea.Cmd {
	open := c.opts.Open
	return func() tea.Msg {
		if open == nil {
			return openedMsg{path: path, err: errors.New("there is no program to open files")}
		}
		return openedMsg{path: path, err: open(path)}
	}
}

// onOpened says that a file could not be opened; if it could the user sees that.
func (c *Controller) onOpened(msg openedMsg) tea.Cmd {
	if msg.err == nil {
		return nil
	}
	return c.host.Say("Could not open "+filepath.Base(msg.path)+": "+msg.err.Error()+". It is saved in "+c.dirOf(msg.path)+".", true)
}

// shown are the endings of files that the program for them shows or plays, and that run
// nothing.
var shown = []string{
	".txt", ".text", ".log", ".md", ".markdown", ".rst", ".csv", ".tsv", ".json", ".jsonl", ".ndjson", ".geojson", ".yaml", ".yml",
	".pdf", ".docx", ".xlsx", ".pptx", ".odt", ".ods", ".odp", ".rtf", ".epub",
	".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".tif", ".tiff", ".avif", ".heic", ".heif",
	".mp3", ".wav", ".ogg", ".oga", ".opus", ".flac", ".m4a", ".aac", ".aif", ".aiff",
	".mp4", ".m4v", ".webm", ".mov", ".mkv", ".avi", ".ogv", ".mpg", ".mpeg",
}

// shownTypes are the media types of such files, besides those of pictures, sound and
// film. "application/octet-stream" says nothing, and the ending decides.
var shownTypes = []string{
	"", "application/octet-stream", "binary/octet-stream", "text/plain", "text/markdown", "text/x-markdown", "text/csv",
	"text/tab-separated-values", "text/x-rst", "text/yaml", "text/x-yaml", "application/yaml", "application/x-yaml", "application/json",
	"application/x-ndjson", "application/jsonl", "application/geo+json", "application/pdf", "application/rtf", "text/rtf",
	"application/epub+zip", "application/vnd.oasis.opendocument.text", "application/vnd.oasis.opendocument.spreadsheet",
	"application/vnd.oasis.opendocument.presentation", "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
	"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
	"application/vnd.openxmlformats-officedocument.presentationml.presentation",
}

// programs are how files begin that some systems run whatever their name is.
var programs = []string{"#!", "MZ", "\x7fELF", "\xcf\xfa\xed\xfe", "\xce\xfa\xed\xfe", "\xfe\xed\xfa\xce", "\xfe\xed\xfa\xcf", "\xca\xfe\xba\xbe"}

// doubt says what a file is for which opening it may do more than show it, empty for a
// file that is only shown. Its name decides on most systems, its media type and its first
// bytes on some: all of them have to be known as harmless.
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

// aboutEnding says what a file is whose ending is not among those that are only shown.
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
