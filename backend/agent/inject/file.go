package inject

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"unicode"
	"unicode/utf8"
)

// text is what was read of a file.
type text struct {
	content string
	// size is that of the file, which may be more.
	size int64
}

var (
	errNoFile = errors.New("not a regular file")
	errBinary = errors.New("not UTF-8 text")
)

// read reads a text of at most most bytes, from the beginning. Symbolic links are followed as long as they stay within the
// root: a file that came with a repository must not be a way to send others of the machine to a model.
func read(root *os.Root, name string, most int64) (text, error) {
	// Looked at before it is opened: opening a pipe would wait for its writer.
	info, err := root.Stat(name)
	if err != nil {
		return text{}, err
	}
	if !info.Mode().IsRegular() {
		return text{}, errNoFile
	}
	file, err := root.Open(name)
	if err != nil {
		return text{}, err
	}
	defer func() { _ = file.Close() }() // opened for reading
	data, err := io.ReadAll(io.LimitReader(file, most))
	if err != nil {
		return text{}, err //nolint:wrapcheck // as above
	}
	data = bytes.TrimPrefix(data, []byte("\uFEFF"))
	if info.Size() > most {
		data = wholeRunes(data)
	}
	if !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0 {
		return text{}, errBinary
	}
	return text{string(data), info.Size()}, nil
}

// wholeRunes takes off a character that was cut in half at the end.
func wholeRunes(data []byte) []byte {
	for i := 1; i < utf8.UTFMax && i <= len(data); i++ {
		if utf8.RuneStart(data[len(data)-i]) {
			if !utf8.FullRune(data[len(data)-i:]) {
				return data[:len(data)-i]
			}
			break
		}
	}
	return data
}

// reasonOf says why a file was left out, in words without its path.
func reasonOf(err error) string {
	switch {
	case errors.Is(err, errNoFile), errors.Is(err, errBinary):
		return err.Error()
	case errors.Is(err, fs.ErrPermission):
		return "this user may not read it"
	case errors.Is(err, fs.ErrNotExist):
		return "a link to something that is not there"
	case errors.Is(err, syscall.ELOOP):
		return "a link that leads back to itself"
	case strings.Contains(err.Error(), "escapes"):
		return "a link that leads out of the folder"
	}
	if inner, ok := errors.AsType[*fs.PathError](err); ok {
		err = inner.Err
	}
	return fmt.Sprintf("it can't be read: %v", err)
}

// oneLine keeps what stands in a name from looking like something of its own.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, s)
}
