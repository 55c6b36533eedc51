package wire

import (
	"slices"
	"strings"
	"testing"

	"parley/a2a"
	"parley/session/annotation"
	"parley/themes"
)

func TestCommentsAreSeenInRowAndRecordAndFiltered(t *testing.T) {
	p := openPane(booking(), themes.Mono(), 62, 30)
	p.Select(5)
	if got := press(p, ";"); got != (AskComment{5}) {
		t.Errorf("got %+v for ;, want a question for the comment on record 5", got)
	}
	p.SetRemarks(&annotation.Content{Remarks: map[a2a.RecordID]annotation.Remark{
		5: {Comment: "Is this chunk \x1b[2J complete?"}, 7: {Marked: true, Comment: "later"}, 10: {Marked: true},
	}})
	has(t, p, "✎ ▤ itinerary.md", "✎ Is this chunk", "◆7 ", "◆10 ")
	if text := screen(p); strings.Contains(text, "\x1b[2J") {
		t.Errorf("got a terminal command in\n%s", text)
	}
	for filter, want := range map[string][]a2a.RecordID{"comment": {5, 7}, "comment:complete": {5}, "marked comment": {7}} {
		p.setFilter(filter)
		if got := slices.Collect(p.rows.hits.all()); !slices.Equal(got, want) {
			t.Errorf("%s: got records %v, want %v", filter, got, want)
		}
	}
	p.setFilter("comment")
	p.SetRemarks(&annotation.Content{Remarks: map[a2a.RecordID]annotation.Remark{9: {Marked: true, Comment: "x"}}})
	p.Lines()
	if got := slices.Collect(p.rows.hits.all()); !slices.Equal(got, []a2a.RecordID{9}) {
		t.Errorf("got records %v after the comments changed, want 9", got)
	}
}

// A mark that was saved is there when its record is, and the user's own is told at once.
func TestASavedMarkAppearsWithItsRecord(t *testing.T) {
	f := booking()
	p := openPane(f, themes.Mono(), 62, 30)
	p.SetRemarks(&annotation.Content{Remarks: map[a2a.RecordID]annotation.Remark{3: {Marked: true}, 12: {Marked: true}, 4000: {Marked: true}}})
	p.setFilter("marked")
	if got := slices.Collect(p.Marks()); !slices.Equal(got, []a2a.RecordID{3}) {
		t.Errorf("got marks %v, want 3", got)
	}
	f.Event(1, result(`{"statusUpdate":{`+ids+`,"status":{"state":"TASK_STATE_WORKING"}}}`))
	p.Lines()
	if got := slices.Collect(p.Marks()); !slices.Equal(got, []a2a.RecordID{3, 12}) || !slices.Equal(slices.Collect(p.rows.hits.all()), got) {
		t.Errorf("got marks %v and hits %v, want 3 and 12", got, slices.Collect(p.rows.hits.all()))
	}
	var told []a2a.RecordID
	p.OnMark(func(id a2a.RecordID, marked bool) {
		if marked != (id == 4) {
			t.Errorf("got record %d marked %v, want the opposite", id, marked)
		}
		told = append(told, id)
	})
	p.Mark(4)
	p.Mark(3)
	p.Mark(5000)
	if !slices.Equal(told, []a2a.RecordID{4, 3}) {
		t.Errorf("got %v told, want 4 and 3", told)
	}
}
