package codex

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/zstd"
	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// text is a rollout's lines, whatever way it is kept.
type text struct {
	io.Reader
	file   *jsonl.File
	closes func()
	// cut is why what is compressed ended before its end.
	cut error
}

// whole reads what can be unpacked: that of a file which is damaged or cut off is what stands before that.
type whole struct {
	io.Reader
	of *text
}

func (w whole) Read(p []byte) (int, error) {
	n, err := w.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		w.of.cut, err = err, io.EOF
	}
	return n, err
}

// Seek lets who reads look how long a line is. What is packed can't be read twice.
func (t *text) Seek(offset int64, whence int) (int64, error) {
	if s, can := t.Reader.(io.Seeker); can {
		return s.Seek(offset, whence) //nolint:wrapcheck // as the file has it
	}
	return 0, errors.ErrUnsupported
}

func (t *text) Close() error {
	if t.closes != nil {
		t.closes()
	}
	return t.file.Close()
}

// plain tells that its ends can be read without the middle.
func (t *text) plain() bool { return t.closes == nil && t.Reader == io.Reader(t.file) }

// strange says why nothing of it can be read; empty where it is only none of Codex's.
func (t *text) strange() string {
	var why string
	switch {
	case t.cut != nil:
		why = "The file can't be unpacked: " + t.cut.Error()
	case t.closes == nil:
		why = t.file.Strange()
	case t.file.Size == 0:
		why = "The file is empty."
	}
	return why
}

func open(path string) (*text, error) {
	file, err := jsonl.Open(path)
	if err != nil {
		return nil, err
	}
	t := &text{Reader: file, file: file}
	switch {
	case strings.HasSuffix(path, ".zst"):
		const window = 128 << 20
		unpacked, err := zstd.NewReader(file, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(window))
		if err != nil {
			return nil, errors.Join(fmt.Errorf("unpacking %s: %w", path, err), file.Close())
		}
		t.Reader, t.closes = whole{unpacked, t}, unpacked.Close
	case strings.HasSuffix(path, ".json"):
		lines, err := unfold(file, file.Size)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("reading %s: %w", path, err), file.Close())
		}
		t.Reader = lines
	}
	return t, nil
}

// unfold writes the one object of the first generation, {session, items}, as the lines of the second.
func unfold(file io.Reader, size int64) (io.Reader, error) {
	const most = 64 << 20
	if size > most {
		return nil, fmt.Errorf("%d bytes: %w", size, sources.ErrTooLarge)
	}
	whole, err := io.ReadAll(io.LimitReader(file, most))
	if err != nil {
		return nil, err //nolint:wrapcheck // the caller names the file
	}
	rec := gjson.ParseBytes(whole)
	if !json.Valid(whole) || !rec.Get("session").IsObject() {
		return nil, errors.New("it is no session")
	}
	var lines bytes.Buffer
	write := func(value gjson.Result) {
		if json.Compact(&lines, []byte(value.Raw)) == nil {
			lines.WriteByte('\n')
		}
	}
	write(rec.Get("session"))
	rec.Get("items").ForEach(func(_, item gjson.Result) bool {
		write(item)
		return true
	})
	return &lines, nil
}
