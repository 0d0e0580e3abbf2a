package borrow

import (
	"errors"
	"io"
)

// ReadFile reads a regular file.
func ReadFile(path string) ([]byte, error) {
	file, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // opened for reading
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, irregular(path)
	}
	data := make([]byte, info.Size()+1) // room to see that there is no more
	n, err := file.Read(data)
	switch {
	case errors.Is(err, io.EOF) || err == nil && int64(n) == info.Size():
		return data[:n], nil
	case err != nil:
		return nil, err
	}
	more, err := io.ReadAll(file) // it has grown, or comes in parts
	return append(data[:n], more...), err
}
