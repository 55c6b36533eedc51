// Package card compares agent cards, for a user: what a card says otherwise than the one
// before it, or than the one of an earlier run. What concerns security comes first.
//
// A [Snapshot] is what is stored of a card to compare it in a later run; it holds no secrets.
package card
