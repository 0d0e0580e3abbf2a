//go:build !unix

package inode

import "io/fs"

func of(fs.FileInfo) (number string, changed int64) { return "", 0 }
