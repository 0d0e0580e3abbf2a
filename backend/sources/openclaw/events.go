package openclaw

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/klauspost/compress/zstd"
	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// events visits the entries of a session in order, as often as it is asked. What is no entry goes to broken, if it is not nil.
type events func(ctx context.Context, broken func(sources.Line), visit func(rec gjson.Result) error) error

// transcript are the events of a file, compressed or not.
func transcript(path string) events {
	return func(ctx context.Context, broken func(sources.Line), visit func(gjson.Result) error) error {
		file, err := jsonl.Open(path)
		if errors.Is(err, fs.ErrNotExist) {
			return sources.ErrGone
		}
		if err != nil {
			return err
		}
		defer file.Close()
		if !strings.HasSuffix(path, ".zst") {
			return lines(ctx, file, broken, visit)
		}
		in, err := decompress(file)
		if err != nil {
			return err
		}
		defer in.Close()
		return lines(ctx, in, broken, visit)
	}
}

func lines(ctx context.Context, r io.Reader, broken func(sources.Line), visit func(gjson.Result) error) error {
	return jsonl.Each(ctx, r, broken, func(_ sources.Line, rec gjson.Result) error { return visit(unwrap(rec)) })
}

// unwrap takes an entry out of a row of a database, as archives of those may have it.
func unwrap(rec gjson.Result) gjson.Result {
	if rec.Get("type").Exists() {
		return rec
	}
	for _, name := range []string{"event", "event_json", "eventJson"} {
		inner := rec.Get(name)
		if inner.Type == gjson.String && json.Valid([]byte(inner.Str)) {
			inner = gjson.Parse(inner.Str)
		}
		if inner.IsObject() {
			return inner
		}
	}
	return rec
}

// decompressedMost is how much memory the window of a compressed file may take.
const decompressedMost = 128 << 20

func decompress(r io.Reader) (io.ReadCloser, error) {
	d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(decompressedMost))
	if err != nil {
		return nil, fmt.Errorf("decompressing: %w", err)
	}
	return d.IOReadCloser(), nil
}

// archived are the events of a blob.
func archived(blob []byte, encoding string) events {
	return func(ctx context.Context, broken func(sources.Line), visit func(gjson.Result) error) error {
		if encoding != "zstd" {
			return lines(ctx, bytes.NewReader(blob), broken, visit)
		}
		in, err := decompress(bytes.NewReader(blob))
		if err != nil {
			return err
		}
		defer in.Close()
		return lines(ctx, in, broken, visit)
	}
}
