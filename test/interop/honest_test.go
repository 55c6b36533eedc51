package interop

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parley/a2a"
	"parley/a2a/grpc"
	"parley/session/chain"
	"parley/session/export"
	"parley/session/log"
)

// TestHonestAgents uses every agent over each of its bindings in many ways. Nothing may be said against an agent
// but what violations explains: no finding of a rule, no failed check. HONEST=all tries every agent in every way,
// otherwise each agent is tried in some ways, and each way with some agents.
func TestHonestAgents(t *testing.T) {
	parley := build(t, filepath.Join("..", ".."), ".")
	all := os.Getenv("HONEST") == "all"
	for i, s := range honestAgents() {
		t.Run(s.module+"/"+string(s.dialect), func(t *testing.T) {
			t.Parallel()
			for k, w := range honestWays {
				if !w.suits(&s) || !all && !inPart(i, k) {
					continue
				}
				t.Run(w.name, func(t *testing.T) {
					t.Parallel()
					j := &judge{t: t, parley: parley, s: s, url: start(t, s.module), seen: findings{}}
					w.try(j)
					j.seen.explain(t, s.module+" "+string(s.dialect))
				})
			}
		})
	}
}

// honestAgents returns the agents, one for each binding. The tenants are the agent at /rest once more.
func honestAgents() (list []sdk) {
	for _, s := range slices.Concat(sdks, restSDKs, grpcSDKs) {
		if s.tenant == "" {
			list = append(list, s)
		}
	}
	return list
}

// inPart reports whether the gate of a change tries an agent in a way.
func inPart(agent, way int) bool { return (agent+way)%7 == 0 }

func TestThePartOfHonestHasEachAgentAndEachWay(t *testing.T) {
	t.Parallel()
	agents, ways := map[string]int{}, map[string]int{}
	for i, s := range honestAgents() {
		for j, w := range honestWays {
			if w.suits(&s) && inPart(i, j) {
				agents[s.module+" "+string(s.dialect)]++
				ways[w.name]++
			}
		}
	}
	for _, s := range honestAgents() {
		if name := s.module + " " + string(s.dialect); agents[name] < 2 {
			t.Errorf("%s: got %d ways, want 2 or more", name, agents[name])
		}
	}
	for _, w := range honestWays {
		if ways[w.name] == 0 {
			t.Errorf("%s: got no agent, want one", w.name)
		}
	}
}

// A judge uses an agent as a user does who believes what Parley says.
type judge struct {
	t      *testing.T
	parley string
	s      sdk
	url    string // of the agent
	seen   findings
	files  int
}

// flags returns the flags that choose the binding at an address.
func (j *judge) flags(url string) []string { return j.s.flags(url) }

// run runs a command and returns its output, its errors and its exit status.
func (j *judge) run(stdin string, args ...string) (out, said string, exit int) {
	j.t.Helper()
	cmd := exec.Command(j.parley, args...)
	home := j.t.TempDir()
	cmd.Dir, cmd.Env, cmd.Stdin = home, []string{"HOME=" + home}, strings.NewReader(stdin)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		failed, ok := errors.AsType[*exec.ExitError](err)
		if !ok {
			j.t.Fatalf("%s: %v", args, err)
		}
		exit = failed.ExitCode()
	}
	return stdout.String(), stderr.String(), exit
}

// file returns the path of a new file.
func (j *judge) file() string {
	j.files++
	return filepath.Join(j.t.TempDir(), fmt.Sprintf("%d.jsonl", j.files))
}

// on runs a command about the agent at an address in a process of its own. It must succeed. It returns the id of
// the last task that the output names.
func (j *judge) on(url string, args ...string) (task string) {
	j.t.Helper()
	out, said, exit := j.recorded(url, "", args...)
	if exit != 0 {
		j.t.Errorf("parley %s: got exit %d, want 0\n%s%s", strings.Join(args, " "), exit, out, said)
	}
	return lastTask(out)
}

// refused runs a command that the agent may refuse.
func (j *judge) refused(url string, args ...string) {
	j.t.Helper()
	if out, said, exit := j.recorded(url, "", append(args, "--timeout", "3s")...); strings.Contains(said, "ERR_INTERNAL") {
		j.t.Errorf("parley %s: got exit %d as if Parley were wrong\n%s%s", strings.Join(args, " "), exit, out, said)
	}
}

