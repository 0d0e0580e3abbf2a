package library

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync/atomic"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// Excerpt is the newest part of a session that takes long to read, as its source reads it when the rest is left out. It is in memory
// only: nothing finds it in the place of a reading. Its seqs count within it, and states of its records are guesses.
type Excerpt struct {
	// Log is what was read, the beginning of the session before From, its newest part behind it.
	Log  []byte
	From int64
	// Read and Total are how many bytes of its file are in it, and how many there are.
	Read, Total int64

	blobs map[string][]byte
	// passes is how often its source goes through a file.
	passes float64
}

// Blob is what it keeps beside its lines; not ok if it is not there.
func (e *Excerpt) Blob(sha string) ([]byte, bool) {
	data, ok := e.blobs[sha]
	return data, ok
}

// errNoExcerpt says that a session can't be read in part.
var errNoExcerpt = errors.New("no part of it can be read alone")

// excerptOf has the beginning and the end of a session read, as files of a home of their own.
func (l *Library) excerptOf(ctx context.Context, s *shelf, found sources.Found, ends ends) (out *Excerpt, err error) {
	defer recovered(&err, s.source, "reading the end of a session")
	if err := os.MkdirAll(l.env.Temp, 0o700); err != nil {
		return nil, fmt.Errorf("making room to read it: %w", err)
	}
	home, err := os.MkdirTemp(l.env.Temp, "excerpt-*")
	if err != nil {
		return nil, fmt.Errorf("making room to read it: %w", err)
	}
	defer func() { l.warnIf(os.RemoveAll(home)) }()
	hole := "palimpsest leaves out what stands here " + rand.Text()
	out = &Excerpt{blobs: map[string][]byte{}}
	if err := l.layOut(s, &found, home, cut{ends, hole, out}); err != nil {
		return nil, err
	}
	env := l.env
	env.Home, env.Getenv, env.Memory = home, func(string) string { return "" }, nil
	var text bytes.Buffer
	var through atomic.Int64
	log := sources.LogOf(&found, &text, out.keep)
	if err := s.source.Read(sources.Metered(ctx, &through), env, found.Theirs(), log); err != nil {
		return nil, err
	}
	if log.Err() != nil {
		return nil, log.Err()
	}
	out.Log, out.passes = text.Bytes(), float64(through.Load())/float64(out.Read)
	mark := bytes.Index(out.Log, []byte("\n"+hole+"\n"))
	out.From = int64(mark + len(hole) + 2)
	if mark < 0 || out.From == int64(len(out.Log)) {
		return nil, errNoExcerpt
	}
	return out, nil
}

// keep takes what does not belong on a line, as much as may be in memory.
func (e *Excerpt) keep(data []byte) (string, error) {
	const most = 16 << 20
	sum := sha256.Sum256(data)
	sha := hex.EncodeToString(sum[:])
	held := len(data)
	for _, other := range e.blobs {
		held += len(other)
	}
	if held <= most {
		e.blobs[sha] = bytes.Clone(data)
	}
	return sha, nil
}

// layOut puts the files of a session below a home directory, the main one without its middle, in whose place a line stands that no
// source takes for one of its own.
func (l *Library) layOut(s *shelf, found *sources.Found, home string, c cut) error {
	placed := l.placed(s)
	files := make([]string, len(found.Files))
	for i, path := range found.Files {
		below, ok := placed(path)
		if !ok {
			return errNoExcerpt
		}
		files[i] = filepath.Join(home, below)
		if err := os.MkdirAll(filepath.Dir(files[i]), 0o700); err != nil {
			return fmt.Errorf("making room to read it: %w", err)
		}
		put := c.file
		if i > 0 {
			put = copyFile
		}
		if err := put(path, files[i]); err != nil {
			return err
		}
	}
	found.Files = files
	return nil
}

// ends are how much is read of the beginning of a file and of its end. The first line, and one at the end, may be longer, by so many times.
type ends struct{ head, tail int64 }

const longer = 16

// bothEnds is what can be read at once, and what fills the largest page.
var bothEnds = ends{64 << 10, 512 << 10}

// besideMost is the largest file beside the main one that comes with an excerpt.
const besideMost = 1 << 20

// cut is how a file is cut. What stands in the hole is an object of no known type, at which a source writes what it still holds, and a
// line that is no JSON, which it keeps where it stands.
type cut struct {
	ends
	hole string
	out  *Excerpt
}

func copyFile(from, to string) error {
	info, err := os.Lstat(from)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() || info.Size() > besideMost {
		return errNoExcerpt
	}
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o600)
}

// file writes the lines at both ends of a file to another one.
func (c cut) file(from, to string) error {
	file, err := jsonl.Open(from)
	if err != nil {
		return errors.Join(errNoExcerpt, err)
	}
	defer func() { _ = file.Close() }() // opened for reading
	head, err := c.headOf(file, file.Size)
	if err != nil {
		return err
	}
	tail, err := c.tailOf(file, file.Size)
	if err != nil {
		return err
	}
	c.out.Read, c.out.Total = int64(len(head)+len(tail)), file.Size
	if c.out.Read >= c.out.Total {
		return errNoExcerpt
	}
	hole := fmt.Sprintf("{\"type\":%q}\n%s\n", c.hole, c.hole)
	return os.WriteFile(to, bytes.Join([][]byte{head, []byte(hole), tail}, nil), 0o600)
}

// headOf is the first lines of a file.
func (e ends) headOf(file io.ReaderAt, size int64) ([]byte, error) {
	for _, most := range []int64{e.head, longer * e.head} {
		text := make([]byte, min(most, size))
		if _, err := file.ReadAt(text, 0); err != nil {
			return nil, fmt.Errorf("reading its beginning: %w", err)
		}
		if end := bytes.LastIndexByte(text, '\n'); end >= 0 {
			if most > e.head { // only the line that is longer
				end = bytes.IndexByte(text, '\n')
			}
			return text[:end+1], nil
		}
	}
	return nil, errNoExcerpt
}

// tailOf is the last lines of a file. Of one that became shorter in the meantime there are none.
func (e ends) tailOf(file io.ReaderAt, size int64) ([]byte, error) {
	for most := e.tail; most <= longer*e.tail; most *= 2 {
		text := make([]byte, min(most, size))
		if _, err := file.ReadAt(text, size-int64(len(text))); err != nil {
			return nil, fmt.Errorf("reading its end: %w", err)
		}
		begin := bytes.IndexByte(text, '\n') + 1
		if begin > 0 && len(bytes.TrimSpace(text[begin:])) > 0 {
			return text[begin:], nil
		}
	}
	return nil, errNoExcerpt
}
