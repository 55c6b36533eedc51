// Package problem says what an error that an agent reported means for a user: one sentence of
// what happened and what to do next. It also decides what an error proves, such as that
// nothing was started, that the agent is busy or that it does not know the task.
package problem
