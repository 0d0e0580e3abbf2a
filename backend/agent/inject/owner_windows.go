package inject

import "io/fs"

// ours is true of every file: who may write where is not a matter of owners there, and drives have no folder for all.
func ours(fs.FileInfo) bool { return true }
