// Release builds the archives of Parley, one for each platform, and their checksums. An
// archive has the program, its licence, README, man pages and completions; beside it stands
// the list of the modules that it contains.
//
// Two builds of the same commit are the same, byte for byte: nothing in them depends on the time, the
// machine or the folder. The time of all files is SOURCE_DATE_EPOCH, or that of the commit.
package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"parley/internal/cli"
)

// platforms are those of a release.
const platforms = "linux/amd64,linux/arm64,darwin/amd64,darwin/arm64,windows/amd64,windows/arm64"

func main() {
	var r release
	flag.StringVar(&r.version, "version", cli.Version(), "the version of the release")
	flag.StringVar(&r.out, "out", "dist", "the folder for the archives")
	list := flag.String("platforms", platforms, "what to build for")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := r.run(ctx, strings.Split(*list, ",")); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// A release is what all its archives share.
type release struct {
	version string
	out     string
	time    time.Time // of all files
	shared  []file    // in every archive
}

var validVersion = regexp.MustCompile(`^[0-9][0-9A-Za-z.+-]*$`)

// run builds the archives and writes their checksums.
func (r *release) run(ctx context.Context, targets []string) (err error) {
	if !validVersion.MatchString(r.version) {
		return fmt.Errorf("%q is no version such as 1.2.3", r.version)
	}
	if r.time, err = sourceTime(ctx, os.Getenv("SOURCE_DATE_EPOCH")); err != nil {
		return err
	}
	if r.shared, err = sharedFiles(r.version, r.time); err != nil {
		return err
	}
	if err := os.MkdirAll(r.out, 0o755); err != nil {
		return err
	}
	var written []string
	for _, target := range targets {
		names, err := r.build(ctx, target)
		if err != nil {
			return fmt.Errorf("%s: %w", target, err)
		}
		written = append(written, names...)
	}
	return r.checksums(written)
}

// sourceTime returns the time of the source: that of the environment, or of the commit.
func sourceTime(ctx context.Context, epoch string) (time.Time, error) {
	if epoch == "" {
		out, err := exec.CommandContext(ctx, "git", "log", "-1", "--format=%ct").Output()
		if err != nil {
			return time.Time{}, fmt.Errorf("without git, SOURCE_DATE_EPOCH must have the time of the source in seconds: %w", err)
		}
		epoch = strings.TrimSpace(string(out))
	}
	seconds, err := strconv.ParseInt(epoch, 10, 64)
	if err != nil || seconds < 315532800 { // a zip archive begins in 1980
		return time.Time{}, fmt.Errorf("SOURCE_DATE_EPOCH is %q, which is no time in seconds since 1970, and after 1980", epoch)
	}
	return time.Unix(seconds, 0).UTC(), nil
}

// sharedFiles returns what every archive has besides the program.
func sharedFiles(version string, at time.Time) ([]file, error) {
	var out []file
	for _, name := range []string{"LICENSE", "README.md"} {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("run this in the folder of the module: %w", err)
		}
		out = append(out, file{name: name, data: data})
	}
	pages, err := manPages(version, at)
	if err != nil {
		return nil, err
	}
	scripts, err := completions()
	if err != nil {
		return nil, err
	}
	return slices.Concat(out, pages, scripts), nil
}

// build builds the program for a platform and writes its archive and its list of modules, whose names it
// returns.
func (r *release) build(ctx context.Context, target string) (written []string, err error) {
	system, arch, ok := strings.Cut(target, "/")
	if !ok {
		return nil, fmt.Errorf("a platform is written as linux/amd64")
	}
	folder := "parley_" + r.version + "_" + system + "_" + arch
	program := "parley"
	if system == "windows" {
		program += ".exe"
	}
	temporary, err := os.MkdirTemp("", "parley-release-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temporary)
	path := filepath.Join(temporary, program)
	if err := compile(ctx, path, system, arch, r.version); err != nil {
		return nil, err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	modules, err := moduleList(path, data, folder, r.version, r.time)
	if err != nil {
		return nil, err
	}
	files := append([]file{{name: program, data: data, program: true}, {name: "parley.cdx.json", data: modules}}, r.shared...)
	pack, end := packTar, ".tar.gz"
	if system == "windows" {
		pack, end = packZip, ".zip"
	}
	archive, err := pack(folder, files, r.time)
	if err != nil {
		return nil, err
	}
	for name, content := range map[string][]byte{folder + end: archive, folder + ".cdx.json": modules} {
		if err := os.WriteFile(filepath.Join(r.out, name), content, 0o644); err != nil {
			return nil, err
		}
		written = append(written, name)
	}
	fmt.Printf("%s  %d bytes\n", filepath.Join(r.out, folder+end), len(archive))
	return written, nil
}

// compile builds the program, without anything that depends on this machine.
func compile(ctx context.Context, path, system, arch, version string) error {
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=auto", "-ldflags", "-s -w -X parley/internal/cli.version="+version, "-o", path, ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+arch, "GOFLAGS=", "GOAMD64=v1", "GOARM64=v8.0", "GOEXPERIMENT=")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, out)
	}
	return nil
}

// checksums writes the checksums of files in the form that sha256sum reads.
func (r *release) checksums(names []string) error {
	slices.SortFunc(names, cmp.Compare[string])
	var b strings.Builder
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(r.out, name))
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%x  %s\n", sha256.Sum256(data), name)
	}
	return os.WriteFile(filepath.Join(r.out, "SHA256SUMS"), []byte(b.String()), 0o644)
}
