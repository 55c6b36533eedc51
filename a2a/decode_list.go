package a2a

import (
	"cmp"
	"math"
	"strings"

	"parley/a2a/jsontok"
)

// pageOrCard reads what calls other than send and get return: cards, pages of
// tasks and push configurations.
func (d *decoder) pageOrCard(n jsontok.Node) bool {
	switch d.call.Op {
	case OpCard, OpExtendedCard, OpList, OpPushSet, OpPushGet, OpPushList, "":
	case OpPushDelete:
		d.emit(EventEmpty, n)
		return true
	case OpProbe: // one of them asks for the extended card
		if !isCard(n) {
			return false
		}
	default:
		return false
	}
	switch {
	case isCard(n):
		d.card(n)
	case get(n, "tasks").Kind() == jsontok.Array, d.call.Op == OpList && (n.Len() == 0 || noTasks(n)):
		ev := d.emit(EventTaskList, n)
		ev.NextPageToken = word(d.either(n, "nextPageToken", "next_page_token"))
		if all, ok := d.either(n, "totalSize", "total_size").Int(); ok && all > 0 && all <= math.MaxInt32 {
			ev.TotalSize = int(all)
		}
		ev.Tasks = d.tasks(get(n, "tasks"))
	case get(n, "configs").Kind() == jsontok.Array, d.call.Op == OpPushList && n.Len() == 0:
		ev := d.emit(EventPushConfig, n)
		ev.NextPageToken = word(d.either(n, "nextPageToken", "next_page_token"))
		ev.PushConfigs = d.pushConfigs(get(n, "configs"))
	case d.isCleared(n):
		d.emit(EventEmpty, n)
	case d.isPushConfig(n):
		ev := d.emit(EventPushConfig, n)
		ev.PushConfigs = []PushConfig{d.pushConfig(n)}
		ev.TaskID = ev.PushConfigs[0].TaskID
	default:
		return false
	}
	return true
}

// noTasks recognises a page without tasks whose list is null or missing.
func noTasks(n jsontok.Node) bool {
	return n.Get("tasks").Kind() == jsontok.Null || !n.Get("tasks").Exists() && n.GetAny("nextPageToken", "pageSize", "totalSize").Exists()
}

// list reads an array: tasks, push configurations or cards, told apart by the
// call or by the first element.
func (d *decoder) list(n jsontok.Node) {
	var first jsontok.Node
	for e := range n.Elems() {
		first = e
		break
	}
	switch {
	case d.isPushConfig(first), d.call.Op == OpPushList:
		d.emit(EventPushConfig, n).PushConfigs = d.pushConfigs(n)
	case d.call.Op == OpList, get(first, "status").Exists():
		d.emit(EventTaskList, n).Tasks = d.tasks(n)
	case isCard(first):
		for e := range n.Elems() {
			if isCard(e) {
				d.card(e)
			}
		}
	case !first.Exists():
		d.emit(EventEmpty, n)
	default:
		d.unknown(n)
	}
}

func (d *decoder) card(n jsontok.Node) {
	source := ""
	if d.call.Op == OpCard {
		source = d.call.Endpoint // the URL of the request; relative URLs are resolved against it
	}
	p := cardParser{source: source, base: d.base}
	card := p.card(n, source)
	d.emit(EventCard, n).Card = card
	for _, f := range p.findings {
		if len(d.update.Findings) < maxFindings {
			d.update.Findings = append(d.update.Findings, f)
		}
	}
}

func (d *decoder) tasks(n jsontok.Node) []Task {
	tasks := make([]Task, 0, n.Len())
	for e := range n.Elems() {
		if e.Kind() == jsontok.Object {
			tasks = append(tasks, Task{})
			d.task(e, &tasks[len(tasks)-1])
		}
	}
	return tasks
}

// isCleared recognises how 0.1 reports that a task has no push configuration any more: as null
// (specification 0.1.0 §6.10).
func (d *decoder) isCleared(n jsontok.Node) bool {
	return (d.call.Op == OpPushSet || d.call.Op == OpPushGet) && n.Get("pushNotificationConfig").Kind() == jsontok.Null
}

func (d *decoder) isPushConfig(n jsontok.Node) bool {
	return d.either(n, "pushNotificationConfig", "push_notification_config").Exists() ||
		get(n, "url").IsText() && (d.either(n, "taskId", "task_id").Exists() || d.call.Op == OpPushSet || d.call.Op == OpPushGet)
}

func (d *decoder) pushConfigs(n jsontok.Node) []PushConfig {
	configs := make([]PushConfig, 0, n.Len())
	for e := range n.Elems() {
		if e.Kind() == jsontok.Object {
			configs = append(configs, d.pushConfig(e))
		}
	}
	return configs
}

// pushConfig reads a configuration: flat in 1.0, inside pushNotificationConfig
// before, and with a resource name in the protocol buffers of 0.3.
func (d *decoder) pushConfig(n jsontok.Node) PushConfig {
	c := PushConfig{Raw: n.Raw(), TaskID: d.id(d.either(n, "taskId", "task_id")), ID: word(get(n, "id"))}
	if inner := d.either(n, "pushNotificationConfig", "push_notification_config"); inner.Kind() == jsontok.Object {
		d.features |= sawOther
		if c.TaskID == "" { // 0.1: id is the task's
			c.TaskID, c.ID = c.ID, ""
		}
		c.ID = cmp.Or(word(get(inner, "id")), c.ID)
		if path := strings.Split(word(get(n, "name")), "/"); len(path) == 4 && path[0] == "tasks" {
			c.TaskID, c.ID = path[1], path[3]
		}
		n = inner
	}
	c.URL, c.Token = word(get(n, "url")), word(get(n, "token"))
	auth := get(n, "authentication")
	c.Schemes = words(get(auth, "schemes"))
	if scheme := word(get(auth, "scheme")); scheme != "" {
		c.Schemes = []string{scheme}
	}
	c.Credentials = word(get(auth, "credentials"))
	return c
}
