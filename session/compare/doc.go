// Package compare finds the differences between two runs, two agents, two conversations or two
// tasks. [Select] chooses the sides, and [Compare] returns a [Result]: the prompts aligned, and
// for each what differs by [Aspect]. [Result.Lines] is the result as text, for a terminal and
// for the screen.
//
// What an agent makes anew for each answer is no difference: ids, times and the boundaries of
// chunks. [Rules] lists what is left out.
package compare
