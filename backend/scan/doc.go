// Package scan keeps an index in step with the sessions there are: it compares what each is like with what was read of it, reads those
// that are new or changed, the newest first, and marks those that vanished. It knows neither files nor what is read of a session: both
// are its [Catalog]'s.
//
// One process at a time keeps an index in step, the one that holds its lock; when it ends, another takes over. Any may bring it up to date
// once: they take turns, and who waited finds most of it read.
package scan
