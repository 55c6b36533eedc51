// Package sessiontest is for tests: it makes records and events without an agent, applies them
// to a state, and writes down states to compare them.
package sessiontest
