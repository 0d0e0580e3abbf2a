package opencode

import (
	"fmt"
	"path/filepath"
)

// growing are the files of the newest message of a session, if it is one that was begun after the session's own file was written: opencode
// writes that when a turn begins and when it has ended, and until then it does not tell that the session goes on. The state is another one
// whenever messages came or went, or that one was written on.
func growing(at noted) (files []string, state string) {
	from := at.files(idOf(at.file))
	began, err := from.tree.Stat(from.messageDir)
	if err != nil {
		return nil, "" // a session without messages
	}
	state = fmt.Sprint(began.ModTime().UnixNano())
	if written, err := at.in.Stat(at.file); err != nil || !began.ModTime().After(written.ModTime()) {
		return nil, state
	}
	messages, _ := filesIn(from.tree, from.messageDir) // reading the session tells of what can't be read
	if len(messages) == 0 {
		return nil, state
	}
	last := messages[len(messages)-1]
	if info, err := from.tree.Stat(last); err == nil {
		state += fmt.Sprintf(" %d %d", info.Size(), info.ModTime().UnixNano())
	}
	const most = 50
	parts, _ := filesIn(from.tree, filepath.Join(from.partDir, idOf(last))) // as above
	files = []string{from.tree.Path(last)}
	for _, part := range parts[max(len(parts)-most, 0):] {
		files = append(files, from.tree.Path(part))
	}
	return files, state
}
