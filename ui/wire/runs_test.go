package wire

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/tape"
	"parley/session/annotation"
	"parley/themes"
)

// essay returns a tape with a stream of n chunks, records 2 to n+1, that has not ended.
func essay(n int) *tape.Tape {
	f := tape.New()
	request(f, 0, "essay")
	for i := range n {
		f.Event(50, chunk("a", "essay.md", fmt.Sprintf(`{"text":"word %d "}`, i)))
	}
	return f
}

func TestTheChunksOfAStreamHaveOneRowAfterItsEnd(t *testing.T) {
	f := essay(82)
	p := openPane(f, themes.Mono(), 80, 30)
	if got := len(listed(p)); got != 83 {
		t.Fatalf("got %d rows while the stream is open, want 83", got)
	}
	f.End(1, a2a.Ended)
	has(t, p, "   2   +50 ms ▸ ← ▤ essay.md ×82  ▇█▇▇▇▇▇▇▇█ ", "  84    +1 ms ▁ ← end · closed by agent")
	if got := listed(p); !slices.Equal(got, []int{1, 2, 84}) {
		t.Errorf("got rows %v after the end, want 1, 2 and 84", got)
	}
	press(p, "k", "space")
	has(t, p, "word 0␣", "   9   +50 ms ▅ · word 7␣")
	if p.Selected() != 2 || len(listed(p)) != 84 {
		t.Errorf("got record %d selected and %d rows, want 2 and 84", p.Selected(), len(listed(p)))
	}
	press(p, "j", "j", "space")
	if p.Selected() != 2 || len(listed(p)) != 3 {
		t.Errorf("got record %d selected and %d rows after space on a chunk, want 2 and 3", p.Selected(), len(listed(p)))
	}
	for name, shown := range map[string]int{"+": 84, "-": 1} {
		press(p, name)
		if got := len(listed(p)); got != shown {
			t.Errorf("%s: got %d rows, want %d", name, got, shown)
		}
	}
	exact(t, p, 80, 30)
}

func TestTheChunksUnderTheCursorKeepTheirRows(t *testing.T) {
	f := essay(20)
	p := openPane(f, themes.Mono(), 80, 30)
	press(p, "k", "k")
	f.End(1, a2a.Ended)
	if got := len(listed(p)); got != 22 || p.Selected() != 19 {
		t.Errorf("got %d rows and record %d selected, want 22 and 19", got, p.Selected())
	}
	q := openPane(f, themes.Mono(), 80, 30) // as another look at the same session
	q.Select(9)
	if got := len(listed(q)); got != 22 || q.Selected() != 9 {
		t.Errorf("got %d rows and record %d selected, want 22 and 9: going to a record shows it", got, q.Selected())
	}
	press(q, "G")
	if press(p, "G"); len(listed(p)) != 3 || len(listed(q)) != 3 {
		t.Errorf("got %d and %d rows after the cursor left the run, want 3", len(listed(p)), len(listed(q)))
	}
	press(p, "k", "space")
	if q.SetFolds(p.Folds()); len(listed(q)) != 22 {
		t.Errorf("got %d rows with the folds of a pane where the run was unfolded, want 22", len(listed(q)))
	}
}

func TestARunShowsMarksFindingsAndMatches(t *testing.T) {
	f := tape.New()
	request(f, 0, "essay")
	for i := range 6 {
		var found []a2a.Finding
		if i == 3 {
			found = append(found, a2a.Finding{Rule: "GAP-001", Severity: a2a.Warning, Offset: -1, Message: "late"})
		}
		f.Event(50, chunk("a", "essay.md", fmt.Sprintf(`{"text":"word%d "}`, i)), found...)
	}
	p := openPane(f, themes.Mono(), 80, 30)
	p.Select(4)
	press(p, "m", "G")
	p.SetRemarks(&annotation.Content{Remarks: map[a2a.RecordID]annotation.Remark{4: {Marked: true}, 5: {Comment: "late"}}})
	f.End(1, a2a.Ended)
	has(t, p, "◆2   +50 ms ▸ ← ✎ ▤ essay.md ×6", " W\n")
	p.setFilter("word3")
	if got := listed(p); !slices.Equal(got, []int{5}) {
		t.Errorf("got rows %v with a filter, want the match alone", got)
	}
	p.setFilter("")
	press(p, "G")
	if find(p, "word2"); p.Selected() != 4 {
		settle(p)
	}
	if p.Selected() != 4 {
		t.Errorf("record %d is selected, want the match in the run, 4", p.Selected())
	}
}

