package siphash

// TestOnlyAnother has what follows take place in another program, which has another key.
func TestOnlyAnother() { ours = NewKey() }
