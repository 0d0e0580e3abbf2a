package record

import (
	"strings"
	"unicode/utf8"
	"unsafe"

	"github.com/tidwall/gjson"
)

// Decode reads a whole line. The error is always an [*Error]. Fields that are missing or of the wrong type are zero,
// but for those that make a record what it is.
func Decode(line []byte) (Record, error) {
	if err := checkJSON(line); err != nil {
		return Record{}, err
	}
	// Bytes that are not UTF-8 stay in the file; what is handed on is text, as every JSON reader would have it.
	return decodeText(valid(line))
}

// DecodeShared is [Decode] for UTF-8 that stays as it is until nobody needs the record any more: they share memory, and a long line is not
// copied.
func DecodeShared(line []byte) (Record, error) {
	if err := checkJSON(line); err != nil {
		return Record{}, err
	}
	return decodeText(unsafe.String(unsafe.SliceData(line), len(line)))
}

func decodeText(line string) (Record, error) {
	object := gjson.Parse(line)
	header, err := headerOf(object)
	if err != nil {
		return Record{}, err
	}
	return decode(header, object), nil
}

// DecodeScanned reads the whole of a line that [Scan] gave this header of. It does not look again whether the line is sound.
func DecodeScanned(header Header, line []byte) Record {
	return decode(header, gjson.Parse(valid(line)))
}

func valid(line []byte) string {
	if utf8.Valid(line) { // which is told faster
		return string(line)
	}
	return strings.ToValidUTF8(string(line), "\uFFFD")
}

func decode(header Header, object gjson.Result) Record {
	r := Record{Header: header, JSON: object.Raw}
	if !r.Newer {
		decodeBody(&r, object)
	}
	return r
}
