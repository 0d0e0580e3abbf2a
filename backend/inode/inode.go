// Package inode tells what a system says of a file beside its name, its size and when it was written, with the look at it that told these.
//
// Windows tells it only of a file that is open, and to open each would make a list take several times as long. There, a file that was
// edited and given back its size and its time is seen to be another one by [At] alone, which is for files that are read anyway.
package inode

import "io/fs"

// Number is which file of its file system one is; empty where that is not told.
func Number(info fs.FileInfo) string {
	number, _ := of(info)
	return number
}

// Changed is when anything of a file changed, its text, its name or who may read it; 0 where that is not told. Unlike the time at which it
// was written, nobody can set it.
func Changed(info fs.FileInfo) int64 {
	_, changed := of(info)
	return changed
}

// At is what [Number] and [Changed] tell of the file at a path that was looked at, also where it has to be opened for it. Its owner may
// write, rename and remove it meanwhile.
func At(path string, info fs.FileInfo) (number string, changed int64) { return at(path, info) }
