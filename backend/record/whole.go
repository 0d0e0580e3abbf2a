package record

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Of a long text that another agent showed its model, a line holds head and tail; the whole is beside the log, and is what counts.
// Not so where the agent itself, or a tool of ours, showed the model a part only: what stands for the rest looks otherwise there.

// middle is what stands for the rest of a text.
var middle = regexp.MustCompile(`\n\[… (\d+) bytes …\]\n`)

// HeadAndTail is head and tail of a text, each of at most so many bytes; the text is longer than both.
func HeadAndTail(text string, end int) string {
	head, tail := end, len(text)-end
	for !utf8.RuneStart(text[head]) {
		head--
	}
	for !utf8.RuneStart(text[tail]) {
		tail++
	}
	return fmt.Sprintf("%s\n[… %d bytes …]\n%s", text[:head], tail-head, text[tail:])
}

// mostWhole is how many bytes of a text are believed, so that sums of them stay numbers.
const mostWhole = 1 << 40

// ends are head and tail of a text that [HeadAndTail] made of one of so many bytes; not ok if it is none.
func ends(text string, whole int64) (head, tail string, ok bool) {
	if whole > mostWhole {
		return "", "", false
	}
	for _, at := range middle.FindAllStringSubmatchIndex(text, -1) {
		head, tail = text[:at[0]], text[at[1]:]
		cut, err := strconv.ParseInt(text[at[2]:at[3]], 10, 64)
		if err == nil && cut > 0 && len(head)+len(tail) > 0 && cut == whole-int64(len(head)+len(tail)) {
			return head, tail, true
		}
	}
	return "", "", false
}

// Ends are head and tail of a text of which a line holds no more, and how many bytes the whole has; not ok if the line holds all that counts.
func (b *Block) Ends() (head, tail string, whole int64, ok bool) {
	if b.Whole == 0 {
		return "", "", 0, false
	}
	head, tail, ok = ends(b.Text, b.Whole)
	return head, tail, b.Whole, ok
}

// Uncut is the text of a block, given what is kept beside the log: that, if the block holds head and tail of it.
func (b *Block) Uncut(kept string) string {
	head, tail, whole, ok := b.Ends()
	if !ok || int64(len(kept)) != whole || !strings.HasPrefix(kept, head) || !strings.HasSuffix(kept, tail) {
		return b.Text
	}
	return kept
}
