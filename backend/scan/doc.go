// Package scan keeps an index in step with the sessions there are: it compares what each is like with what was read of it, reads those
// that are new or changed, the newest first, and marks those that vanished. It knows neither files nor what is read of a session: both
// are its [Catalog]'s.
//
// One process at a time scans an index, the one that holds its lock. Others read, and one of them takes over when it ends.
package scan
