package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/pflag"

	"parley/session/catalog"
	"parley/session/journal"
)

// A recordFile is the file in which a command records, as the user named it.
type recordFile struct {
	path  string // empty for none
	force bool   // it may be one of an earlier run
}

func (r *recordFile) flags(f *pflag.FlagSet, text string) {
	f.StringVar(&r.path, "record", "", text)
	f.BoolVar(&r.force, "force", false, "with --record: replace a recording of an earlier run")
}

// checkForce refuses to replace the file of --record if there is none.
func checkForce(f *pflag.FlagSet) error {
	force, record := f.Lookup("force"), f.Lookup("record")
	if force != nil && record != nil && force.Changed && record.Value.String() == "" {
		return usage("--force replaces the file of --record, but --record names none.")
	}
	return nil
}

// create creates the file. With force it first removes a recording of an earlier run, with the
// annotations of its records, and no other file. The error is a clause.
func (r *recordFile) create(create func(path string) (*journal.Journal, error)) (*journal.Journal, error) {
	if r.force {
		if err := removeRecording(r.path); err != nil {
			return nil, fmt.Errorf("the file %s was not replaced: %w", r.path, err)
		}
	}
	return create(r.path)
}

// removeRecording removes a recording, if there is one. The error is a clause.
func removeRecording(path string) error {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && info.Size() > 0 {
		var r *journal.Recording
		if r, err = journal.Open(path); err == nil {
			r.Close()
		}
	}
	if err != nil {
		return err
	}
	return catalog.Delete(path)
}
