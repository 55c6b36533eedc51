// Package e2e drives the built program in a real terminal, tmux, against the demo agents and an
// agent that uses an official SDK. Its tests check the screen while things happen, not only at
// the end.
package e2e
