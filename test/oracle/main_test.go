//go:build unix

package oracle

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// folder has the built parley in bin, and the homes of the stories. Its path always has the same
// length, because columns are as wide as what stands in them.
var folder string

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	var err error
	if folder, err = makeFolder(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(folder)
	program := filepath.Join(folder, "bin", "parley")
	if out, err := exec.Command("go", "build", "-o", program, "parley").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "go build: %v\n%s", err, out)
		return 1
	}
	if err := addTools(filepath.Join(folder, "bin")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

// addTools links the programs of the system that lines.txt uses, besides the shell. Others are not
// found, so that it makes no difference which ones a machine has.
func addTools(bin string) error {
	for _, name := range []string{"cat", "cp", "mkdir", "sleep", "true"} {
		path, err := exec.LookPath(name)
		if err != nil {
			return err
		}
		if err := os.Symlink(path, filepath.Join(bin, name)); err != nil {
			return err
		}
	}
	return nil
}

// makeFolder makes an empty folder whose path has the same length in every run.
func makeFolder() (string, error) {
	for n := range 1000 {
		dir := fmt.Sprintf("/tmp/parley-oracle-%03d", n)
		switch err := os.Mkdir(dir, 0o700); {
		case err == nil:
			return dir, nil
		case !os.IsExist(err):
			return "", err
		}
	}
	return "", fmt.Errorf("there are 1000 folders /tmp/parley-oracle-NNN of earlier runs; delete them")
}
