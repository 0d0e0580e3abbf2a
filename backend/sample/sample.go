// Package sample holds the conversation that an empty home offers to look at: an engineer and an
// agent find out why a canary deploy fails. Rules are set, a wrong turn is taken, and two
// compactions forget things that matter later, so that there is something to see at once.
//
// It is a plain log of schemaVersion 1 (spec §7.2). It is short, so that it can be read whole; its
// compactions come at a context far smaller than a real model's window.
package sample

import (
	"bytes"
	_ "embed"
)

// What the metadata of a session made from the log says.
const (
	Name  = "fix flaky canary deploy"
	Cwd   = "/home/sam/work/gateway"
	Model = "gpt-5.4"
)

//go:embed sample.jsonl
var log []byte

// Log returns the lines of session.jsonl. The bytes are the caller's to keep and to change.
func Log() []byte { return bytes.Clone(log) }
