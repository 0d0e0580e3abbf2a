//go:build !unix && !windows

package inode

import "io/fs"

func of(fs.FileInfo) (number string, changed int64) { return "", 0 }

func at(string, fs.FileInfo) (number string, changed int64) { return "", 0 }
