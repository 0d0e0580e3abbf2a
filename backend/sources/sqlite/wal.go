package sqlite

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
)

// frameHeader is what stands before each page in a write-ahead log.
const frameHeader = 24

// walIndex says where the newest state of each page stands in a write-ahead log, as far as that was committed.
type walIndex struct {
	log io.ReaderAt
	// page is how long pages are, 0 if the log has nothing. pages is how many the database has with it.
	page, pages int64
	at          map[uint32]int64
	// end is behind the last commit, sums and salts what the next frame goes on from.
	end   int64
	sums  [2]uint32
	salts string
	order binary.ByteOrder
}

// openWAL reads what is committed in a log. One with a header that SQLite would not take has nothing.
func openWAL(ctx context.Context, log io.ReaderAt) (*walIndex, error) {
	x := &walIndex{log: log, at: map[uint32]int64{}}
	header := make([]byte, walHeader)
	if n, err := log.ReadAt(header, 0); n < len(header) {
		return x, unlessEnd(err)
	}
	const version = 3_007_000
	switch magic := binary.BigEndian.Uint32(header); magic {
	case 0x377f0682:
		x.order = binary.LittleEndian
	case 0x377f0683:
		x.order = binary.BigEndian
	default:
		return x, nil
	}
	page := int64(binary.BigEndian.Uint32(header[8:]))
	x.sum(header[:24])
	if binary.BigEndian.Uint32(header[4:]) != version || page < 512 || page > 65536 || page&(page-1) != 0 || !x.sealed(header[24:]) {
		return x, nil
	}
	x.page, x.end, x.salts = page, walHeader, string(header[16:24])
	return x, x.more(ctx)
}

// more takes what was committed behind the end.
func (x *walIndex) more(ctx context.Context) error {
	if x.page == 0 {
		return nil
	}
	begun := map[uint32]int64{} // of a transaction that may never be committed
	const ahead = 1 << 18
	in := bufio.NewReaderSize(io.NewSectionReader(x.log, x.end, math.MaxInt64-x.end), ahead)
	frame, sums := make([]byte, frameHeader+x.page), x.sums
	defer func() { x.sums = sums }()
	for at := x.end; ctx.Err() == nil; at += int64(len(frame)) {
		if _, err := io.ReadFull(in, frame); err != nil {
			return unlessEnd(err)
		}
		number, pages := binary.BigEndian.Uint32(frame), binary.BigEndian.Uint32(frame[4:])
		x.sum(frame[:8])
		x.sum(frame[frameHeader:])
		if number == 0 || string(frame[8:16]) != x.salts || !x.sealed(frame[16:]) {
			return nil // of before the log began anew, or half written
		}
		begun[number] = at + frameHeader
		if pages > 0 {
			maps.Copy(x.at, begun)
			clear(begun)
			x.pages, x.end, sums = int64(pages), at+int64(len(frame)), x.sums
		}
	}
	return fmt.Errorf("reading what its log has: %w", ctx.Err())
}

// sum goes on with the checksum over what a writer has written.
func (x *walIndex) sum(text []byte) {
	a, b := x.sums[0], x.sums[1]
	for ; len(text) >= 8; text = text[8:] {
		a += x.order.Uint32(text) + b
		b += x.order.Uint32(text[4:]) + a
	}
	x.sums = [2]uint32{a, b}
}

// sealed tells whether the checksum is the one that was written.
func (x *walIndex) sealed(written []byte) bool {
	return binary.BigEndian.Uint32(written) == x.sums[0] && binary.BigEndian.Uint32(written[4:]) == x.sums[1]
}

// unlessEnd is an error of reading that is more than the end of a file.
func unlessEnd(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return err
}
