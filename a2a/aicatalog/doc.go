// Package aicatalog reads lists of agents: AI catalogs, and plain lists of the URLs of
// cards. Hosts publish an AI catalog at /.well-known/ai-catalog.json (media type
// application/ai-catalog+json); a plain list is a JSON array or has one URL per line.
//
// It reads bytes and contacts nobody. It reads by members: what it does not know, or cannot use, is
// an entry too, with a clause that says why.
package aicatalog
