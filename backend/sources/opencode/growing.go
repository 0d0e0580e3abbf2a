package opencode

import "path/filepath"

// growing are the files of the newest message of a session, if it is one that was begun after the session's own file was written: opencode
// writes that when a turn begins and when it has ended, and until then it does not tell that the session goes on.
func growing(at noted) []string {
	from := at.files(idOf(at.file))
	written, err := at.in.Stat(at.file)
	if err != nil {
		return nil // it went
	}
	if began, err := from.tree.Stat(from.messageDir); err != nil || !began.ModTime().After(written.ModTime()) {
		return nil
	}
	messages := filesIn(from.tree, from.messageDir)
	if len(messages) == 0 {
		return nil
	}
	last := messages[len(messages)-1]
	const most = 50
	parts := filesIn(from.tree, filepath.Join(from.partDir, idOf(last)))
	all := []string{from.tree.Path(last)}
	for _, part := range parts[max(len(parts)-most, 0):] {
		all = append(all, from.tree.Path(part))
	}
	return all
}
