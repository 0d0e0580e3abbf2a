package expression

import (
	"context"
	"unicode/utf8"
)

// Place is where something was found in a text, in bytes.
type Place struct{ Start, End int }

// Places are those in a text, at most so many. The text is composed first: the places are of what is returned with them.
func (e *Expression) Places(ctx context.Context, text string, most int) (out []Place, whole string, err error) {
	whole = composed(text)
	finding := e.finder.In(ctx, []byte(whole), nil)
	start, end, _ := finding.From(0)
	for start >= 0 && len(out) < most && ctx.Err() == nil {
		from := end
		if start < end {
			out = append(out, Place{start, end})
		} else {
			_, size := utf8.DecodeRuneInString(whole[from:])
			from += size
		}
		if from >= len(whole) {
			break
		}
		start, end, _ = finding.From(from)
	}
	return out, whole, ctx.Err()
}
