package copies

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/rogpeppe/go-internal/robustio"

	"palimpsest/backend/session"
	"palimpsest/backend/sources/jsonl"
)

// add keeps what a file holds. Of one that grows meanwhile it is what was there when it was opened.
func (s *Store) add(ctx context.Context, original Original) (_ File, err error) {
	in, err := jsonl.Open(original.Path) // regular files alone
	if err != nil {
		return File{}, err
	}
	defer func() { _ = in.Close() }() // opened for reading
	objects := filepath.Join(s.dir, "objects")
	if err := os.MkdirAll(objects, 0o700); err != nil {
		return File{}, err
	}
	temp, err := os.CreateTemp(objects, "new-*")
	if err != nil {
		return File{}, err
	}
	defer func() { _ = os.Remove(temp.Name()) }() // gone already where all went well
	sum := sha256.New()
	size, err := io.Copy(io.MultiWriter(temp, sum), io.LimitReader(stoppable{ctx, in}, in.Size))
	if err == nil {
		err = temp.Sync()
	}
	if err = errors.Join(err, temp.Close()); err != nil {
		return File{}, err
	}
	file := File{Path: filepath.ToSlash(original.Below), Size: size, ModifiedAt: in.ModTime, SHA256: hex.EncodeToString(sum.Sum(nil))}
	path := s.object(file.SHA256)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return File{}, err
	}
	if err := robustio.Rename(temp.Name(), path); err != nil { // also onto one that is there: it may be damaged
		return File{}, err
	}
	return file, errors.Join(session.SyncDir(filepath.Dir(path)), session.SyncDir(objects))
}

// whole tells whether a file that was kept is what it was.
func (s *Store) whole(ctx context.Context, file File) (bool, error) {
	in, err := os.Open(s.object(file.SHA256))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("looking at what was kept: %w", err) // it may be as it was
	}
	defer func() { _ = in.Close() }() // opened for reading
	sum := sha256.New()
	_, err = io.Copy(sum, stoppable{ctx, in})
	if ctx.Err() != nil {
		return false, context.Cause(ctx)
	}
	return err == nil && hex.EncodeToString(sum.Sum(nil)) == file.SHA256, nil
}

// Unpack lays the files of a copy out below a directory, each checked against its sum.
func (s *Store) Unpack(ctx context.Context, agent, id, home string) error {
	c, err := s.Copy(agent, id)
	if err != nil {
		return err
	}
	for _, file := range c.Files {
		if err := s.lay(ctx, file, filepath.Join(home, filepath.FromSlash(file.Path))); err != nil {
			return fmt.Errorf("the copy of %s:%s: %s: %w", agent, id, file.Path, err)
		}
	}
	return nil
}

func (s *Store) lay(ctx context.Context, file File, path string) error {
	in, err := os.Open(s.object(file.SHA256))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	defer func() { _ = in.Close() }() // opened for reading
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	sum := sha256.New()
	_, err = io.Copy(io.MultiWriter(out, sum), stoppable{ctx, in})
	if err = errors.Join(err, out.Close()); err != nil {
		return err
	}
	if hex.EncodeToString(sum.Sum(nil)) != file.SHA256 {
		return errors.Join(fmt.Errorf("%w: it is not what was kept", ErrDamaged), os.Remove(path))
	}
	return os.Chtimes(path, file.ModifiedAt, file.ModifiedAt)
}

// stoppable is a reader that ends with its context.
type stoppable struct {
	ctx context.Context //nolint:containedctx // it is that of one copy
	in  io.Reader
}

func (s stoppable) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, context.Cause(s.ctx)
	}
	return s.in.Read(p) //nolint:wrapcheck // io.EOF has to stay what it is
}
