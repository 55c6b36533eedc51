// Package trust keeps the card of each agent that the user has approved, its baseline: trust on
// first use, as ssh has it for host keys. A later card is compared with it member by member; a
// change of security or of an address has to be approved before the agent is used.
//
// The baselines of a user are one JSON file, which several runs may change at once: each change
// applies to the present content, under a lock, and replaces the file atomically. A card has no
// secrets; what looks like one is masked before it is compared or written.
package trust
