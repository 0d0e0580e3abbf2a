package jsonl

import (
	"errors"
	"fmt"
	"io"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/wellformed"
)

// Document is a file that is one object, with a list in it that may be as long as it likes: of that one item at a time is in memory. What it
// is as a result has an empty list there.
type Document struct {
	gjson.Result
	file io.ReaderAt
	// list is where the list begins, -1 if there is none, and size that of the file.
	list, size int64
	name       string
	whole      bool
}

// OpenDocument looks through a file that is one object, for a list of it. It need not be whole: its writer may not be done, or a part of it is
// damaged. What is no object at all is an error.
func OpenDocument(file io.ReaderAt, list string) (Document, error) {
	d := Document{file: file, list: -1, name: list}
	v := valuesOf(file, 0)
	v.mark()
	if v.blanks() != '{' {
		return d, errors.Join(v.err, errors.New("it is no JSON: half written, or damaged"))
	}
	text, whole := d.members(v)
	return d, d.ended(v, text, whole)
}

// OpenList is OpenDocument for a file that may also be that list alone.
func OpenList(file io.ReaderAt, list string) (Document, error) {
	v := valuesOf(file, 0)
	v.mark()
	if v.blanks() != '[' {
		return OpenDocument(file, list)
	}
	d := Document{file: file, list: v.at, name: list}
	return d, d.ended(v, []byte("{}"), v.items(nil))
}

// ended looks at what stands behind the object or the list.
func (d *Document) ended(v *values, text []byte, whole bool) error {
	d.whole = v.blanks() == end && whole && wellformed.JSON(text)
	v.rest()
	d.Result, d.size = gjson.ParseBytes(text), v.at
	if v.err != nil {
		return fmt.Errorf("reading it: %w", v.err)
	}
	return nil
}

// members are those of the object that begins here, without the items of the list; not whole if they are not written as they have to be.
func (d *Document) members(v *values) (text []byte, whole bool) {
	v.next()
	text = append(text, '{')
	var order order
	for {
		c := v.blanks()
		switch c {
		case end:
			return append(text, '}'), false
		case '}':
			v.next()
			return append(text, '}'), order.kept()
		case '"':
		default:
			order.between(c)
			v.next()
			continue
		}
		order.item()
		value, _, ended := v.value()
		name := string(value)
		if v.blanks() != ':' || !ended {
			order.broken = true
			continue
		}
		v.next()
		if len(text) > 1 {
			text = append(text, ',')
		}
		text = append(append(text, name...), ':')
		if v.blanks() == '[' && d.list < 0 && name == `"`+d.name+`"` {
			d.list = v.at
			order.broken = !v.items(nil) || order.broken
			text = append(text, "[]"...)
			continue
		}
		value, length, ended := v.value()
		if order.broken = order.broken || !ended; length > int64(len(value)) {
			value = []byte("null") // it is too long to be read
		}
		text = append(text, value...)
	}
}

// Each visits the objects in the list. What is none, because it is damaged or cut off, is kept in the log as it is.
func (d Document) Each(log *sources.Log, visit func(gjson.Result) error) error {
	if d.list < 0 {
		if other := d.Get(d.name); other.Exists() && other.Type != gjson.Null {
			log.Broken([]byte(other.Raw))
			return nil
		}
		return d.none(log)
	}
	var err error
	broken := false
	v := valuesOf(d.file, d.list)
	v.items(func(text []byte, at, length int64) bool {
		switch value := gjson.ParseBytes(text); {
		case length > int64(len(text)):
			log.Unknown(at, "record", length)
		case !value.IsObject() || !wellformed.JSON(text):
			before := log.Damaged()
			log.Broken(text)
			broken = broken || log.Damaged() > before // zeros that a power cut left are none
		default:
			err = visit(value)
		}
		return err == nil
	})
	if err == nil && v.err != nil {
		err = fmt.Errorf("reading it: %w", v.err)
	}
	if err == nil && !broken {
		err = d.none(log)
	}
	return err
}

// none keeps the end of a file that is damaged, but not in one of the items.
func (d *Document) none(log *sources.Log) error {
	if d.whole {
		return nil
	}
	const most = 200
	text := make([]byte, min(d.size, most))
	n, err := d.file.ReadAt(text, d.size-int64(len(text)))
	if n < len(text) {
		return fmt.Errorf("reading it: %w", err)
	}
	log.Broken(text)
	return nil
}
