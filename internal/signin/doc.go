// Package signin signs the user in at authorization servers, and keeps what they return. It
// reads from a card how ([Ways]), runs the flows of OAuth 2 ([Code], [Device],
// [ClientCredentials]), and gives the client of an agent its credentials ([Keeper]). A token
// goes to the origin for which the user signed in, and nowhere else.
//
// Secrets stay in the keyring of the system, in a file that only the user can read if asked
// for, or in memory. The index of identities contains none.
package signin
