// Package webhook receives the push notifications of agents. It is a small HTTP server that
// knows the registered webhooks, checks who calls, answers at once and passes on what was
// posted. It does not decode bodies.
//
//	r, err := webhook.Start(webhook.Options{NewKey: newID, Take: take})
//	hook, err := r.Register(true)
//	// … give hook.URL, hook.Token and hook.Credentials to an agent …
//
// Anyone who can reach the address can send anything there, so everything is limited:
// connections, time, heads, bodies, the queue, and the number of reported calls by strangers.
// An agent never waits for the processing of its delivery: what cannot be taken at once is
// refused with a status that asks to try again.
//
// A call is accepted if its path ends in the key of a webhook and it has the token or the
// credentials that the webhook was registered with. One that has a wrong one is rejected
// whatever else it has.
package webhook
