// Package check stands between the records of a session and the state that they make. A [Stage] gets the items in
// their order and adds what follows from an item and those before it: the verdict of the tracker on the events, and
// the findings of the rules, which see the tasks as they were before the item.
//
// The state of a command has a stage of its own, which it asks for each item. The workbench has its items prepared
// by another goroutine, so that neither the tracker nor a rule delays a key, and so does whoever reads a recording:
// the order of the items decides, so the result is the same.
package check
