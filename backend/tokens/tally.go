package tokens

import "golang.org/x/text/width"

// ImageTokens is what an image counts, whatever its size: about what the large providers charge
// for one at the resolution they scale it down to.
const ImageTokens = 1200

const quartersPerToken = 4

// Tally adds up the parts of one message. The sum is kept in quarter tokens and rounded up
// only by [Tally.Tokens], so that a message of many small blocks does not count more than the
// same text in one. The zero value is an empty tally.
type Tally struct {
	quarters int
}

// AddText counts a text: a quarter token for each code point and one token for each wide one.
// For a tool call, add its name and then its arguments as JSON. A byte that is not part of valid
// UTF-8 counts as one code point.
func (t *Tally) AddText(text string) {
	quarters := 0
	for _, r := range text {
		if r < firstWide {
			quarters++
		} else {
			quarters += quartersOf(r)
		}
	}
	t.quarters += quarters
}

// AddImage counts one image, [ImageTokens].
func (t *Tally) AddImage() {
	t.quarters += ImageTokens * quartersPerToken
}

// AddQuarters counts what [Tally.Quarters] of another tally were.
func (t *Tally) AddQuarters(quarters int) { t.quarters += quarters }

// Quarters is the tally in quarter tokens, before it is rounded.
func (t *Tally) Quarters() int { return t.quarters }

// Tokens is the tally in tokens, rounded up.
func (t *Tally) Tokens() int {
	return (t.quarters + quartersPerToken - 1) / quartersPerToken
}

// Estimate is the raw estimate, in tokens, of a message that is this text and nothing else.
func Estimate(text string) int {
	var t Tally
	t.AddText(text)
	return t.Tokens()
}

// firstWide is the lowest code point that can be wide (Hangul Jamo). Most text lies below it
// and needs no table.
const firstWide = 0x1100

func quartersOf(r rune) int {
	if isEmoji(r) {
		return quartersPerToken
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return quartersPerToken
	default:
		return 1
	}
}

// isEmoji goes by block, because the width property (Unicode Standard Annex 11) calls many emoji
// neutral: flags, and all that are text unless a variation selector follows. Going by block also
// covers emoji younger than the tables. The signs that share these blocks (check marks, dingbat
// arrows, playing cards) cost a tokenizer one to three tokens each, too.
func isEmoji(r rune) bool {
	return 0x2600 <= r && r <= 0x27BF || // Miscellaneous Symbols, Dingbats
		0x1F000 <= r && r <= 0x1FAFF // Mahjong Tiles to Symbols and Pictographs Extended-A
}
