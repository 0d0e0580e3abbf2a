package desk

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"palimpsest/backend/session"
)

// imagesDir holds the images that go with what is unfinished, by their SHA-256. It is no key: those end in .json.
const imagesDir = "images"

// unnamedFor is how long an image stays that no piece names: one may be about to.
const unnamedFor = 24 * time.Hour

var shas = regexp.MustCompile(`^[0-9a-f]{64}$`)

// KeepImage lays an image on the desk and returns its SHA-256 in hex.
func (d *Desk) KeepImage(data []byte) (sha string, err error) {
	sum := sha256.Sum256(data)
	sha = hex.EncodeToString(sum[:])
	path := filepath.Join(d.dir, imagesDir, sha)
	if there, err := os.ReadFile(path); err == nil && bytes.Equal(there, data) {
		now := time.Now()
		return sha, os.Chtimes(path, now, now)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", fmt.Errorf("laying an image on the desk: %w", err)
	}
	if err := session.ReplaceFile(path, data); err != nil {
		return "", fmt.Errorf("laying an image on the desk: %w", err)
	}
	return sha, nil
}

// Image reads one; [session.ErrNotFound] if it is not there.
func (d *Desk) Image(sha string) ([]byte, error) {
	if !shas.MatchString(sha) {
		return nil, fmt.Errorf("%w: the name of an image is a SHA-256, 64 characters of 0-9 a-f", session.ErrInput)
	}
	data, err := os.ReadFile(filepath.Join(d.dir, imagesDir, sha))
	if errors.Is(err, fs.ErrNotExist) {
		err = session.ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("image %s on the desk: %w", sha, err)
	}
	return data, nil
}

// SweepImages takes away the images that have been there for a day and that no piece names.
func (d *Desk) SweepImages(now time.Time) error {
	entries, err := os.ReadDir(filepath.Join(d.dir, imagesDir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("looking at the images on the desk: %w", err)
	}
	old := map[string]bool{}
	for _, entry := range entries {
		info, err := entry.Info()
		if err == nil && shas.MatchString(entry.Name()) && now.Sub(info.ModTime()) > unnamedFor {
			old[entry.Name()] = true
		}
	}
	if len(old) == 0 {
		return nil
	}
	if err := d.unlessNamed(old); err != nil {
		return err // what can't be read may name any of them
	}
	for sha := range old {
		err = errors.Join(err, os.Remove(filepath.Join(d.dir, imagesDir, sha)))
	}
	return err
}

// unlessNamed leaves those images that no piece names.
func (d *Desk) unlessNamed(images map[string]bool) error {
	keys, err := d.Keys()
	if err != nil {
		return err
	}
	for _, key := range keys {
		piece, err := os.ReadFile(filepath.Join(d.dir, key+extension))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return fmt.Errorf("reading what lies on the desk under %s: %w", key, err)
		}
		for sha := range images {
			if bytes.Contains(piece, []byte(sha)) {
				delete(images, sha)
			}
		}
	}
	return nil
}
