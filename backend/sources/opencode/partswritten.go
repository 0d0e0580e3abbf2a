package opencode

import (
	"path/filepath"
	"time"
)

// clearedWithin is how long after a session was written to the output of tools may be cleared in it. opencode does that when a turn has
// ended, in part files anywhere before it, and notes it nowhere else. To look at all parts takes a second for 100,000, which no list can
// wait for; few sessions are so new. One that is not any more is read once again, and so nothing is missed that nobody looked for in time.
const clearedWithin = 48 * time.Hour

// partsWritten is when a part of a session was written last, if the session was written to of late, and else 0.
func partsWritten(at noted, updated, now time.Time) int64 {
	if now.Sub(updated) > clearedWithin {
		return 0
	}
	from := at.files(idOf(at.file))
	messages, err := at.base.Folder(from.messageDir)
	if err != nil {
		return 0 // a session without messages
	}
	defer messages.Close()
	names, _ := messages.Names() // what was read before an error counts
	newest := int64(0)
	for _, name := range names {
		parts, err := at.base.Folder(filepath.Join(from.partDir, idOf(name)))
		if err != nil {
			continue // it has none, as in early versions
		}
		if last := parts.Newest(); !last.IsZero() {
			newest = max(newest, last.UnixNano())
		}
		_ = parts.Close() // it was only read
	}
	return newest
}