func TestARecordThatAFilterFoundStaysSelectedWithoutTheFilter(t *testing.T) {
	f := essay(20)
	f.End(1, a2a.Ended)
	p := openPane(f, themes.Mono(), 80, 30)
	p.setFilter(`"word 1"`)
	press(p, "g", "j") // word 1, word 10
	p.setFilter("")
	if has(t, p, "word 10"); p.Selected() != 12 || len(listed(p)) != 22 {
		t.Errorf("got record %d selected and %d rows without the filter, want 12 and 22", p.Selected(), len(listed(p)))
	}
	if press(p, "G"); len(listed(p)) != 3 {
		t.Errorf("got %d rows after the cursor left the run, want 3", len(listed(p)))
	}
}

// What replaces an artifact, another artifact and a state between two chunks begin another run.
func TestARunIsOneArtifactThatGrows(t *testing.T) {
	f := essay(4)
	f.Event(1, result(`{"statusUpdate":{`+ids+`,"status":{"state":"TASK_STATE_WORKING"}}}`)) // 6
	for range 4 {
		f.Event(1, chunk("b", "other.md", `{"text":"x"}`)) // 7 to 10
	}
	f.Event(1, strings.Replace(chunk("b", "other.md", `{"text":"x"}`), `"append":true`, `"append":false`, 1)) // 11
	for range 3 {
		f.Event(1, chunk("b", "other.md", `{"text":"x"}`)) // to 14
	}
	f.End(1, a2a.Cut)
	p := openPane(f, themes.Mono(), 80, 30)
	if got := listed(p); !slices.Equal(got, []int{1, 2, 6, 7, 11, 15}) {
		t.Errorf("got rows %v, want one for each run", got)
	}
	press(p, "L") // clears
	if f.Event(1, chunk("b", "other.md", `{"text":"x"}`)); !slices.Equal(listed(p), []int{16}) {
		t.Errorf("got rows %v after clearing, want the new record", listed(p))
	}
}

// A session that was edited by hand may have records of an exchange after its end.
func TestChunksAfterTheEndKeepTheirRows(t *testing.T) {
	f := essay(5)
	f.End(1, a2a.Ended)
	p := openPane(f, themes.Mono(), 80, 30)
	for range 6 {
		f.Event(1, chunk("b", "late.md", `{"text":"x"}`)) // 8 to 13
	}
	f.Event(1, `{}`)
	if got, want := listed(p), []int{1, 2, 7, 8, 9, 10, 11, 12, 13, 14}; !slices.Equal(got, want) {
		t.Fatalf("got rows %v, want %v", got, want)
	}
	if p.rows.runAt(8) != nil {
		t.Error("the row of record 8 stands for a run, want for its record alone")
	}
}

func TestAClearedRunIsNotListed(t *testing.T) {
	f := essay(5)
	p := openPane(f, themes.Mono(), 80, 30)
	press(p, "L")
	for range 5 {
		f.Event(1, chunk("a", "essay.md", `{"text":"x"}`))
	}
	f.End(1, a2a.Ended)
	if got := listed(p); !slices.Equal(got, []int{7, 12}) {
		t.Errorf("got rows %v, want the first record of the run that was not cleared, and the end", got)
	}
	exact(t, p, 80, 30)
}

// The row of an exchange stays above its rows.
func TestTheRowOfAnExchangeStaysAboveItsRows(t *testing.T) {
	f := essay(100)
	p := openPane(f, themes.Mono(), 80, 30)
	if top := strings.Split(screen(p), "\n")[0]; !strings.Contains(top, "1          ▾ → GET /essay") || !strings.Contains(top, "100 ev") {
		t.Errorf("got %q above the rows, want the exchange", top)
	}
	press(p, "g")
	if top := strings.Split(screen(p), "\n")[0]; !strings.Contains(top, "record") {
		t.Errorf("got %q above the first row, want the names of the columns", top)
	}
	press(p, "G")
	if p.Mouse(tea.MouseClickMsg{Button: tea.MouseLeft}, 0, 0); p.Selected() != 1 {
		t.Errorf("a click on the row of the exchange selected %d, want 1", p.Selected())
	}
}
