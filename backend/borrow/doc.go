// Package borrow opens files that somebody else may write to, rename or remove meanwhile: other agents theirs, another window ours.
package borrow
