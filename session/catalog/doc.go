// Package catalog lists the sessions of a folder, and searches them. It says what each
// contains, what the user added to it (package annotation), whether another Parley writes it
// now, and where a text occurs in them.
//
// A [Catalog] finds the files at once. What a session contains follows from its records, so that
// each file is read once, in the background; the summaries are cached in one file, which may be
// deleted at any time. Nothing here deletes a session unless its caller says so, and never one
// that is still being written.
package catalog
