package opencode

import (
	"path/filepath"

	"palimpsest/backend/sources/glean"
)

// growing are the files of the newest message of a session, if it is one that was begun after the session's own file was written: opencode
// writes that when a turn begins and when it has ended, and until then it does not tell that the session goes on.
func growing(tree *glean.Tree, name string) []string {
	from := layoutOf(name).files(tree, idOf(name))
	noted, err := tree.Stat(name)
	if err != nil {
		return nil // it went
	}
	if began, err := tree.Stat(from.messageDir); err != nil || !began.ModTime().After(noted.ModTime()) {
		return nil
	}
	messages := filesIn(tree, from.messageDir)
	if len(messages) == 0 {
		return nil
	}
	last := messages[len(messages)-1]
	const most = 50
	parts := filesIn(tree, filepath.Join(from.partDir, idOf(last)))
	all := []string{tree.Path(last)}
	for _, part := range parts[max(len(parts)-most, 0):] {
		all = append(all, tree.Path(part))
	}
	return all
}
