package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// requirements are the identifiers of the A2A CLI specification 0.2, by tier.
var requirements = [3][]string{
	strings.Fields("CARD_GET_001 SEND_001 SEND_002 SEND_003 SEND_004 SEND_005 SEND_006 TASK_GET_001 TASK_CANCEL_001 INTERACT_001 INTERACT_002 INTERACT_003 INTERACT_004 INTERACT_005 TASK_POLL_001 TASK_POLL_002 TASK_POLL_003 TASK_POLL_004 OUT_001 OUT_002 OUT_003 OUT_004 OUT_005 OUT_006 EXIT_001 EXIT_002 AUTH_001 AUTH_002 AUTH_003 AUTH_004 TX_001 TX_002 TX_003 VER_001 DEFAULT_001 CONFIG_001 CLI_001 SKILL_001 SKILL_002"),
	strings.Fields("CARD_GET_002 TASK_LIST_001 TASK_SUBSCRIBE_001 TASK_SUBSCRIBE_002 AUTH_005 AUTH_006 AUTH_007 TX_004 VER_003 CONFIG_002 DOWNLOAD_001 OUT_007 CONFORM_001 CLI_002 PUSH_001"),
	strings.Fields("CARD_GET_003 AUTH_008 CARD_GET_004 CARD_GET_005 PUSH_002 CHAT_001 TX_005 AUTH_009 AUTH_010 AUTH_011 DEMO_SERVER_001 VER_002"),
}

// The report has every requirement once, with tests that exist or a reason, and its counts are
// right.
func TestTheComplianceReportIsTrue(t *testing.T) {
	t.Parallel()
	report := file(t, "../../docs/cli-compliance.md")
	there := testNames(t)
	row := regexp.MustCompile("(?m)^\\| `A2ACLI_([A-Z_]+_\\d{3})` \\| [^|]+ \\| (\\S+) [A-Za-z]+ \\| ([^|]*) \\| ([^|]*) \\|$")
	marks, notes := map[string]string{}, map[string]string{}
	for _, m := range row.FindAllStringSubmatch(report, -1) {
		if marks[m[1]] != "" {
			t.Errorf("got %s twice, want it once", m[1])
		}
		marks[m[1]], notes[m[1]] = m[2], strings.TrimSpace(m[4])
		tests := regexp.MustCompile("`((?:Test|Fuzz)[A-Za-z0-9]+)`").FindAllStringSubmatch(m[3], -1)
		if m[2] == "✅" && len(tests) == 0 {
			t.Errorf("%s: got no test, want evidence", m[1])
		}
		for _, test := range tests {
			if !there[test[1]] {
				t.Errorf("%s: got test %s, want one that exists", m[1], test[1])
			}
		}
	}
	for i, tier := range requirements {
		count := map[string]int{}
		for _, id := range tier {
			count[marks[id]]++
			switch mark := marks[id]; {
			case !strings.Contains("✅ ◐ ❌", mark) || mark == "":
				t.Errorf("%s: got mark %q, want one of the legend", id, mark)
			case mark != "✅" && notes[id] == "":
				t.Errorf("%s: got %s without a note", id, mark)
			}
		}
		want := fmt.Sprintf("| %d | %d | %d | %d | 0 | 0 |", len(tier), count["✅"], count["◐"], count["❌"])
		if !regexp.MustCompile(fmt.Sprintf(`(?m)^\| Tier %d: \w+ %s`, i+1, regexp.QuoteMeta(want))).MatchString(report) {
			t.Errorf("got other counts of tier %d than %q", i+1, want)
		}
	}
	if n := len(requirements[0]) + len(requirements[1]) + len(requirements[2]); len(marks) != n {
		t.Errorf("got %d requirements, want %d", len(marks), n)
	}
}

// testNames are the tests that the report may name.
func testNames(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for _, pattern := range []string{"*_test.go", "../../a2a/*_test.go", "../../a2a/*/*_test.go", "../../internal/signin/*_test.go", "../../test/interop/*_test.go"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range found {
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)[A-Za-z0-9]+)\(`).FindAllStringSubmatch(string(b), -1) {
				names[m[1]] = true
			}
		}
	}
	return names
}
