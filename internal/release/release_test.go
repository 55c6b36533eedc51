package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

var noon = time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)

func TestEqualFilesMakeEqualArchives(t *testing.T) {
	files := []file{{name: "parley", data: []byte("program"), program: true}, {name: "LICENSE", data: []byte("licence")}, {name: "man/man1/parley.1", data: bytes.Repeat([]byte("page "), 1000)}}
	turned := slices.Clone(files)
	slices.Reverse(turned)
	for name, pack := range map[string]func(string, []file, time.Time) ([]byte, error){"tar": packTar, "zip": packZip} {
		first, err := pack("parley_1", files, noon)
		if err != nil {
			t.Fatal(err)
		}
		second, err := pack("parley_1", turned, noon)
		if err != nil || !bytes.Equal(first, second) {
			t.Errorf("%s: got other bytes for the same files in another order (%v)", name, err)
		}
	}
}

func TestArchivesHaveSortedFilesWithFixedModes(t *testing.T) {
	files := []file{{name: "parley", data: []byte("program"), program: true}, {name: "LICENSE", data: []byte("licence")}}
	want := []string{"parley_1/LICENSE -rw-r--r-- licence", "parley_1/parley -rwxr-xr-x program"}
	packed, err := packTar("parley_1", files, noon)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for r := tar.NewReader(plain); ; {
		head, err := r.Next()
		if err == io.EOF {
			break
		}
		data, readErr := io.ReadAll(r)
		if err != nil || readErr != nil {
			t.Fatal(err, readErr)
		}
		got = append(got, head.Name+" "+head.FileInfo().Mode().String()+" "+string(data))
		if !head.ModTime.Equal(noon) || head.Uid != 0 || head.Gid != 0 || head.Uname+head.Gname != "" {
			t.Errorf("got the time %v and the owner %d:%d %q", head.ModTime, head.Uid, head.Gid, head.Uname+head.Gname)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q in the tar archive, want %q", got, want)
	}
	if packed, err = packZip("parley_1", files, noon); err != nil {
		t.Fatal(err)
	}
	r, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		t.Fatal(err)
	}
	got = nil
	for _, f := range r.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, _ := io.ReadAll(in)
		got = append(got, f.Name+" "+f.Mode().String()+" "+string(data))
		if !f.Modified.Equal(noon) {
			t.Errorf("got the time %v in the zip archive", f.Modified)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q in the zip archive, want %q", got, want)
	}
}

