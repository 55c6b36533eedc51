package help

import "strings"

// A page is what the help of a command shows besides what the command says of itself.
type page struct {
	flags []string // the most useful ones, at most MostFlags; empty for all, if they are few
	see   []string // commands and topics to read next, without parley
}

// of makes a page of names, which have commas between them.
func of(flags, see string) page {
	split := func(list string) []string {
		if list == "" {
			return nil
		}
		return strings.Split(list, ", ")
	}
	return page{split(flags), split(see)}
}

// pages are the pages of all commands, by their paths.
var pages = map[string]page{
	"agents":        of("", "catalog, card, help ref"),
	"agents save":   of("", "agents, config, help ref"),
	"agents rename": of("", "agents"),
	"agents forget": of("", "agents"),

	"auth":        of("", "help secrets, doctor"),
	"auth login":  of("flow, client-id, scope, no-browser, redirect-port, token-store, endpoint, timeout, debug, output", "auth status, auth logout, help secrets"),
	"auth status": of("", "auth login, help secrets"),
	"auth logout": of("", "auth status"),

	"card":       of("", "check, doctor, help ref"),
	"card get":   of("agent-card, validate, extended, card-key, dialect, bearer, output, timeout, verbose, debug", "card diff, card trust, check, help ref"),
	"card diff":  of("only, exit-code, agent-card, dialect, bearer, output, timeout, debug", "card trust, card get, help ci"),
	"card trust": of("list, forget, agent-card, dialect, bearer, output, timeout", "card diff, help secrets"),

	"catalog": of("filter, verbose, allow-origin, bearer, output, timeout, debug", "agents save, help ref"),
	"chat":    of("plain, output, dialect, endpoint, bearer, save, urls, record, timeout, debug", "send, task, help ref"),
	"send":    of("agent-card, text, file, data, task-id, stream, async, output, save, fail-on", "chat, task, help ref, help exit, help ci"),

	"check":       of("fail-on, junit, sarif, findings, output, endpoint, bearer, record, timeout", "conformance, doctor, help ci, help exit"),
	"conformance": of("message, fail-on, junit, sarif, findings, output, endpoint, bearer, timeout", "check, doctor, help ci, help exit"),
	"doctor":      of("send, output, dialect, endpoint, bearer, cacert, insecure-host, timeout, debug", "check, card get, help ref, help secrets"),
	"tap":         of("to, listen, name, headless, no-record, fail-on, junit, fault", "open, serve, check, help ci"),

	"completion":            of("", "help flags"),
	"completion bash":       of("", "completion"),
	"completion fish":       of("", "completion"),
	"completion powershell": of("", "completion"),
	"completion zsh":        of("", "completion"),

	"config":      of("output, config", "help flags, help secrets, themes"),
	"config show": of("output, config", "help flags, help secrets, themes"),
	"themes":      of("", "config"),
	"help":        of("", "help ref, help flags"),

	"demo":        of("headless, render, size, fast, trials, junit, fallback, list, record, no-record", "demo-server, help scripts, help ci"),
	"demo-server": of("", "demo, serve, send"),
	"serve":       of("", "replay, demo-server, tap"),

	"open":     of("", "sessions, replay, resume, export"),
	"replay":   of("", "open, serve, sessions"),
	"resume":   of("record, no-record, bearer, dialect, endpoint, present, theme, no-bell", "open, sessions, help secrets"),
	"sessions": of("", "open, resume, diff, export"),
	"diff":     of("", "open, sessions, check"),
	"export":   of("as, out, conversation, filter, redact, force", "open, import, help filter"),
	"import":   of("", "open, export, check"),

	"sessions delete": of("", "sessions prune, sessions"),
	"sessions note":   of("", "sessions tag, sessions rename, sessions"),
	"sessions pin":    of("", "sessions unpin, sessions prune"),
	"sessions prune":  of("", "sessions pin, sessions delete"),
	"sessions rename": of("", "sessions note, sessions tag, sessions"),
	"sessions tag":    of("", "sessions note, sessions rename, sessions"),
	"sessions unpin":  of("", "sessions pin, sessions prune"),

	"task":           of("", "send, chat, help exit"),
	"task get":       of("agent-card, wait, wait-for-auth, history, save, stream, output, fail-on, timeout, debug", "task subscribe, task download, help exit"),
	"task list":      of("agent-card, status, context-id, updated-after, every-page, page-size, include-artifacts, output, timeout, debug", "task get"),
	"task subscribe": of("agent-card, stream, output, save, fail-on, record, dialect, bearer, timeout, debug", "task get, task cancel, help exit"),
	"task cancel":    of("agent-card, task-id, output, fail-on, dialect, bearer, timeout, debug", "task get, help exit"),
	"task download":  of("agent-card, save, artifact, urls, save-max, output, bearer, timeout, debug", "task get, send"),

	"task push-config":        of("", "task, help secrets"),
	"task push-config create": of("agent-card, url, id, push-token, push-scheme, push-credentials, output, timeout, debug", "task push-config listen, help secrets"),
	"task push-config get":    of("agent-card, output, dialect, bearer, timeout, debug", "task push-config list"),
	"task push-config list":   of("agent-card, output, dialect, bearer, timeout, debug", "task push-config create, task push-config delete"),
	"task push-config delete": of("agent-card, output, dialect, bearer, timeout, debug", "task push-config list"),
	"task push-config listen": of("agent-card, push-listen, push-url, stream, output, findings, record, bearer, timeout, debug", "task push-config create, task subscribe"),
}
