package index

import (
	"encoding/binary"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// composed is a text as it is stored and compared: valid UTF-8, in NFC.
func composed(s string) string {
	if plain(s) {
		return s
	}
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	return norm.NFC.String(s)
}

// Folded is a text as it is compared where case does not matter: texts that differ by case alone, or by how accents are written, are the
// same.
func Folded(s string) string {
	folded, _ := appendFolded(nil, []byte(composed(s)))
	return string(folded)
}

// plain says that a text is composed as it is, where that is easily said: it is of characters none of which composes with what stands
// before it.
func plain(s string) bool {
	for i := 0; i < len(s); {
		for ; i+8 <= len(s); i += 8 {
			if eight(s[i:])&highBits != 0 {
				break
			}
		}
		switch {
		case i == len(s):
		case s[i] < utf8.RuneSelf:
			i++
		case len(s)-i >= 3 && s[i+1]&0xC0 == 0x80 && s[i+2]&0xC0 == 0x80 && apart(s[i], s[i+1]):
			i += 3
		default:
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError || !standsAlone(r) {
				return false
			}
			i += size
		}
	}
	return true
}

// apart says that characters of three bytes that begin so are never part of another: those from U+4E00 to U+9FFF (and a few before
// them), of fullwidth forms, and box drawing.
func apart(first, second byte) bool {
	return 0xE4 <= first && first <= 0xE9 || first == 0xEF && (second == 0xBC || second == 0xBD) || first == 0xE2 && (second == 0x94 || second == 0x95)
}

// standsAlone says that a character is composed, whatever stands before it.
func standsAlone(r rune) bool {
	return r < 1<<16 && alone()[r>>6]&(1<<(r&63)) != 0
}

// alone has a bit for each character of up to three bytes.
var alone = sync.OnceValue(func() *[1 << 16 / 64]uint64 {
	var all [1 << 16 / 64]uint64
	for r := rune(utf8.RuneSelf); r < 1<<16; r++ {
		if s := string(r); utf8.ValidRune(r) && norm.NFC.PropertiesString(s).BoundaryBefore() && norm.NFC.IsNormalString(s) {
			all[r>>6] |= 1 << (r & 63)
		}
	}
	return &all
})

func eight(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 | uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// appendFolded appends a text in which characters that differ by case alone are the same, one for one. It also says whether
// each takes as many bytes as before: only for a few, such as the long s, is that not so.
func appendFolded(dst []byte, s []byte) (folded []byte, even bool) {
	even = true
	for i := 0; i < len(s); {
		for ; i+8 <= len(s); i += 8 {
			eight := binary.LittleEndian.Uint64(s[i:])
			if eight&highBits != 0 {
				break
			}
			dst = binary.LittleEndian.AppendUint64(dst, lowerEight(eight))
		}
		if i == len(s) {
			break
		}
		c := s[i]
		switch {
		case c < utf8.RuneSelf:
			dst = append(dst, lowerByte(c))
			i++
		case caseless(c) && i+3 <= len(s):
			dst = append(dst, s[i], s[i+1], s[i+2])
			i += 3
		default:
			r, size := utf8.DecodeRune(s[i:])
			before := len(dst)
			dst = utf8.AppendRune(dst, foldRune(r))
			even = even && len(dst)-before == size
			i += size
		}
	}
	return dst, even
}

const (
	highBits = 0x8080808080808080
	ones     = 0x0101010101010101
)

// lowerEight is eight characters of ASCII in lower case.
func lowerEight(w uint64) uint64 {
	fromA := w + (0x80-'A')*ones
	aboveZ := w + (0x7F-'Z')*ones
	return w | (fromA&^aboveZ&highBits)>>2
}

func lowerByte(b byte) byte {
	if 'A' <= b && b <= 'Z' {
		return b - 'A' + 'a'
	}
	return b
}

// caseless says that a byte begins a character of three bytes in a range without case: CJK, kana, most of Hangul.
func caseless(b byte) bool { return 0xE3 <= b && b <= 0xE9 || 0xEB <= b && b <= 0xED }

// foldRune is the character that stands for all that differ from r by case alone.
func foldRune(r rune) rune {
	if f, ok := folds()[r]; ok {
		return f
	}
	return r
}

var folds = sync.OnceValue(func() map[rune]rune {
	all := map[rune]rune{}
	for _, of := range unicode.CaseRanges {
		for r := rune(of.Lo); r <= rune(of.Hi); r++ {
			least := r
			for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
				least = min(least, next)
			}
			if least < utf8.RuneSelf {
				least = unicode.ToLower(least)
			}
			if least != r {
				all[r] = least
			}
		}
	}
	return all
})

// unfolded is the place in a text of a place in what it was folded to.
func unfolded(text []byte, place int) int {
	at := 0
	for i := 0; i < place && at < len(text); {
		r, size := utf8.DecodeRune(text[at:])
		if r < utf8.RuneSelf {
			i++
		} else {
			i += utf8.RuneLen(foldRune(r))
		}
		at += size
	}
	return at
}
