package outlet_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"parley/internal/outlet"
)

// listing returns the names in a folder with what is in the files.
func listing(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		text, _ := os.ReadFile(filepath.Join(dir, e.Name())) // a folder has none
		out = append(out, e.Name()+"="+string(text))
	}
	return strings.Join(out, " ")
}

func TestADraftGetsANameThatIsFreeWhenItIsComplete(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a"), []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := outlet.NewDraft(dir, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Write([]byte("new")); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "b")); err == nil {
		t.Error("got a file of that name before it is complete")
	}
	if err := d.Name(filepath.Join(dir, "a")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("got error %v for a name that a file has, want %v", err, fs.ErrExist)
	}
	if err := d.Name(filepath.Join(dir, "b")); err != nil {
		t.Fatal(err)
	}
	d.Discard()
	if got := listing(t, dir); got != "a=mine b=new" {
		t.Errorf("got files %s, want the old and the new one alone", got)
	}
}

func TestADraftThatIsDiscardedLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	d, err := outlet.NewDraft(dir, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = d.Write([]byte("half"))
	d.Discard()
	if got := listing(t, dir); got != "" {
		t.Errorf("got files %s, want none", got)
	}
}

func TestFilesAreTheOwnersAlone(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no such modes")
	}
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, "f", name) }
	if err := outlet.PrivateFolder(filepath.Dir(at("x"))); err != nil {
		t.Fatal(err)
	}
	closed := func(f *os.File, err error) error { return errors.Join(err, f.Close()) }
	temporary, err := outlet.Temporary(filepath.Dir(at("x")), "for-*.md", "text")
	for name, err := range map[string]error{
		at("replaced"): outlet.Replace(at("replaced"), []byte("x")),
		at("alone"):    outlet.ReplaceAlone(at("alone"), []byte("x")),
		at("created"):  closed(outlet.Create(at("created"))),
		at("appended"): closed(outlet.Append(at("appended"))),
		at("over"):     closed(outlet.Overwrite(at("over"))),
		temporary:      err,
	} {
		if info, e := os.Stat(name); err != nil || e != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: got mode %v, errors %v and %v, want 0600", name, info, err, e)
		}
	}
	if info, err := os.Stat(filepath.Dir(at("x"))); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("got folder %v, %v, want mode 0700", info, err)
	}
}

func TestAFileIsReplacedAsAWholeOrNotAtAll(t *testing.T) {
	for name, replace := range map[string]func(string, []byte) error{"Replace": outlet.Replace, "ReplaceAlone": outlet.ReplaceAlone} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "a")
			for _, text := range []string{"one", "two"} {
				if err := replace(path, []byte(text)); err != nil {
					t.Fatal(err)
				}
				if got := listing(t, dir); got != "a="+text {
					t.Errorf("got files %s, want %s alone", got, text)
				}
			}
			taken := filepath.Join(dir, "b")
			if err := os.Mkdir(taken, 0o700); err != nil {
				t.Fatal(err)
			}
			err := replace(taken, []byte("x"))
			if cause, ok := errors.AsType[*fs.PathError](err); !ok || cause.Path != taken {
				t.Errorf("got error %v, want one of %s", err, taken)
			}
			if got := listing(t, dir); got != "a=two b=" {
				t.Errorf("got files %s, want what was there alone", got)
			}
		})
	}
}

// A run that was killed has left its temporary file, which may have what the user has removed since.
func TestWhatAKilledRunLeftIsReplaced(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	if err := os.WriteFile(path+".tmp", []byte("a token of before"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := outlet.ReplaceAlone(path, []byte("x")); err != nil {
		t.Fatal(err)
	}
	if got := listing(t, dir); got != "a=x" {
		t.Errorf("got files %s, want the new one alone", got)
	}
}

func TestGrowingFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	write := func(open func(string) (*os.File, error), text string) {
		t.Helper()
		f, err := open(path)
		if err != nil {
			t.Fatal(err)
		}
		_, err = f.WriteString(text)
		if err := errors.Join(err, f.Close()); err != nil {
			t.Fatal(err)
		}
	}
	write(outlet.Create, "one ")
	if _, err := outlet.Create(path); !errors.Is(err, fs.ErrExist) {
		t.Errorf("got error %v for a file that exists, want %v", err, fs.ErrExist)
	}
	write(outlet.Append, "two")
	if got, _ := os.ReadFile(path); string(got) != "one two" {
		t.Errorf("got %q, want what was there and what was appended", got)
	}
	write(outlet.Overwrite, "three")
	if got, _ := os.ReadFile(path); string(got) != "three" {
		t.Errorf("got %q, want the last alone", got)
	}
	if _, err := outlet.Append(filepath.Dir(path)); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("got error %v for a folder, want that it is no regular file", err)
	}
}

func TestAFolderIsTriedWithoutATrace(t *testing.T) {
	dir := t.TempDir()
	if err := outlet.Try(dir); err != nil {
		t.Errorf("got error %v, want none", err)
	}
	if got := listing(t, dir); got != "" {
		t.Errorf("got files %s, want none", got)
	}
	if err := outlet.Try(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got error %v for a folder that does not exist, want %v", err, fs.ErrNotExist)
	}
}

func TestNowhereIsEmptyAndTakesEverything(t *testing.T) {
	f, err := outlet.Nowhere()
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString("x"); err != nil {
		t.Errorf("got error %v, want none", err)
	}
	if n, _ := f.Read(make([]byte, 1)); n != 0 {
		t.Errorf("got %d bytes, want none", n)
	}
}

// No shell reads what a program gets.
func TestAProgramGetsItsArgumentsAsTheyAre(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("OUTLET_TEST", "$(x) `y`;*")
	out, err := outlet.Apart(context.Background(), self, "-test.run=TestIsAProgram", "$(x) `y`;*").Output()
	if err != nil || !strings.Contains(string(out), "PASS") {
		t.Errorf("got %s, %v, want its argument as it is", out, err)
	}
}

// TestIsAProgram is the program of the test above.
func TestIsAProgram(t *testing.T) {
	if want := os.Getenv("OUTLET_TEST"); want != "" && os.Args[len(os.Args)-1] != want {
		t.Errorf("got arguments %q, want %q at the end", os.Args, want)
	}
}
