// Package aicatalog reads lists of agents: an AI catalog, which hosts publish at
// /.well-known/ai-catalog.json (media type application/ai-catalog+json), and plain lists of the
// URLs of cards, as a JSON array or with one URL per line.
//
// It reads bytes and contacts nobody. It reads by members: what it does not know, or cannot use, is
// an entry too, with a clause that says why.
package aicatalog
