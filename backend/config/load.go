package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/viper"
)

// Load reads the settings of the given home directory. It always returns a usable Config: where
// something is wrong, the setting it concerns has the value it would have without it. A missing
// file is no problem. Load has no state; each call reads everything anew.
func Load(home string) (Config, []Problem) {
	path := filepath.Join(home, FileName)
	var values map[string]any
	data, problems := readFile(path)
	if len(problems) == 0 {
		values, problems = parse(path, data)
	}

	v := viper.New()
	for _, s := range settings {
		v.SetDefault(s.key, s.initial)
	}
	if err := v.MergeConfigMap(values); err != nil {
		problems = append(problems, Problem{Path: path, Message: "the settings cannot be merged: " + err.Error()})
	}
	_, floorGiven := values[reserveFloor]
	for _, s := range settings {
		text := os.Getenv(s.env())
		if text == "" || s.rules || s.table != nil {
			continue
		}
		if message, hint := s.complaint(s.env(), text); message != "" {
			problems = append(problems, Problem{Key: s.key, Message: message, Hint: hint})
			continue
		}
		if err := v.BindEnv(s.key, s.env()); err != nil {
			problems = append(problems, Problem{Key: s.key, Message: s.env() + " cannot be used: " + err.Error()})
		}
		floorGiven = floorGiven || s.key == reserveFloor
	}

	var c Config
	if err := v.Unmarshal(&c); err != nil {
		problems = append(problems, Problem{Path: path, Message: "the settings cannot be used: " + err.Error()})
	}
	problems = append(problems, c.connect(os.Getenv)...)
	return c, append(problems, c.Compaction.reconcile(floorGiven)...)
}

// AddressLost tells whether an address is set, or may be, that can't be used: then an empty BaseURL does not stand for
// the provider's own, since what was meant for another place must not go there.
func AddressLost(c Config, problems []Problem) bool {
	return c.BaseURL == "" && slices.ContainsFunc(problems, func(p Problem) bool {
		// Without a key it is the whole file. A provider that is not there may be one whose own address can't be used.
		return p.Key == "" || strings.EqualFold(p.Key, "base_url") || strings.EqualFold(p.Key, "provider")
	})
}

// maxFileSize is far above any settings file and low enough to be read at every change.
const maxFileSize = 1 << 20

// readFile returns the bytes of the settings file, none if there is no file, or the one problem
// that keeps it from being read.
func readFile(path string) ([]byte, []Problem) {
	unreadable := func(err error) ([]byte, []Problem) {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		if inner := (*fs.PathError)(nil); errors.As(err, &inner) {
			err = inner.Err // the problem names the path already
		}
		return nil, []Problem{{Path: path, Message: "the settings cannot be read: " + err.Error(), Hint: "they count as empty until they can"}}
	}

	// Looked at before it is opened: opening a pipe would wait for its writer.
	info, err := os.Stat(path)
	if err != nil {
		return unreadable(err)
	}
	if info.IsDir() {
		return unreadable(errors.New("this is a directory, not a file"))
	}
	if !info.Mode().IsRegular() {
		return unreadable(errors.New("this is not a regular file"))
	}
	f, err := os.Open(path)
	if err != nil {
		return unreadable(err)
	}
	defer func() { _ = f.Close() }() // nothing was written
	data, err := io.ReadAll(io.LimitReader(f, maxFileSize+1))
	if err != nil {
		return unreadable(err)
	}
	if len(data) > maxFileSize {
		return unreadable(fmt.Errorf("the file is larger than %d KiB", maxFileSize>>10))
	}
	return data, nil
}
