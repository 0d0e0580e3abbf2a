package backend

import (
	"bytes"
	"encoding/json"
	"errors"
)

// PreviousSeq names the compaction that a plan was made on; 0, null in JSON, is none. The zero value asks for nothing: it is
// no pointer, since JSON sets one to nil for null and calls nobody.
type PreviousSeq struct {
	Seq   int64
	Given bool
}

// UnmarshalJSON takes a seq, or null for none.
func (p *PreviousSeq) UnmarshalJSON(data []byte) error {
	p.Given = true
	if bytes.Equal(data, []byte("null")) {
		p.Seq = 0
		return nil
	}
	if err := json.Unmarshal(data, &p.Seq); err != nil || p.Seq < 1 {
		return errors.New("previousSeq is neither null nor a seq")
	}
	return nil
}
