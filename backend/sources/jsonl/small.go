package jsonl

import (
	"bytes"
	"fmt"
	"os"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
)

// Settings is [Small] of a file that says something about all sessions of an agent: if it can't be read, that is told of.
func Settings(env sources.Env, path string, most int64) []byte {
	text, err := ReadSmall(path, most)
	env.Unseen(err)
	return text
}

// Small is the text of a file no longer than most, without a byte order mark; nil if it can't be read. A link is followed: many keep their
// settings elsewhere.
func Small(path string, most int64) []byte {
	text, _ := ReadSmall(path, most) // less is known then
	return text
}

// ReadSmall is [Small] with why it can't be read.
func ReadSmall(path string, most int64) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s: %w", path, ErrIrregular)
	case info.Size() > most:
		return nil, TooLarge(path, info.Size())
	}
	text, err := os.ReadFile(path)
	return Unmarked(text), err
}

// Last is the member of settings that a path leads to, as the programs read them that they are for: of members with one name the last counts.
func Last(settings gjson.Result, path ...string) gjson.Result {
	for _, name := range path {
		var last gjson.Result
		settings.ForEach(func(key, value gjson.Result) bool {
			if key.Str == name {
				last = value
			}
			return true
		})
		settings = last
	}
	return settings
}

// TooLarge is why a file is not read.
func TooLarge(path string, size int64) error {
	return fmt.Errorf("%s: %d bytes: %w", path, size, sources.ErrTooLarge)
}

// Unmarked is a text without the byte order mark that some editors put before it.
func Unmarked(text []byte) []byte { return bytes.TrimPrefix(text, []byte("\xEF\xBB\xBF")) }
