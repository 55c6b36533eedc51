package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"parley/a2a"
	"parley/internal/attach"
)

// maxInput is the longest file or standard input that becomes a part, in bytes.
const maxInput = attach.MaxSize

// A partFlag is one part of the command line, before anything is read.
type partFlag struct {
	flag  string // text, file or data
	value string
	media string // empty: to be inferred
}

// partFlags are the parts of a message in the order of their flags. Four flags
// share the list: three add to it, and --media-type completes the last one.
type partFlags []partFlag

func (l *partFlags) flags(f *pflag.FlagSet) {
	f.Var(&partValue{list: l, flag: "text"}, "text", "add a text part; repeatable, parts keep their order")
	f.Var(&partValue{list: l, flag: "file", kind: "path"}, "file", "add a file: a `path`, - for standard input, or a URL from which the agent downloads it")
	f.Var(&partValue{list: l, flag: "data", kind: "path"}, "data", "add a data part: the `path` of a JSON file, or - for standard input")
	f.Var(&partValue{list: l, flag: "media-type", kind: "type"}, "media-type", "media `type` of the part whose flag precedes it; otherwise inferred")
}

// A partValue is one of the flags.
type partValue struct {
	list *partFlags
	flag string
	kind string
}

// String returns the default, which is empty.
func (v *partValue) String() string { return "" }

// Type names the value in the help.
func (v *partValue) Type() string {
	if v.kind != "" {
		return v.kind
	}
	return "string"
}

// Set takes one flag of the command line.
func (v *partValue) Set(value string) error {
	if v.flag != "media-type" {
		*v.list = append(*v.list, partFlag{flag: v.flag, value: value})
		return nil
	}
	if len(*v.list) == 0 {
		return usage("--media-type must follow the --text, --file or --data whose type it is.")
	}
	last := &(*v.list)[len(*v.list)-1]
	if last.media != "" {
		return usage("--media-type occurs twice after one --%s.", last.flag)
	}
	if _, _, err := mime.ParseMediaType(value); err != nil || !strings.Contains(value, "/") {
		return usage("The value of --media-type is not a media type such as text/plain.")
	}
	last.media = value
	return nil
}

// message returns the parts of a message: the words of the command line first,
// then the flags in their order.
func (l partFlags) message(words []string, stdin io.Reader) ([]a2a.Part, error) {
	var parts []a2a.Part
	switch {
	case len(words) == 1 && words[0] == "-":
		text, err := readInput(stdin)
		if err != nil {
			return nil, err
		}
		parts = append(parts, a2a.TextPart(string(text)))
	case len(words) > 0:
		parts = append(parts, a2a.TextPart(strings.Join(words, " ")))
	}
	for i := range l {
		part, err := l[i].part(stdin)
		if err != nil {
			return nil, err
		}
		part.MediaType = l[i].mediaType(&part)
		parts = append(parts, part)
	}
	if len(parts) == 0 {
		return nil, usage("There is nothing to send: give a text, or --text, --file or --data.")
	}
	if !slices.ContainsFunc(parts, func(p a2a.Part) bool { return p.Kind != a2a.PartText || p.Text != "" }) {
		return nil, usage("There is nothing to send: %s is empty.", l.source(words))
	}
	return parts, nil
}

// source names the source of the first part of a message.
func (l partFlags) source(words []string) string {
	switch {
	case len(words) == 0:
		return "the value of --text"
	case words[0] == "-":
		return "standard input"
	default:
		return "the text"
	}
}

// part reads what a flag names.
func (f *partFlag) part(stdin io.Reader) (a2a.Part, error) {
	if f.flag == "text" {
		return a2a.TextPart(f.value), nil
	}
	if p, ok := attach.Address(f.value); ok && f.flag == "file" {
		return p, nil
	}
	content, name, err := f.content(stdin)
	switch {
	case err != nil:
		return a2a.Part{}, err
	case f.flag == "file":
		return a2a.Part{Kind: a2a.PartBytes, Content: content, Filename: name}, nil
	}
	content = []byte(strings.TrimPrefix(string(content), "\ufeff"))
	if !json.Valid(content) {
		return a2a.Part{}, usage("The content of %s for --data is not one JSON value: correct it, or send it with --file.", place(f.value))
	}
	return a2a.DataPart(content), nil
}

// content reads a file or standard input.
func (f *partFlag) content(stdin io.Reader) (content []byte, name string, err error) {
	if f.value == "-" {
		content, err = readInput(stdin)
		return content, "", err
	}
	name = f.value
	if strings.HasPrefix(name, "file:") {
		name = attach.Resolve(name, "", "")
	}
	file, err := os.Open(name)
	if err == nil {
		defer file.Close()
		var info os.FileInfo
		if info, err = file.Stat(); err == nil && info.IsDir() {
			return nil, "", usage("%s is a folder: --%s needs a file.", name, f.flag)
		}
		content, err = readAtMost(file)
	}
	switch {
	case err == nil:
		return content, filepath.Base(name), nil
	case errors.Is(err, fs.ErrNotExist):
		return nil, "", usage("There is no file %s: check its name and the folder.", name)
	case errors.Is(err, errTooLong):
		return nil, "", usage("%s is longer than %d MB: upload it to a server and give its URL.", name, maxInput>>20)
	default:
		return nil, "", usage("%s cannot be read: check its permissions.", name)
	}
}

// mediaType returns the given or the inferred type; text needs none.
func (f *partFlag) mediaType(p *a2a.Part) string {
	switch {
	case f.media != "":
		return f.media
	case p.Kind == a2a.PartText:
		return ""
	case p.Kind == a2a.PartData:
		return "application/json"
	}
	if p.Kind == a2a.PartBytes {
		return attach.TypeOf(p.Filename, p.Content).Media
	}
	return p.MediaType
}

func place(value string) string {
	if value == "-" {
		return "standard input"
	}
	return value
}

// stdin returns the flags that read standard input.
func (l partFlags) stdin() (reads partFlags) {
	for _, f := range l {
		if f.flag != "text" && f.value == "-" {
			reads = append(reads, f)
		}
	}
	return reads
}

// readInput reads all of standard input.
func readInput(r io.Reader) ([]byte, error) {
	content, err := readAtMost(r)
	switch {
	case errors.Is(err, errTooLong):
		return nil, usage("Standard input is longer than %d MB.", maxInput>>20)
	case err != nil:
		return nil, internal("Standard input cannot be read.")
	}
	return content, nil
}

var errTooLong = fmt.Errorf("longer than %d bytes", maxInput)

func readAtMost(r io.Reader) ([]byte, error) {
	content, err := io.ReadAll(io.LimitReader(r, maxInput+1))
	if err == nil && len(content) > maxInput {
		err = errTooLong
	}
	return content, err
}
