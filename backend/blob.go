package backend

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	"palimpsest/backend/session"
)

var blobPattern = regexp.MustCompile(`^[0-9a-f]{64}$`)

// OpenBlob opens what a session keeps beside its log under a SHA-256: an image, or the whole of a long text. The caller
// closes it. Only a regular file is opened: a link that leads out of the session's blobs is not followed, and a pipe
// would never answer.
func (b *Backend) OpenBlob(id, sha string) (*os.File, error) {
	at, err := b.placeOf(id)
	if err != nil {
		return nil, err
	}
	if !blobPattern.MatchString(sha) {
		return nil, fmt.Errorf("%w: session %s: the name of a blob is a SHA-256, 64 characters of 0-9 a-f", session.ErrInput, id)
	}
	file, err := openRegular(filepath.Join(filepath.Dir(at.store.LogPath(at.id)), "blobs"), sha)
	if err != nil {
		return nil, fmt.Errorf("session %s: blob %s: %w", id, sha, err)
	}
	return file, nil
}

func openRegular(dir, name string) (*os.File, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, absent(err)
	}
	defer func() { _ = root.Close() }() // files opened in it stay open
	info, err := root.Lstat(name)
	if err != nil {
		return nil, absent(err)
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("not a regular file")
	}
	file, err := root.Open(name)
	if err != nil {
		return nil, absent(err)
	}
	return file, nil
}

// absent tells what is not there from what can't be read.
func absent(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return session.ErrNotFound
	}
	return err
}
