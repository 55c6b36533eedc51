package model

import (
	"fmt"
	"testing"

	"parley/a2a"
)

// Hostile pages: the same page without end, empty ids, very many tasks.
func TestPagesThatLieAddNothingTwice(t *testing.T) {
	l := &TaskList{}
	page := func(id a2a.RecordID, token string, tasks ...a2a.Task) {
		l.ask(&a2a.Record{ID: id, Raw: []byte(`{"params":{"pageToken":"` + token + `"}}`)})
		l.put(&a2a.Record{ID: id + 1}, &a2a.Event{Kind: a2a.EventTaskList, Tasks: tasks, NextPageToken: "again"})
	}
	page(1, "", a2a.Task{ID: "a"}, a2a.Task{ID: "b"}, a2a.Task{ID: "a"}, a2a.Task{}, a2a.Task{})
	if len(l.Tasks) != 4 || l.NewTasks != 4 {
		t.Fatalf("got %d tasks, %d new; want 4, 4", len(l.Tasks), l.NewTasks)
	}
	page(3, "again", a2a.Task{ID: "b"}, a2a.Task{ID: "a"})
	if len(l.Tasks) != 4 || l.NewTasks != 0 || l.Find("a").Record != 4 {
		t.Errorf("got %d tasks, %d new; want 4, 0", len(l.Tasks), l.NewTasks)
	}
	many := make([]a2a.Task, 100_000)
	for i := range many {
		many[i].ID = fmt.Sprint(i)
	}
	page(5, "again", many...)
	if len(l.Tasks) != 100_004 {
		t.Errorf("got %d tasks, want 100004", len(l.Tasks))
	}
}
