package cli

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"parley/internal/units"
	"parley/session/export"
	"parley/session/export/har"
)

// importCommand writes a session file from an HTTP archive.
func (a *app) importCommand() *cobra.Command {
	var out string
	var force bool
	c := &cobra.Command{
		Use:   "import FILE.har",
		Short: "Write a session from the A2A in an HTTP archive",
		Example: `  parley import browser.har -o session.jsonl
  parley import browser.har -o session.jsonl --force
  parley open session.jsonl`,
		Args: argCount(1, "parley import takes one HTTP archive."),
		RunE: func(_ *cobra.Command, args []string) error { return a.importArchive(args[0], out, force) },
	}
	c.Flags().StringVarP(&out, "out", "o", "", "write to this `FILE`, - for standard output (default: the name of the archive, in this folder)")
	c.Flags().BoolVar(&force, "force", false, "replace an existing file")
	return c
}

// importArchive writes the exchanges of A2A in an archive as a session file.
func (a *app) importArchive(path, out string, force bool) error {
	f, err := os.Open(path)
	if err != nil {
		return notRead(path, err, "name an HTTP archive (HAR)")
	}
	defer f.Close()
	if out == "" {
		out = strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)) + ".jsonl"
	}
	var sum har.Summary
	var failure error // of the archive
	progress := a.newProgress()
	write := func(w io.Writer) error {
		sum, failure = har.Import(a.counted(f, progress), w)
		return failure
	}
	if out == "-" {
		err = write(&pipe{w: a.streams.Out})
	} else {
		err = export.Save(out, force, write)
	}
	progress.erase()
	switch {
	case err != nil && errors.Is(err, failure):
		return a.exportFault(err, func(err error) error {
			return misnamed("%s cannot be imported: %s; name an HTTP archive (HAR) of a browser, a proxy or Parley.", line(path), fileCause(err))
		})
	case err != nil:
		return a.exportFault(err, notSaved)
	}
	if sum.Others > 0 {
		a.note("Note", "%s not A2A over HTTP and left out.", plural(sum.Others, "entry is", "entries are"))
	}
	if out != "-" {
		a.note("Saved", "%s of %s in %s: parley open %s shows them", units.Plural(sum.Records, "record"), units.Plural(sum.Exchanges, "exchange"), out, shellWord(out))
	}
	return nil
}

// plural returns a number with the words for one or for several.
func plural(n int, one, several string) string {
	if n == 1 {
		return "1 " + one
	}
	return units.Count(n) + " " + several
}

// counted reads a file, reports the progress, and ends with the command.
func (a *app) counted(f *os.File, p *progress) io.Reader {
	size := int64(0)
	if info, err := f.Stat(); err == nil {
		size = info.Size()
	}
	return &countedFile{file: f, app: a, progress: p, size: size}
}

type countedFile struct {
	file       *os.File
	app        *app
	progress   *progress
	read, size int64
}

func (c *countedFile) Read(b []byte) (int, error) {
	if err := c.app.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := c.file.Read(b)
	c.read += int64(n)
	c.progress.show("reading", c.read, c.size)
	return n, err
}
