package cli

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// checkSARIF checks the members that SARIF 2.1.0 requires (sections 3.13 to 3.49), and the values
// that it limits.
func checkSARIF(t *testing.T, raw string) (results []any) {
	t.Helper()
	var doc map[string]any
	if err := json.Unmarshal([]byte(raw), &doc); err != nil {
		t.Fatal(err)
	}
	runs, _ := doc["runs"].([]any)
	if doc["version"] != "2.1.0" || !strings.HasPrefix(fmt.Sprint(doc["$schema"]), "https://") || len(runs) != 1 {
		t.Fatalf("got no log of SARIF 2.1.0 with a run:\n%.300s", raw)
	}
	run := runs[0].(map[string]any)
	driver, _ := at(run, "tool", "driver").(map[string]any)
	rules, _ := driver["rules"].([]any)
	if name, _ := driver["name"].(string); name == "" {
		t.Error("got no name of the tool, want one")
	}
	seen := map[string]bool{}
	for _, r := range rules {
		rule := r.(map[string]any)
		id, _ := rule["id"].(string)
		if id == "" || seen[id] {
			t.Errorf("got rule %v, want an id of its own", rule)
		}
		seen[id] = true
		for _, text := range []string{"shortDescription", "help"} {
			if m, there := rule[text].(map[string]any); there && m["text"] == "" {
				t.Errorf("rule %s: got %s without text", id, text)
			}
		}
	}
	results, there := run["results"].([]any)
	if !there {
		t.Fatal("got no array of results, want one")
	}
	for _, r := range results {
		result := r.(map[string]any)
		index, _ := result["ruleIndex"].(float64)
		if int(index) >= len(rules) || at(rules[int(index)].(map[string]any), "id") != result["ruleId"] {
			t.Errorf("got result %v, want the index of its rule", result)
		}
		if !strings.Contains("none note warning error", fmt.Sprint(result["level"])) || fmt.Sprint(at(result, "message", "text")) == "" {
			t.Errorf("got result %v, want a level and a text", result)
		}
		uri, _ := at(result, "locations", 0, "physicalLocation", "artifactLocation", "uri").(string)
		if u, err := url.Parse(uri); err != nil || uri == "" || u.String() != uri {
			t.Errorf("got URI %q (%v), want a valid one", uri, err)
		}
		if region, there := at(result, "locations", 0, "physicalLocation").(map[string]any)["region"].(map[string]any); there {
			if n, _ := region["startLine"].(float64); n < 1 || n != float64(int(n)) {
				t.Errorf("got region %v, want a line from 1", region)
			}
		}
	}
	return results
}

// A finding in a session names the line of its record.
func TestReportsOfASessionNameLines(t *testing.T) {
	t.Parallel()
	s := newStub(t, plainCard, func(q *asked, w http.ResponseWriter) {
		q.result(w, task(`{"id":"t1","contextId":"c1","status":{"state":"TASK_STATE_COMPLETED","timestamp":"soon"},"artifacts":[{"parts":[{"text":"`+strings.Repeat("x", 200_000)+`"}]}]}`))
	})
	dir := t.TempDir()
	session, sarif, junit := filepath.Join(dir, "my session.jsonl"), filepath.Join(dir, "sarif"), filepath.Join(dir, "junit")
	parley(t, "send", "-a", s.URL, "x", "--record", session)
	parley(t, "check", session, "--sarif", sarif, "--junit", junit)
	lines := strings.Split(file(t, session), "\n")
	results := checkSARIF(t, file(t, sarif))
	if len(results) == 0 {
		t.Fatal("got no results, want some")
	}
	for _, r := range results {
		place := at(r.(map[string]any), "locations", 0).(map[string]any)
		n, _ := at(place, "physicalLocation", "region", "startLine").(float64)
		name := fmt.Sprint(at(place, "logicalLocations", 0, "name"))
		if n < 1 || !strings.HasPrefix(lines[int(n)-1], `{"id":`+strings.TrimPrefix(name, "record ")+",") {
			t.Errorf("got line %v for %s, want that of the record", n, name)
		}
		if uri := fmt.Sprint(at(place, "physicalLocation", "artifactLocation", "uri")); !strings.HasSuffix(uri, "my%20session.jsonl") {
			t.Errorf("got URI %q, want the session", uri)
		}
	}
	var report junitReport
	if err := xml.Unmarshal([]byte(file(t, junit)), &report); err != nil {
		t.Fatal(err)
	}
	for _, c := range report.Suite.Cases {
		if c.Class == "parley.check.rule" && (c.File != session || c.Line < 1) {
			t.Errorf("got case %+v, want the file and a line", c)
		}
	}
}

// What no session has, such as a live agent, has no line.
func TestReportsOfAnAgentAreValid(t *testing.T) {
	t.Parallel()
	for name, agent := range demos(t) {
		sarif := filepath.Join(t.TempDir(), "sarif")
		for _, ref := range []string{agent, strings.TrimPrefix(agent, "http://")} {
			parley(t, "check", ref, "--sarif", sarif)
			raw, err := os.ReadFile(sarif)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			checkSARIF(t, string(raw))
		}
	}
}
