package cli

import (
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

// version is set by the linker in releases.
var version = "0.1.0-dev"

// Version returns the version of the program.
func Version() string { return version }

// Commands returns the tree of commands, for what is made from it: man pages and completions.
func Commands() *cobra.Command { return (&app{}).rootCommand() }

// versionWords names the version, the commit and the version of Go that a program was built with.
func versionWords() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return version + " (" + runtime.Version() + ")"
	}
	return describeBuild(version, info)
}

// describeBuild names a version with what its build is known to be.
func describeBuild(version string, info *debug.BuildInfo) string {
	commit, changed := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			commit = s.Value[:min(len(s.Value), 12)]
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = ", changed"
		}
	}
	if v := strings.TrimPrefix(info.Main.Version, "v"); strings.HasSuffix(version, "-dev") && commit == "" && v != "" && v != "(devel)" {
		version = v // go install MODULE@VERSION
	}
	words := info.GoVersion
	if commit != "" {
		words = "commit " + commit + changed + ", " + words
	}
	return version + " (" + words + ")"
}
