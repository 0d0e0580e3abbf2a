package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// knownMark ends a line of the file of known sessions, so that half of one, which a crash may leave, counts for nothing.
const knownMark = "."

// known is the file that says which addresses sessions have: a line for each, with its id and the names of its addresses'
// files. A session's addresses never change, so that only those that are not in it are looked at: an address that none has
// costs no look at all of them. What comes from elsewhere is not in it yet. It may be lost.
func (s *Store) known() string { return filepath.Join(s.addresses(), "known") }

// having are the sessions that have an address. With note, which needs the lock of addresses, what was looked at is written
// down.
func (s *Store) having(ctx context.Context, a Address, note bool) ([]string, error) {
	ids, err := s.IDs()
	if err != nil {
		return nil, err
	}
	names, whole, err := s.readKnown()
	if err != nil {
		s.warnIf(err)
	}
	wanted := filepath.Base(s.pointerOf(a))
	var found []string
	var fresh bytes.Buffer
	for _, id := range ids {
		line, known := names[id]
		if known && !strings.Contains(line, wanted) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		m, state, err := readMetadata(s.dir(id))
		if err != nil && known && s.hasLog(id) {
			return nil, unreadable(id, a, err)
		}
		s.warnIf(err)
		if a.finds(&m) && s.hasLog(id) {
			found = append(found, id)
		}
		if err == nil && state == MetadataOK && !known {
			fresh.WriteString(id)
			for _, own := range addressesOf(m.Key, m.Agent, m.CreatedBy) {
				fresh.WriteString(" " + filepath.Base(s.pointerOf(own)))
			}
			fresh.WriteString(" " + knownMark + "\n")
		}
	}
	if note && fresh.Len() > 0 {
		s.warnIf(s.addKnown(fresh.Bytes(), whole))
	}
	return found, nil
}

func (s *Store) hasLog(id string) bool {
	info, err := os.Stat(s.LogPath(id))
	return err == nil && info.Mode().IsRegular()
}

// readKnown reads which addresses sessions have, by id; whole tells that the file does not end within a line.
func (s *Store) readKnown() (names map[string]string, whole bool, err error) {
	names = map[string]string{}
	data, err := os.ReadFile(s.known())
	if errors.Is(err, fs.ErrNotExist) {
		return names, true, nil
	}
	if err != nil {
		return names, true, fmt.Errorf("reading which keys sessions have: %w", err)
	}
	for line := range strings.Lines(string(data)) { // of any length: behind damage there are good ones
		id, rest, _ := strings.Cut(strings.TrimRight(line, "\r\n"), " ")
		if rest == knownMark || strings.HasSuffix(rest, " "+knownMark) {
			names[id] = rest
		}
	}
	return names, bytes.HasSuffix(data, []byte("\n")) || len(data) == 0, nil
}

// addKnown appends lines. The caller holds the lock of addresses.
func (s *Store) addKnown(lines []byte, whole bool) (err error) {
	if !whole {
		lines = append([]byte("\n"), lines...)
	}
	file, err := os.OpenFile(s.known(), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = file.Write(lines)
		err = errors.Join(err, file.Close())
	}
	if err != nil {
		return fmt.Errorf("writing down which keys sessions have: %w", err)
	}
	return nil
}
