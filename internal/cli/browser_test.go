//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"testing"
)

func TestThereMayBeNothingToOpenThingsWith(t *testing.T) {
	t.Parallel()
	dir := alone(t, "PATH=DIR")
	if dir == "" {
		return
	}
	env := map[string]string{}
	getenv := func(name string) string { return env[name] }
	if err := opener("linux", getenv)("/x"); err == nil || err.Error() != "this machine has no desktop to open it on" {
		t.Errorf("without a desktop: got error %v", err)
	}
	env["DISPLAY"] = ":0"
	if err := opener("linux", getenv)("/x"); err == nil || err.Error() != "this system has no xdg-open" {
		t.Errorf("without xdg-open: got error %v", err)
	}
	script := "#!/bin/sh\necho \"$1\" > " + filepath.Join(dir, "got") + "\ntest \"$1\" = /good\n"
	writeProgram(t, filepath.Join(dir, "xdg-open"), script)
	if err := opener("linux", getenv)("/bad"); err == nil || err.Error() != "xdg-open found no program for it" {
		t.Errorf("failing opener: got error %v", err)
	}
	if err := opener("linux", getenv)("/good"); err != nil {
		t.Errorf("working opener: got error %v, want none", err)
	}
	if data, _ := os.ReadFile(filepath.Join(dir, "got")); string(data) != "/good\n" {
		t.Errorf("the opener got %q, want /good", data)
	}
}

// Whatever a target contains, the system's program gets it as one argument, and no shell reads it.
func TestATargetIsOneArgumentThatNoShellReads(t *testing.T) {
	t.Parallel()
	dir := alone(t, "PATH=DIR:/usr/bin:/bin")
	if dir == "" {
		return
	}
	got, ran := filepath.Join(dir, "got"), filepath.Join(dir, "ran")
	script := "#!/bin/sh\nprintf '%s|' \"$#\" \"$@\" >" + got + "\n"
	writeProgram(t, filepath.Join(dir, "xdg-open"), script)
	open := opener("linux", func(string) string { return ":0" })
	for _, target := range []string{
		"https://h.example/?a=1&b=$(touch " + ran + ")",
		"https://h.example/`touch " + ran + "`;touch " + ran,
		"https://h.example/ --help\n'\"",
	} {
		if err := open(target); err != nil {
			t.Errorf("%q: got error %v, want none", target, err)
		}
		if data, _ := os.ReadFile(got); string(data) != "1|"+target+"|" {
			t.Errorf("got arguments %q, want one: %q", data, target)
		}
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("a command in a target was run")
	}
}
