//go:build !linux

package jsonl

import "os"

// inParts would tell the system that only parts of a file are read.
func inParts(*os.File) {}

// willRead would have the system begin to read a part of a file.
func willRead(*os.File, int64, int64) {}
