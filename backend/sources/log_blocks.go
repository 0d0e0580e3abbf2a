package sources

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"
	"unsafe"

	"palimpsest/backend/record"
)

// textMost is how much text a line holds; more goes beside the log, and head and tail of it stay.
const (
	textMost = 64 << 10
	textEnd  = 8 << 10
)

// Text is a block of text; a long one is kept beside the log, and cut.
func (l *Log) Text(text string) Block {
	text = Valid(text)
	block := Block{Type: "text", Text: text}
	if len(text) <= textMost {
		return block
	}
	sha, err := l.keep(unsafe.Slice(unsafe.StringData(text), len(text))) // who keeps it does not write to it
	if err != nil {
		l.fail(err)
		return block
	}
	block.Text = record.HeadAndTail(text, textEnd)
	block.Blob, block.Bytes = sha, len(text)
	return block
}

// Valid is a text in which what is no UTF-8 is U+FFFD.
func Valid(text string) string {
	if utf8.ValidString(text) { // which is told faster
		return text
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}

// Image keeps an image and returns the block that shows it.
func (l *Log) Image(mediaType string, data []byte) Block {
	sha, err := l.keep(data)
	l.fail(err)
	return Block{Type: "image", MediaType: mediaType, Blob: sha, Bytes: len(data)}
}

// DataURL is the image of a data: address; not ok if it is none.
func (l *Log) DataURL(address string) (Block, bool) {
	rest, is := strings.CutPrefix(address, "data:")
	head, body, comma := strings.Cut(rest, ",")
	mediaType, encoded := strings.CutSuffix(head, ";base64")
	if !is || !comma || !encoded || !strings.HasPrefix(mediaType, "image/") {
		return Block{}, false
	}
	return l.Base64(mediaType, body)
}

// Base64 is the image that is written in base64; not ok if it is none.
func (l *Log) Base64(mediaType, body string) (Block, bool) {
	data, err := base64.StdEncoding.DecodeString(strings.TrimRight(body, "= \n"))
	if err != nil {
		data, err = base64.RawStdEncoding.DecodeString(strings.TrimRight(body, "= \n"))
	}
	if err != nil || mediaType == "" {
		return Block{}, false
	}
	return l.Image(mediaType, data), true
}
