package query

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// piece is what stands between white space: a term or a filter.
type piece struct {
	term   *Term
	filter *Filter
}

// next reads the piece that a text begins with, and how many bytes it takes. With filtersOnly everything but filters is a word.
func next(text string, filtersOnly bool) (p piece, length int) {
	sign := 0
	if leavesOut(text) {
		sign = 1
	}
	if f, n := filterAt(text[sign:]); n > 0 {
		f.Not = sign == 1
		return piece{filter: &f}, sign + n
	}
	word := text[:wordEnd(text)]
	if filtersOnly {
		return piece{term: &Term{Text: word}}, len(word)
	}
	if phrase, n := phraseAt(text[sign:]); n > 0 {
		return piece{term: &Term{Text: phrase, Not: sign == 1}}, sign + n
	}
	if expr, n := exprAt(text[sign:]); n > 0 {
		return piece{term: &Term{Text: expr, Not: sign == 1, Regex: true}}, sign + n
	}
	return piece{term: &Term{Text: word[sign:], Not: sign == 1}}, len(word)
}

// leavesOut tells whether a piece begins with the sign for what is left out. An arrow, a flag with two strokes, a subtraction and a stroke
// that stands alone are words.
func leavesOut(text string) bool {
	rest, is := strings.CutPrefix(text, "-")
	return is && !endsPiece(rest) && !strings.ContainsAny(rest[:1], "->=")
}

// wordEnd is where the first white space of a text is.
func wordEnd(text string) int {
	if at := strings.IndexFunc(text, unicode.IsSpace); at >= 0 {
		return at
	}
	return len(text)
}

// endsPiece tells whether a piece may end in front of this text.
func endsPiece(text string) bool {
	r, size := utf8.DecodeRuneInString(text)
	return size == 0 || unicode.IsSpace(r)
}

// beginsPiece tells whether a piece may begin behind this text.
func beginsPiece(text string) bool {
	r, size := utf8.DecodeLastRuneInString(text)
	return size == 0 || unicode.IsSpace(r)
}

// phraseAt reads a phrase that a text begins with; 0 bytes if it does not. One without an end, or with nothing but white space in it, is
// none. Nor is a quote that stands alone, with another phrase behind it.
func phraseAt(text string) (phrase string, length int) {
	if !strings.HasPrefix(text, `"`) {
		return "", 0
	}
	alone := endsPiece(text[1:])
	var out strings.Builder
	for i := 1; i < len(text); i++ {
		switch {
		case alone && text[i] == '"' && beginsPiece(text[:i]) && !endsPiece(text[i+1:]):
			return "", 0
		case text[i] != '"':
			out.WriteByte(text[i])
		case strings.HasPrefix(text[i:], `""`):
			out.WriteByte('"')
			i++
		case !endsPiece(text[i+1:]):
			out.WriteByte('"') // as in "key":"value"
		case strings.TrimSpace(out.String()) == "":
			return "", 0
		default:
			return out.String(), i + 1
		}
	}
	return "", 0
}

// exprAt reads an expression between slashes that a text begins with; 0 bytes if it does not. A path is none.
func exprAt(text string) (expr string, length int) {
	if !strings.HasPrefix(text, "/") {
		return "", 0
	}
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '/':
			if i == 1 || !endsPiece(text[i+1:]) {
				return "", 0
			}
			return text[1:i], i + 1
		}
	}
	return "", 0
}

// escapeSlashes writes an expression so that it ends where it ends.
func escapeSlashes(expr string) string {
	var out strings.Builder
	for i := 0; i < len(expr); i++ {
		switch {
		case expr[i] == '\\' && i+1 < len(expr):
			out.WriteString(expr[i : i+2])
			i++
		case expr[i] == '/':
			out.WriteString(`\/`)
		default:
			out.WriteByte(expr[i])
		}
	}
	return out.String()
}

// plainSlashes writes an expression without the strokes that only say that it does not end here.
func plainSlashes(expr string) string {
	var out strings.Builder
	for i := 0; i < len(expr); i++ {
		if expr[i] == '\\' && i+1 < len(expr) {
			if i++; expr[i] != '/' {
				out.WriteByte('\\')
			}
		}
		out.WriteByte(expr[i])
	}
	return out.String()
}
