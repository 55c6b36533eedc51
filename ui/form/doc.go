// Package form is a pane that turns the JSON schema of the data that an agent asks for into a
// form.
//
// Package model finds the schema in the agent's message. A [Pane] shows a row for each value,
// nested values below the one that contains them:
//
//	pick-up *    ‹ Oslo ›  1 of 3
//	days *       3
//	driver *     ▾
//	  name *     Ali
//	  licence    •••••
//	extras       2 items
//	  1          child seat
//
// Schemas come from agents and are untrusted: they may refer to themselves, nest endlessly,
// have ten thousand members or be wrong. So nodes are created only when they are opened, and
// everything has a limit. A value whose schema is not supported is edited as JSON, and a key
// turns the whole form into JSON and back. JSON is sent as written, whatever the schema says.
package form