func TestEveryCommandHasAPage(t *testing.T) {
	pages, err := manPages("1.2.3", noon)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]string{}
	for _, p := range pages {
		names[strings.TrimSuffix(filepath.Base(p.name), ".1")] = string(p.data)
	}
	for _, name := range []string{"parley", "parley-send", "parley-task-push-config-create", "parley-sessions-prune", "parley-demo-server"} {
		if names[name] == "" {
			t.Errorf("got no page %s", name)
		}
	}
	for _, want := range []string{`.TH "PARLEY" "1" "Nov 2026" "parley 1.2.3" "Parley"`, ".SH FILES", ".SH ENVIRONMENT", ".SH SEE ALSO", "parley-send(1)"} {
		if !strings.Contains(names["parley"], want) {
			t.Errorf("got no %q in parley.1:\n%s", want, names["parley"])
		}
	}
	// What a page refers to is there.
	for name, page := range names {
		for _, ref := range regexp.MustCompile(`(parley[\w\\-]*?)(\\fP)?\(1\)`).FindAllStringSubmatch(page, -1) {
			if to := strings.ReplaceAll(ref[1], `\`, ""); names[to] == "" {
				t.Errorf("%s.1 refers to %s, which has no page", name, to)
			}
		}
	}
}

// A page is read without a warning.
func TestThePagesAreWellFormed(t *testing.T) {
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skip("groff is not installed")
	}
	pages, err := manPages("1.2.3", noon)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pages {
		cmd := exec.CommandContext(t.Context(), groff, "-man", "-Tutf8", "-Kutf8", "-ww")
		cmd.Stdin = bytes.NewReader(p.data)
		var complaints bytes.Buffer
		cmd.Stderr = &complaints
		if err := cmd.Run(); err != nil || complaints.Len() > 0 {
			t.Errorf("%s: got %v and %s", p.name, err, &complaints)
		}
	}
}

func TestEveryShellHasACompletion(t *testing.T) {
	scripts, err := completions()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range scripts {
		names = append(names, s.name)
		if !bytes.Contains(s.data, []byte("parley")) {
			t.Errorf("%s does not name parley", s.name)
		}
	}
	if want := []string{"completions/parley.bash", "completions/_parley", "completions/parley.fish", "completions/parley.ps1"}; !slices.Equal(names, want) {
		t.Errorf("got %q, want %q", names, want)
	}
}

func TestTheModulesOfAProgramAreListed(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	first, err := moduleList(self, []byte("program"), "parley_1_linux_amd64", "1", noon)
	if err != nil {
		t.Fatal(err)
	}
	second, _ := moduleList(self, []byte("program"), "parley_1_linux_amd64", "1", noon)
	if !bytes.Equal(first, second) {
		t.Error("got two lists of one program, want the same bytes")
	}
	var b bill
	if err := json.Unmarshal(first, &b); err != nil {
		t.Fatal(err)
	}
	if b.Format != "CycloneDX" || b.Spec != "1.6" || b.Version != 1 || b.Metadata.Timestamp != "2026-11-24T12:00:00Z" || !regexp.MustCompile(`^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`).MatchString(b.Serial) {
		t.Errorf("got %+v", b)
	}
	for _, want := range []string{"pkg:golang/std@", "pkg:golang/github.com/spf13/cobra@v", "pkg:golang/charm.land/bubbletea/v2@v"} {
		if !slices.ContainsFunc(b.Components, func(c component) bool { return strings.HasPrefix(c.PURL, want) }) {
			t.Errorf("got no component %s", want)
		}
	}
	if len(b.Dependencies) != 1 || len(b.Dependencies[0].DependsOn) != len(b.Components) || b.Dependencies[0].Ref != b.Metadata.Component.Ref {
		t.Errorf("got the dependencies %+v", b.Dependencies)
	}
}

// What makes the man pages is not in the program.
func TestTheProgramHasNoGeneratorOfPages(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), "go", "list", "-deps", ".")
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	for pkg := range strings.Lines(string(out)) {
		if strings.Contains(pkg, "md2man") || strings.Contains(pkg, "cobra/doc") || strings.Contains(pkg, "blackfriday") {
			t.Errorf("got %s in the program", strings.TrimSpace(pkg))
		}
	}
}

func TestBadSettingsAreRefused(t *testing.T) {
	for _, version := range []string{"", "v1", "1 2", "1/2", "-X"} {
		r := release{version: version, out: t.TempDir()}
		if err := r.run(context.Background(), nil); err == nil || !strings.Contains(err.Error(), "no version") {
			t.Errorf("%q: got %v, want a refusal", version, err)
		}
	}
	for _, epoch := range []string{"now", "-5", "12", "1e9"} {
		if at, err := sourceTime(context.Background(), epoch); err == nil {
			t.Errorf("%q: got %v, want a refusal", epoch, at)
		}
	}
	if at, err := sourceTime(context.Background(), "1795521600"); err != nil || at.Year() != 2026 {
		t.Errorf("got %v and %v, want a time of 2026", at, err)
	}
}

func TestChecksumsAreSorted(t *testing.T) {
	r := release{out: t.TempDir()}
	for _, name := range []string{"b", "a"} {
		if err := os.WriteFile(filepath.Join(r.out, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.checksums([]string{"b", "a"}); err != nil {
		t.Fatal(err)
	}
	const empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	if got, _ := os.ReadFile(filepath.Join(r.out, "SHA256SUMS")); string(got) != empty+"  a\n"+empty+"  b\n" {
		t.Errorf("got %s", got)
	}
}
