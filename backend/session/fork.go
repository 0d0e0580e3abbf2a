package session

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Fork makes a session from the beginning of another: whole, or up to and with the last record that has seq at (0:
// whole). Lines are copied byte for byte, damaged and newer ones too; blobs they name are linked or copied.
func (s *Store) Fork(id string, at int64, createdBy string) (Metadata, error) {
	parent, err := s.Get(id)
	if err != nil {
		return Metadata{}, err
	}
	log, err := s.OpenLog(id)
	if err != nil {
		return Metadata{}, err
	}
	defer func() { _ = log.Close() }() // opened for reading
	end, seq, err := forkPoint(log, at)
	if err != nil {
		return Metadata{}, fmt.Errorf("session %s: %w", id, err)
	}
	name, err := s.forkName(parent)
	if err != nil {
		return Metadata{}, err
	}
	n := New{
		Name: name, Model: parent.Model, Cwd: parent.Cwd, CreatedBy: createdBy,
		ParentSessionID: id, ForkedAtSeq: seq, ForeignBytes: min(parent.Theirs(), end), SystemPromptOverride: parent.SystemPromptOverride,
		Compaction: parent.Compaction,
	}
	return s.create(n, func(dir string) error {
		return copyLog(io.NewSectionReader(log, 0, end), filepath.Join(s.dir(id), "blobs"), dir)
	})
}

// forkPoint finds where the copy ends, and the seq it ends with.
func forkPoint(log *os.File, at int64) (end, seq int64, err error) {
	t, err := readTail(log)
	if err != nil {
		return 0, 0, err
	}
	if at == 0 {
		return t.size, t.seq, nil
	}
	_, end, err = FindBackward(log, t.size, at)
	return end, at, err
}

// FindBackward returns where the line of the last record with this seq starts and ends, reading backward from size.
func FindBackward(log io.ReaderAt, size, seq int64) (start, end int64, err error) {
	back := NewReverse(log, size)
	for {
		entry, err := back.Prev()
		if errors.Is(err, io.EOF) {
			return 0, 0, fmt.Errorf("record %d: %w", seq, ErrNoRecord)
		}
		if err != nil {
			return 0, 0, err
		}
		if entry.Seq == seq {
			return entry.Offset, entry.End, nil
		}
	}
}

// blobName finds the blobs that a line names: of blocks, and of files before and after a change.
var blobName = regexp.MustCompile(`"(?:blob|before|after)"\s*:\s*"([0-9a-f]{64})"`)

// copyLog writes the log's bytes into dir and brings along the blobs that its lines name.
func copyLog(log io.Reader, blobs, dir string) error {
	out, err := os.OpenFile(filepath.Join(dir, "session.jsonl"), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	named := map[string]bool{}
	err = eachLine(io.TeeReader(log, out), func(line []byte) { nameBlobs(line, named) })
	if err == nil {
		err = out.Sync()
	}
	if closeErr := out.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return err
	}
	return takeBlobs(named, blobs, filepath.Join(dir, "blobs"))
}

// nameBlobs adds the blobs that a line names.
func nameBlobs(line []byte, named map[string]bool) {
	for _, match := range blobName.FindAllSubmatch(line, -1) {
		named[string(match[1])] = true
	}
}

// takeBlobs links or copies blobs into a directory, which it makes if there are any.
func takeBlobs(named map[string]bool, from, to string) error {
	if len(named) == 0 {
		return nil
	}
	if err := makeBlobs(to); err != nil {
		return err
	}
	for name := range named {
		err := linkOrCopy(filepath.Join(from, name), filepath.Join(to, name))
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return nil
}

func eachLine(r io.Reader, visit func([]byte)) error {
	lines := newForwardLines(r, 0)
	for {
		line, err := lines.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		visit(line.bytes)
	}
}

// linkOrCopy leaves out a blob that the parent does not have: the line that names it says so when it is shown.
func linkOrCopy(from, to string) error {
	err := os.Link(from, to)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return writeSynced(to, data)
}

// forkSuffix is what a fork's default name ends with.
var forkSuffix = regexp.MustCompile(` \(fork #\d+\)$`)

// forkName is the parent's name with the first fork number that no session has yet; empty if the parent has none.
func (s *Store) forkName(parent Summary) (string, error) {
	base := forkSuffix.ReplaceAllString(parent.Name, "")
	if base == "" {
		base = clip(flatten(strings.ToValidUTF8(parent.FirstMessage, "")), 60)
	}
	ids, err := idsIn(s.sessions())
	if err != nil {
		return "", err
	}
	taken := map[string]bool{}
	for _, id := range ids {
		if m, _, err := readMetadata(s.dir(id)); err == nil {
			taken[m.Name] = true
		}
	}
	for n := 1; ; n++ {
		if name := strings.TrimSpace(fmt.Sprintf("%s (fork #%d)", base, n)); !taken[name] {
			return name, nil
		}
	}
}
