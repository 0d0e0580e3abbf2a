package automaton

import (
	"context"
	"io"
	"time"
	"unicode/utf8"
)

// Patience is how long package regexp may take, for all texts that are looked through with it. The automaton takes none of it: that takes no
// longer than to read a text.
type Patience struct {
	left  time.Duration
	began time.Time
}

// NewPatience is one for so long.
func NewPatience(left time.Duration) *Patience { return &Patience{left: left} }

// begin says until when package regexp may take now, the zero time if that does not matter; it is not ok if that is over.
func (p *Patience) begin() (until time.Time, ok bool) {
	if p == nil {
		return time.Time{}, true
	}
	p.began = time.Now()
	return p.began.Add(p.left), p.left > 0
}

func (p *Patience) end() {
	if p != nil {
		p.left -= time.Since(p.began)
	}
}

// runes reads a text, and ends where it is called off, or at a time.
type runes struct {
	ctx   context.Context //nolint:containedctx // a reader has no other way to know
	until time.Time
	text  []byte
	// often is after how many characters it is asked whether it goes on.
	often, at, read int
	// over says that it ended before the text.
	over bool
}

func (r *runes) ReadRune() (letter rune, size int, err error) {
	if r.at == len(r.text) {
		return 0, 0, io.EOF
	}
	if r.read++; r.over || r.read%r.often == 0 && (r.ctx.Err() != nil || !r.until.IsZero() && time.Now().After(r.until)) {
		r.over = true
		return 0, 0, io.EOF
	}
	letter, size = utf8.DecodeRune(r.text[r.at:])
	r.at += size
	return letter, size, nil
}
