// Package desk keeps what lies unfinished: text that was not sent, drafts of compactions, how the window was left. Each piece is
// one JSON document in a file of its own, replaced whole, so that neither a crash nor a full disk leaves half of one. What
// a piece means is for those to know who lay it down.
package desk

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"palimpsest/backend/session"
)

// Most bounds a piece, in bytes.
const Most = 4 << 20

// keys are a word, or a word and the session that the piece belongs to: names of files on every system.
var keys = regexp.MustCompile(`^[a-z]{1,32}(\.[0-9A-HJKMNP-TV-Z]{26})?$`)

const extension = ".json"

// Desk is a directory of pieces. It is made with the first one.
type Desk struct {
	dir string

	mu    sync.RWMutex
	known map[string]imprint // what Changes has told of
}

// imprint tells one state of a piece from the next without reading it.
type imprint struct {
	size int64
	time int64
}

// Open returns the desk in a directory, which need not exist.
func Open(dir string) *Desk { return &Desk{dir: dir} }

// Get returns a piece; null if there is none. What is being laid down is waited for: a window that is loaded anew asks while the one that
// it was before is still laying down what was written in it, and would lay its own over that.
func (d *Desk) Get(key string) (json.RawMessage, error) {
	path, err := d.path(key)
	if err != nil {
		return nil, err
	}
	d.mu.RLock()
	text, err := os.ReadFile(path)
	d.mu.RUnlock()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return json.RawMessage("null"), nil
	case err != nil:
		return nil, fmt.Errorf("reading what lies on the desk under %s: %w", key, err)
	case !json.Valid(text):
		return nil, fmt.Errorf("what lies on the desk under %s is no JSON: %s was changed by another program", key, path)
	}
	return text, nil
}

// Put replaces a piece; null takes it away.
func (d *Desk) Put(key string, value json.RawMessage) error {
	path, err := d.path(key)
	if err != nil {
		return err
	}
	if len(value) > Most {
		return fmt.Errorf("%w: %d bytes are more than the %d that may lie on the desk under one key", session.ErrInput, len(value), Most)
	}
	if !json.Valid(value) {
		return fmt.Errorf("%w: what is to lie on the desk under %s is no JSON", session.ErrInput, key)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if strings.TrimSpace(string(value)) == "null" {
		err = os.Remove(path)
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
	} else if err = os.MkdirAll(d.dir, 0o700); err == nil {
		err = session.ReplaceFile(path, value)
	}
	if err != nil {
		return fmt.Errorf("laying %s on the desk: %w (what lay there still does)", key, err)
	}
	if d.known != nil {
		d.remember(key)
	}
	return nil
}

// Clear takes away all pieces of a session.
func (d *Desk) Clear(id string) error {
	keys, err := d.Keys()
	if err != nil {
		return err
	}
	for _, key := range keys {
		if strings.HasSuffix(key, "."+id) {
			err = errors.Join(err, d.Put(key, json.RawMessage("null")))
		}
	}
	return err
}

// Keys lists what lies there, sorted.
func (d *Desk) Keys() ([]string, error) {
	found, err := d.imprints()
	if err != nil {
		return nil, err
	}
	list := make([]string, 0, len(found))
	for key := range found {
		list = append(list, key)
	}
	slices.Sort(list)
	return list, nil
}

// Changes returns the keys of what others than this Desk laid down or took away since it was asked last, sorted; none the
// first time.
func (d *Desk) Changes() ([]string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	now, err := d.imprints()
	if err != nil {
		return nil, err
	}
	var changed []string
	if d.known != nil {
		for key, one := range now {
			if d.known[key] != one {
				changed = append(changed, key)
			}
		}
		for key := range d.known {
			if _, there := now[key]; !there {
				changed = append(changed, key)
			}
		}
		slices.Sort(changed)
	}
	d.known = now
	return changed, nil
}

func (d *Desk) path(key string) (string, error) {
	if !keys.MatchString(key) {
		return "", fmt.Errorf("%w: %.100q is no key of the desk: a word of a to z, or one, a dot and a session's id", session.ErrInput, key)
	}
	return filepath.Join(d.dir, key+extension), nil
}

func (d *Desk) imprints() (map[string]imprint, error) {
	entries, err := os.ReadDir(d.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("looking at the desk: %w", err)
	}
	found := map[string]imprint{}
	for _, entry := range entries {
		key, ok := strings.CutSuffix(entry.Name(), extension)
		if !ok || !keys.MatchString(key) {
			continue
		}
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() {
			found[key] = imprint{info.Size(), info.ModTime().UnixNano()}
		}
	}
	return found, nil
}

// remember takes in this Desk's own change. The caller holds mu.
func (d *Desk) remember(key string) {
	info, err := os.Stat(filepath.Join(d.dir, key+extension))
	if err != nil {
		delete(d.known, key)
		return
	}
	d.known[key] = imprint{info.Size(), info.ModTime().UnixNano()}
}
