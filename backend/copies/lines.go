package copies

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"os"

	"github.com/klauspost/compress/zstd"
	"github.com/tidwall/gjson"

	"palimpsest/backend/borrow"
)

// lacksLines tells whether a file lacks a line that an earlier state of it has. Agents add lines, and some take old ones away. A line that
// was not written to its end does not count, nor does a first one that another one took the place of: it says what a session is, and is
// written anew when that gets another name.
func lacksLines(ctx context.Context, now, before string) (lacks bool, err error) {
	seed, has := maphash.MakeSeed(), map[uint64]struct{}{}
	var first uint64
	err = eachLine(ctx, now, seed, func(n int, line uint64, _ bool) bool {
		if n == 0 {
			first = line
		}
		has[line] = struct{}{}
		return true
	})
	if err != nil {
		return false, err
	}
	renamed := false
	err = eachLine(ctx, before, seed, func(n int, line uint64, ended bool) bool {
		_, there := has[line]
		switch {
		case n == 0 && !there && ended:
			renamed = len(has) > 0
			lacks = !renamed
		case renamed && line == first: // the first line now is no other one, but the next
			lacks = true
		case ended && !there:
			lacks = true
		}
		return !lacks
	})
	if err != nil || lacks || !renamed {
		return lacks, err
	}
	return saysSomething(before)
}

// saysSomething tells whether the first line of a file is a part of the conversation, as in files that have no header.
func saysSomething(path string) (bool, error) {
	in, err := openLines(path)
	if err != nil {
		return false, err
	}
	defer in.Close()
	const enough = 1 << 20
	line, err := bufio.NewReaderSize(in, enough).ReadSlice('\n')
	if err != nil && !errors.Is(err, bufio.ErrBufferFull) && !errors.Is(err, io.EOF) {
		return false, fmt.Errorf("reading %s: %w", path, err)
	}
	for _, member := range []string{"message", "role", "content", "payload.role", "payload.content", "payload.message"} {
		if gjson.GetBytes(line, member).Exists() {
			return true, nil
		}
	}
	return false, nil
}

// eachLine gives the sum of each line, of any length, until visit wants no more.
func eachLine(ctx context.Context, path string, seed maphash.Seed, visit func(n int, line uint64, ended bool) (more bool)) error {
	in, err := openLines(path)
	if err != nil {
		return err
	}
	defer in.Close()
	const buffer = 64 << 10
	r := bufio.NewReaderSize(stoppable{ctx, in}, buffer)
	var sum maphash.Hash
	sum.SetSeed(seed)
	for n := 0; ; {
		part, err := r.ReadSlice('\n')
		_, _ = sum.Write(part) // it never fails
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && !errors.Is(err, io.EOF):
			return fmt.Errorf("reading %s: %w", path, err)
		case err != nil && len(part) == 0, !visit(n, sum.Sum64(), err == nil):
			return nil
		}
		sum.Reset()
		n++
	}
}

// plain is what is in a file, packed or not.
type plain struct {
	io.Reader
	file   *os.File
	unpack *zstd.Decoder
}

func openLines(path string) (*plain, error) {
	file, err := borrow.Open(path)
	if err != nil {
		return nil, err
	}
	const packed = "\x28\xB5\x2F\xFD"
	head := make([]byte, len(packed))
	if n, _ := file.ReadAt(head, 0); string(head[:n]) != packed {
		return &plain{file, file, nil}, nil
	}
	const window = 128 << 20
	unpack, err := zstd.NewReader(file, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(window))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("unpacking %s: %w", path, err), file.Close())
	}
	return &plain{untilDamage{unpack}, file, unpack}, nil
}

func (p *plain) Close() {
	if p.unpack != nil {
		p.unpack.Close()
	}
	_ = p.file.Close() // opened for reading
}

// untilDamage ends where what is packed can't be unpacked any more: there is nothing behind that.
type untilDamage struct{ in io.Reader }

func (u untilDamage) Read(p []byte) (int, error) {
	n, err := u.in.Read(p)
	if err != nil {
		err = io.EOF
	}
	return n, err
}
