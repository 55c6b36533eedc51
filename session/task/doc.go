// Package task owns what is known of a remote task: where it stands, which status may move it,
// and which events of an exchange are about it. The engine, the state and the check of a
// replay all decide by these rules, so that they agree.
package task
