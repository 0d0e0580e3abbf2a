package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"palimpsest/backend/record"
)

// Durability says when an append syncs.
type Durability string

// The durabilities. Every batch ends with a sync in both: nothing is acknowledged before.
const (
	// DurabilityTurn syncs once, at the end of a batch.
	DurabilityTurn Durability = "turn"
	// DurabilityFull syncs every record.
	DurabilityFull Durability = "full"
)

// ErrInput marks a batch that was refused before anything was written.
var ErrInput = errors.New("bad input")

// Append writes a batch of records at the end of the log and returns their seqs. The batch is checked whole first. If
// an error comes with seqs, those records are in the log and the others are not.
func (s *Store) Append(ctx context.Context, id string, batch []record.Draft) ([]int64, error) {
	return s.AppendDerived(ctx, id, func() ([]record.Draft, error) { return batch, nil })
}

// AppendDerived appends records that depend on what the log holds: derive is called with the lock held, so that nothing
// can come between what it read and what is written.
func (s *Store) AppendDerived(ctx context.Context, id string, derive func() ([]record.Draft, error)) ([]int64, error) {
	release, err := s.Lock(ctx, id)
	if err != nil {
		return nil, err
	}
	defer release()
	batch, err := derive()
	if err != nil {
		return nil, err
	}
	return s.appendLocked(id, batch)
}

// appendLocked appends while the caller holds the session's lock.
func (s *Store) appendLocked(id string, batch []record.Draft) ([]int64, error) {
	dir := s.dir(id)
	file, err := openLog(dir)
	if err != nil {
		return nil, fmt.Errorf("session %s: %w", id, err)
	}
	defer func() { _ = file.Close() }() // every byte was synced or reported before
	t, err := readTail(file)
	if err != nil {
		return nil, fmt.Errorf("session %s: reading the end of the log (nothing was written): %w", id, err)
	}
	lines, err := linesOf(batch, t)
	if err != nil {
		return nil, fmt.Errorf("session %s: %w", id, err)
	}
	seqs, err := s.write(file, lines, t)
	if err != nil {
		err = fmt.Errorf("session %s: appending record %d of %d: %w", id, len(seqs)+1, len(lines), err)
	}
	if len(seqs) > 0 {
		// The records are safe; metadata that does not follow is noticed by its size and rebuilt.
		s.warnIf(s.refresh(id, file))
	}
	return seqs, err
}

// openLog opens a log for appending. It is never created here: a log that is not there has been moved or deleted.
func openLog(dir string) (*os.File, error) {
	file, err := os.OpenFile(filepath.Join(dir, "session.jsonl"), os.O_RDWR|os.O_APPEND, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("its log has vanished: %w", ErrNotFound)
	}
	if err != nil {
		return nil, fmt.Errorf("opening its log for writing (nothing was written): %w", err)
	}
	return file, nil
}

// linesOf gives out seqs and lays out each line, before any is written.
func linesOf(batch []record.Draft, t tail) ([][]byte, error) {
	lines := make([][]byte, len(batch))
	for i := range batch {
		line, err := batch[i].Line(t.seq + 1 + int64(i))
		if errors.Is(err, record.ErrSeqsUsedUp) {
			return nil, err
		}
		if err != nil {
			return nil, fmt.Errorf("%w: record %d: %w", ErrInput, i+1, err)
		}
		lines[i] = line
	}
	return lines, nil
}

// togetherMost is how large a batch may be that is written at once.
const togetherMost = 1 << 20

// write writes the lines and syncs, and returns the seqs that are in the log. A batch of a usual size is one write, so
// that a process that is killed leaves all of it or none; one that is large, or of which every record is to be synced,
// is one write a line.
func (s *Store) write(file *os.File, lines [][]byte, t tail) ([]int64, error) {
	size := 0
	for _, line := range lines {
		size += len(line)
	}
	if len(lines) > 1 && size <= togetherMost && !s.full.Load() {
		return s.writeTogether(file, lines, t)
	}
	return s.writeEach(file, lines, t)
}

// writeTogether writes all lines with one write.
func (s *Store) writeTogether(file *os.File, lines [][]byte, t tail) ([]int64, error) {
	batch := bytes.Join(lines, nil)
	if !t.terminated {
		batch = append([]byte{'\n'}, batch...)
	}
	_, err := file.Write(batch)
	written := len(lines)
	if err != nil {
		err = fmt.Errorf("%w (what was there before is untouched)", err)
		written = landedOf(file, lines, t)
	}
	if syncErr := s.sync(file); syncErr != nil {
		return nil, errors.Join(err, syncErr) // not one of them is known to be safe
	}
	if written == len(lines) {
		err = nil // only the last newline is missing
	}
	seqs := make([]int64, written)
	for i := range seqs {
		seqs[i] = t.seq + 1 + int64(i)
	}
	return seqs, err
}

// landedOf is how many of the lines a write that failed left whole; the last may lack its newline.
func landedOf(file *os.File, lines [][]byte, t tail) int {
	left, err := io.ReadAll(io.NewSectionReader(file, t.size, togetherMost+1))
	if err != nil {
		return 0
	}
	left = bytes.TrimPrefix(left, []byte{'\n'})
	for i, line := range lines {
		if !bytes.HasPrefix(left, bytes.TrimSuffix(line, []byte{'\n'})) {
			return i
		}
		left = left[min(len(line), len(left)):]
	}
	return len(lines)
}

// writeEach writes each line with one write.
func (s *Store) writeEach(file *os.File, lines [][]byte, t tail) ([]int64, error) {
	seqs := make([]int64, 0, len(lines))
	open, full := !t.terminated, s.full.Load()
	for i, line := range lines {
		seq := t.seq + 1 + int64(i)
		if open {
			line = append([]byte{'\n'}, line...)
		}
		_, err := file.Write(line)
		if open = err != nil; open && !landed(file, line) {
			err = fmt.Errorf("%w (what was there before is untouched)", err)
			if syncErr := s.sync(file); syncErr != nil && !full {
				return nil, errors.Join(err, syncErr) // not one of the batch is known to be safe
			}
			return seqs, err
		}
		if full {
			if err := s.sync(file); err != nil {
				return seqs, err
			}
		}
		seqs = append(seqs, seq)
	}
	if !full {
		if err := s.sync(file); err != nil {
			// Not one of them is known to be safe.
			return nil, err
		}
	}
	return seqs, nil
}

// landed tells whether a write that failed left the whole record, so that only its newline is missing: then it counts,
// since every reader will take it for a record.
func landed(file *os.File, line []byte) bool {
	info, err := file.Stat()
	if err != nil {
		return false
	}
	whole := bytes.Trim(line, "\n")
	from := info.Size() - int64(len(whole))
	if from < 0 {
		return false
	}
	got := make([]byte, len(whole))
	if _, err := file.ReadAt(got, from); err != nil && !errors.Is(err, io.EOF) {
		return false
	}
	return bytes.Equal(got, whole)
}

func (s *Store) sync(file *os.File) error {
	if err := s.fsync(file); err != nil {
		return fmt.Errorf("syncing the log (what was just written may not survive a power cut): %w", err)
	}
	return nil
}

// refresh brings metadata in line with the log after an append.
func (s *Store) refresh(id string, file *os.File) error {
	dir := s.dir(id)
	m, err := s.readForWriting(id)
	if err != nil {
		return err
	}
	x, err := indexCounts(file, m)
	if err != nil {
		return err
	}
	m.follow(id, x)
	return writeMetadata(dir, m)
}
