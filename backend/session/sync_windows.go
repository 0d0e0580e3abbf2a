package session

// SyncDir does nothing: Windows has no way to sync a directory, and journals its entries itself.
func SyncDir(string) error { return nil }
