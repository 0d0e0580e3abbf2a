// Package states tells what became of each line of a log: whether the model sees it and, if not, why. It reads the index of a log and
// the context that the log makes, and decides nothing of its own: both follow the rules of package overlay.
package states
