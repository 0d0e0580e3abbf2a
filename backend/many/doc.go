// Package many keeps a little of each of very many things in few bytes and without pointers: what a reader remembers of every line of a
// file that has a million. A map of strings takes ten times as much, and the collector goes through all of it, again and again.
package many
