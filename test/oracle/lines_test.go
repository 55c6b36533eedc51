//go:build unix

package oracle

import (
	"os"
	"strings"
	"testing"
)

// A story is a paragraph of lines.txt: command lines that run one after the other.
type story struct {
	group string   // the name of its golden file
	exact bool     // nothing of it differs from run to run but folders and versions
	about []string // its comment
	lines []string
}

// stories reads the command lines. "[NAME]" begins a group, "[NAME] exact" an exact one.
func stories(t *testing.T) []story {
	t.Helper()
	text, err := os.ReadFile("testdata/lines.txt")
	if err != nil {
		t.Fatal(err)
	}
	return parseStories(string(text))
}

func parseStories(text string) (all []story) {
	var now story
	end := func() {
		if len(now.lines) > 0 {
			all = append(all, now)
		}
		now = story{group: now.group, exact: now.exact}
	}
	for line := range strings.SplitSeq(text, "\n") {
		switch {
		case line == "":
			end()
		case line[0] == '[':
			end()
			name, kind, _ := strings.Cut(line, " ")
			now.group, now.exact = strings.Trim(name, "[]"), kind == "exact"
		case line[0] == '#':
			now.about = append(now.about, line)
		default:
			now.lines = append(now.lines, line)
		}
	}
	end()
	return all
}

func TestStoriesAreParagraphs(t *testing.T) {
	got := parseStories("# a file\n\n[one]\n# first\na\nb\n\nc\n[two] exact\nd\n")
	if len(got) != 3 || len(got[0].lines) != 2 || len(got[0].about) != 1 || got[1].group != "one" || len(got[1].about) != 0 || got[2].group != "two" || got[2].lines[0] != "d" || got[1].exact || !got[2].exact {
		t.Errorf("got %+v, want two stories of one and one of two", got)
	}
}
