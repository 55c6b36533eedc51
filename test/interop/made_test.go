package interop

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// workshop is the folder of what several tests use; TestMain makes and removes it.
var workshop string

func TestMain(m *testing.M) { os.Exit(runAll(m)) }

func runAll(m *testing.M) int {
	dir, err := os.MkdirTemp("", "parley-interop-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	workshop = dir
	sideBySide := 2 * runtime.GOMAXPROCS(0) // tests mostly wait for agents; -parallel says otherwise
	if err := flag.Set("test.parallel", strconv.Itoa(sideBySide)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

// A thing is a program or a folder of packages, made by the first test that uses it.
type thing struct {
	once sync.Once
	path string
	err  error
}

// A missing error names what a machine lacks to make a thing.
type missing string

func (m missing) Error() string { return string(m) }

// things are what was made, by their names.
var things = struct {
	lock sync.Mutex
	all  map[string]*thing
}{all: map[string]*thing{}}

// makeOnce returns the path of a thing, and makes it if no test did so before. A test is skipped if the
// machine lacks something for that.
func makeOnce(t *testing.T, name string, make func(path string) error) string {
	t.Helper()
	things.lock.Lock()
	one := things.all[name]
	if one == nil {
		one = &thing{path: filepath.Join(workshop, strconv.Itoa(len(things.all)))}
		things.all[name] = one
	}
	things.lock.Unlock()
	one.once.Do(func() { one.err = make(one.path) })
	var lacks missing
	if errors.As(one.err, &lacks) {
		skipWithout(t, lacks.Error())
	}
	if one.err != nil {
		t.Fatal(one.err)
	}
	return one.path
}

// build builds a program of a separate Go module.
func build(t *testing.T, dir, program string) string {
	t.Helper()
	return makeOnce(t, "program "+program+" of "+dir, func(path string) error {
		cmd := exec.Command("go", "build", "-o", path, program)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOFLAGS=-mod=readonly", "GOWORK=off")
		return runWithNetwork(cmd, "dial tcp")
	})
}

// install installs the packages of a Node project in a copy of it, with the shared files.
func install(t *testing.T, dir string) string {
	t.Helper()
	return makeOnce(t, "packages of "+dir, func(to string) error {
		major, err := exec.Command("node", "--print", "process.versions.node.split('.')[0]").Output()
		if err != nil || len(strings.TrimSpace(string(major))) < 2 || strings.TrimSpace(string(major)) < "20" {
			return missing("Node 20 or newer is not here")
		}
		if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
			return err
		}
		shared, err := os.ReadFile(filepath.Join("agents", "kinds.mjs"))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, "kinds.mjs"), shared, 0o600); err != nil {
			return err
		}
		cmd := exec.Command("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline")
		cmd.Dir = to
		return runWithNetwork(cmd, "ENOTFOUND", "ECONNREFUSED", "ETIMEDOUT", "EAI_AGAIN")
	})
}

// runWithNetwork runs a command that may need the network. Its error is about what is missing if its output
// has one of these words for a missing network.
func runWithNetwork(cmd *exec.Cmd, noNetwork ...string) error {
	out, err := cmd.CombinedOutput()
	if err == nil {
		return nil
	}
	for _, word := range noNetwork {
		if strings.Contains(string(out), word) {
			return missing("what " + cmd.Dir + " needs cannot be fetched")
		}
	}
	return fmt.Errorf("%s in %s: got %w, want success\n%s", cmd, cmd.Dir, err, out)
}
