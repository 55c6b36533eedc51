// Package webhook receives the push notifications of agents: a small HTTP server that
// knows which webhooks were registered, looks at who calls, answers at once and hands
// on what was posted. It knows nothing of what a body means.
//
//	r, err := webhook.Start(webhook.Options{NewKey: newID, Take: take})
//	hook, err := r.Register(true)
//	// … give hook.URL, hook.Token and hook.Credentials to an agent …
//
// Whoever can reach the address can send anything there, so that everything is bounded:
// connections, time, heads, bodies, what waits to be taken, and how many calls by
// strangers are told of. An agent is never made to wait for what becomes of its
// delivery: what cannot be taken at once is refused with a status that asks to try
// again.
//
// A call is let in if its path ends in the key of a webhook and it brings the token or
// the credentials that the webhook was registered with. One that brings a wrong one is
// turned away whatever else it brings.
package webhook
