// Package sessiontest makes records and events without an agent, for tests, applies them to
// a state, and writes down states to compare.
package sessiontest
