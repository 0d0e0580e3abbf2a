// Package many keeps a little of each of very many things in few bytes and without pointers: what a reader remembers of every line of a
// file that has a million. Of that, memory holds what was used last, up to some megabytes, and a scratch file the rest. Where there is no
// room for one, memory holds all.
//
// What is kept is good for one goroutine. A scratch file that can't be read any more is a panic: who reads the files of others takes it as
// a fault of the reading, and nothing that was remembered can be taken for something else.
package many
