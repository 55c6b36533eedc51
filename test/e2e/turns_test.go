//go:build unix

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A fork sends the id of its original task. A message returns to the composer for editing and
// resending, and the list of targets gives the reason for impossible targets.
func TestATurnIsForkedQuotedAndSentAnew(t *testing.T) {
	t.Parallel()
	journal := filepath.Join(t.TempDir(), "run.jsonl")
	s := parley(t, 160, 50, "demo", "--record", journal)
	s.WaitFor(`❯ Book me a flight`)
	s.Keys("Enter")
	s.WaitFor(`reply to task`)
	s.WaitFor(`❯ London`)
	s.Keys("Tab")
	s.WaitFor(`enter (show )?record`)
	s.Text("B")
	s.WaitFor(`⑂ fork: new conversation`)
	s.Text("Book me a flight too")
	s.WaitFor(`❯ Book me a flight too`)
	s.Keys("Enter")
	s.WaitFor(`2 waiting`)
	s.Text("/target")
	s.WaitFor(`❯ /target`)
	s.Keys("Enter")
	s.WaitFor(`belongs to another context`)
	s.Keys("Escape")
	s.WaitGone(`belongs to another context`)
	s.Keys("Tab")
	s.WaitFor(`enter (show )?record`)
	s.Text("E")
	s.WaitFor(`❯ Book me a flight too`)
	s.Keys("C-c")
	s.WaitGone(`❯ Book me a flight too`)
	quit(t, s)
	data, err := os.ReadFile(journal)
	if err != nil || !strings.Contains(string(data), `referenceTaskIds`) {
		t.Errorf("got no message with referenceTaskIds (%v)", err)
	}
}
