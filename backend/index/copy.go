package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
)

// Copy puts a copy of the index in one directory into another, which has none yet: one that can't be written to goes on to be of use. It is only
// read, and may be in use. What is damaged in it is found in the copy as it would be in itself.
func Copy(ctx context.Context, from, to string) error {
	path, copied := filepath.Join(from, fileName), filepath.Join(to, fileName)
	if _, err := os.Stat(path); err != nil {
		return fmt.Errorf("looking for an index: %w", err)
	}
	if err := os.MkdirAll(to, 0o700); err != nil {
		return fmt.Errorf("making room for a copy of the index: %w", err)
	}
	err := copyInto(ctx, path, copied, "mode=ro")
	if writes, none := os.Stat(path + "-wal"); err != nil && (none != nil || writes.Size() == 0) {
		// To take part with others takes a file beside it, for which there may be no room. Nobody writes where there is none.
		err = errors.Join(remove(copied), copyInto(ctx, path, copied, "mode=ro&immutable=1"))
	}
	if err != nil {
		return errors.Join(explained("copying the index in "+from, err), remove(copied))
	}
	return nil
}

func copyInto(ctx context.Context, path, to, how string) error {
	u := url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(path), RawQuery: how}
	db, err := sql.Open("sqlite", u.String())
	if err != nil {
		return fmt.Errorf("opening %s: %w", path, err)
	}
	if _, err = db.ExecContext(ctx, "VACUUM INTO ?", to); err != nil {
		err = fmt.Errorf("writing: %w", err)
	}
	return errors.Join(err, db.Close())
}
