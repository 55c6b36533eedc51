// Package interop takes Parley's engine through agents made with the official
// SDKs, as independent peers: what Parley believes the protocol says is held
// against what others built.
package interop
