package jsonl

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
)

// Document is a file that is one object, with a list in it.
type Document struct {
	gjson.Result
	whole bool
}

// ReadObject reads a file that is one object. It need not be whole: its writer may not be done, or a part of it is damaged. What is no
// object at all is an error.
func ReadObject(file io.Reader) (Document, error) {
	data, err := io.ReadAll(io.LimitReader(file, sources.LineMost+1))
	switch {
	case err != nil:
		return Document{}, fmt.Errorf("reading it: %w", err)
	case len(data) > sources.LineMost:
		return Document{}, fmt.Errorf("over %d bytes: %w", sources.LineMost, sources.ErrTooLarge)
	}
	o := Document{gjson.ParseBytes(trim(data, true)), json.Valid(trim(data, true))}
	if !o.IsObject() {
		return o, errors.New("it is no JSON: half written, or damaged")
	}
	return o, nil
}

// Each visits the objects in one of its lists. What is none, because it is damaged or cut off, is kept in the log as it is.
func (o Document) Each(list string, log *sources.Log, visit func(gjson.Result) error) error {
	var err error
	broken := false
	o.Get(list).ForEach(func(_, value gjson.Result) bool {
		if !value.IsObject() || !o.whole && !json.Valid([]byte(value.Raw)) {
			log.Broken([]byte(value.Raw))
			broken = true
			return true
		}
		err = visit(value)
		return err == nil
	})
	if err == nil && !o.whole && !broken { // it is somewhere else
		const most = 200
		log.Broken([]byte(o.Raw[max(len(o.Raw)-most, 0):]))
	}
	return err
}
