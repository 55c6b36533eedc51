// Package connection checks step by step whether a server can be reached: the name, the
// connection, the proxy and TLS. [Check] stops at the first step that fails, and that step says
// what is wrong and what to do.
//
// It makes connections of its own, because an HTTP client reports one error for all steps. It
// sends nothing over them but what a proxy and TLS need, and no credentials except those that
// the URL of the proxy has.
package connection
