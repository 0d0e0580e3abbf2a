package record

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// shortenBuffer is what is held of a line beside what is kept of it, in bytes.
const shortenBuffer = 256 << 10

// Shorten reads a line and returns it with every string in it cut to about longest bytes of JSON, and whether any was: one pass that
// neither validates nor decodes nor holds what it leaves out, so that a line of many megabytes costs little more than reading it.
// What is no JSON stays none, or may become some; a line is judged whole, by [Scan].
func Shorten(line io.Reader, longest int) (short []byte, cut bool, err error) {
	short, cut, err = shorten(bufio.NewReaderSize(line, shortenBuffer), longest)
	if errors.Is(err, io.EOF) {
		return short, cut, nil
	}
	return nil, false, err
}

// shorten reads until it can't any more, and says why.
func shorten(line *bufio.Reader, longest int) (short []byte, cut bool, err error) {
	for {
		piece, err := line.ReadSlice('"')
		short = append(short, piece...)
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil {
			return short, cut, fmt.Errorf("shortening a record: %w", err)
		}
		start := len(short)
		whole, err := takeString(line, &short, longest)
		if !whole {
			short = append(short[:start+wholeRunes(short[start:], longest)], "…"...)
			cut = true
		}
		if err != nil {
			return short, cut, err
		}
		short = append(short, '"')
	}
}

// takeString adds a string to short, without the quote that ends it. Of one that is longer than longest it adds the byte behind that,
// too, by which [wholeRunes] tells where it may be cut, and no more.
func takeString(line *bufio.Reader, short *[]byte, longest int) (whole bool, err error) {
	most, length, slashes := len(*short)+longest+1, 0, 0
	for {
		piece, err := line.ReadSlice('"')
		text := piece
		if err == nil {
			text = piece[:len(piece)-1]
		}
		slashes = slashesAtEnd(text, slashes)
		ends := err == nil && slashes%2 == 0
		if err == nil && !ends {
			text, slashes = piece, 0
		}
		*short = append(*short, text[:min(len(text), most-len(*short))]...)
		length += len(text)
		if ends {
			return length <= longest, nil
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return length <= longest, fmt.Errorf("shortening a record: %w", err)
		}
	}
}

// slashesAtEnd counts the backslashes that a string ends with, if so many stood before text.
func slashesAtEnd(text []byte, before int) int {
	n := len(text) - len(bytes.TrimRight(text, `\`))
	if n == len(text) {
		return before + n
	}
	return n
}

// wholeRunes is where a string may be cut, at or before length: not within a character or an escape, nor between the two
// escapes of one character.
func wholeRunes(text []byte, length int) int {
	for length > 0 && text[length]&0xC0 == 0x80 {
		length--
	}
	length = outsideEscape(text, length)
	const unicode = len(`\u0000`)
	if length >= unicode && isHighSurrogate(text[length-unicode:length]) {
		return outsideEscape(text, length-unicode)
	}
	return length
}

// outsideEscape is length, or the start of the escape that reaches over it.
func outsideEscape(text []byte, length int) int {
	for back := 1; back < len(`\u0000`) && back <= length; back++ {
		if text[length-back] != '\\' {
			continue
		}
		slashes := 0
		for length-back-slashes > 0 && text[length-back-slashes-1] == '\\' {
			slashes++
		}
		if slashes%2 == 1 {
			continue
		}
		if back == 1 || text[length-back+1] == 'u' {
			return length - back
		}
	}
	return length
}

func isHighSurrogate(escape []byte) bool {
	return escape[0] == '\\' && escape[1] == 'u' && escape[2]|0x20 == 'd' && bytes.IndexByte([]byte("89abAB"), escape[3]) >= 0
}
