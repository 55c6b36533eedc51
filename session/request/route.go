package request

import (
	"net/url"
	"strings"

	"parley/a2a"
)

// A route is what the path of HTTP+JSON says.
type route struct {
	op           a2a.Op
	method       string
	task, config string
	words        int  // of the path, without what stands before it
	sure         bool // no other protocol has such a path
}

// routeOf reads the verb and the path of HTTP+JSON from its end, because anything may precede it:
// the base of the agent, a version, a tenant.
func routeOf(verb, path string) (route, bool) {
	words := strings.Split(strings.Trim(path, "/"), "/")
	for i := range words {
		if word, err := url.PathUnescape(words[i]); err == nil {
			words[i] = word
		}
	}
	words = append([]string{"", "", "", ""}, words...) // so that there are always five
	n := len(words)
	last, before := words[n-1], words[n-2]
	name := func(op a2a.Op, shown string) (route, bool) {
		return route{op: op, method: verb + " " + shown, words: strings.Count(shown, "/"), sure: strings.Contains(shown, ":")}, true
	}
	switch get, post := verb == "GET", verb == "POST"; {
	case post && last == "message:send":
		return name(a2a.OpSend, "/message:send")
	case post && last == "message:stream":
		return name(a2a.OpStream, "/message:stream")
	case get && last == "tasks":
		return name(a2a.OpList, "/tasks")
	case get && (last == "extendedAgentCard" || last == "authenticatedExtendedCard" || last == "card" && before == "v1"):
		return name(a2a.OpExtendedCard, "/"+last)
	case before == "tasks":
		return taskRoute(verb, last)
	default:
		return pushRoute(verb, words[n-4:])
	}
}

// taskRoute reads what follows /tasks/.
func taskRoute(verb, last string) (route, bool) {
	id, action, _ := cutLast(last, ":")
	switch {
	case verb == "POST" && action == "cancel":
		return route{a2a.OpCancel, "POST /tasks/{task}:cancel", id, "", 2, true}, true
	case (verb == "GET" || verb == "POST") && (action == "subscribe" || action == "resubscribe"):
		return route{a2a.OpSubscribe, "/tasks/{task}:subscribe", id, "", 2, true}, true
	case verb == "GET":
		return route{a2a.OpGet, "GET /tasks/{task}", last, "", 2, false}, true
	default:
		return route{}, false
	}
}

// pushRoute reads the last four words of a path: tasks, a task, pushNotificationConfigs, and a
// configuration, which may be missing.
func pushRoute(verb string, words []string) (route, bool) {
	const configs = "/tasks/{task}/pushNotificationConfigs"
	switch {
	case words[1] == "tasks" && words[3] == "pushNotificationConfigs" && verb == "POST":
		return route{a2a.OpPushSet, "POST " + configs, words[2], "", 3, true}, true
	case words[1] == "tasks" && words[3] == "pushNotificationConfigs" && verb == "GET":
		return route{a2a.OpPushList, "GET " + configs, words[2], "", 3, true}, true
	case words[0] == "tasks" && words[2] == "pushNotificationConfigs" && verb == "GET":
		return route{a2a.OpPushGet, "GET " + configs + "/{config}", words[1], words[3], 4, true}, true
	case words[0] == "tasks" && words[2] == "pushNotificationConfigs" && verb == "DELETE":
		return route{a2a.OpPushDelete, "DELETE " + configs + "/{config}", words[1], words[3], 4, true}, true
	default:
		return route{}, false
	}
}

// cutLast cuts a string at the last separator.
func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}