// recorded runs a command, and adds the findings that it reports and those of its recording.
func (j *judge) recorded(url, stdin string, args ...string) (out, said string, exit int) {
	j.t.Helper()
	file, found := j.file(), j.file()
	args = append(slices.Concat(args, j.flags(url)), "-a", url, "--record", file, "--findings", found, "--poll-interval", "20ms", "-o", "json")
	out, said, exit = j.run(stdin, args...)
	j.seen.addFile(j.t, file)
	j.seen.addReported(j.t, found)
	return out, said, exit
}

// lastTask returns the id of the last task in documents of JSON.
func lastTask(out string) (id string) {
	type update struct{ TaskID string }
	for dec := json.NewDecoder(strings.NewReader(out)); ; {
		var doc struct {
			task
			Task                         task
			StatusUpdate, ArtifactUpdate update
		}
		if dec.Decode(&doc) != nil {
			return id
		}
		for _, name := range []string{doc.ID, doc.Task.ID, doc.StatusUpdate.TaskID, doc.ArtifactUpdate.TaskID} {
			if name != "" {
				id = name
			}
		}
	}
}

// addFile adds the findings of a recording.
func (f findings) addFile(t *testing.T, path string) {
	t.Helper()
	state, _, err := export.Read(t.Context(), export.Source{
		Path: path, Formats: map[a2a.Binding]a2a.Format{a2a.BindingGRPC: grpc.NewFormat()},
		Rules: func() log.Checker { return chain.NewChecker() }, Report: func(read, size int64) {},
	})
	if err != nil {
		t.Errorf("%s: %v", path, err)
		return
	}
	f.addLog(state.Log)
}

// addReported adds the findings that a command wrote to a file.
func (f findings) addReported(t *testing.T, path string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Errorf("got no report of the findings: %v", err)
	}
	for line := range strings.Lines(string(text)) {
		var one struct{ Rule, Severity, Message string }
		if err := json.Unmarshal([]byte(line), &one); err != nil || one.Rule == "" {
			t.Errorf("got the report %q (%v), want a finding", line, err)
		} else if one.Severity != a2a.Info.String() {
			f[one.Rule+" of a report"] = line
		}
	}
}

// examined runs the commands that judge an agent, with further flags.
func (j *judge) examined(url string, flags ...string) {
	j.t.Helper()
	for _, args := range examinations {
		j.examine(url, args, flags)
	}
}

// examinations are the commands that judge an agent.
var examinations = [][]string{{"doctor", "--send"}, {"check"}, {"conformance", "--message", "count 2"}}

// examine runs a command that judges an agent. What failed, and the findings and warnings, count as findings.
func (j *judge) examine(url string, args, flags []string) {
	j.t.Helper()
	out, said, exit := j.run("", slices.Concat(args, []string{url}, flags)...)
	if exit != 0 && exit != 10 {
		j.t.Errorf("%s %s: got exit %d, want 0 or 10\n%s%s", args, url, exit, out, said)
	}
	j.note(args[0], out)
}

// note adds what a command that judges an agent says against it.
func (j *judge) note(command, out string) {
	for line := range strings.Lines(out) {
		line = strings.TrimSpace(line)
		word, rest, _ := strings.Cut(line, ": ")
		what, _, _ := strings.Cut(rest, ": ")
		switch {
		case word == "Warning" && (what == "caution" || what == "version" && j.s.path != ""):
			// It is for the user, or about the endpoint of the test, which the card does not have.
		case word == "Failed" || word == "Warning":
			j.seen[word+": "+what] = command + ": " + line
		case word == "Finding" && !strings.HasPrefix(rest, "info "):
			if _, rule, ok := strings.Cut(rest, " "); ok {
				rule, _, _ = strings.Cut(rule, " ")
				j.seen[rule+" of a report"] = command + ": " + line
			}
		}
	}
}

// explain fails for a finding that violations does not explain.
func (f findings) explain(t *testing.T, agent string) {
	t.Helper()
	for _, key := range slices.Sorted(maps.Keys(f)) {
		if violations[agent][key] == "" && !explained(agent, key) {
			t.Errorf("nothing explains %s: %s", key, f[key])
		}
	}
}

// explained reports whether a failure, or the finding of a report, which may not say of which operation it is, comes
// from what violations explains.
func explained(agent, key string) bool {
	rule, reported := strings.CutSuffix(key, " of a report")
	if !reported {
		if failures[agent][key].why != "" {
			return true
		}
		rule = broken[key]
	}
	for known := range violations[agent] {
		if rule != "" && strings.HasPrefix(known, rule+" ") {
			return true
		}
	}
	return false
}
