package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// mark is a file of a copy, so that nothing else is taken for one.
const mark = ".parley-recipes"

// mirror makes dir a copy of a module, with what is not committed and without what Git ignores. It
// leaves a file that is the same already, so that Go's caches know it.
func mirror(ctx context.Context, module, dir string) error {
	if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 {
		if _, err := os.Stat(path(dir, mark)); err != nil {
			return fmt.Errorf("%s is neither empty nor a copy of the module", dir)
		}
	}
	list := exec.CommandContext(ctx, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	list.Dir = module
	out, err := list.Output()
	if err != nil {
		return fmt.Errorf("git ls-files: %w", err)
	}
	keep := map[string]bool{mark: true}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		switch err := copyFile(path(module, name), path(dir, name)); {
		case errors.Is(err, fs.ErrNotExist): // deleted and not committed
		case err != nil:
			return err
		default:
			keep[name] = true
		}
	}
	if err := os.WriteFile(path(dir, mark), nil, 0o644); err != nil {
		return err
	}
	return filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, file)
		if err != nil || keep[filepath.ToSlash(name)] {
			return err
		}
		return os.Remove(file)
	})
}

// copyFile copies a file unless the copy is the same.
func copyFile(from, to string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if old, err := os.ReadFile(to); err == nil && bytes.Equal(old, text) {
		return nil
	}
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return os.WriteFile(to, text, info.Mode().Perm())
}

// runIn runs a command in a copy and returns the end of its output.
func runIn(ctx context.Context, dir string, command []string) (string, error) {
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Dir = dir
	// Compiled code knows nothing of the folder, so that the next copy finds it in the cache.
	cmd.Env = append(os.Environ(), "GOFLAGS="+strings.TrimSpace(os.Getenv("GOFLAGS")+" -trimpath"))
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	out, err := cmd.CombinedOutput()
	const most = 8 << 10
	return string(out[max(0, len(out)-most):]), err
}
