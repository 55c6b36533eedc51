package cli

import (
	"runtime/debug"
	"testing"
)

func TestTheVersionNamesTheCommitAndGo(t *testing.T) {
	t.Parallel()
	setting := func(key, value string) debug.BuildSetting { return debug.BuildSetting{Key: key, Value: value} }
	for _, c := range []struct {
		version string
		info    debug.BuildInfo
		want    string
	}{
		{"0.1.0-dev", debug.BuildInfo{GoVersion: "go1.26.1"}, "0.1.0-dev (go1.26.1)"},
		{"0.1.0-dev", debug.BuildInfo{GoVersion: "go1.26.1", Main: debug.Module{Version: "(devel)"}}, "0.1.0-dev (go1.26.1)"},
		{"0.1.0-dev", debug.BuildInfo{GoVersion: "go1.26.1", Main: debug.Module{Version: "v0.3.0"}}, "0.3.0 (go1.26.1)"},
		{
			"0.2.0", debug.BuildInfo{GoVersion: "go1.26.1", Main: debug.Module{Version: "v0.0.0-1"}, Settings: []debug.BuildSetting{setting("vcs.revision", "0123456789abcdef"), setting("vcs.modified", "false")}},
			"0.2.0 (commit 0123456789ab, go1.26.1)",
		},
		{
			"0.1.0-dev", debug.BuildInfo{GoVersion: "go1.26.1", Main: debug.Module{Version: "v0.0.0-1"}, Settings: []debug.BuildSetting{setting("vcs.revision", "0123"), setting("vcs.modified", "true")}},
			"0.1.0-dev (commit 0123, changed, go1.26.1)",
		},
	} {
		if got := describeBuild(c.version, &c.info); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
