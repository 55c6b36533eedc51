// Package export writes a recorded session, one of its conversations or the records of a filter
// in other formats. [Read] makes a state of a recording, masks what the user wants masked, and
// [excerpt.Choose] selects an excerpt; a [Format] writes it to any writer. [Save] writes a
// file that is complete or absent.
//
// No format holds its output in memory: it walks over the log, which packs what is old.
package export

import (
	"context"
	"io"
	"strings"

	"parley/session/export/excerpt"
	"parley/session/export/har"
	"parley/session/export/jsonl"
	"parley/session/export/markdown"
	"parley/session/export/otlp"
	"parley/session/export/page"
	"parley/session/export/shell"
	"parley/session/script"
)

// A Format is a way to write an excerpt of a session.
type Format struct {
	Name   string // as a user types it
	Ending string // of file names, with the dot
	About  string // in a few words
	// Findings says that the format shows what the rules find.
	Findings bool
	// Write writes an excerpt, and stops with the error of ctx when that ends. It calls step with
	// the progress: how much of how much is written.
	Write func(ctx context.Context, w io.Writer, p *excerpt.Excerpt, step func(done, total int)) error
}

// Formats returns the formats that this package writes, in the order in which users see them.
func Formats() []Format {
	return []Format{
		{Name: "html", Ending: ".html", About: "one page: conversation and wire side by side", Write: page.Write, Findings: true},
		{Name: "har", Ending: ".har", About: "an HTTP archive, for browsers and other tools", Write: har.Write},
		{Name: "md", Ending: ".md", About: "the conversation as Markdown", Write: markdown.Write},
		{Name: "jsonl", Ending: ".jsonl", About: "a session file", Write: jsonl.Write},
		{Name: "curl", Ending: ".sh", About: "a shell script that repeats the requests", Write: shell.Write},
		{Name: "script", Ending: script.Ending, About: "a script that sends the messages again", Write: script.Write},
		{Name: "otlp", Ending: ".otlp.json", About: "OpenTelemetry traces, as the JSON of OTLP", Write: otlp.Write},
	}
}

// ByName returns the format of a name.
func ByName(all []Format, name string) (Format, bool) {
	name = strings.ToLower(strings.TrimPrefix(name, "."))
	for _, f := range all {
		if name == f.Name || "."+name == f.Ending {
			return f, true
		}
	}
	return Format{}, false
}

// ByFile returns the format that the name of a file promises.
func ByFile(all []Format, file string) (Format, bool) {
	for _, f := range all {
		if strings.HasSuffix(strings.ToLower(file), f.Ending) {
			return f, true
		}
	}
	return Format{}, false
}
