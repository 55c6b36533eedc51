package main

import "slices"

// table returns all mutations. Each is one that a slip of the keyboard or a simplification could make,
// and that a user would regret.
func table() []mutation {
	return slices.Concat(ofArtifacts(), ofMasking(), ofRedirects(), ofStreams(), ofWebhooks(), ofRules(),
		ofTasks(), ofPolling(), ofRecordings(), ofFilters(), ofHosts(), ofSignIn(), ofTrust(), ofOutbox())
}
