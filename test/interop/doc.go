// Package interop tests Parley's engine against agents that use the official SDKs, as
// independent implementations of the protocol.
package interop
