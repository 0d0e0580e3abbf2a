package expression

import (
	"context"
	"io"
	"unicode/utf8"
)

// Place is where something was found in a text, in bytes.
type Place struct{ Start, End int }

// Places are those in a text, at most so many. The text is composed first: the places are of what is returned with them.
func (e *Expression) Places(ctx context.Context, text string, most int) (out []Place, whole string, err error) {
	whole = composed(text)
	if e.quick != nil && !e.quick.MayMatch(ctx, []byte(whole)) {
		return nil, whole, ctx.Err()
	}
	at, found := e.first(ctx, whole)
	for found && len(out) < most && ctx.Err() == nil {
		from := at.End
		if at.Start < at.End {
			out = append(out, at)
		} else {
			_, size := utf8.DecodeRuneInString(whole[from:])
			from += size
		}
		if from >= len(whole) {
			break
		}
		at, found = e.next(ctx, whole, from)
	}
	return out, whole, ctx.Err()
}

func (e *Expression) first(ctx context.Context, text string) (Place, bool) {
	at := e.whole.FindReaderIndex(&runes{ctx: ctx, text: text})
	if at == nil {
		return Place{}, false
	}
	return Place{at[0], at[1]}, true
}

// next is the first place from a byte on that is not the first.
func (e *Expression) next(ctx context.Context, text string, from int) (Place, bool) {
	_, size := utf8.DecodeLastRuneInString(text[:from])
	before := from - size
	at := e.behind.FindReaderSubmatchIndex(&runes{ctx: ctx, text: text[before:]})
	if at == nil {
		return Place{}, false
	}
	return Place{before + at[2], before + at[3]}, true
}

// runes reads a text, and ends where it is called off.
type runes struct {
	ctx  context.Context //nolint:containedctx // a reader has no other way to know
	text string
	at   int
	read int
}

func (r *runes) ReadRune() (letter rune, size int, err error) {
	const often = 4096
	if r.read++; r.read%often == 0 && r.ctx.Err() != nil || r.at == len(r.text) {
		return 0, 0, io.EOF
	}
	letter, size = utf8.DecodeRuneInString(r.text[r.at:])
	r.at += size
	return letter, size, nil
}
