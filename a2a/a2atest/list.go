package a2atest

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"
)

// listOptions say how an agent lists its tasks.
type listOptions struct {
	file string // what each looks like
	page int    // the page size, if the request does not ask for less
}

// listFilter is the filter of a request for tasks (specification 1.0 §3.1.4).
type listFilter struct {
	ContextID            string `json:"contextId"`
	Status               string `json:"status"`
	PageSize             int    `json:"pageSize"`
	PageToken            string `json:"pageToken"`
	StatusTimestampAfter string `json:"statusTimestampAfter"`
}

// A taskSummary has the members of a task that a list filters by.
type taskSummary struct {
	raw       json.RawMessage
	ID        string `json:"id"`
	ContextID string `json:"contextId"`
	Status    struct {
		State     string    `json:"state"`
		Timestamp time.Time `json:"timestamp"`
	} `json:"status"`
}

// matches reports whether a task passes the filter of a request.
func (n *listFilter) matches(t *taskSummary) bool {
	if n.ContextID != "" && t.ContextID != n.ContextID || n.Status != "" && t.Status.State != n.Status {
		return false
	}
	after, err := time.Parse(time.RFC3339, n.StatusTimestampAfter)
	return n.StatusTimestampAfter == "" || err == nil && t.Status.Timestamp.After(after)
}

// listTasks answers a request for a list: the newest first, a page at a time. The token of a
// page is the id of the last task on the one before.
func (a *Agent) listTasks(out *response, c *call) {
	var all []*taskSummary
	a.mu.Lock()
	tasks := slices.Collect(maps.Values(a.tasks))
	a.mu.Unlock()
	for _, t := range tasks {
		r := &run{agent: a, call: c, task: t}
		l := &taskSummary{}
		if raw := r.expand(nil, a.script.files[a.script.list.file], nil, false); json.Unmarshal(raw, l) == nil && c.list.matches(l) {
			l.raw = raw
			all = append(all, l)
		}
	}
	slices.SortFunc(all, func(a, b *taskSummary) int {
		return cmp.Or(b.Status.Timestamp.Compare(a.Status.Timestamp), strings.Compare(a.ID, b.ID))
	})
	from := 0
	if c.list.PageToken != "" {
		if from = 1 + slices.IndexFunc(all, func(l *taskSummary) bool { return l.ID == c.list.PageToken }); from == 0 {
			out.fail(&invalidParams, c)
			return
		}
	}
	size := a.script.list.page
	if c.list.PageSize > 0 {
		size = min(size, c.list.PageSize)
	}
	page, next := []json.RawMessage{}, ""
	for _, l := range all[from:min(from+size, len(all))] {
		page, next = append(page, l.raw), l.ID
	}
	if from+size >= len(all) {
		next = ""
	}
	out.result(map[string]any{"tasks": page, "nextPageToken": next, "pageSize": len(page), "totalSize": len(all)}, c)
}
