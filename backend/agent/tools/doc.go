// Package tools are what the model may call: read ls grep find write edit bash.
//
// A [Set] belongs to one session. Who runs a call first asks [Set.Facts] what it is about to touch, has that judged by
// package permission, and then gives [Set.Run] what the user allowed. Each tool has a file named after it, beside the text that the
// model is told about it; adding one is those two files and a line in set.go. What several share has files of its own.
//
// The file tools are confined to the session's folder by [os.Root]: whatever symbolic links and races try, nothing
// outside of it is opened. A path outside is reached only if the caller names it in [Options.Outside], for one call.
// Symbolic links within the folder are followed when they are named, and passed by when folders are walked through.
// bash is not confined: what it may run is permission's to say.
//
// What write and edit change is kept first, so that it can be undone (undo.go).
package tools
