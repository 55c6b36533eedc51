// Package signature verifies the signatures of agent cards, as A2A 1.0 §8.4 defines them.
// They are detached JSON Web Signatures (RFC 7515) over the canonical form of the card (RFC
// 8785).
//
// [Verify] needs the bytes of the card as they were received and the [Keys] that the user
// trusts. It contacts nobody: the URL of a key set in a signature comes from whoever wrote
// the card, so the caller asks the user before it downloads that.
//
// Not every SDK signs the form that the specification defines. Verify therefore tries the
// forms of known SDKs too, and a [Result] says which one the signature is for: only the
// form of the specification is [Verified], the others are [Deviates].
//
// [Deliveries] verifies push notifications that agents sign with JSON Web Tokens, with the same
// keys.
package signature
