// Package task has the rules about a remote task: where it stands, which status may move it,
// and which events of an exchange are about it. The engine and the judge of the records, package
// tracker, decide by them.
package task
