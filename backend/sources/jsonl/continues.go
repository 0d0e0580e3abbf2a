package jsonl

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"palimpsest/backend/inode"
	"palimpsest/backend/sources"
)

// Continues tells whether what is in a file begins with all that is in another one, where either may be packed: open unpacks it. That
// takes time, so it is remembered.
func Continues(env sources.Env, agent, longer, shorter string, open func(path string) (io.ReadCloser, error)) bool {
	long, err1 := os.Lstat(longer)
	short, err2 := os.Lstat(shorter)
	if err1 != nil || err2 != nil {
		return false
	}
	if packed := func(path string) bool { return strings.HasSuffix(path, ".zst") }; !packed(longer) && !packed(shorter) {
		return Begins(&sources.Found{Files: []string{longer}, Bytes: long.Size()}, &sources.Found{Files: []string{shorter}, Bytes: short.Size()})
	}
	asked := fmt.Sprintf("%s continues %s %d %d %d", agent, shorter, short.Size(), short.ModTime().UnixNano(), inode.Changed(short))
	return len(env.Memory.Recall(asked, longer, func() (sources.Told, bool) {
		yes, known := unpackedContinues(longer, shorter, open)
		if yes {
			return sources.Told{Notes: []string{"yes"}}, known
		}
		return sources.Told{}, known
	}).Notes) > 0
}

// unpackedContinues compares what is in both; nothing is known where one can't be opened. What is damaged ends where it is.
func unpackedContinues(longer, shorter string, open func(path string) (io.ReadCloser, error)) (yes, known bool) {
	long, err := open(longer)
	if err != nil {
		return false, false
	}
	defer long.Close()
	short, err := open(shorter)
	if err != nil {
		return false, false
	}
	defer short.Close()
	const part = 64 << 10
	want, have := make([]byte, part), make([]byte, part)
	for {
		n, err := io.ReadFull(short, want)
		if m, _ := io.ReadFull(long, have[:n]); m < n || !bytes.Equal(want[:n], have[:n]) {
			return false, true
		}
		if err != nil {
			return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF), true
		}
	}
}
