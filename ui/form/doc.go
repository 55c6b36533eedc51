// Package form makes a form of a JSON schema, for an agent that says which data it wants.
//
// Package session finds the schema in what an agent says. A [Pane] shows a row for each
// value, nested ones below the one that holds them:
//
//	pick-up *    ‹ Oslo ›  1 of 3
//	days *       3
//	driver *     ▾
//	  name *     Ali
//	  licence    •••••
//	extras       2 items
//	  1          child seat
//
// Schemas come from agents and are hostile: they refer to themselves, nest without an
// end, have ten thousand members, or say what is not true. Nothing is made before it is
// opened, everything has a bound, what is not understood is written as JSON, and all of
// the answer can be: a key turns the form into its JSON and back. What is written there
// is sent as it is, whatever the schema says.
package form
