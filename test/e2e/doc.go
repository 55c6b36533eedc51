// Package e2e drives the built program in a real terminal, tmux: against the
// agents that come with it and one made with an official SDK. Its tests look at
// what a user would see while it happens, not only at the end.
package e2e
